// What replib.comparison refuses and notes, without Python: tests/comparison/test_thresholds.py holds the two together.
// The sentences are those of replib/comparison/rules.json, which rules.js is made from.
"use strict";

const replibGate = (() => {
  const table = typeof module === "undefined" ? replibRules : require("../../replib/comparison/rules.json");
  const { betainc } = typeof module === "undefined" ? replibStatistics : require("../companion/engine/templates/statistics.js");
  const SAY = "less is better", SOURCE = "the table";
  const CODES = { "\t": "\\t", "\n": "\\n", "\r": "\\r" };

  // ---------------------------------------------------------------- sentences

  /** Four significant digits, as Python's format g writes them. */
  function general(x, digits = 4) {
    const longer = x.toExponential(digits), isHalf = Number.isInteger(x * 2 ** (digits - longer.split("e")[1]));
    let [mantissa, power] = x.toExponential(digits - 1).split("e");
    if (isHalf && longer.includes("5e") && /[13579]$/.test(mantissa)) [mantissa, power] = longer.split("5e");  // to the even digit
    if (+power < -4 || +power >= digits) {
      return `${+mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`;
    }
    return String(+`${mantissa}e${power}`);
  }

  const escaped = (c) => {
    const code = c.codePointAt(0);
    if (CODES[c]) return CODES[c];
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}`
      : code < 65536 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
  };
  const printable = (text) => text.replace(/[\p{C}\p{Z}]/gu, (c) => c === " " ? c : escaped(c));
  const shown = (value) => {
    const text = printable(String(value));
    return [...text].length <= 120 ? text : `${[...text].slice(0, 119).join("")}…`;
  };
  const listed = (values, most = 6) =>
    values.slice(0, most).map(shown).join(", ") + (values.length > most ? ", …" : "");

  /** The sentence of a rule, thrown where the table says that it is refused. */
  function apply(rule, facts = {}) {
    const { verdict, says } = table.rules[rule];
    const known = { say: SAY, ...facts };
    const sentence = says.replace(/\{(\w+)\}/g, (_, name) => shown(known[name]));
    if (verdict === "refused") throw new Error(sentence);
    return sentence;
  }

  const simple = (name) => String(name).trim().split(/\s+/).join(" ").toLowerCase();
  const role = (name) => {
    const plain = simple(name).startsWith("unnamed: ") ? "unnamed: 0" : simple(name);
    const found = Object.entries(table.columns).find(([of, names]) => names.includes(plain) && of !== "classifier" && of !== "score");
    return found ? found[0] : null;
  };

  /** The name of a measure as the table spells it, without its unit. */
  const measure = (metric) => simple(metric || "").replace(/\s*[([][^)\]]*[)\]]$/, "")
    .replace(/[ -]/g, "_").replace(/^(test|val|validation)_/, "");

  /** Kind and range of a known metric. */
  function metricRange(metric) {
    let name = measure(metric);
    if (name.startsWith("neg_")) return ["score", -Infinity, 0];
    const rest = name.startsWith("1_") ? metricRange(name.replace(/^[1_]+/, "")) : null;  // 1 - accuracy
    if (rest) return [rest[0] === "score" ? "error" : "score", -Infinity, Infinity];
    if (table.errors.includes(name)) return ["error", 0, Infinity];
    for (const suffix of table.metric_suffixes) if (name.endsWith(suffix)) name = name.slice(0, -suffix.length);
    if (!(name in table.metrics)) return null;
    const [low, high] = table.metrics[name];
    return ["score", low === null ? -Infinity : low, high];
  }

  // ---------------------------------------------------------------- text

  /** Cells of one line; a field in quotes may hold the separator. */
  function fields(line, separator) {
    const found = [];
    let at = 0;
    while (at <= line.length) {
      while (line[at] === " ") at++;
      if (line[at] === '"') {
        let text = "";
        for (at++; at < line.length; at++) {
          if (line[at] !== '"') text += line[at];
          else if (line[at + 1] === '"') text += line[at++];
          else break;
        }
        const end = line.indexOf(separator, at + 1);
        found.push(text);
        at = end < 0 ? line.length + 1 : end + 1;
      } else {
        const end = line.indexOf(separator, at);
        found.push(line.slice(at, end < 0 ? line.length : end));
        at = end < 0 ? line.length + 1 : end + 1;
      }
    }
    return found.map((cell) => cell.trim());
  }

  const NUMBER = /^[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|nan|inf(?:inity)?)$/i;
  function number(cell) {
    let plain = cell.replace(/%$/, "").trim();
    if (plain.split(",").length === 2 && !plain.includes(".")) plain = plain.replace(",", ".");
    if (!NUMBER.test(plain)) return null;
    if (/nan/i.test(plain)) return NaN;
    return /inf/i.test(plain) ? (plain[0] === "-" ? -Infinity : Infinity) : Number(plain);
  }

  const PREAMBLE = /^(#|sep=.\s*$)/;  // lines before the head
  /** Fields of the lines of pasted text by the numbers of the lines, the head first. */
  function linesOf(text) {
    const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).map((line, i) => [i + 1, line])
      .filter(([, line]) => line.trim());
    while (lines.length && PREAMBLE.test(lines[0][1])) lines.shift();
    if (!lines.length) apply("empty-file", { path: SOURCE });
    const [first, second] = [lines[0][1], (lines[1] || lines[0])[1]];
    if (/^\s*[[{]/.test(first) && lines.length > 1) {
      throw new Error("this is JSON, such as a log of scores per item: save it as a file and run replib compare FILE");
    }
    const count = (line, mark) => line.split(mark).length - 1;
    let separator = ";", best = [-1, -1];
    for (const mark of [";", "\t", "|", ","]) {
      const n = count(first, mark), key = [+(n > 0 && n === count(second, mark)), n];
      if (key[0] > best[0] || (key[0] === best[0] && key[1] > best[1])) [separator, best] = [mark, key];
    }
    if (!best[1]) apply("one-column", { path: SOURCE, head: `'${first.trim().slice(0, 40)}'` });
    const rows = lines.filter(([, line]) => !line.startsWith("#") || count(line, separator) === count(first, separator))
      .map(([place, line]) => [place, fields(line, separator)]).filter(([, row]) => row.some(Boolean));
    if (!rows.length) apply("empty-file", { path: SOURCE });
    const width = Math.max(...rows.map(([, row]) => row.findLastIndex(Boolean) + 1));
    return rows.map(([place, row]) => [place, row.slice(0, width)]);
  }

  /** Columns of pasted text by their names, and the numbers of its lines. */
  function columnsOf(text) {
    const [[, head], ...body] = linesOf(text);
    if (!body.length) apply("only-head", { path: SOURCE });
    body.forEach((line) => checkLength(line, head));
    if (head.filter(Boolean).every((cell) => number(cell) !== null)) apply("no-head", { path: SOURCE });
    checkNames(head);
    return {
      columns: new Map(head.map((name, at) => [name, body.map(([, row]) => row[at])])),
      places: body.map(([line]) => `line ${line}`),
    };
  }

  function checkLength([line, row], head) {
    if (row.length !== head.length) apply("line-length", { line, path: SOURCE, n: row.length, m: head.length });
  }

  // ---------------------------------------------------------------- tables

  function checkNames(names, source = SOURCE) {
    const seen = new Map();
    for (const name of names) {
      const plain = simple(name);
      if (!seen.has(plain)) seen.set(plain, name);
      else if (seen.get(plain).trim() === name.trim()) apply("column-twice", { source, name });
      else apply("name-variants", { a: seen.get(plain), b: name, source });
    }
  }

  function natural(label) {
    const text = String(label).trim();
    if (NUMBER.test(text)) return [0, number(text)];
    return [1, ...text.split(/([0-9]+)/).filter(Boolean).flatMap((part) => /^[0-9]+$/.test(part) ? [0, Number(part)] : [1, part])];
  }
  const compareKeys = (a, b) => {
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      if (a[i] === b[i]) continue;
      if (a[i] === undefined) return -1;
      if (b[i] === undefined) return 1;
      return a[i] < b[i] ? -1 : 1;
    }
    return 0;
  };
  const keyOf = (labels) => JSON.stringify(labels.map(natural));
  const distinct = (values) => [...new Set(values)];

  function countsRows(cells) {
    const found = cells.map(number);
    if (found.includes(null)) return false;
    const low = Math.min(...found), sorted = [...found].sort((a, b) => a - b);
    return (low === 0 || low === 1) && sorted.every((x, i) => x === low + i);
  }
  const saysOrder = (cells) => distinct(cells.map((c) => keyOf([c]))).length === cells.length &&
    (countsRows(cells) || cells.every((cell) => natural(cell)[0] === 1 && /[0-9]/.test(cell)));

  function numbers(cells, name, places) {
    const found = cells.map(number), commas = cells.flatMap((cell, i) => cell.includes(",") ? [i] : []);
    if (commas.length && commas.every((i) => /^[1-9][0-9]{0,2},[0-9]{3}$/.test(cells[i])) && found.some((v) => v >= 100)) found[commas[0]] = null;
    const bad = found.indexOf(null);
    if (bad >= 0) {
      apply("no-number", {
        name, source: SOURCE, place: places[bad],
        holds: cells[bad] ? `holds '${shown(cells[bad].slice(0, 40))}'` : "is empty",
      });
    }
    return found;
  }

  /** Order of the rows by run and fold. */
  function placesOf(keys, order, whose = "") {
    const splits = keys[0].map((_, i) => keys.map((key) => natural(key[i])));
    const seen = new Set();
    splits.forEach((split, i) => {
      const key = JSON.stringify(split);
      if (seen.has(key)) {
        apply("split-twice", { source: SOURCE, split: order.map((name, j) => `${name} ${keys[j][i]}`).join(", "), whose });
      }
      seen.add(key);
    });
    const compare = (a, b) => {
      for (let j = 0; j < order.length; j++) {
        const by = compareKeys(splits[a][j], splits[b][j]);
        if (by) return by;
      }
      return 0;
    };
    return splits.map((_, i) => i).sort(compare);
  }

  function designOf(cells, rows, order) {
    const count = (keys) => distinct(rows.map((i) => keyOf(keys.map((key) => cells.get(key)[i])))).length;
    const by = (wanted) => order.filter((key) => role(key) === wanted);
    if (!by("run").length || !by("fold").length) return null;
    const runs = count(by("run")), splits = count(order);
    let folds = count(by("fold"));
    if (splits === runs && splits === folds) return null;
    if (splits === folds && splits % runs === 0) folds = splits / runs;
    if (splits !== runs * folds) {
      apply("split-missing", { source: SOURCE, n: splits, columns: order.join(" and "), expected: `${runs} x ${folds}` });
    }
    return folds > 1 ? { runs, folds } : null;
  }

  const meanOf = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;

  function checkClassifiers(scores, head) {
    if (scores.size < 2) apply("one-classifier", { source: SOURCE, count: scores.size || "no", columns: listed(head) });
    const names = [...scores.keys()];
    if (names.every((name) => simple(name).replace(/^test_/, "") === "score" || (metricRange(name) && !name.includes("(")))) {
      apply("metrics-as-classifiers", { columns: listed(names), source: SOURCE });
    }
    for (const name of names) {
      const base = simple(name).replace(/[_ ](std|sd|mean|avg)$/, "");
      if (base !== simple(name) && names.map(simple).includes(base)) apply("summary-column", { label: name, source: SOURCE });
      const others = names.filter((other) => other !== name).map((other) => scores.get(other));
      if (!["mean", "average", "avg"].includes(simple(name)) || others.length < 2) continue;
      const close = scores.get(name).every((x, i) => {
        const m = meanOf(others.map((of) => of[i]));
        return Math.abs(x - m) <= 1e-2 * Math.abs(m);
      });
      if (close) apply("summary-column", { label: name, source: SOURCE });
    }
  }

  const MEASURED = ["std", "sd", "mean", "avg", "train", "test", "val", "validation"];
  function measuresInNames(names) {
    const plain = new Map(names.map((name) => [simple(name).replace(/[ -]/g, "_"), name]));
    const seen = new Map([...plain].filter(([base]) => MEASURED.some((end) => plain.has(`${base}_${end}`))));
    for (const [key, name] of plain) {
      const at = key.lastIndexOf("_"), base = key.slice(0, Math.max(at, 0)), end = key.slice(at + 1);
      if (!base || !(MEASURED.includes(end) || metricRange(end))) continue;
      if (!seen.has(base)) seen.set(base, name);
      if (seen.get(base) !== name) return [apply("measures-in-names", { a: seen.get(base), b: name })];
    }
    return [];
  }

  /** Scores by classifier, in the order of the splits, and what the columns say of these. */
  function read({ columns, places }, metric = null) {
    const cells = new Map([...columns].map(([name, values]) => [simple(name), values]));
    const head = new Map([...columns.keys()].map((name) => [simple(name), name.trim()]));
    const size = places.length;
    let rows = places.map((_, i) => i);
    for (const key of cells.keys()) {
      const rule = { truth: "predictions-table", item: "item-table" }[role(key)];
      if (rule) apply(rule, { name: head.get(key), source: SOURCE });
    }
    for (const [key, values] of cells) {
      if (role(key) !== "metric") continue;
      const there = distinct(values);
      if (there.length === 1 && (metric === null || metric === there[0])) metric = there[0];
      else {
        if (!there.includes(metric)) apply("several-metrics", { source: SOURCE, n: there.length, named: listed(there) });
        rows = rows.filter((i) => values[i] === metric);
      }
    }
    const noSummary = (values) => {
      const label = values.find((value) => table.summaries.includes(simple(value)));
      if (label !== undefined) apply("summary-row", { label, source: SOURCE });
    };
    for (const [key, values] of cells) {
      if (role(key) !== "dataset") continue;
      const there = distinct(values);
      if (there.length < 2) continue;
      noSummary(values);
      apply("several-datasets", { source: SOURCE, n: there.length, named: listed(there) });
    }
    const scored = table.columns.score.some((name) => cells.has(name));
    const label = table.columns.classifier.find((name) => cells.has(name) &&
      (scored || cells.get(name).some((cell) => number(cell) === null))) ?? null;
    let order = ["run", "fold"].flatMap((wanted) => [...cells.keys()].filter((key) => role(key) === wanted &&
      !(table.seeds.includes(key) && size > 1 && distinct(cells.get(key)).length === 1)));
    if (!order.length && label === null) {
      order = [...cells.keys()].filter((key) => role(key) === "row" && saysOrder(cells.get(key))).slice(0, 1);
    }
    for (const [key, values] of cells) if (role(key)) noSummary(values);
    let scores = new Map(), score = null;
    if (label !== null) {
      score = [simple(metric || ""), ...table.columns.score, ...Object.keys(table.metrics), ...table.errors]
        .find((name) => name && cells.has(name) && role(name) !== "other") ?? null;
      if (score === null) apply("long-without", { source: SOURCE, columns: listed([...head.values()]), label, missing: "score" });
      const values = numbers(cells.get(score), score, places);
      const of = new Map();
      for (const i of rows) {
        const name = cells.get(label)[i];
        of.set(name, [...(of.get(name) || []), i]);
      }
      checkNames([...of.keys()]);
      let splits = null;
      for (const [name, mine] of of) {
        const keys = order.map((key) => mine.map((i) => cells.get(key)[i]));
        const at = order.length ? placesOf(keys, order, ` for ${name}`) : mine.map((_, i) => i);
        const its = JSON.stringify(order.length ? at.map((i) => keys.map((key) => natural(key[i]))) : []);
        splits = splits ?? its;
        if (its !== splits) apply("splits-differ", { source: SOURCE, columns: order.join(" and ") });
        scores.set(name, at.map((i) => values[mine[i]]));
      }
      if (scores.size < 2) apply("one-classifier", { source: SOURCE, count: scores.size, columns: listed([...cells.keys()]) });
      if (metric === null && metricRange(score)) metric = score;
    } else {
      for (const [key, values] of cells) {
        if (role(key) === null) {
          const column = numbers(values, head.get(key), places);
          scores.set(head.get(key), rows.map((i) => column[i]));
        }
      }
      checkClassifiers(scores, [...head.values()]);
      if (order.length) {
        const at = placesOf(order.map((key) => rows.map((i) => cells.get(key)[i])), order);
        scores = new Map([...scores].map(([name, x]) => [name, at.map((i) => x[i])]));
      }
    }
    const quiet = (key) => {
      const of = role(key);
      if (of === null) return label === null;
      return !["row", "other"].includes(of) || (of === "row" && (label !== null || countsRows(cells.get(key))));
    };
    const unused = [...cells.keys()].filter((key) => ![label, score, ...order].includes(key) && !quiet(key)).map((key) => head.get(key));
    const labels = order.length === 1 ? cells.get(order[0]) : [];
    const onlySeeds = size > 1 && distinct(labels).length === size &&
      (table.seeds.includes(order[0]) || labels.every((cell) => simple(cell).startsWith("seed")));
    return {
      scores, metric, design: designOf(cells, rows, order), seeds: onlySeeds ? order[0] : null,
      notes: notesOfUnused(unused),
    };
  }

  const notesOfUnused = (names) => names.length
    ? [apply("unused", { columns_word: names.length === 1 ? "column" : "columns", columns: listed(names) })] : [];

  // ---------------------------------------------------------------- designs

  const describe = ({ runs, folds, share }) => folds === 1
    ? `${runs} random splits with ${general(100 * share, 3)}% test data`
    : `${runs === 1 ? "1 run" : `${runs} runs`} of ${folds}-fold cross-validation`;

  /** The design that was said: cv as 10x10, or the share of test data. */
  function said(cv, share, n) {
    if (cv) {
      const found = /^\s*(\d+)\s*[xX×]\s*(\d+)\s*$/.exec(cv);
      if (!found) throw new Error(`cv='${cv}' is not runs times folds, as in "10x10"`);
      const [runs, folds] = [Number(found[1]), Number(found[2])];
      if (folds < 2) apply("few-folds", { given: folds });
      if (runs < 1) apply("few-runs", { given: runs });
      return { runs, folds, ratio: 1 / (folds - 1) };
    }
    if (share === null) return null;
    if (!(share > 0 && share < 1)) throw new Error(`the share of test data must lie between 0 and 1, not at ${share}`);
    return { runs: n, folds: 1, ratio: share / (1 - share), share };
  }

  /** Pasted text as blocks that can be compared, with notes; throws what is refused. */
  function scores(text, { cv = "", share = null, less = false, metric = null } = {}) {
    const found = read(columnsOf(text), metric);
    const names = [...found.scores.keys()], x = [...found.scores.values()];
    names.forEach((name, i) => {
      const bad = x[i].flatMap((value, at) => Number.isFinite(value) ? [] : [at]);
      if (bad.length) apply("missing", { name, count: bad.length, n: x[i].length, place: bad[0] + 1 });
    });
    const n = x[0].length, notes = [...found.notes];
    const stated = said(cv, share, n);
    if (found.seeds && (stated === null || stated.folds > 1)) apply("seeds", { column: found.seeds, n });
    const design = stated ?? (found.design && { ...found.design, ratio: 1 / (found.design.folds - 1) });
    if (!design) throw new Error(`how were the ${n} splits made? Say how many runs of how many folds, such as 10x10, or the share of test data of random splits`);
    if (found.design && (design.runs !== found.design.runs || design.folds !== found.design.folds)) {
      apply("design-contradicts", { found: describe(found.design), said: describe(design) });
    }
    if (share !== null && !cv && share > 0.5) notes.push(apply("large-test-fraction", { fraction: general(share), other: general(1 - share) }));
    for (let i = 1; i < x.length; i++) {
      if (x[i].length !== n) apply("unequal", { a: names[0], b: names[i], na: n, nb: x[i].length });
    }
    if (n !== design.runs * design.folds) {
      if (x.length === design.runs * design.folds) apply("transposed", { n, k: x.length, design: describe(design) });
      apply("not-the-design", { n, design: describe(design), expected: design.runs * design.folds });
    }
    if (n < 2) throw new Error("one split shows no spread: a comparison needs at least two scores of each classifier");
    const oneEach = x.every((of) => of.every((v) => v === 0 || v === 1) && new Set(of).size > 1);
    if (oneEach && n >= 10) apply("leave-one-out");
    notes.push(
      ...measuresInNames(names), ...scale(x, names, found.metric, !less), ...direction(x, names, found.metric, !less),
      ...relations(x, names, found.metric), ...inOrder(x, names), ...copies(x, names, design),
    );
    if (x.some((of) => looksLikeColumns(of, design))) notes.push(apply("columns"));
    return { names: names.map(printable), scores: x, ...design, design: describe(design), metric: found.metric ?? "score", less, notes };
  }

  // ---------------------------------------------------------------- doubts

  const median = (x) => {
    const s = [...x].sort((a, b) => a - b), half = s.length >> 1;
    return s.length % 2 ? s[half] : (s[half - 1] + s[half]) / 2;
  };
  const quantile = (x, q) => {
    const s = [...x].sort((a, b) => a - b), at = q * (s.length - 1), low = Math.floor(at);
    return s[low] + (at - low) * ((s[low + 1] ?? s[low]) - s[low]);
  };
  const isSame = (x) => x.every((value) => value === x[0]);

  function scale(x, names, metric, greater) {
    const all = x.flatMap((of, i) => of.map((value) => ({ value, name: names[i] })));
    const values = all.map(({ value }) => value);
    const known = metricRange(metric);
    const small = all.filter(({ value }) => value > 0 && value <= 1), large = all.filter(({ value }) => value > 1.5);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (small.length && large.length && !values.some((v) => v > 1 && v <= 1.5) && least >= 0 && most <= 100) {
      const ratio = median(large.map((one) => one.value)) / median(small.map((one) => one.value));
      if (greater ? ratio > 33 && ratio < 300 : ratio > 67 && ratio < 150) {
        return [apply(greater ? "percent" : "percent-of-errors", {
          large: general(large[0].value), large_name: large[0].name, small: general(small[0].value), small_name: small[0].name,
        })];
      }
    }
    if (known && known[0] === "score") {
      let [, low, high] = known;
      if (high === 1 && low >= -1 && median(values) > 1.5) [low, high] = [100 * low, 100 * high];
      const outside = all.find(({ value }) => value < low - 1e-9 || value > high + 1e-9);
      if (outside) {
        apply("out-of-range", { name: outside.name, score: general(outside.value), metric, low: low === -Infinity ? "minus infinity" : low, high });
      }
    } else if (!known && greater && least >= 0) {
      const limit = Math.max(1.5, 5 * quantile(values, 0.9));
      const far = all.filter(({ value }) => value > limit);
      if (far.length && far.length <= 0.05 * all.length && Math.max(...values.filter((v) => v <= limit)) <= 1) {
        return [apply("outlier", { name: far[0].name, score: general(far[0].value) })];
      }
    }
    return [];
  }

  /** Whether a measure is known as an error or ends like one, as "validation loss" does. */
  function namesAnError(metric) {
    const known = metricRange(metric), plain = measure(metric).replace(/_/g, " ");
    if (known || /^(neg|1)/.test(plain)) return known !== null && known[0] === "error";
    return table.suffixes.some((suffix) => plain.endsWith(` ${suffix}`));
  }

  function direction(x, names, metric, greater) {
    const known = metricRange(metric), values = x.flat(), top = Math.max(...values), middle = median(values);
    if (greater && namesAnError(metric) && top > 0) apply("error-metric", { metric });
    if (!greater && known && known[0] === "score") apply("score-metric", { metric });
    if (!greater) return top < 0 ? [apply("negative-errors")] : [];
    if (known) {
      const fewPercent = known[2] === 1 && middle > 1.5 && top < 10;
      return fewPercent ? [apply("looks-like-losses", { top: general(top) })] : [];
    }
    const plain = (name) => simple(name).replace(/[_-]/g, " ");
    const sounds = (name) => table.suffixes.some((s) => plain(name) === s || plain(name).endsWith(` ${s}`)) ||
      names.every((other) => simple(other).replace(/_/g, " ").startsWith("error "));
    const named = names.find(sounds);
    if (named !== undefined && !(middle > 0.5 && middle <= 1)) return [apply("sounds-like-errors", { name: named })];
    if (metric !== null || Math.min(...values) < 0) return [];
    const limit = top <= 1 ? 0.5 : 50;
    if (top > 0 && top <= limit && middle >= (limit === 50 ? 10 : 0) && middle <= limit / 2) return [apply("looks-like-errors", { limit })];
    if (top > 100 || (middle < 10 && (middle > 1 || values.filter((v) => v > 1.5).length > 0.05 * values.length))) {
      return [apply("looks-like-losses", { top: general(top) })];
    }
    return [];
  }

  const spreadOf = (x) => x.reduce((most, v) => Math.max(most, v), -Infinity) - x.reduce((least, v) => Math.min(least, v), Infinity);
  const deviation = (x) => { const m = meanOf(x); return Math.sqrt(meanOf(x.map((v) => (v - m) ** 2))); };
  const isBaseline = (name) => table.baselines.some((word) => simple(name).replace(/[_-]/g, " ").includes(word));

  function relations(x, names, metric) {
    const n = x[0].length, varying = x.flatMap((of, i) => spreadOf(of) > 1e-9 ? [i] : []);
    if (n < 5 || !varying.length) return [];
    const near = 6e-5 * Math.max(1, ...x.flat().map(Math.abs)), apart = (a, b) => Math.max(...a.map((v, at) => Math.abs(v - b[at])));
    for (const after of [1, 2]) {  // a last row of means, perhaps with deviations below it
      const all = varying.map((i) => ({ rest: x[i].slice(0, n - after), row: x[i][n - after], last: x[i][n - 1] }));
      const deviates = ({ rest, last }) => { const d = deviation(rest); return Math.abs(last - d) > 0.2 * d; };
      if ((after === 2 && all.some(deviates)) || all.length < 2) continue;
      const unit = near < 1e-4 ? 1e4 : 100, rounded = all.every(({ row }) => Math.abs(row - Math.round(row * unit) / unit) < 1e-12);
      const within = rounded ? near : 1e-4 * near;
      if (all.every(({ rest, row }) => Math.abs(row - meanOf(rest)) < within && rest.every((v) => Math.abs(v - row) > near))) {
        apply("mean-row", { place: n - after + 1 });
      }
    }
    const size = (i) => Math.abs(meanOf(x[i]));  // differences before what they are of
    for (const i of x.length > 2 && n >= 10 ? [...varying].sort((i, j) => size(i) - size(j)) : []) {
      const others = x.filter((_, j) => j !== i), of = (pick) => x[i].map((_, at) => pick(others.map((one) => one[at])));
      const differs = (one) => one.filter((v, at) => Math.abs(v - x[i][at]) > near).length >= 3;
      if (new Set(x[i]).size < 4 || !others.every(differs)) continue;
      const most = Math.max(...x.flat()), matches = (one, at) => Math.abs(one[at] - x[i][at]) <= near && x[i][at] < most;
      const alone = (one) => one.filter((_, at) => matches(one, at) && others.filter((other) => matches(other, at)).length === 1).length >= 2;
      const made = [["the mean", meanOf]];
      if (others.filter(alone).length >= 2) made.push(["the largest", (v) => Math.max(...v)], ["the smallest", (v) => Math.min(...v)]);  // two take turns
      for (const [what, pick] of made) if (apart(x[i], of(pick)) < near) apply("computed", { name: names[i], what: `${what} of the others`, unit: "split" });
      if (others.some((a) => others.some((b) => apart(x[i], a.map((v, at) => v - b[at])) < 1e-9))) {
        apply("computed", { name: names[i], what: "differences of two others", unit: "split" });
      }
    }
    return [...opposite(x, names, varying), ...failedFits(x, names, metric)];
  }

  function opposite(x, names, varying) {
    const n = x[0].length, values = x.flat(), top = Math.max(...values) > 1.5 ? 100 : 1;
    for (const i of varying) {
      for (const j of varying.filter((other) => other > i)) {
        const total = x[i].map((v, at) => v + x[j][at]);
        if (spreadOf(total) < 1e-8) return [apply("constant-sum", { a: names[i], b: names[j], sum: general(total[0]), unit: "split" })];
        const [low, high] = meanOf(x[i]) < meanOf(x[j]) ? [i, j] : [j, i];
        if (isBaseline(names[low])) continue;
        const below = meanOf(x[low]) / top, above = meanOf(x[high]) / top;
        if (Math.min(...values) < 0 || Math.max(...values) > top || !(below < 0.5 && above > 0.5) || Math.abs(below + above - 1) > 0.15) continue;
        const [a, b] = [deviation(x[low]), deviation(x[high])], [m, o] = [meanOf(x[low]), meanOf(x[high])];
        const r = meanOf(x[low].map((v, at) => (v - m) * (x[high][at] - o))) / (a * b);
        if (r < -2.5 / Math.sqrt(n) || (r < -0.1 && below < 0.25 && a / b > 1 / 3 && a / b < 3)) {
          return [apply("opposite", { low: names[low], high: names[high] })];
        }
      }
    }
    return [];
  }

  function failedFits(x, names, metric) {
    if (metric !== null && !["acc", "auc"].some((word) => simple(metric).includes(word))) return [];
    for (const [i, of] of x.entries()) {
      const failed = of.filter((v) => v <= 0 && Number.isInteger(v)), least = Math.min(...of.filter((v) => !(v <= 0 && Number.isInteger(v))));
      const half = median(of) > 1.5 ? 50 : 0.5;
      if (failed.length && failed.length <= Math.max(1, 0.05 * of.length) && half < least && least <= 2 * half) {
        return [apply("failed-fit", { name: names[i], score: general(failed[0]), least: general(least) })];
      }
    }
    return [];
  }

  function inOrder(x, names, unit = "split") {
    const rises = (of) => of.every((v, at) => !at || v >= of[at - 1]);
    const all = x.every((of) => of.length >= 10 && new Set(of).size >= 5 && (rises(of) || rises([...of].reverse())));
    return all ? [apply("sorted", { a: names[0], b: names[1], unit })] : [];
  }

  /** Whether scores are equal, or those of one are the rounded ones of the other. */
  function sameScores(a, b) {
    if (a.every((v, at) => v === b[at]) || a.length < 5) return a.every((v, at) => v === b[at]);
    const near = Math.max(...a.map((v, at) => Math.abs(v - b[at])));
    return [a, b].some((x) => spreadOf(x) > 0 && [1e3, 1e4, 1e5].some((unit) =>
      near <= 0.5 / unit + 1e-9 && x.every((v) => Math.abs(v * unit - Math.round(v * unit)) < 1e-6)));
  }

  /** Probability that two splits have equal scores, for all classifiers, by the scores seen. */
  function chance(flat) {
    const counts = new Map();
    flat[0].forEach((_, i) => {
      const key = flat.map((of) => of[i]).join();
      counts.set(key, (counts.get(key) || 0) + 1);
    });
    return [...counts.values()].reduce((sum, c) => sum + (c / flat[0].length) ** 2, 0);
  }

  /** Scores that are those of another classifier, moved or stretched. */
  function onALine(one, other, a, b, unit) {
    const how = ofALine(one, other, one.map((v, at) => v - other[at]), unit);
    return how ? [apply("same-difference", { a, b, how })] : [];
  }
  function ofALine(a, b, by, unit) {
    if (a.length > 2 && spreadOf(by) < 1e-8 && Math.min(spreadOf(a), Math.abs(by[0])) > 1e-8) {
      return `differ by ${general(Math.abs(by[0]))} on every ${unit}`;
    }
    if (a.length < 10 || Math.min(new Set(a).size, new Set(b).size) < 5 || spreadOf(by) <= 1e-3 * spreadOf(a)) return "";
    const [m, o] = [meanOf(a), meanOf(b)], r = meanOf(a.map((v, at) => (v - m) * (b[at] - o))) / (deviation(a) * deviation(b));
    return r > 1 - 1e-6 ? `lie on a straight line, ${unit} by ${unit}` : "";
  }

  function copies(given, names, { runs, folds }) {
    const flat = given.map((of) => of.map((value) => Math.round(value * 1e9) / 1e9));
    const n = runs * folds, constant = flat.map(isSame);
    const trivial = ([score]) => {  // guessing, or never being wrong: 0, 1, 1/2, 1/3, ...
      const inverse = (score > 1.5 ? 100 : 1) / score;
      if (Math.abs(score) < 1e-9) return !(Math.min(...flat.flat()) < -1e-9 && Math.max(...flat.flat()) > 1e-9);
      return inverse > 0.5 && inverse < 20.5 && Math.abs(inverse - Math.round(inverse)) < 1e-3;
    };
    const refuse = (period) => {
      const [unit, each] = folds > 1 && period % folds === 0 ? ["run", folds] : ["split", 1];
      const few = period / each;
      apply("copies", { all: `${n / each} ${unit}s`, distinct: `${few} ${unit}${few === 1 ? "" : "s"}` });
    };
    if (constant.every(Boolean)) {
      if (distinct(flat.map((of) => of[0])).length > 1 && !flat.some((of) => of[0] === 1 || of[0] === 100) && folds === 1) refuse(1);
    } else {
      for (let period = 2; period <= n / 2; period++) {
        if (n % period) continue;
        const repeated = flat.every((of) => of.every((value, i) => i < period || value === of[i - period]));
        if (repeated && chance(flat) ** (n - period) < 5e-3) refuse(period);
      }
      const inRuns = flat.every((of) => of.every((value, i) => value === of[i - i % folds]));
      if (runs > 1 && folds > 1 && inRuns) apply("copied-folds");
    }
    const notes = [];
    names.forEach((name, i) => {
      if (constant[i] && !trivial(flat[i]) && n >= 5 && !isBaseline(name)) notes.push(apply("constant", { name, score: general(flat[i][0]) }));
    });
    for (let i = 0; i < names.length; i++) {
      for (let j = i + 1; j < names.length; j++) {
        const same = sameScores(flat[i], flat[j]);
        if (same && !(constant[i] && trivial(flat[i]))) notes.push(apply("same-scores", { a: names[i], b: names[j], unit: "split", rounded: flat[i].every((v, at) => v === flat[j][at]) ? "" : ", once rounded" }));
        else notes.push(...onALine(flat[i], flat[j], names[i], names[j], "split"));
      }
    }
    return runs > 1 && folds > 1 ? [...notes, ...copiedRuns(flat, names, constant, runs, folds)] : notes;
  }

  function copiedRuns(flat, names, constant, runs, folds) {
    const pairs = runs * (runs - 1) / 2, match = chance(flat) ** folds * pairs, same = [];
    const equal = (of, i, j) => of.slice(i * folds, (i + 1) * folds).every((value, at) => value === of[j * folds + at]);
    for (let i = 0; i < runs; i++) {
      for (let j = i + 1; j < runs; j++) if (flat.every((of) => equal(of, i, j))) same.push([i + 1, j + 1]);
    }
    const allSame = same.length === pairs && constant.includes(false) && Math.max(runs, folds) > 2;
    if (same.length && (match < 1e-3 || allSame)) return [apply("some-copies", { first: same[0][0], second: same[0][1], order: "" })];
    const notes = [];
    const sets = Array.from({ length: runs }, (_, i) => Array.from({ length: folds }, (_, j) => flat.map((of) => of[i * folds + j]).join()).sort());
    if (runs > 2 && new Set(sets[0]).size > 4 && sets.every((one) => one.join(";") === sets[0].join(";"))) {
      notes.push(apply("some-copies", { first: 1, second: 2, order: ", in another order" }));
    }
    names.forEach((name, i) => {
      const of = flat[i];  // in stratified folds of different sizes, guessing depends on the number of the fold
      if (constant[i] || isBaseline(name) || distinct(of).length <= Math.min(4, folds - 1)) return;
      if (of.every((value, at) => value === of[at % folds])) {
        if (chance([of]) ** (folds * (runs - 1)) < 5e-3) notes.push(apply("copies-in-one", { name }));
      } else if (positionPvalue(of, runs, folds) < 1e-8) notes.push(apply("same-folds", { name }));
    });
    return notes;
  }

  const fTail = (f, a, b) => betainc(b / 2, a / 2, b / (b + a * f));
  const ofPlaces = (of, runs, folds) => Array.from({ length: folds }, (_, j) => meanOf(Array.from({ length: runs }, (_, i) => of[i * folds + j])));

  function positionPvalue(of, runs, folds) {
    const places = ofPlaces(of, runs, folds), m = meanOf(of);
    const between = runs * places.reduce((s, v) => s + (v - m) ** 2, 0) / (folds - 1);
    const within = of.reduce((s, v, i) => s + (v - places[i % folds]) ** 2, 0) / (folds * (runs - 1));
    return fTail(between / within, folds - 1, folds * (runs - 1));
  }

  const variance = (x) => x.reduce((s, v) => s + (v - meanOf(x)) ** 2, 0) / (x.length - 1);
  function looksLikeColumns(of, { runs, folds }) {
    if (Math.min(runs, folds) < 3) return false;
    const ofRuns = Array.from({ length: runs }, (_, i) => meanOf(of.slice(i * folds, (i + 1) * folds)));
    const over = variance(ofRuns) * folds, places = variance(ofPlaces(of, runs, folds)) * runs;
    return places === 0 ? over > 0 : fTail(over / places, runs - 1, folds - 1) < 0.002;
  }

  return {
    apply, checkLength, checkNames, compareKeys, distinct, general, inOrder, isSame, linesOf, listed, meanOf, metricRange, namesAnError, onALine, PREAMBLE,
    natural, notesOfUnused, numbers, printable, role, scores, simple, table,
  };
})();

if (typeof module !== "undefined") module.exports = replibGate;
