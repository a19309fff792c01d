"""Families of names: networks and language models with their sizes, data sets and benchmarks.

In a table that was turned, the rows are called like models, and the models like data sets.
"""

import re
from collections.abc import Iterable, Sequence

from replib._names.labels import are_learners

#: Families of networks and of language models, without their sizes.
_NETWORKS = (
    *(
        "alexnet",
        "beit",
        "cait",
        "coatnet",
        "convnext",
        "convnextv2",
        "deit",
        "densenet",
    ),
    *(
        "efficientnet",
        "googlenet",
        "inception",
        "maxvit",
        "mnasnet",
        "mobilenet",
        "nfnet",
    ),
    *("mixer", "mobilevit", "poolformer", "regnet", "regnet[xy]", "resnet", "resnext"),
    *("preact ?resnet", "shufflenet", "squeezenet", "swin", "swinv2", "vgg", "vit"),
    *(
        "wide ?resnet",
        "wrn",
        "xception",
        "xcit",
        "clip",
        "siglip",
        "dino",
        "dinov2",
        "eva",
    ),
    *(
        "moco",
        "simclr",
        "byol",
        "mae",
        "unet",
        "u net",
        "nnu ?net",
        "nn u ?net",
        "detr",
    ),
    *("deeplab", "segformer", "mask2former", "yolo", "yolox", "retinanet", "ssd"),
    *("(?:mask|fast|faster|cascade) r ?cnn", "bert", "roberta", "deberta", "albert"),
    *("distilbert", "electra", "xlnet", "xlm", "xlm r", "xlmr", "mbert", "t5", "mt5"),
    *("flan t5", "byt5", "ul2", "bart", "mbart", "pegasus", "gpt", "chatgpt", "opt"),
    *(
        "bloom",
        "bloomz",
        "llama",
        "code ?llama",
        "alpaca",
        "vicuna",
        "koala",
        "mistral",
    ),
    *("mixtral", "falcon", "mpt", "qwen", "qwen vl", "gemma", "gemini", "phi", "yi"),
    *("pythia", "olmo", "starcoder", "deepseek", "internlm", "baichuan", "chatglm"),
    *("glm", "claude", "command", "dbrx", "jamba", "mamba", "rwkv", "stablelm", "tulu"),
    *("zephyr", "orca", "wizardlm", "palm", "chinchilla", "gopher", "nllb", "madlad"),
    *(
        "whisper",
        "wav2vec",
        "wav2vec2",
        "hubert",
        "wavlm",
        "conformer",
        "grok",
        "llava",
    ),
    *("ppo", "sac", "td3", "ddpg", "dqn", "a2c", "a3c", "trpo", "rainbow", "impala"),
    *(
        "dreamer",
        "tabnet",
        "tabpfn",
        "ft transformer",
        "xgboost",
        "lightgbm",
        "catboost",
    ),
    *("gcn", "gat", "graphsage", "gin", "lstm", "bi ?lstm", "gru", "arima", "sarima"),
    *("prophet", "deepar", "informer", "autoformer", "patchtst", "dlinear", "n ?beats"),
    *("nhits", "tft", "hist ?gradient ?boosting"),
)
#: Sizes and versions behind a family: "50", "v0", "7b", "B", "large", "instruct".
_SIZE = (
    r"v?\d+[a-z]{0,2}|\d+x\d+[a-z]?|x\d+|[a-z]\d{0,2}|[a-z]{2}|tiny|mini|small|base|medium|large|huge"
    r"|giant|nano|instruct|chat|turbo|preview|pro|plus|ultra|flash|opus|sonnet|haiku|hf"
    r"|coder|math|distill|cased|uncased|patch\d+|in\d+k|fpn|net|sft|dpo|beta|alpha"
)
_NETWORK = re.compile(
    rf"(?:{'|'.join(_NETWORKS)})(?:{_SIZE.split('|', 1)[0]})?(?: (?:{_SIZE}))*"
)
#: Parameters of a language model, as of "Llama-2-7b", but not the size of a corpus.
_PARAMETERS = re.compile(r"(?:.* )?\d+(?: \d+)?b(?: .*)?")
_CORPORA = re.compile(r"laion|jft|oscar|pile|word")
#: Rows among these may have one of these names.
_ANY_MODEL = {"baseline", "ensemble", "human", "majority", "our", "ours", "proposed"}

#: Families of data sets and benchmarks that no model is called after.
_BENCHMARKS = (
    *("cifar", "svhn", "(?:fashion|k|e|permuted|split|rotated)? ?mnist", "stl", "coco"),
    *(
        "tiny ?imagenet",
        "mini ?imagenet",
        "food ?101",
        "(?:oxford )?flowers",
        "sun ?397",
    ),
    *(
        "(?:oxford )?(?:iiit )?pets",
        "stanford cars",
        "(?:fgvc )?aircraft",
        "dtd",
        "caltech",
    ),
    *(
        "eurosat",
        "resisc",
        "pcam",
        "ucf",
        "hmdb",
        "celeba",
        "lfw",
        "cub",
        "inat",
        "gtsrb",
    ),
    *(
        "cityscapes",
        "ade ?20k",
        "kitti",
        "pascal voc",
        "voc ?2\\d{3}",
        "objectnet",
        "vtab",
    ),
    *(
        "mmlu",
        "hella ?swag",
        "arc (?:easy|challenge|c|e)",
        "truthful ?qa",
        "wino ?grande",
    ),
    *("gsm ?8k", "gsm", "human ?eval", "mbpp", "piqa", "siqa", "openbook ?qa", "obqa"),
    *(
        "commonsense ?qa",
        "csqa",
        "trivia ?qa",
        "natural ?questions",
        "hotpot ?qa",
        "bbh",
    ),
    *(
        "big ?bench",
        "agi ?eval",
        "c ?eval",
        "cmmlu",
        "if ?eval",
        "gpqa",
        "musr",
        "lambada",
    ),
    *(
        "mt ?bench",
        "alpaca ?eval",
        "arena ?hard",
        "xnli",
        "x ?copa",
        "xquad",
        "tydi ?qa",
    ),
    *(
        "mgsm",
        "flores",
        "wmt",
        "iwslt",
        "cnn dm",
        "cnn dailymail",
        "xsum",
        "samsum",
        "aime",
    ),
    *("wikitext", "ptb", "enwik", "librispeech", "tedlium", "voxceleb", "super ?glue"),
    *(
        "glue",
        "cola",
        "sst",
        "mrpc",
        "sts ?b",
        "qqp",
        "mnli",
        "qnli",
        "rte",
        "wnli",
        "snli",
    ),
    *("boolq", "multirc", "squad", "swe ?bench", "mmmu", "chartqa", "docvqa", "vqa"),
    *(
        "movielens",
        "ml \\d+m",
        "imdb",
        "ag ?news",
        "dbpedia",
        "20 ?news ?groups?",
        "trec",
    ),
    *("cora", "citeseer", "pubmed", "ogbn?", "mutag", "qm ?9", "zinc", "ett[hm]"),
    *(
        "breast cancer",
        "abalone",
        "ionosphere",
        "ecoli",
        "covertype",
        "california housing",
    ),
    *(
        "german credit",
        "spambase",
        "hepatitis",
        "balance scale",
        "tic tac toe",
        "satimage",
    ),
    *("half ?cheetah", "walker ?2d", "cart ?pole", "lunar ?lander", "mountain ?car"),
    *("acrobot", "breakout", "seaquest", "q ?bert", "space ?invaders", "ms ?pacman"),
    *(
        "common ?voice",
        "winogender",
        "toxigen",
        "bbq",
        "crows pairs",
        "stereoset",
        "mimic",
    ),
)
#: These are words of another meaning, too, or what models are trained on.
_PLAIN_BENCHMARKS = (
    *("imagenet", "places ?365", "iris", "wine", "adult", "glass", "sonar", "heart"),
    *(
        "diabetes",
        "pima",
        "boston",
        "yeast",
        "zoo",
        "vehicle",
        "vote",
        "soybean",
        "math",
    ),
    *(
        "credit",
        "australian",
        "letter",
        "segment",
        "waveform",
        "digits",
        "mushroom",
        "car",
    ),
    *(
        "nursery",
        "splice",
        "titanic",
        "higgs",
        "drop",
        "copa",
        "wic",
        "wsc",
        "record",
        "cb",
    ),
    *(
        "weather",
        "electricity",
        "traffic",
        "exchange",
        "reddit",
        "amazon",
        "yelp",
        "nq",
    ),
    *(
        "hopper",
        "ant",
        "humanoid",
        "pendulum",
        "pong",
        "arc",
        "cars",
        "anneal",
        "autos",
    ),
    *("colic", "labor", "lymph", "audiology", "german", "wikipedia", "pets"),
)
_VARIANT = (
    r"v?\d+[a-z]{0,2}|[a-z]{1,3}|easy|hard|challenge|pro|plus|lite|redux|diamond|extended"
    r"|val|dev|test|mc\d|shot|few|zero|clean|other|large|small|macro|micro|matched"
    r"|mismatched|binary|moral|full|verified|generation|rounded|norm"
)
_VARIANTS = rf"(?:{_VARIANT.split('|', 1)[0]})?(?: (?:{_VARIANT}))*"
_BENCHMARK = re.compile(rf"(?:{'|'.join(_BENCHMARKS)}){_VARIANTS}")
_PLAIN_BENCHMARK = re.compile(rf"(?:{'|'.join(_PLAIN_BENCHMARKS)}){_VARIANTS}")

#: What is compared on several models: quantisation, optimisers, attacks, prompts and so on.
_METHOD = re.compile(
    r"(?:ours?|baseline|proposed|vanilla|standard|default|original|full|none|no|with|without"
    r"|w o|w|new|old|before|after|method|format"
    r"|json|xml|markdown|compressed|greedy|beam|nucleus|sampling|cot|zero|few|one"
    r"|\d+ ?shot|direct|random"
    r"|gptq|awq|rtn|smoothquant|quip|spqr|hqq|aqlm|omniquant|llm int8|nf4|gguf|exl2|squeezellm"
    r"|w\d+a\d+|\d+ ?bits?|(?:fp|bf|int)\d+|fp32|tf32|quantized|pruned|magnitude|wanda"
    r"|sparsegpt|dense|sparse|adamw?|sgd|lion|sophia|lamb|lars|rmsprop|muon|adafactor|nadam"
    r"|momentum|shampoo|lora|qlora|dora|ia3|adapters?|prefix|prompt|linear probe|ft|finetuned"
    r"|full ft|bitfit|scratch|pretrained|mixup|cutmix|augmix|autoaugment|randaugment|dropout"
    r"|fgsm|i fgsm|mi fgsm|pgd|cw|c w|autoattack|square|deepfool|boundary|clean|adversarial"
    r"|detectgpt|watermark|platt|isotonic|temperature|ts|kd|distillation|teacher|student|ce"
    r"|focal|rag|bm25|react|reflexion|sft|dpo|rlhf|ppo|kto|orpo|onnx|tensorrt|eager|compiled"
    r"|vllm|pytorch|torch|jax|tensorflow|gradcam|lime|shap|ig|ema|swa|sam)(?: .*)?"
)
#: Fewer rows with such names may be anything.
_FEWEST_NAMED = 3
#: Of so few models that are called like data sets, none may be a word of another meaning.
_FEWEST_BENCHMARKS = 2


def _plain(name: str) -> str:
    """Return a name in lower case, without its owner, with a blank between words."""
    name = (
        name.strip().casefold().rpartition("/")[2]
        if _has_owner(name)
        else name.casefold()
    )
    return re.sub(r"[\W_]+", " ", name).strip()


def _has_owner(name: str) -> bool:
    """Return whether a name is that of a hub: "meta-llama/Llama-2-7b", but not "ViT-B/16"."""
    owner, sign, model = name.partition("/")
    return sign != "" and owner[:1].isalpha() and model[:1].isalpha()


def is_network(name: str) -> bool:
    """Return whether a name is that of a network or a language model, or of a learner.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> names = ("ResNet-50", "ViT-B/16", "acme/Model-7B-v0.1", "XGBoost", "CIFAR-10", "LAION-5B")
    >>> [is_network(name) for name in names]
    [True, True, True, True, False, False]
    """
    plain = _plain(name)
    if _NETWORK.fullmatch(plain) is not None:
        return True
    if _PARAMETERS.fullmatch(plain) is not None and not _CORPORA.search(plain):
        return True
    return are_learners([plain, plain])


def are_networks(labels: Sequence[str]) -> bool:
    """Return whether labels are names of networks or language models, perhaps beside learners.

    Parameters
    ----------
    labels : sequence of str

    Returns
    -------
    bool

    Examples
    --------
    >>> are_networks(["ResNet-18", "ResNet-50", "Ours"]), are_networks(["iris", "gin", "vit"])
    (True, False)
    """
    if len(labels) < _FEWEST_NAMED:
        return False
    n_networks = 0
    for label in labels:
        if is_network(label):
            n_networks += 1
        elif _plain(label) not in _ANY_MODEL:
            return False
    return n_networks > len(labels) / 2


def are_methods(names: Iterable[str]) -> bool:
    """Return whether one of some names is that of what is compared on several models.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    bool

    Examples
    --------
    >>> are_methods(["GPTQ", "AWQ"]), are_methods(["CIFAR-10", "SVHN"])
    (True, False)
    """
    return any(_METHOD.fullmatch(_plain(name)) or is_network(name) for name in names)


def is_benchmark(name: str) -> bool:
    """Return whether a name is that of a data set or benchmark.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_benchmark(name) for name in ("CIFAR-10", "arc_challenge", "iris", "svm")]
    [True, True, True, False]
    """
    plain = _plain(name)
    return bool(_BENCHMARK.fullmatch(plain) or _PLAIN_BENCHMARK.fullmatch(plain))


def are_benchmarks(names: Sequence[str]) -> bool:
    """Return whether all names are those of data sets or benchmarks, and most of no other thing.

    Parameters
    ----------
    names : sequence of str

    Returns
    -------
    bool

    Examples
    --------
    >>> are_benchmarks(["mmlu", "hellaswag", "drop"]), are_benchmarks(["drop", "vote", "record"])
    (True, False)
    """
    if len(names) < _FEWEST_BENCHMARKS or not all(map(is_benchmark, names)):
        return False
    n_clear = sum(_BENCHMARK.fullmatch(_plain(name)) is not None for name in names)
    return n_clear >= max(_FEWEST_BENCHMARKS, len(names) / 2)
