// The page compare.md: what replib.compare prints, computed in the browser.
// tests/companion/engine/test_compare_js.py compares both.  A classic script, since pages that
// are opened from a disk may load no modules.
"use strict";

const compare = (() => {
  const {
    betainc,
    chiSquareQuantile,
    logGamma,
    normal,
    normalQuantile,
    root,
    student,
    studentQuantile,
  } =
    typeof module === "undefined"
      ? replibStatistics
      : require("../companion/engine/templates/statistics.js");
  const ALPHA = 0.05,
    NOISE = 1e-10,
    RARE = 0.002,
    MOST_RUNS = 1000, // runs that are compared one by one
    RARE_IN_A_MODEL = 0.000001; // replib._notes.copies
  const OWN_VARIANCE = 0.05; // of a score, that is no other model's: replib._notes.copies
  const LEAST_AGREEMENT = 1 / 3; // of three outcomes: replib._presentation.words
  const USUAL_LEVELS = [0.1, 0.05, 0.01], // of p-values: replib._numbers
    MOST_DIGITS_OF_P = 8,
    NOISE_OF_WIDTH = 1e-6; // of the limits of an interval: replib._numbers
  const FEWEST_RUNS = 6; // with fewer, no rerun is predicted: replib._presentation.words
  const SMALLEST_SCORE = 1e-75,
    LARGEST_SCORE = 1e75; // fourth powers are floats
  const MOST_NAMED = 3; // pairs in a note: replib._notes_about_tests
  // fractions beside percent, and labels of summaries: replib._notes.values
  const LEAST_PERCENT = 10,
    MOST_DIFFERENT = 2;
  const SUMMARY = new Set(
    (
      "average avg best deviation durchschnitt max maximum mean median min minimum " +
      "mittelwert moyenne overall promedio rank ranks sd sig significance stderr std stdev sum " +
      "t-test total variance wilcoxon wins worst σ"
    ).split(" "),
  );
  const BESIDE_SUMMARY = new Set(
    (
      "acc accuracy arithmetic dev error f1 geometric harmonic macro micro p score standard " +
      "test weighted across all data datasets folds no number of over runs seeds sets tasks the"
    ).split(" "),
  );
  // runs that have names among numbered ones: replib._labels
  const FEWEST_NUMBERED = 3,
    SHORTEST_NAME = 3;
  const NAMES_OF_RUNS = new Set(
    (
      "base baseline default extra final first initial last main nan none null original random " +
      "ref reference"
    ).split(" "),
  );
  // codes for a missing score: replib._notes.codes
  const CODES = [-1, -99, -999, -9999, -99999, 99, 999, 9999, 99999],
    SMALLEST_POWER = 6,
    LARGEST_BESIDE_99 = 10,
    SHARE_OF_CODES = 0.25,
    SHARE_AMONG_RATINGS = 0.1,
    FEWEST_DISTINCT = 4;
  // columns of times and of sizes: replib._names
  const TIMES = new RegExp(
    "^(?:(?:(?:avg|average|mean|total)[ _])?(?:(?:fit|train|training|test|testing|score|scoring|" +
      "predict|prediction|inference|wall|wall[ _]clock|cpu|gpu|run|elapsed|build|compute)[ _]?" +
      "times?|runtime|duration|seconds|secs|" +
      "time(?=[ _]?[(\\[])|time[ _](?:s|sec|secs|seconds|ms))" +
      "(?:[ _]?[(\\[]?(?:s|sec|secs|seconds|ms|min|minutes|h|hours)[)\\]]?)?)$",
  );
  const COUNTS = new RegExp(
    "^(?:n|nr|num|number[ _]of|no|#)[ _.]*(?:instances|samples|rows|examples|items|features|" +
      "attributes|classes|epochs|steps|iterations|trees|leaves|nodes|tokens|seeds|runs|folds)$",
  );
  const SIZES = new RegExp(
    "^(?:(?:num|number[ _]of|n|nr|no|#)?[ _.]*(?:trainable[ _])?(?:params|parameters)|" +
      "flops|gflops|macs|model[ _]size|memory|peak[ _]memory|support)$",
  );
  const WINS = /^w(?:in)?s?[ /-]*[td](?:ie|raw)?s?[ /-]*l(?:oss|ose)?(?:es)?$/i;
  // columns of data sets, if their numbers are whole ones beside fractions
  const DESCRIPTIONS = new Set(
    (
      "attributes best classes count d dim epochs features feat inst instances iterations " +
      "layers leaves length n nodes p rows rules samples size steps timestamp trees winner"
    )
      .split(" ")
      .concat("best method", "best model"),
  );
  const RANKS =
    /^(?:(?:(?:avg|average|mean|median)[ _])?rank(?:s|ing)?|rank[ _](?:avg|average|mean|median))$/;
  const INTERVALS = /^(?:ci ?95|95 ?% ?ci|±|\+\/-|half[ _-]width)$/;
  const YEARS = /^years?$/;
  const P_VALUES = /^(?:p[ _-]?values?|p[ _-]?val|t[ _-]?stat(?:istic)?s?)$/;
  const IDENTIFIERS =
    /^(?:(?:run|job|trial|experiment|exp|sample|row|task|model)[ _]?)?(?:id|uuid)$/;
  const FEWEST_COUNTED = 5; // rows that a column counts: replib.readers
  const ERRORS = new RegExp(
    "^(.+?)(?:[ _.-](?:std|sd|stdev|se|sem|stderr|err|ci|ci ?95)\\.?|[ _]?(?:±|\\+/-))$" +
      "|^(?:std|sd|stdev|se|sem|stderr)[ _.-](.+)$",
  );
  // never names of models: replib._tables
  const LABELS =
    "run,seed,repeat,repetition,rep,trial,fold,item,doc_id,question,question_id,example," +
    "instance,dataset,data set,data_set,split,cluster,group,epoch,step,model,score,truth," +
    "prediction";
  const WITH_COMMA = /^[-+]?\d*,\d+(e[-+]?\d+)?$/i; // numbers: replib._sources
  const BLANKS = /^[-+.\de]+( +[-+.\de]+)+$/i; // numbers in one cell: replib._sources
  const refuse = (sentence) => {
    throw new Error(sentence);
  };

  /** Sum in the order of NumPy, so that means that are equal there are equal here. */
  function sumOf(x) {
    if (x.length < 8) return x.reduce((sum, value) => sum + value, 0);
    if (x.length > 128) {
      const half = Math.floor(x.length / 2);
      const first = half - (half % 8);
      return sumOf(x.slice(0, first)) + sumOf(x.slice(first));
    }
    const r = x.slice(0, 8);
    const end = x.length - (x.length % 8);
    for (let i = 8; i < end; i++) r[i % 8] += x[i];
    const sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
    return x.slice(end).reduce((total, value) => total + value, sum);
  }

  const mean = (x) => sumOf(x) / x.length;
  const median = (x) => {
    const sorted = [...x].sort((a, b) => a - b),
      half = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  };
  const deviation = (x, m = mean(x)) =>
    Math.sqrt(x.reduce((s, v) => s + (v - m) ** 2, 0) / (x.length - 1));
  const largest = (x) => x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

  // ---------------------------------------------------------------- numbers and names in sentences

  /** Decimals as Python rounds them: exact halves to the even digit. */
  function fixed(x, digits) {
    const half = (Math.abs(x) * 2 ** (digits + 1)) % 2 === 1;
    return (
      half ? (Math.sign(x) * 2 * Math.round((Math.abs(x) * 10 ** digits) / 2)) / 10 ** digits : x
    ).toFixed(digits);
  }

  /** Python's format g. */
  function general(x, digits = 4) {
    const [mantissa, power] = x.toExponential(digits - 1).split("e");
    if (power >= -4 && power < digits) return String(Number(fixed(x, digits - 1 - power)));
    return `${Number(mantissa)}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  }

  function number(x, decimals = 3, width = Infinity) {
    if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
    const needed = width > 0 && width < Infinity ? 1 - Math.floor(Math.log10(width)) : -Infinity,
      large = Math.abs(x) >= 10;
    const digits = Math.max(large ? 4 : 1, Math.floor(Math.log10(Math.abs(x) || 1)) + 1 + needed);
    const text = large || needed >= 8 ? general(x, digits) : fixed(x, Math.max(decimals, needed));
    return text.replace(/^-/, Number(text) ? "−" : "");
  }

  /** A limit of an interval of this width: as a number, but on its side of zero. */
  function limit(x, width) {
    const text = number(x, 3, width);
    if (/[1-9]/.test(text) || Math.abs(x) <= NOISE_OF_WIDTH * width) return text;
    return number(x, 3, 10 * Math.abs(x));
  }

  /** Two significant digits of a p-value, or as many as show on which side of a level it is. */
  function digitsOfP(p) {
    for (let digits = 2; digits < MOST_DIGITS_OF_P; digits++) {
      const text = general(p, digits);
      if (!USUAL_LEVELS.includes(Number(text))) return text;
    }
    return general(p, 2);
  }

  const pValue = (p) => (p < 0.001 ? "p < 0.001" : `p = ${digitsOfP(p)}`);
  const percent = (level) => `${general(100 * level)}%`;

  // What Python does not print as it is: controls, what is invisible, separators but the blank.
  const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

  /** A character as Python writes it in quotes. */
  function escaped(character) {
    const code = character.codePointAt(0);
    const known = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
    const digits = code < 0x100 ? 2 : code < 0x10000 ? 4 : 8;
    const letter = { 2: "x", 4: "u", 8: "U" }[digits];
    return known ?? `\\${letter}${code.toString(16).padStart(digits, "0")}`;
  }

  /** Text in quotes, shortened as Python's reprlib does. */
  function shown(text) {
    if (typeof text === "number") return String(text);
    const quoted = (x) =>
      (x.includes("'") && !x.includes('"')
        ? `"${x}"`
        : `'${x.replace(/['\\]/g, "\\$&")}'`
      ).replace(UNPRINTABLE, escaped);
    const short = (x) => `${x.slice(0, 13)}...${x.slice(-14)}`;
    return quoted(text).length <= 30
      ? quoted(text)
      : short(quoted(text.slice(0, 13) + text.slice(-14)));
  }
  const and = (texts) =>
    [...(texts.length > 1 ? [texts.slice(0, -1).join(", ")] : []), ...texts.slice(-1)].join(
      " and ",
    );
  const some = (names) =>
    // at most ten
    and(names.length > 10 ? [...names.slice(0, 9), `${names.length - 9} more`] : names);
  const listed = (values) => {
    return some(values.map(shown));
  };

  // ---------------------------------------------------------------- what was pasted

  /** What was meant by a text that is nearly a design. */
  function hintOn(plain) {
    const folds = /^(?:(\d{1,9})[ -]*fold(?:s|[ -]*cv)?|kfold|cv)$/.exec(plain);
    if (folds) return `: one run of folds is 1x${folds[1] ?? 10}`;
    const splits = /^(\d{1,9})\s*[*/,;]\s*(\d{1,9})$/.exec(plain);
    return splits ? `: is it ${splits[1]}x${splits[2]}?` : "";
  }

  /** How the scores were made, from a text such as "10x10" or "30 x 10%". */
  function designOf(text) {
    const plain = text.trim().toLowerCase(),
      match = /^(\d+)\s*[x×]\s*(\d+(?:\.\d+)?)\s*(%?)$/.exec(plain);
    if (["items", "suite", "seeds", "datasets"].includes(plain))
      refuse(`this page compares scores of splits: for "${plain}" use replib.compare in Python`);
    if (!match || (match[2].includes(".") && !match[3])) {
      refuse(
        'design must be a text such as "10x10" (runs x folds), "30 x 10%" (random splits with ' +
          "10% test data), " +
          `"items", "suite", "seeds" or "datasets", not ${shown(text)}${hintOn(plain)}`,
      );
    }
    const runs = Number(match[1]),
      value = Number(match[2]),
      share = value / 100;
    const atLeast = (name, x, least) =>
      x < least && refuse(`${name} must be a whole number of at least ${least}, not ${x}`);
    if (!match[3]) {
      atLeast("runs", runs, 1);
      atLeast("folds", value, 2);
      const said = `${runs === 1 ? "1 run" : `${runs} runs`} of ${value}-fold cross-validation`;
      return { runs, folds: value, ratio: 1 / (value - 1), keys: ["run", "fold"], said };
    }
    atLeast("splits", runs, 2);
    if (!(share > 0 && share < 1)) refuse("the share of test data must lie between 0% and 100%");
    const said = `${runs} random splits with ${general(value, 3)}% test data`;
    return { runs, folds: 1, ratio: share / (1 - share), keys: ["run"], said };
  }

  /** Whether cells are texts, each its own, or count the rows from 0 or 1. */
  function hasLabels(cells) {
    if (cells.every((cell) => parsed(cell) !== null))
      return [0, 1].some((first) => cells.every((cell, i) => Number(cell) === first + i));
    return new Set(cells).size === cells.length && !cells.includes("");
  }

  /**
   * Whether all numbers that are not whole have decimal commas, as in replib._sources: none
   * has a point, and some could not have commas of thousands.
   */
  function hasDecimalCommas(cells) {
    const texts = cells.map((cell) => cell.trim());
    const withComma = texts.filter((text) => WITH_COMMA.test(text));
    return (
      withComma.some((text) => !/^[-+]?[1-9]\d{0,2},\d{3}$/.test(text)) &&
      !texts.some((text) => /^[-+]?(\d+\.\d*|\.\d+)(e[-+]?\d+)?$/i.test(text))
    );
  }

  /** Columns of cells by their names; rows that are too short end with empty cells. */
  function columnsOf(text) {
    const lines = text
      .replace(/^\ufeff/, "")
      .split(/\r\n|\r|\n/)
      .filter((line) => line.trim());
    if (lines.length < 2)
      refuse("there must be a line of names, and below it a row of scores for each split");
    const count = (mark) => lines[0].split(mark).length;
    const mark = [",", ";", "\t", "|"].reduce((best, other) =>
      count(other) > count(best) ? other : best,
    );
    const cell = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^${mark}]*))[${mark}]`, "gy");
    const [names, ...cells] = lines.map((line) =>
      [...(line + mark).matchAll(cell)].map(([, quoted, plain]) =>
        quoted === undefined
          ? plain.replace(/^[ \t]+|[ \t]+$/g, "")
          : quoted.replaceAll('""', '"'),
      ),
    );
    const rows = cells.filter((row) => row.some(Boolean));
    const open = [names, ...cells].findIndex((row) => row.some((text) => text.startsWith('"')));
    if (open >= 0)
      refuse(
        `${open ? `row ${open}` : "the line of names"} has a quotation mark that is not closed`,
      );
    while (names.length && names[names.length - 1] === "") names.pop();
    const hasIndex = names[0] === ""; // as pandas writes one
    const nameless = names.indexOf("", 1);
    if (nameless > 0) refuse(`column ${nameless + 1} has no name`);
    const twice = names.find((name, i) => names.indexOf(name) < i);
    if (twice !== undefined) refuse(`column ${shown(twice)} occurs twice`);
    const named = hasIndex ? names.slice(1) : names;
    const countsColumns = named.every((name, i) => name === String(i));
    const isNumbers = named.every((name) => parsed(name) !== null);
    if (isNumbers && !countsColumns && !(hasIndex && hasLabels(rows.map(([label]) => label))))
      refuse("the first line must have names, not numbers");
    rows.forEach((row, i) => {
      if (row.slice(names.length).some(Boolean))
        refuse(`row ${i + 1} has ${row.length} cells, and there are ${names.length} names`);
    });
    if (hasDecimalCommas(rows.flat()))
      rows.forEach((row) =>
        row.forEach((cell, at) => {
          if (WITH_COMMA.test(cell.trim())) row[at] = cell.trim().replace(",", ".");
        }),
      );
    const columns = names.map((name, at) => [name, rows.map((row) => row[at] ?? "")]);
    return new Map(columns.slice(hasIndex ? 1 : 0));
  }

  /** A number, NaN for a cell without one, or null for text. */
  function parsed(cell) {
    if (/^(|nan|na|n\/a|null|none)$/i.test(cell)) return NaN;
    const infinite = /^([+-]?)inf(inity)?$/i.exec(cell);
    if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell) ? Number(cell) : null;
  }

  function refuseRows(rows, what) {
    if (rows.length)
      refuse(
        `${what} in row ` +
          `${listed(rows.slice(0, 3))}${rows.length > 3 ? ` and ${rows.length - 3} more` : ""}`,
      );
  }

  /** What a column has by its name, as in replib._names; null for a name like any other. */
  function measuredByName(plain) {
    const withoutUnit = plain.replace(/(\w)[ _]*[([][^()]*[)\]]$/, "$1");
    const isOne = (names) => names.test(plain) || names.test(withoutUnit);
    if (isOne(TIMES)) return "times";
    if (isOne(COUNTS) || isOne(SIZES)) return "sizes";
    if (P_VALUES.test(plain)) return "results of tests";
    if (RANKS.test(plain)) return "ranks";
    if (INTERVALS.test(plain)) return "intervals";
    if (YEARS.test(plain)) return "years";
    return IDENTIFIERS.test(plain) ? "identifiers" : null;
  }

  /** Whether some values are out of the range of others by a factor of two. */
  function areApart(values, others) {
    const [low, high] = [Math.min(...others) / 2, 2 * Math.max(...others)];
    return low < 0 || values.some((value) => value < low || value > high);
  }

  /** Refuse a column that counts the rows, or has the errors of a model. */
  function refuseOtherColumns(models, scores) {
    for (const name of models) {
      const values = scores.get(name);
      const plain = name.trim().toLowerCase();
      const measured = measuredByName(plain.replace(/^_+/, ""));
      if (measured)
        refuse(
          `column ${shown(name)} has ${measured} by its name, and no scores: leave it out`,
        );
      const isWhole = (other) => scores.get(other).every((value) => !(value % 1));
      const describes = /^(?:#|n[ _])|[ _]id$/.test(plain) || DESCRIPTIONS.has(plain);
      if (describes && isWhole(name))
        if (models.every((other) => other === name || !isWhole(other)))
          refuse(`column ${shown(name)} has whole numbers, and no scores: leave it out`);
      const counts = [0, 1].some((first) => values.every((value, i) => value === i + first));
      if (counts && values.length >= FEWEST_COUNTED)
        refuse(`column ${shown(name)} counts the rows, and is no model: leave it out`);
      const error = ERRORS.exec(name);
      const model = error?.[1] ?? error?.[2];
      const own = models.find((other) => other === model || other === `${model}_mean`);
      // squeeze and excitation are short for "se", too: replib.readers.wide
      const isModel = /[ _.-]se$/.test(name) && own && !areApart(values, scores.get(own));
      if (own !== undefined && !isModel)
        refuse(`column ${shown(name)} is by its name the error of ${own}: leave it out`);
    }
  }

  /** Refuse a table that has a column for each split, as in replib.readers. */
  function refuseTransposed(columns, rows, { runs, folds }) {
    if (columns === runs * folds && rows !== columns)
      refuse(
        `the table has ${rows} rows, and a column for each of the ${columns} splits: ` +
          "a table has a column for each model, and a row for each split",
      );
  }

  /** Scores by model, and the rows of each run; refused as replib.Scores refuses. */
  function read(text, design) {
    const columns = columnsOf(text),
      names = [...columns.keys()],
      there = design.keys.filter((key) => columns.has(key));
    const isLabel = (name) => LABELS.split(",").includes(name.trim().toLowerCase());
    const stray = names.find((name) => isLabel(name) && !there.includes(name));
    if (stray !== undefined)
      refuse(
        `column ${shown(stray)} has no role in ${design.said}: leave it out, and give each model ` +
          `a column`,
      );
    const models = names.filter((name) => !there.includes(name));
    const unprintable = models.find((name) => name.search(UNPRINTABLE) >= 0);
    if (unprintable !== undefined)
      refuse(`model ${shown(unprintable)} has a name that cannot be printed`);
    if (names.length === 1 && columns.get(names[0]).every((cell) => BLANKS.test(cell)))
      refuse("the columns are separated by blanks: separate them by commas");
    if (models.length < 2)
      refuse(`there must be two or more models, and the columns are ${listed(names)}`);
    const scores = new Map(models.map((name) => [name, columns.get(name).map(parsed)]));
    for (const [name, values] of scores) {
      const row = values.indexOf(null);
      if (row < 0) continue;
      const cell = columns.get(name)[row];
      if (WITH_COMMA.test(cell))
        refuse(
          `column ${shown(name)} has numbers with commas, which may be decimal ones or of ` +
            "thousands: write decimal points, and no commas",
        );
      if (/^-?\d+([.,]\d+)?\s*%$/.test(cell))
        refuse(`column ${shown(name)} has percent signs: leave them out`);
      refuse(
        `column ${shown(name)} is not numbers, as ${shown(cell)} in row ${row + 1}: leave it ` +
              `out, or correct it`,
      );
    }
    refuseOtherColumns(models, scores);
    refuseTransposed(models.length, columns.get(names[0]).length, design);
    const rowsWhere = (wrong) =>
      models.flatMap((name) =>
        scores.get(name).flatMap((value, i) => (wrong(value) ? [i + 1] : [])),
      );
    const labels = there.map((key) => columns.get(key));
    labels.forEach((cells, at) =>
      refuseRows(
        cells.flatMap((cell, i) => (Number.isNaN(parsed(cell)) ? [i + 1] : [])),
        `${there[at]} is missing`,
      ),
    );
    const incomplete = models.filter((name) => scores.get(name).some(Number.isNaN));
    refuseRows(rowsWhere(Number.isNaN), `score of ${listed(incomplete)} is missing`);
    const infinite = models.find((name) => !scores.get(name).every(Number.isFinite));
    if (infinite !== undefined) {
      const row = 1 + scores.get(infinite).findIndex((value) => !Number.isFinite(value));
      refuse(`score of ${shown(infinite)} is not finite in row ${row}`);
    }
    const rowsOfRuns = runsOf(labels, there, models, design, columns.get(names[0]).length),
      runs = [...rowsOfRuns.values()],
      namesOfRuns = [...rowsOfRuns.keys()].map((run, place) => {
        if (there[0] !== "run") return place + 1;
        return typeof run === "number" ? run : shown(run);
      });
    const size = Math.max(...models.map((name) => largest(scores.get(name))));
    if (size !== 0 && !(SMALLEST_SCORE < size && size < LARGEST_SCORE)) {
      refuse(
        `scores must be between 1e-75 and 1e75 in size, not ${general(size, 6)}: give them in ` +
          `another unit`,
      );
    }
    refuseCopies(
      runs.map((run) => run.map((i) => models.map((name) => scores.get(name)[i]))),
      namesOfRuns,
      design,
    );
    const labelsOfRuns = there.includes("run") ? columns.get("run") : [];
    return { models, scores, runs, namesOfRuns, labelsOfRuns };
  }

  /** Row numbers by run, in order: by labels, or all folds of the first run first. */
  function runsOf(labels, there, models, design, count) {
    const keys = labels.map((cells) =>
      cells.every((cell) => parsed(cell) !== null) ? cells.map(Number) : cells,
    );
    const runs = new Map(),
      seen = new Map(),
      twice = [],
      order = Array.from({ length: count }, (_, i) => i);
    order.sort(
      (i, j) => keys.map((of) => (of[i] < of[j] ? -1 : +(of[i] > of[j]))).find(Boolean) || i - j,
    );
    for (const i of order) {
      const key = JSON.stringify(keys.map((of) => of[i])),
        before = seen.get(key) || 0;
      seen.set(key, before + 1);
      if (there.length === design.keys.length && before) twice.push(i);
      const run =
        there[0] === "run" ? keys[0][i] : there.length ? before : Math.floor(i / design.folds);
      runs.set(run, [...(runs.get(run) || []), i]);
    }
    if (twice.length) {
      const first = there.map((key, at) => `, ${key} ${shown(keys[at][twice[0]])}`).join("");
      refuse(
        `${twice.length * models.length} rows occur twice, the first for model ` +
          `${shown(models[0])}${first}: is a column missing that tells them apart, such as a run?`,
      );
    }
    const sizes = [...runs.values()].map((rows) => rows.length),
      least = Math.min(...sizes),
      most = Math.max(...sizes);
    if (sizes.length !== design.runs || sizes.some((size) => size !== design.folds)) {
      const counted = (n, unit) => `${n} ${unit}${n === 1 ? "" : "s"}`;
      const folds = most > least ? `${least} to ${most} folds` : counted(most, "fold");
      const are = design.keys.includes("fold")
        ? `${counted(sizes.length, "run")} of ${folds}`
        : counted(sizes.length, "split");
      refuse(`the design is ${design.said}, and the rows of each model are ${are}`);
    }
    return runs;
  }

  /** Probability, from above, that two scores of a model are equal, as in replib._notes.copies. */
  function chanceOfEquality(...samples) {
    const pairs = (n) => (n * (n - 1)) / 2;
    let equal = 0,
      all = 0;
    for (const scores of samples) {
      const counts = new Map();
      for (const score of scores) counts.set(score + 0, (counts.get(score + 0) || 0) + 1);
      for (const count of counts.values()) equal += pairs(count);
      all += pairs(scores.length);
    }
    return (1 + equal) / (1 + all);
  }

  /** Refuse runs that are copies, as in replib._notes.copies; a run is a list of splits. */
  function refuseCopies(runs, names, { folds }) {
    const splits = runs.flat(),
      n = splits.length;
    const keys = splits.map((scores) => scores.map((x) => x + 0).join());
    const ofModel = (_, model) => chanceOfEquality(splits.map((scores) => scores[model]));
    const chance = Math.min(...splits[0].map(ofModel));
    if (folds > 1 && ((runs.length * (runs.length - 1)) / 2) * chance ** folds < RARE) {
      const texts = runs.map((_, run) => keys.slice(run * folds, (run + 1) * folds).join(" "));
      const copy = texts.findIndex((text, run) => texts.indexOf(text) < run);
      if (copy > 0) {
        refuse(
          `runs ${names[texts.indexOf(texts[copy])]} and ${names[copy]} have the same scores in ` +
            "every model: shuffle the splits with another seed in each run",
        );
      }
    }
    for (let copies = 2; copies <= n / 2; copies++) {
      const distinct = n / copies;
      if (n % copies || chance ** (n - distinct) >= RARE) continue;
      const tiled = keys.every((key, i) => key === keys[i % distinct]);
      const repeated = keys.every((key, i) => key === keys[i - (i % copies)]);
      if (tiled || repeated) refuse(`the ${n} splits are ${distinct} repeated: draw each anew`);
    }
  }

  /** Name models that are copies, or whose runs are, as in replib._notes.copies. */
  function notesOnCopies({ models, scores, runs, namesOfRuns }, { folds }) {
    const blocks = models.map((name) => ({
      name,
      block: runs.map((run) => run.map((i) => scores.get(name)[i] + 0)),
    }));
    return [
      ...notesOnRuns(blocks, runs.length, folds),
      ...notesOnRunsTwice(blocks, namesOfRuns, folds),
      ...notesOnTwins(blocks),
    ];
  }

  /** Note two equal runs of a model, whose runs are not all equal. */
  function notesOnRunsTwice(blocks, names, folds) {
    if (folds === 1) return notesOnSeriesTwice(blocks, names);
    return blocks.flatMap(({ name, block }) => {
      const runs = block.map((run) => run.join()),
        pairs = (runs.length * (runs.length - 1)) / 2;
      const chance = blocks.length * pairs * chanceOfEquality(block.flat()) ** folds;
      const copy = runs.findIndex((run, place) => runs.indexOf(run) < place);
      if (chance >= RARE_IN_A_MODEL || copy < 0 || new Set(runs).size === 1) return [];
      const first = names[runs.indexOf(runs[copy])];
      return [`Runs ${first} and ${names[copy]} of ${name} have the same scores: copied?`];
    });
  }

  /** Where the longest series of scores begins that occurs twice, both times, and its length. */
  function longestSeriesTwice(scores) {
    const longest = { first: 0, second: 0, length: 0 };
    for (let distance = 1; distance < Math.min(scores.length, MOST_RUNS); distance++) {
      let start = 0;
      for (let place = 0; place + distance <= scores.length; place++) {
        if (scores[place] === scores[place + distance]) continue;
        const length = Math.min(place - start, distance);
        if (length > longest.length)
          Object.assign(longest, { first: start, second: start + distance, length });
        start = place + 1;
      }
    }
    return longest;
  }

  /** Note a model in whose scores a series of splits occurs a second time. */
  function notesOnSeriesTwice(blocks, names) {
    return blocks.flatMap(({ name, block }) => {
      const values = block.flat();
      const { first, second, length } = longestSeriesTwice(values);
      if (length < 2 || new Set(values).size === 1) return [];
      const others = [...values.slice(0, second), ...values.slice(second + length)];
      const chances = (blocks.length * values.length * (values.length - 1)) / 2;
      if (chances * chanceOfEquality(others) ** length >= RARE_IN_A_MODEL) return [];
      const [a, b, c, d] = [first, first + length - 1, second, second + length - 1].map(
        (place) => names[place],
      );
      return [`${name} has the same scores in splits ${a} to ${b} and ${c} to ${d}: copied?`];
    });
  }

  /** Note fractions beside percent, as in replib._notes.values. */
  function notesOnUnits({ models, scores, runs }, better) {
    const values = models.flatMap((name) => runs.flat().map((i) => scores.get(name)[i]));
    const most = Math.max(...values);
    if (better === "lower" || Math.min(...values) < 0 || !(most > LEAST_PERCENT && most <= 100))
      return [];
    const fractions = values.filter((value) => value > 0 && value <= 1),
      percents = values.filter((value) => value > 1);
    if (!fractions.length || Math.min(...percents) <= LEAST_PERCENT) return [];
    const ratio = median(percents) / median(fractions);
    if (!(ratio >= 100 / MOST_DIFFERENT && ratio <= 100 * MOST_DIFFERENT)) return [];
    const scoreOf = (value) =>
      `${general(value, 6)} of ${models.find((name) => scores.get(name).includes(value))}`;
    const both = `${scoreOf(fractions[0])} and ${scoreOf(percents[0])}`;
    return [`Scores are ${both}: are fractions and percent mixed?`];
  }

  /** Note a row whose label is that of a summary, as in replib._notes.values. */
  function notesOnSummaries({ labelsOfRuns }) {
    if (labelsOfRuns.every((label) => parsed(label) !== null)) return [];
    const words = (label) =>
      label
        .toLowerCase()
        .replace(/^[# ]+/, "")
        .replace(/(?<=.)[([].*?[)\]]/g, "")
        .replace(/[_.↑↓*†‡]/g, " ")
        .trim()
        .split(/\s+/);
    const summarises = (label) =>
      words(label).some((word) => SUMMARY.has(word)) &&
      words(label).every((word) => SUMMARY.has(word) || BESIDE_SUMMARY.has(word));
    const isSummary = (label) =>
      WINS.test(label.trim()) || summarises(label) || summarises(label.replaceAll("-", " "));
    const isNoRow = (label) => {
      const plain = label.trim().toLowerCase();
      const measured = measuredByName(plain);
      return (
        (/^(?:#|(?:n|nr|no|num)[ _.])/.test(plain) && measured === "sizes") ||
        (plain.includes("time") && measured === "times") ||
        [COUNTS, P_VALUES, RANKS].some((names) => names.test(plain))
      );
    };
    const summary = labelsOfRuns.find((label) => isSummary(label) || isNoRow(label));
    if (summary === undefined) return notesOnRunWithoutNumber(labelsOfRuns);
    return [`${shown(summary)} is labelled like a summary of the rows: is it a split?`];
  }

  /** Note the only run whose label is not that of the others with another number. */
  function notesOnRunWithoutNumber(labelsOfRuns) {
    const labels = [...new Set(labelsOfRuns)];
    if (labels.length <= FEWEST_NUMBERED || labels.length > MOST_RUNS) return [];
    const stems = labels.map((label) => label.toLowerCase().replace(/\d+$/, ""));
    const isAlone = (stem) => stems.indexOf(stem) === stems.lastIndexOf(stem);
    const name = labels.find((_, at) => isAlone(stems[at]));
    const [stem, ...others] = new Set(stems.filter((stem) => !isAlone(stem)));
    const isOne = stems.filter(isAlone).length === 1 && stem !== undefined && !others.length;
    if (!isOne || name.length < SHORTEST_NAME) return [];
    const plain = name.toLowerCase();
    const isAlike = stem ? plain.startsWith(stem) : /^\d/.test(plain);
    const words = plain.match(/\p{L}+/gu) ?? [];
    if (isAlike || !words.length || words.some((word) => NAMES_OF_RUNS.has(word))) return [];
    return [`${shown(name)} is the only run that is not numbered: is it a split?`];
  }

  /** Note models that differ in case only, as in replib._labels. */
  function notesOnSpellings({ models }) {
    const plain = models.map((name) => name.toLowerCase());
    const first = plain.filter((name, at) => plain.indexOf(name) === at);
    return first.flatMap((name) => {
      const alike = models.filter((_, at) => plain[at] === name);
      if (alike.length === 1) return [];
      return [`Models ${listed(alike)} differ only in case: are they one model?`];
    });
  }

  /** Note a code for a missing score, far from all others, as in replib._notes.codes. */
  function notesOnCodes({ models, scores, runs }) {
    const values = models.flatMap((name) => runs.flat().map((i) => scores.get(name)[i]));
    const ends = [Math.min(...values), Math.max(...values)];
    const code = ends.find((number) => isCode(number) && isApart(number, values));
    if (code === undefined) return [];
    const model = models.find((name) => runs.flat().some((i) => scores.get(name)[i] === code));
    return [
      `Score ${general(code, 6)} of ${model} is far from all others: is it a code for a ` +
        "missing one?",
    ];
  }

  /** Whether a number stands for no number: one of a short list, or a large power of ten. */
  function isCode(number) {
    const power = Math.log10(number);
    return (
      CODES.includes(number) || (power >= SMALLEST_POWER && number === 10 ** Math.round(power))
    );
  }

  /** Whether a code is no score like the others. */
  function isApart(code, values) {
    const others = values.filter((value) => value !== code);
    const share = 1 - others.length / values.length;
    if (share > SHARE_OF_CODES || new Set(others).size < FEWEST_DISTINCT) return false;
    const low = Math.min(...others),
      high = Math.max(...others);
    if (code === 99 && high > LARGEST_BESIDE_99) return false;
    if (code === -1 && others.every(Number.isInteger))
      return low >= 1 && share <= SHARE_AMONG_RATINGS;
    return Math.max(low - code, code - high) > high - low;
  }

  /** Name models whose runs are all equal, while those of others differ. */
  function notesOnRuns(blocks, count, folds) {
    if (folds === 1 || count === 1) return [];
    const isRepeated = ({ block }) => block.every((run) => run.join() === block[0].join());
    const varying = blocks.filter((model) => !isRepeated(model));
    if (!varying.length) return [];
    const columns = varying.flatMap(({ block }) =>
      block[0].map((_, fold) => block.map((run) => run[fold])),
    );
    const between = chanceOfEquality(...columns);
    const isRare = ({ block }) => {
      const chance = Math.max(between, chanceOfEquality(block[0]));
      return (1 - Math.sqrt(OWN_VARIANCE) * (1 - chance)) ** (folds * (count - 1)) < RARE;
    };
    const copied = blocks
      .filter(isRepeated)
      .filter(isRare)
      .map(({ name }) => name);
    if (!copied.length) return [];
    return [`All runs of ${some(copied)} have the same scores: deterministic, or copied?`];
  }

  /** Name two models that are equal everywhere; of more, some may be settings of one learner. */
  function notesOnTwins(blocks) {
    const [first, second] = blocks.map(({ block }) => block.flat());
    if (blocks.length > 2 || first.join() !== second.join()) return [];
    const chance = chanceOfEquality(first);
    const similar = Math.min(chance / Math.sqrt(OWN_VARIANCE), 1 - OWN_VARIANCE * (1 - chance));
    if (similar ** first.length >= RARE) return [];
    const names = and(blocks.map(({ name }) => name));
    return [`${names} have the same score on every split: is one a copy?`];
  }

  /** Note that most of the data are tested on. */
  function notesOnShare({ folds, ratio, said }) {
    if (folds > 1 || ratio <= 1) return [];
    return [`${said}, more than training data: is that the share for training?`];
  }

  // ---------------------------------------------------------------- tests

  /**
   * The corrected resampled t test on differences of scores, of which `scale` is the largest;
   * `pairs` share the level of the intervals.
   */
  function correctedT(d, ratio, pairs, scale) {
    const n = d.length,
      df = n - 1,
      estimate = mean(d);
    let error = Math.sqrt(1 / n + ratio) * deviation(d, estimate);
    if (error <= NOISE * scale) error = 0;
    if (error === 0 && estimate !== 0) {
      // nothing shows how certain a constant difference is
      return { estimate, low: NaN, high: NaN, statistic: NaN, df, p: NaN };
    }
    const reach = error && studentQuantile(1 - ALPHA / pairs / 2, df) * error;
    const statistic = error && estimate / error;
    const p = Math.min(1, 2 * student(-Math.abs(statistic), df));
    return { estimate, low: estimate - reach, high: estimate + reach, statistic, df, p };
  }

  /** Holm's adjusted p-values; a pair without one counts as 1. */
  function holm(pvalues) {
    const p = pvalues.map((value) => (Number.isNaN(value) ? 1 : value));
    const order = p.map((_, i) => i).sort((i, j) => p[i] - p[j]),
      adjusted = [];
    let most = 0;
    order.forEach((i, place) => {
      adjusted[i] = most = Math.max(most, Math.min(1, (p.length - place) * p[i]));
    });
    return adjusted.map((value, i) => (Number.isNaN(pvalues[i]) ? NaN : value));
  }

  /** Name the pairs whose difference is constant; refused if no pair has a p-value. */
  function noteOnSpread(pairs) {
    const constant = pairs.filter(({ p }) => Number.isNaN(p));
    if (!constant.length) return [];
    const names = constant.map(({ a, b }) => `${a} and ${b}`);
    if (constant.length === pairs.length) {
      refuse(
        `${names[0]} differ by ${general(Math.abs(constant[0].estimate))} without any spread ` +
          `from split to split, and so ` +
          "nothing shows how certain the difference is: are scores rounded, or one model's " +
          "computed from another's?",
      );
    }
    const named =
      names.length > MOST_NAMED ? `${names[0]} (${names.length} pairs in all)` : and(names);
    return [
      `The difference of ${named} is the same on every split: without spread there is no p-value ` +
        `for it.`,
    ];
  }

  // ---------------------------------------------------------------- single runs: replib._counted

  /** Limits of a probability of which x of n were counted (Clopper and Pearson). */
  function clopperPearson(x, n) {
    const limit = (a, b, level) => root((p) => betainc(a, b, p) - level, 0, 1);
    return [x ? limit(x, n - x + 1, ALPHA / 2) : 0, x < n ? limit(x + 1, n - x, 1 - ALPHA / 2) : 1];
  }

  /** Limits of the probability that two experiments agree, as in replib.replicability. */
  function agreementLimits(x, n) {
    const [low, high] = clopperPearson(x, n),
      agreement = (p) => p * p + (1 - p) * (1 - p);
    const nearest = Math.min(Math.max(0.5, low), high),
      farthest = high - 0.5 > 0.5 - low ? high : low;
    return [agreement(nearest), agreement(farthest)];
  }

  /** What the single runs of cross-validation would have decided, or who is ahead on each split. */
  function sentenceOfSingles({ a, b }, d, runs, design, scale) {
    if (runs.length < 2) return [];
    const ofRun = (run) => {
      const { estimate, p } = correctedT(
        run.map((i) => d[i]),
        design.ratio,
        1,
        scale,
      );
      return p < ALPHA ? Math.sign(estimate) : 0;
    };
    const outcomes = design.folds > 1 ? runs.map(ofRun) : d.map(Math.sign),
      n = outcomes.length;
    const [single, ahead, level] =
      design.folds > 1 ? ["run", "significantly better", "undecided"] : ["split", "ahead", "level"];
    const [aheadA, neither, aheadB] = [1, 0, -1].map(
      (kind) => outcomes.filter((x) => x === kind).length,
    );
    const parts = [
      [a, aheadA],
      [b, aheadB],
    ]
      .filter(([, count]) => count)
      .map(([name, count], i) =>
        i ? `${name} in ${count}` : `${name} would have been ${ahead} in ${count} of ${n}`,
      );
    if (neither) {
      const all = `the comparison would have been ${level} in ${neither} of ${n}`;
      parts.push(parts.length ? `${level} in ${neither}` : all);
    }
    const text = `With one ${single}, ${and(parts)}`;
    if (design.folds === 1) return [`${text}.`];
    const kinds = [aheadA, neither, aheadB].filter(Boolean);
    const point = kinds.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1));
    const agree = `${text}; two such experiments agree with probability`;
    if (kinds.length > 2) return [`${agree} ${fixed(Math.max(point, LEAST_AGREEMENT), 2)}.`];
    const [low, high] = agreementLimits(kinds[0], n);
    return [
      `${agree} ${fixed(Math.max(point, low), 2)} (95% interval ${fixed(low, 2)} to ` +
        `${fixed(high, 2)}).`,
    ];
  }

  /** Distribution function of the noncentral t (AS 243), summed outwards from its largest term. */
  function noncentralT(t, df, noncentrality) {
    if (t < 0) return 1 - noncentralT(-t, df, -noncentrality);
    const x = (t * t) / (df + t * t),
      half = (noncentrality * noncentrality) / 2;
    let sum = normal(-noncentrality);
    if (x === 0) return sum;
    const middle = Math.floor(half),
      reach = Math.ceil(10 * Math.sqrt(half + 20));
    for (let j = Math.max(0, middle - reach); j <= middle + reach; j++) {
      const log = half > 0 ? j * Math.log(half) : j === 0 ? 0 : -Infinity;
      const p = Math.exp(log - half - logGamma(j + 1));
      const q = (Math.exp(log - half - logGamma(j + 1.5)) * noncentrality) / Math.SQRT2;
      sum += (p * betainc(j + 0.5, df / 2, x) + q * betainc(j + 1, df / 2, x)) / 2;
    }
    return Math.min(Math.max(sum, 0), 1);
  }

  /**
   * Noncentrality at which a statistic is below t with the given probability; near 10 and beyond it
   * need not be exact.
   */
  function noncentralityLimit(t, df, probability) {
    const tail = Math.min(probability, 1 - probability),
      far = 10 / Math.sqrt(chiSquareQuantile(tail, df) / df);
    const near = Math.min(Math.max(t, -far), far),
      reach = 12 + 4 * Math.abs(near);
    return root((e) => probability - noncentralT(near, df, e), near - reach, near + reach);
  }

  /** Probability that a rerun reaches the same decision, with limits: replib.rerun.predict. */
  function rerun(d, rows, ratio) {
    const n = d.length,
      runs = rows.length,
      m = mean(d),
      critical = studentQuantile(1 - ALPHA / 2, n - 1) * Math.sqrt(1 / n + ratio);
    let sd = deviation(d, m);
    if (sd <= NOISE * largest(d)) sd = 0;
    const of = rows.map((run) => run.map((i) => d[i])),
      means = of.map((run) => mean(run));
    const spreads = of.map(
      (run) => (critical * mean(run.map((v) => (v - m) ** 2))) / (2 * (sd || 1)),
    );
    const sides = [1, -1].map((sign) => {
      const width = deviation(means.map((value, i) => sign * value - spreads[i])),
        margin = sign * m - critical * sd;
      if (!(width > NOISE * largest(means))) return null;
      const t = (Math.sqrt(runs) * margin) / width,
        limit = (q) => normal(noncentralityLimit(t, runs - 1, q));
      return {
        significant: margin > 0,
        p: [student(t / Math.SQRT2, runs - 1), limit(0.975), limit(0.025)],
      };
    });
    if (runs < 2 || sides.includes(null)) return null;
    const [a, b] = sides.map((side) => side.p),
      side = sides.find(({ significant }) => significant);
    const neither = [0, 2, 1].map((i) => Math.min(1, Math.max(0, 1 - a[i] - b[i])));
    const [point, low, high] = side ? side.p : neither;
    // of reruns that find the first better, neither, the second
    const shares = [a[0], neither[0], b[0]];
    return Object.assign([point, Math.min(low, point), Math.max(high, point)], { shares });
  }

  // ---------------------------------------------- sentences: replib._presentation.words

  function sentenceOfTwo(what, better, means, pair, test) {
    const sign = pair.decision < 0 ? -1 : 1,
      width = pair.high - pair.low,
      written = (x) => number(x, 3, width),
      limited = (x) => limit(x, width);
    const name = (of) => `${of} (${written(means.get(of))})`;
    const [a, b] = (sign > 0 ? [pair.a, pair.b] : [pair.b, pair.a]).map(name);
    const borderline =
      (pair.low > 0 || pair.high < 0) !== (pair.decision !== 0)
        ? "; borderline, as test and interval disagree"
        : "";
    const [low, high] = [sign * pair.low, sign * pair.high].sort((x, y) => x - y);
    return (
      (pair.decision
        ? `${a} had a significantly ${better} ${what} than ${b}`
        : `The ${what} of ${a} and ${b} did not differ significantly`) +
      ` (difference ${written(sign * pair.estimate)}, 95% confidence interval ${limited(low)} to ` +
      `${limited(high)}; ${test(sign)}${borderline}).`
    );
  }

  function sentenceOfMany(less, means, pairs, design) {
    const found = pairs.filter((pair) => pair.decision),
      rest = pairs.length - found.length,
      than = new Map();
    for (const { a, b, adjusted } of found)
      than.set(a, [...(than.get(a) || []), `${b} (${pValue(adjusted)})`]);
    const which = !found.length
      ? `None of the ${pairs.length} pairs differed significantly`
      : `Significantly ${less ? "lower" : "higher"}: ` +
        `${[...than].map(([a, others]) => `${a} than ${and(others)}`).join("; ")}` +
        (rest > 1 ? `; not the ${rest} other pairs` : rest ? "; not the other pair" : "");
    const [best, value] = [...means][0];
    return (
      `${best} had the ${less ? "lowest" : "highest"} mean score of ${means.size} models ` +
      `(${number(value)}). ${which} ` +
      `(corrected resampled t tests on ${design.said}, Holm-adjusted for ${pairs.length} pairs, ` +
      `level 0.05).`
    );
  }

  const withOrder = (means, less) =>
    new Map([...means].sort(([, x], [, y]) => (less ? x - y : y - x)));

  /** Pasted scores of splits, compared: the lines that replib prints, and numbers of each pair. */
  function splits(text, designText, better) {
    const design = designOf(designText),
      table = read(text, design),
      { models, scores, runs } = table,
      less = better === "lower";
    // in the order of the labels, as the library sums: the last digit of a tie depends on it
    const inOrder = (name) => runs.flat().map((i) => scores.get(name)[i]);
    const means = withOrder(
        models.map((name) => [name, mean(inOrder(name))]),
        less,
      ),
      names = [...means.keys()];
    const count = (names.length * (names.length - 1)) / 2;
    const scale = (a, b) => Math.max(largest(scores.get(a)), largest(scores.get(b)));
    // 0 where scores are equal but for rounding, such as 0.1 + 0.2 and 0.3
    const differences = (a, b) => {
      const noise = NOISE * scale(a, b),
        d = scores.get(a).map((x, i) => (less ? -1 : 1) * (x - scores.get(b)[i]));
      return d.map((x) => (Math.abs(x) <= noise ? 0 : x));
    };
    const pairs = names.flatMap((a, i) =>
      names
        .slice(i + 1)
        .map((b) => ({
          a,
          b,
          ...correctedT(differences(a, b), design.ratio, count, scale(a, b)),
        })),
    );
    holm(pairs.map(({ p }) => p)).forEach((adjusted, i) => {
      Object.assign(pairs[i], {
        adjusted,
        decision: adjusted < ALPHA ? Math.sign(pairs[i].estimate) : 0,
      });
    });
    const copies = [
      ...notesOnCopies(table, design),
      ...notesOnUnits(table, better),
      ...notesOnSummaries(table),
      ...notesOnSpellings(table),
      ...notesOnCodes(table),
      ...notesOnShare(design),
    ];
    const notes = [...copies, ...noteOnSpread(pairs)],
      [pair] = pairs;
    const test = (sign) =>
      `corrected resampled t test on ${design.said}, t(${general(pair.df)}) = ` +
      `${number(sign * pair.statistic, 2)}, ${pValue(pair.adjusted)}`;
    const lines = [
      count > 1
        ? sentenceOfMany(less, means, pairs, design)
        : sentenceOfTwo("mean score", better, means, pair, test),
      "The test is about training again on new data of this size; it is approximate.",
    ];
    const d = differences(pair.a, pair.b),
      again = count === 1 ? rerun(d, runs, design.ratio) : null,
      isPredicted = again !== null && runs.length >= FEWEST_RUNS;
    if (count === 1)
      lines.push(...sentenceOfSingles(pair, d, runs, design, scale(pair.a, pair.b)));
    if (runs.length < 2)
      lines.push("A single run shows no spread between seeds, so a rerun cannot be predicted.");
    if (isPredicted) {
      const [point, low, high] = again.map((p) => fixed(p, 2));
      lines.push(
        "On the same data, a rerun with other splits is predicted to reach the same decision " +
          "with probability " +
          `${point} (95% interval ${low} to ${high}).`,
      );
    }
    return { lines, notes, pairs, rerun: again, isPredicted, level: 1 - ALPHA / count };
  }

  /** Counts of items, compared by McNemar's exact test with Agresti and Min's interval. */
  function counts(both, onlyA, onlyB, neither) {
    const given = [both, onlyA, onlyB, neither],
      n = given.reduce((sum, x) => sum + x, 0);
    if (!given.every((x) => Number.isInteger(x) && x >= 0))
      refuse("counts must be whole numbers of at least 0");
    if (n < 2) refuse(`there must be at least two items, not ${n}`);
    const means = withOrder(
        [
          ["A", (both + onlyA) / n],
          ["B", (both + onlyB) / n],
        ],
        false,
      ),
      [a, b] = means.keys();
    const wins = Math.max(onlyA, onlyB),
      losses = Math.min(onlyA, onlyB),
      middle = (wins - losses) / (n + 2);
    // the smaller count is binomial with probability one half; 12 digits, so that 1/16 is 1/16
    const p = wins === losses ? 1 : Number((2 * betainc(wins, losses + 1, 0.5)).toPrecision(12));
    const reach =
      (normalQuantile(1 - ALPHA / 2) * Math.sqrt((wins + losses + 1) / (n + 2) - middle ** 2)) /
      Math.sqrt(n + 2);
    const pair = {
      a,
      b,
      estimate: (wins - losses) / n,
      low: Math.max(middle - reach, -1),
      high: Math.min(middle + reach, 1),
      p,
      adjusted: p,
      decision: p < ALPHA ? 1 : 0,
    };
    const test = () =>
      `${a} ahead on ${wins}, ${b} on ${losses}; McNemar's exact test on ${n} items, taken to be ` +
      `independent, ${pValue(p)}`;
    const about =
      "The test is about these trained models on new items, not about training them again.";
    return {
      lines: [sentenceOfTwo("accuracy", "higher", means, pair, test), about],
      notes: [],
      pairs: [pair],
    };
  }

  /** Whole numbers that add up to a total, each next to its share of it. */
  function parts(shares, total) {
    const sum = sumOf(shares);
    const exact = shares.map((share) => (total * share) / sum);
    const whole = exact.map(Math.floor);
    const rest = exact.map((value, i) => value - whole[i]);
    const byRemainder = rest.map((_, i) => i).sort((i, j) => rest[j] - rest[i]);
    const missing = total - sumOf(whole);
    for (const i of byRemainder.slice(0, missing)) whole[i] += 1;
    return whole;
  }

  return { splits, counts, parts, noncentralT, normal, number, pValue, percent };
})();

// ------------------------------------------------------------------ the page

function comparePage() {
  const field = (id) => document.getElementById(id);
  const add = (target, kind, text, name = "") =>
    Object.assign(target.appendChild(document.createElement(kind)), {
      textContent: text,
      className: name,
    });
  const examples = {
    two: [
      "6x5",
      "higher",
      "tree,bayes\n0.94,0.90\n0.94,0.91\n0.95,0.91\n0.91,0.87\n0.92,0.92\n" +
        "0.92,0.92\n0.92,0.89\n0.94,0.91\n0.94,0.92\n0.94,0.92\n0.95,0.91\n" +
        "0.93,0.91\n0.91,0.90\n0.95,0.90\n0.93,0.91\n0.95,0.90\n0.93,0.92\n" +
        "0.91,0.90\n0.92,0.87\n0.93,0.90\n0.93,0.92\n0.94,0.90\n0.92,0.93\n" +
        "0.95,0.92\n0.92,0.91\n0.94,0.92\n0.93,0.90\n0.92,0.92\n0.94,0.91\n0.93,0.92\n",
    ],
    three: [
      "8 x 10%",
      "lower",
      "tree,bayes,svm\n4.2,4.9,4.2\n4.0,4.8,4.0\n4.3,5.2,4.1\n4.2,5.1,3.9\n" +
        "3.8,4.7,3.8\n4.3,5.2,4.2\n4.5,5.2,4.3\n4.4,5.2,4.3\n",
    ],
  };

  /** A row for each pair. */
  function addTable(target, { pairs, level }) {
    const { number, pValue, percent } = compare;
    const box = add(target, "div", "", "scroll"),
      table = add(box, "table", "");
    box.tabIndex = 0; // so that keys can scroll it
    const head = [
      "first, second",
      "significantly better",
      "by",
      `${percent(level)} interval`,
      "adjusted p",
    ];
    const rows = pairs.map((pair) => [
      `${pair.a}, ${pair.b}`,
      pair.decision ? pair.a : "neither",
      number(pair.estimate),
      ...(Number.isNaN(pair.p)
        ? ["none", "none"]
        : [
            `${number(pair.low)} to ${number(pair.high)}`,
            pValue(pair.adjusted).replace(/^p (= )?/, ""),
          ]),
    ]);
    for (const cells of [head, ...rows]) {
      const line = table.insertRow();
      cells.forEach((text, at) => {
        if (at && cells !== head) add(line, "td", text);
        else add(line, "th", text).scope = at || cells === head ? "col" : "row";
      });
    }
  }

  /** A mark for each of 200 predicted reruns, and how far to believe them. */
  compare.addReruns = (target, { models: [a, b], shares, limits }) => {
    const counts = compare.parts(shares, 200),
      colours = ["blue", "grey", "red"];
    const marks = counts
      .flatMap((count, kind) => Array(count).fill(colours[kind]))
      .map(
        (colour, i) =>
          `<circle cx="${8 + 10 * (i % 40)}" cy="${8 + 10 * Math.floor(i / 40)}" ` +
          `r="${colour === "grey" ? 1.8 : 3.8}" style="fill:var(--replib-${colour})"/>`,
      );
    const words =
      `Of 200 reruns like yours, about ${counts[0]} would find ${a} significantly ` +
      `better, ${counts[2]} ${b}, and ${counts[1]} neither.`;
    add(target, "div", "", "replib-figure").innerHTML =
      `<svg viewBox="0 0 404 66" aria-hidden="true" ` +
      `style="max-width:35rem">${marks.join("")}</svg>`;
    const [low, high] = limits.map((p) => p.toFixed(2));
    add(
      target,
      "p",
      `${words} The share that agrees with you may lie anywhere from ${low} to ${high}: near the ` +
        `border, scores cannot tell on which side they are.`,
    );
  };

  function show(target, compute) {
    target.replaceChildren();
    try {
      const result = compute();
      for (const line of [...result.lines, ...result.notes]) add(target, "p", line);
      if (result.isPredicted) {
        const [{ a, b }] = result.pairs;
        const [, ...limits] = result.rerun;
        compare.addReruns(target, { models: [a, b], shares: result.rerun.shares, limits });
      }
      if (result.pairs.length === 1) return;
      addTable(target, result);
      add(
        target,
        "p",
        "Whether a rerun would reach the same decisions about all pairs takes a simulation, " +
          "which replib.compare runs.",
      );
    } catch (problem) {
      add(target, "p", `Not yet: ${problem.message}.`, "refusal");
    }
  }

  const given = (id) => field(id).value.trim();
  function ofSplits() {
    const result = field("scores-result"),
      missing = [
        ["scores", "paste scores"],
        ["design", "say how they were made"],
        ["better", "say which are better"],
      ].filter(([id]) => !given(id));
    if (missing.length) result.replaceChildren();
    else show(result, () => compare.splits(given("scores"), given("design"), given("better")));
    if (missing.length && missing.length < 3)
      add(result, "p", `Still needed: ${missing.map(([, what]) => what).join(", ")}.`);
  }
  const cells = ["both", "only-a", "only-b", "neither"];
  function ofCounts() {
    if (cells.every(given))
      show(field("counts-result"), () => compare.counts(...cells.map((id) => Number(given(id)))));
    else field("counts-result").replaceChildren();
  }

  const change = () => field("scores-form").dispatchEvent(new Event("input"));
  for (const [name, [design, better, text]] of Object.entries(examples)) {
    field(`example-${name}`).addEventListener("click", () => {
      for (const [id, value] of Object.entries({ design, better, scores: text }))
        field(id).value = value;
      change();
    });
  }
  field("scores").addEventListener("dragover", (event) => event.preventDefault());
  field("scores").addEventListener("drop", async (event) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    field("scores").value = await file.text();
    change();
  });
  // with the server the library answers: companion/engine/serve/data.js
  const isServed = document.querySelector('script[src="../data.js"]');
  if (!isServed) field("scores-form").addEventListener("input", ofSplits);
  field("counts-form").addEventListener("input", ofCounts);
  for (const form of ["scores-form", "counts-form"])
    field(form).addEventListener("submit", (event) => event.preventDefault());
}

if (typeof module !== "undefined") module.exports = compare;
else comparePage();
