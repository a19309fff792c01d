"""Names in six other languages are understood as their English twins are."""

import tomllib
from importlib import resources

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, Scores
from replib._labels import notes_about_labels
from replib._names import scores
from replib._names.labels import (
    numbered,
    parts,
    settings,
    statistics,
    summaries,
    training_parts,
)
from replib._names.languages import in_english
from replib._names.metrics import directions, ideals, named, quantities
from replib._names.models import differences
from replib._names.things import (
    columns,
    descriptions,
    items,
    kinds,
    measures,
    nouns,
    roles,
    runs,
    times,
    truth,
)
from replib.readers import from_wide

FILE = resources.files("replib").joinpath("data", "names", "words.toml")
LANGUAGES = {
    language: table
    for language, table in tomllib.loads(FILE.read_text("utf-8")).items()
    if isinstance(table, dict) and language not in ("ambiguous", "in_order")
}
#: Functions that are asked what a name says.
QUESTIONS = [
    *(columns.measured_by_name, columns.no_score_by_name, columns.has_spreads),
    *(columns.is_no_row, columns.is_size_of_model, columns.is_about_answers),
    *(columns.tells_of_training, descriptions.is_upper_bound),
    *(
        lambda name, level=level: nouns.noun_of_name(name, level)
        for level in ("noted", "apart", "far", "whole", "unrelated")
    ),
    *(differences.is_difference, differences.is_stated_difference),
    *(ideals.is_signed, ideals.ideal_of_metric, items.says_what_was_asked, items.asks),
    *(items.describes_items, items.has_answers, items.names_a_group),
    *(
        kinds.kind_of_name,
        kinds.kind_in_role,
        measures.is_measure,
        measures.may_be_measure,
    ),
    *(directions.direction_of_metric, directions.direction_of_row),
    *(directions.stated_direction, named.is_name_of_metric),
    *(quantities.quantity_of_metric, parts.part_of_name),
    *(training_parts.is_of_training, training_parts.is_scored_on_training),
    training_parts.is_training_part,
    *(roles.is_word_of_labels, runs.summary_of_runs, runs.is_no_run),
    *(statistics.end_of_interval, statistics.is_limit, summaries.is_summary),
    *(summaries.summarised_group, truth.is_name_of_truth),
    *(lambda name: scores.may_have_scores_of(name, "accuracy"),),
    *(lambda name: numbered.kind_of_numbered([f"{name} 1", f"{name} 2"]),),
    *(lambda name: settings.are_settings([f"{name}=0.1", f"{name}=0.2"]),),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("context", ["{}", "svm_{} (ms)", "GLUE ({})"])
def test_words_say_what_their_english_twins_say(language, context):
    different = [
        (term, english, question.__name__)
        for english, terms in LANGUAGES[language].items()
        for term in terms
        for question in QUESTIONS
        if question(context.format(term)) != question(context.format(english))
    ]
    assert not different


@pytest.mark.parametrize(
    ("name", "english"),
    [
        ("Versuchspersonennummer", "participant number"),
        ("Trainingsgenauigkeit", "training accuracy"),
        ("Kreuzvalidierungsfehler", "cross validation error"),
        ("trainingstijd (s)", "training time (s)"),
        ("idMenage", "idHousehold"),
        ("DATENSATZ", "data set"),
        ("Datensaetze", "data sets"),
        ("taux_erreur", "error rate"),
        ("Taux d\N{RIGHT SINGLE QUOTATION MARK}erreur", "error rate"),
        ("erreur de test", "test error"),
        ("nombre de classes", "num classes"),
        ("moyenne de 5 exécutions", "mean of 5 runs"),
        ("bester von 5 Läufen", "best of 5 runs"),
        ("Anzahl der Klassen", "num classes"),
        ("repeticiones", "repetitions"),
        ("me\u0301nage", "household"),
    ],
)
def test_spellings_of_words(name, english):
    assert in_english(name) == english


@pytest.mark.parametrize(
    "name",
    ["Mistral", "Falke", "Gemma", "iris", "vino", "bois", "Orca", "Claude", "Jamba"]
    + ["rate", "gross", "error", "media", "social media", "note", "base", "tag", "kind"]
    + [
        "par",
        "mal",
        "M",
        "n",
        "o",
        "e",
        "SOM",
        "DAG",
        "MOT17",
        "eta",
        "Somme",
    ]
    + ["precision", "précision", "precisión", "linear probe", "The Pile", "C4", "data"]
    + [
        "series",
        "train",
        "classes",
        "training error",
        "test accuracy",
        "DE-CN",
        "La Liga",
    ]
    + ["LaMDA", "Grand Tour", "De Bello Gallico", "MUSE", "tests", "mean of runs"]
    + ["Vicuna", "Koala", "Bloom", "Dolly", "Zephyr", "Solar", "Luminous", "Teuken"]
    + [
        "bank",
        "car",
        "adult",
        "wine",
        "glass",
        "zoo",
        "vote",
        "sonar",
        "labor",
        "lupus",
    ],
)
def test_names_of_other_things_stay(name):
    assert in_english(name) == name


SOME = np.random.default_rng(5)
ROWS = [f"uci-{letter}" for letter in "abcdefghijkl"]


def wide(**extra):
    """Scores of two models on data sets, beside columns that are computed from them."""
    a, b = (np.round(SOME.uniform(0.6, 0.9, len(ROWS)), 3) for _ in range(2))
    frame = pd.DataFrame({"dataset": ROWS, "nb": a, "svm": b})
    return frame.assign(**{name: np.round(f(a, b), 3) for name, f in extra.items()})


def noted(frame, metric="accuracy"):
    table = from_wide(frame, design="datasets", metric=metric)
    return " ".join(notes_about_labels(table))


@pytest.mark.parametrize(
    "name", ["Differenz", "différence", "diferencia", "differenza"]
)
def test_a_difference_is_noted_as_it_is_called(name):
    assert f"The scores of {name} are those of svm minus" in noted(
        wide(**{name: lambda a, b: b - a}), "r2"
    )


@pytest.mark.parametrize("name", ["beste", "meilleur", "mejor", "migliore", "melhor"])
def test_the_best_model_is_noted(name):
    assert f"{name} are computed" in noted(wide(**{name: np.maximum}))


@pytest.mark.parametrize(
    "name", ["Mittelwert", "moyenne", "media", "média", "gemiddelde"]
)
def test_the_mean_of_models_is_noted(name):
    mean = wide(**{name: lambda a, b: (a + b) / 2})
    assert f"{name} are computed" in noted(mean)


@pytest.mark.parametrize(
    ("low", "high"),
    [("Untergrenze", "Obergrenze"), ("borne inférieure", "borne supérieure")]
    + [("límite inferior", "límite superior"), ("limite_inferiore", "limite_superiore")]
    + [("ondergrens", "bovengrens")],
)
def test_limits_of_an_interval_are_noted(low, high):
    limits = {
        f"svm {low}": lambda a, b: b - 0.02,
        f"svm {high}": lambda a, b: b + 0.02,
    }
    assert f"'svm {low}' and 'svm {high}' are called like" in noted(wide(**limits))


@pytest.mark.parametrize(
    "name",
    ["Mittelwert", "Gesamt", "Moyenne", "Promedio", "Totale", "Média", "Gemiddelde"],
)
def test_a_row_of_means_is_noted(name):
    frame = wide()
    frame.loc[len(frame)] = [name, 0.71, 0.74]
    assert f"{name!r} is labelled like a summary" in noted(frame)


@pytest.mark.parametrize(
    "metric",
    [
        "Fehlerquote",
        "Fehlerrate (Test)",
        "taux d'erreur",
        "tasa_de_error",
        "foutpercentage",
    ]
    + [
        "tasso di errore",
        "taxa de erro",
        "erreur quadratique moyenne",
        "Verlust",
        "RMSE",
    ],
)
def test_a_declared_direction_that_a_name_contradicts_is_asked_for(metric):
    assert Metric(metric, better="lower").high == np.inf  # no range comes from a name
    with pytest.raises(ValueError, match="is by its name better lower, not higher"):
        Metric(metric, better="higher")


@pytest.mark.parametrize(
    "metric", ["Genauigkeit", "exactitude", "acurácia", "Trefferquote"]
)
def test_a_gain_is_better_higher(metric):
    assert Metric(metric, better="higher").low == -np.inf
    with pytest.raises(ValueError, match="is by its name better higher, not lower"):
        Metric(metric, better="lower")


@pytest.mark.parametrize("metric", ["Genauigkeit", "exactitud", "accuratezza"])
def test_a_direction_is_not_taken_from_a_word_silently(metric):
    with pytest.raises(ValueError, match=r"is not known \(is it accuracy\?\): say"):
        Metric(metric)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("metric", ["précision", "Güte", "qualité", "Punktzahl"])
def test_a_word_of_two_meanings_has_no_direction(metric, better):
    assert Metric(metric, better=better).better == better


@pytest.mark.parametrize(
    "name",
    ["Versuchsperson", "Probandennr", "id_menage", "sujet", "paciente", "hogar"]
    + ["famiglia", "utente", "aluno", "deelnemer", "patiënt", "Haushalts-ID"],
)
def test_items_of_one_person_may_depend_on_each_other(name):
    frame = pd.DataFrame(
        {"item": range(60), "nb": SOME.random(60), "svm": SOME.random(60)}
    )
    frame[name] = np.repeat(np.arange(20), 3)
    with pytest.raises(ValueError, match=f"items with the same {name!r}, such as"):
        from_wide(frame, design="items", metric="mae")


def long(labels, name, *, scores="score", **others):
    rows = [
        (model, label, SOME.random()) for model in ("nb", "svm") for label in labels
    ]
    frame = pd.DataFrame(rows, columns=["model", name, scores])
    return frame.assign(**others)


@pytest.mark.parametrize(
    ("name", "things"),
    [("Beurteiler", "judges"), ("évaluateur", "judges"), ("anotador", "judges")]
    + [("soglia", "thresholds"), ("época", "epochs"), ("beoordelaar", "judges")]
    + [
        ("Datensatz", "data sets"),
        ("jeu_de_donnees", "data sets"),
        ("Lernrate", "settings"),
    ],
)
def test_other_things_are_no_runs(name, things):
    with pytest.raises(ValueError, match=f"column {name!r} has {things} by its name"):
        Scores(
            long(range(5), name), design="seeds", metric="mae", columns={"run": name}
        )


@pytest.mark.parametrize(
    ("mean", "best"),
    [
        ("Mittel über 5 Läufe", "bester von 5 Läufen"),
        ("media", "mejor de 5 ejecuciones"),
    ]
    + [
        ("moyenne de 5 exécutions", "meilleure de 5 exécutions"),
        ("média", "melhor de 5"),
    ],
)
def test_runs_that_are_summarised_differently_are_noted(mean, best):
    names = [f"BERT ({mean})", f"ours ({best})"]
    is_noted = runs.are_summarised_differently(names) is not None
    assert is_noted == (mean != "media")  # which is another word in English


@pytest.mark.parametrize(
    "labels",
    [
        ["Montag", "Dienstag", "Mittwoch"],
        ["segunda-feira", "terça-feira", "sexta-feira"],
    ]
    + [["maandag", "vrijdag", "zondag"], ["fevereiro", "março", "maio"]]
    + [["janv 2015", "févr 2015", "mars 2015"], ["enero", "febrero", "marzo"]],
)
def test_days_and_months_are_times(labels):
    assert times.parts_of_time(labels) is not None
    assert times.parts_of_time([*labels[:2], "iris"]) is None


#: What a table of an author of each language is called, and its data sets.
AUTHORS = {
    "german": {
        **dict(data_set="Datensatz", run="Durchlauf", fold="Falte", item="Frage"),
        **dict(person="Versuchsperson", accuracy="Genauigkeit", error="Fehlerquote"),
        **dict(
            age="Alter",
            question="Fragetext",
            seed="Startwert",
            model="Entscheidungsbaum",
        ),
        "places": ["Wein", "Kredit", "Glas", "Herz", "Hessen", "Bayern", "Zeitungen"],
    },
    "french": {
        **dict(data_set="Jeu de données", run="exécution", fold="pli", item="question"),
        **dict(person="participant", accuracy="exactitude", error="taux d'erreur"),
        **dict(age="âge", question="texte", seed="graine", model="arbre de décision"),
        "places": ["Somme", "Nord", "Loire", "vin", "bois", "crédit", "Meuse"],
    },
    "spanish": {
        **dict(
            data_set="conjunto de datos",
            run="ejecución",
            fold="pliegue",
            item="pregunta",
        ),
        **dict(person="participante", accuracy="exactitud", error="tasa de error"),
        **dict(age="edad", question="texto", seed="semilla", model="bosque aleatorio"),
        "places": [
            "vino",
            "crédito",
            "Toledo",
            "media",
            "La Rioja",
            "El Paso",
            "hongos",
        ],
    },
    "italian": {
        **dict(
            data_set="insieme di dati", run="esecuzione", fold="piega", item="domanda"
        ),
        **dict(person="partecipante", accuracy="accuratezza", error="tasso di errore"),
        **dict(age="età", question="testo", seed="seme", model="albero"),
        "places": [
            "vino",
            "credito",
            "Marche",
            "Lago Superiore",
            "media",
            "funghi",
            "Lecco",
        ],
    },
    "portuguese": {
        **dict(
            data_set="conjunto_de_dados", run="execução", fold="dobra", item="questão"
        ),
        **dict(person="participante", accuracy="acurácia", error="taxa de erro"),
        **dict(age="idade", question="texto", seed="semente", model="floresta"),
        "places": ["vinho", "crédito", "Bahia", "Goiás", "soma", "cogumelos", "vidro"],
    },
    "dutch": {
        **dict(data_set="gegevensset", run="herhaling", fold="vouw", item="vraag"),
        **dict(
            person="proefpersoon", accuracy="nauwkeurigheid", error="foutpercentage"
        ),
        **dict(
            age="leeftijd", question="tekst", seed="startwaarde", model="beslisboom"
        ),
        "places": [
            "wijn",
            "krediet",
            "Utrecht",
            "Drenthe",
            "glas",
            "som",
            "paddenstoelen",
        ],
    },
}
LOWER = Metric("skill", better="lower")


def data_sets(words):
    return Scores(
        long(words["places"], words["data_set"]), design="datasets", metric=LOWER
    )


def runs_of_seeds(words):
    return Scores(long(range(5), words["run"]), design="seeds", metric=LOWER)


def seeds(words):
    return Scores(long([1, 42, 7, 99, 13], words["seed"]), design="seeds", metric=LOWER)


def folds(words):
    return Scores(long(range(10), words["fold"]), design="1x10", metric=LOWER)


def questions(words):
    return Scores(long(range(90), words["item"]), design="items", metric=LOWER)


def scores_called_after_the_metric(words):
    frame = long(words["places"], words["data_set"], scores=words["accuracy"])
    return Scores(frame, design="datasets", metric="accuracy")


def errors(words):
    metric = Metric(words["error"], better="lower", low=0, high=1)
    return Scores(
        long(words["places"], words["data_set"]), design="datasets", metric=metric
    )


def persons_as_clusters(words):
    persons = {words["person"]: [*np.repeat(np.arange(30), 3)] * 2}
    frame = long(range(90), words["item"], **persons)
    return Scores(frame, design=Items(cluster=words["person"]), metric=LOWER)


def ages_of_items(words):
    ages = {words["age"]: [*SOME.integers(20, 60, 90)] * 2}
    return Scores(long(range(90), words["item"], **ages), design="items", metric=LOWER)


def wide_table(words):
    names = {"dataset": words["data_set"], "nb": words["model"]}
    frame = wide().head(len(words["places"])).rename(columns=names)
    frame[words["data_set"]] = words["places"]
    return from_wide(frame, design="datasets", metric="accuracy")


@pytest.mark.parametrize("language", AUTHORS)
@pytest.mark.parametrize(
    "use",
    [data_sets, runs_of_seeds, seeds, folds, questions, scores_called_after_the_metric]
    + [errors, persons_as_clusters, ages_of_items, wide_table],
)
def test_right_uses_are_read_without_a_word(use, language):
    table = use(AUTHORS[language])
    assert not [*notes_about_labels(table)]
    assert len(table.models) == 2


#: Parts of terms and compounds, and names of columns that only tables know.
PARTS_OF_TERMS = {"compute", "forecast", "rate", "subset", "word"}


def test_each_word_says_something():
    """A word that nobody asks for would only be there to be mistaken for another."""
    contexts = ["{}", "{} (ms)", "svm {}", "GLUE ({})", "n_{}", "{}_id"]
    contexts += ["{} epoch", "mean {} error", "best {}", "{} rate", "svm {} nb"]

    def answers(word):
        names = [context.format(word) for context in contexts]
        return [
            question(name)
            for question in QUESTIONS
            for name in names
            if question is not summaries.summarised_group  # which returns other words
        ]

    unknown = answers("zorble")
    words = {english for table in LANGUAGES.values() for english in table}
    assert not [word for word in words - PARTS_OF_TERMS if answers(word) == unknown]
