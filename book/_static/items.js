// Scores per item without Python: what replib.comparison.item_files and gate.items read, refuse and note, and replib.variance.
// tests/comparison/test_items_on_the_page.py holds the two together.
"use strict";

const replibItems = (() => {
  const { chiSquareQuantile, normal, normalQuantile, student, studentQuantile } =
    typeof module === "undefined" ? replibStatistics : require("../companion/engine/templates/statistics.js");
  const gate = typeof module === "undefined" ? replibGate : require("./gate.js");
  const { apply, distinct, general, isSame, listed, meanOf, metricRange, role, simple, table } = gate;
  const SOURCE = "the table", MOST = 20000, NOISE = 1e-10;

  /** Sum in the order of NumPy, so that both programs round the same halves up. */
  function total(x, from = 0, to = x.length) {
    const n = to - from, rest = to - n % 8;
    if (n > 128) {
      const half = Math.floor(n / 2), middle = from + half - half % 8;
      return total(x, from, middle) + total(x, middle, to);
    }
    const s = n < 8 ? [0, 0, 0, 0, 0, 0, 0, 0] : x.slice(from, from + 8);
    for (let i = from + 8; i < rest; i++) s[(i - from) % 8] += x[i];
    let sum = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
    for (let i = rest; i < to; i++) sum += x[i];
    return sum;
  }
  const mean = (x) => total(x) / x.length;
  const ends = (x) => x.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);
  const spread = (x) => { const [low, high] = ends(x); return high - low; };
  const largest = (x) => x.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const columnMeans = (rows) => rows[0].map((_, i) => meanOf(rows.map((row) => row[i])));
  const minus = (a, b) => a.map((v, i) => v - b[i]);
  const sorted = (x) => distinct(x).sort((a, b) => a - b);

  // ---------------------------------------------------------------- files: replib.comparison.item_files

  const RUN = ["epoch", "attempt"], GROUP = ["group", "cluster", "cluster_id", "group_id"];
  const LETTERS = new Map([["C", 1], ["P", 0.5], ["I", 0], ["N", 0], ["true", 1], ["false", 0]]);

  /** Whether a text has scores per item, by the columns that its head names. */
  function holdsItems(text) {
    const head = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/).find((line) => line.trim() && !gate.PREAMBLE.test(line)) || "";
    const names = head.split(/[;,|\t]/).map((name) => simple(name.replace(/^[ "]+|[ "]+$/g, "")));
    const { item, classifier } = table.columns, has = (words) => names.some((name) => words.includes(name));
    return has(item) && has([...classifier, "item"]);
  }

  /** Blocks of runs x items of two models, and the clusters of the items. */
  function blocksOf(text, paired) {
    const [[, head], ...body] = gate.linesOf(text), words = table.columns, names = head.map(simple);
    gate.checkNames(head);
    const find = (allowed) => names.indexOf(allowed.find((name) => names.includes(name)));
    const [model, item, score, measure, run, group] = [
      words.classifier, words.item, words.score, words.metric, [...words.run, ...RUN], GROUP].map(find);
    const missing = Object.entries({ item, model, score }).filter(([, at]) => at < 0).map(([name]) => name);
    if (missing.length) apply("item-columns", { source: SOURCE, missing: listed(missing), there: listed(head) });
    const full = body.filter(([, row]) => row.length === head.length);
    const one = (at, rule) => {
      const there = distinct(full.map(([, row]) => row[at]));
      if (there.length > 1 || (at === measure && !there.length)) apply(rule, { source: SOURCE, n: there.length, named: listed(there) });
      return there[0];
    };
    names.forEach((name, at) => { if (role(name) === "dataset") one(at, "several-datasets"); });
    const metric = measure < 0 ? head[score] : one(measure, "several-metrics");
    const used = [model, item, score, measure, run, group];
    const notes = gate.notesOfUnused(head.filter((name, at) => !used.includes(at) && !["row", "dataset", "other"].includes(role(name))));
    const answers = body.map(([line, row]) => {
      gate.checkLength([line, row], head);
      const text = row[score], letter = LETTERS.get(text.length > 1 ? text.toLowerCase() : text);
      const value = letter ?? gate.numbers([text], head[score], [`line ${line}`])[0];
      return [row[model], run < 0 ? "1" : row[run], row[item], value, group < 0 ? null : row[group]];
    });
    return { ...twoOf(arranged(answers), paired), metric, notes };
  }

  function arranged(answers) {
    const clusters = new Map(), models = new Map();
    for (const [model, run, item, value, group] of answers) {
      if (!models.has(model)) models.set(model, new Map());
      const runs = models.get(model);
      if (!runs.has(run)) runs.set(run, new Map());
      if (runs.get(run).has(item)) apply("item-twice", { model, item });
      runs.get(run).set(item, value);
      if (!clusters.has(item)) clusters.set(item, group);
      else if (clusters.get(item) !== group) apply("item-groups", { item, one: clusters.get(item), other: group });
    }
    gate.checkNames([...models.keys()], "the column of models");
    const items = [...clusters.keys()];
    for (const [model, runs] of models) {
      for (const [run, its] of runs) {
        const missing = items.filter((item) => !its.has(item));
        if (missing.length) apply("item-lacking", { run, model, count: missing.length, n: items.length, item: missing[0] });
      }
    }
    const groups = [...clusters.values()];
    return { models, items, groups: groups.includes(null) ? null : groups };
  }

  function twoOf({ models, items, groups }, paired) {
    const names = [...models.keys()];
    if (names.length !== 2) {
      const advice = names.length > 1 ? ": paste the rows of two of them" : "";
      apply("item-models", { source: SOURCE, count: names.length, names: listed(names), advice });
    }
    const runs = names.map((name) => [...models.get(name).keys()]);
    if (paired && runs[0].length === runs[1].length) {
      const [only] = [0, 1].flatMap((i) => runs[i].filter((run) => !runs[1 - i].includes(run)))
        .sort((a, b) => gate.compareKeys(gate.natural(a), gate.natural(b)));
      if (only !== undefined) apply("run-labels", { run: only });
      runs[1] = runs[0];
    }
    const block = (name, i) => runs[i].map((run) => items.map((item) => models.get(name).get(run).get(item)));
    return { names: names.map(gate.printable), blocks: names.map(block), groups };
  }

  // ---------------------------------------------------------------- checks: replib.comparison.gate.items

  const NOT_MEANS = ["roc_auc", "auc", "matthews_corrcoef", "mcc", "balanced_accuracy", "kappa", "cohen_kappa",
    "average_precision", "f1_macro", "f1_micro", "f1_weighted"];

  /** Pasted text as two blocks with numbered clusters and the notes; throws what is refused. */
  function read(text, { generalize = "", paired = false } = {}) {
    const { names, blocks, groups, metric, notes } = blocksOf(text, paired);
    const items = blocks[0][0].length, runs = blocks.map((block) => block.length);
    blocks.forEach((block, i) => checkBlock(block, names[i]));
    if (items > MOST) throw new Error(`more than ${MOST} items take long in a browser: save the table as items.csv and run replib compare items.csv`);
    if (runs[0] === runs[1] && runs[0] > items && !paired) {
      const means = blocks.map((block) => block.map(mean));
      if (means.every((x) => spread(x) > 0) && correlation(...means) > 4 / Math.sqrt(runs[0])) {
        apply("items-like-runs", { shape: `(${runs[0]}, ${items})` });
      }
    }
    if (paired && runs[0] !== runs[1]) apply("paired-runs", { a: names[0], na: runs[0], b: names[1], nb: runs[1] });
    const found = [
      ...scale(blocks, names, metric), ...copies(blocks, names), ...constant(blocks, names), ...pooled(blocks, groups),
      ...coded(blocks, names, metric), ...(items < 10 ? [apply("items-few", { n: items })] : []),
    ];
    const asked = generalize || (Math.min(...runs) > 1 ? "both" : "items");
    if (asked !== "items" && Math.min(...runs) < 2) {
      throw new Error(`generalize='${asked}' asks about new seeds, and one run shows no spread between seeds: give two or more runs of each model, or ask about 'items'`);
    }
    const [clusters, ofGroups] = clustersOf(groups, items), squares = meanSquares(blocks, clusters, paired);
    return {
      names, blocks, clusters, metric: gate.printable(metric), asked, squares, paired,
      notes: [...found, ...ofGroups, ...doubts(squares, asked, clusters !== null), ...notes],
    };
  }

  function checkBlock(block, name) {
    const x = block.flat(), items = block[0].length;
    if (items < 2) apply("items-shape", { name, shape: `(${block.length}, ${items})` });
    const bad = x.flatMap((value, i) => Number.isFinite(value) ? [] : [i]);
    if (bad.length) {
      apply("items-missing", { count: bad.length, n: x.length, name, run: Math.floor(bad[0] / items) + 1, item: bad[0] % items + 1 });
    }
  }

  function correlation(a, b) {
    const [x, y] = [a, b].map((of) => minus(of, of.map(() => meanOf(of))));
    const product = (u, v) => total(u.map((value, i) => value * v[i]));
    return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
  }

  function scale(blocks, names, metric) {
    const known = metricRange(metric), plain = simple(metric).replace(/_/g, " ");
    const flat = blocks.map((block) => block.flat()), most = flat.map(largest), [least, top] = ends(most);
    if (gate.namesAnError(metric) && ends(flat.flat())[1] > 0) apply("items-error", { metric });
    if (NOT_MEANS.includes(plain.replace(/ /g, "_"))) apply("items-not-a-mean", { metric });
    if (least > 0 && least <= 1 && top > 10) {
      apply("items-scale", { a: names[0], ma: general(most[0]), b: names[1], mb: general(most[1]) });
    }
    if (known) {
      const unit = known[2] === 1 && known[1] >= -1 && top > 10 ? 100 : 1, [low, high] = [unit * known[1], unit * known[2]];
      flat.forEach((x, i) => {
        const outside = x.find((v) => v < low - 1e-9 || v > high + 1e-9);
        if (outside !== undefined) {
          apply("out-of-range", { name: names[i], score: general(outside), metric, high, low: low === -Infinity ? "minus infinity" : low });
        }
      });
    }
    for (const [one, other] of [[0, 1], [1, 0]]) {
      const outside = flat[other].find((v) => v < 0 || v > 1);
      if (outside !== undefined && String(sorted(flat[one])) === "0,1") {
        return [apply("items-coded", { a: names[one], b: names[other], value: general(outside) })];
      }
    }
    return [];
  }

  function copies(blocks, names) {
    const keys = blocks.map((block) => block.map(String)), alike = keys.map((of) => of.length > 1 && isSame(of));
    if (alike.every(Boolean)) apply("items-copies", { n: blocks[0].length });
    const notes = [];
    blocks.forEach((x, i) => {
      const name = names[i], n = x.length, others = distinct(keys[i]).map((key) => x[keys[i].indexOf(key)]);
      const count = n - others.length, width = largest(x[0].map((_, at) => spread(x.map((row) => row[at]))));
      if (alike[i]) notes.push(apply("items-deterministic", { n, name }));
      else if (count) {
        const first = others.reduce((least, row) => gate.compareKeys(row, least) < 0 ? row : least);
        const differing = total(others.map((row) => row.filter((v, at) => v !== first[at]).length)) / (others.length - 1);
        if (n * (n - 1) / 2 * Math.exp(-differing) < 1e-3) notes.push(apply("items-some-copies", { count, n, name }));
      } else if (width > 0 && width < 1e-3 * spread(x.flat())) notes.push(apply("items-near-copies", { name, most: general(width) }));
    });
    const [a, b] = keys.map((of) => String(distinct(of).sort()));
    if (a === b && blocks[0].length === blocks[1].length) notes.push(apply("items-same-model", { a: names[0], b: names[1] }));
    return notes;
  }

  function constant(blocks, names) {
    return blocks.flatMap((block, i) => {
      const same = block.map((row) => isSame(row) && row[0] !== 1 && row[0] !== 100), run = same.indexOf(true);
      if (same.every(Boolean) && isSame(block.flat())) return [apply("items-constant", { name: names[i], score: general(block[0][0]) })];
      return run < 0 ? [] : [apply("items-failed-run", { run: run + 1, name: names[i], score: general(block[run][0]) })];
    });
  }

  /** Scores of one run that correlate more at a lag of n / copies items than before. */
  function pooled([a, b], groups) {
    const n = a[0].length, sums = a[0].map((v, i) => v + b[0][i]);
    if (a.length + b.length > 2 || n < 40 || spread(sums) < 1e-9) return [];
    const middle = mean(sums), s = Float64Array.from(sums, (v) => v - middle), power = mean(s.map((v) => v * v));
    const together = Array.from({ length: Math.floor(n / 2) + 1 }, (_, lag) => {
      let sum = 0;
      for (let i = lag; i < n; i++) sum += s[i] * s[i - lag];
      return sum / (n - lag) / power;
    });
    for (let count = 20; count > 1; count--) {
      const items = n / count;
      if (!Number.isInteger(items) || items < 20) continue;
      const known = groups && groups.every((of, i) => i < items || of === groups[i - items]);
      const least = Math.max(0.2, 6 / Math.sqrt(n - items), ends(together.slice(1, items))[1] + 3 / Math.sqrt(n));
      if (together[items] > least && !known) return [apply("items-pooled-scores", { n: items, copies: count })];
    }
    return [];
  }

  function coded([a, b], names, metric) {
    const notes = gate.inOrder([...a, ...b], names, "item");
    const one = a.slice(0, b.length).flat(), other = b.slice(0, a.length).flat(), sums = one.map((v, i) => v + other[i]);
    if (one.length >= 10 && spread(sums) < 1e-9 && spread(one) > 1e-9) {
      notes.push(apply("constant-sum", { a: names[0], b: names[1], unit: "item", sum: general(sums[0]) }));
    }
    if (one.some((v, i) => v !== other[i])) notes.push(...gate.onALine(one, other, ...names, "item"));
    const flat = [a.flat(), b.flat()], [[lowA, highA], [lowB, highB]] = flat.map(ends);
    const share = (x, value) => x.filter((v) => v === value).length / x.length;
    if (simple(metric) === "score" && flat.every((x) => x.every(Number.isInteger)) && Math.min(highA, highB) > 2 &&
      Math.max(highA, highB) === 2 * Math.min(highA, highB) && lowA === lowB && flat[0].length >= 50 &&
      Math.min(share(flat[0], highA), share(flat[1], highB)) > 0.03) {
      notes.push(apply("items-ceilings", { a: names[0], ma: general(highA), b: names[1], mb: general(highB) }));
    } else if (simple(metric) === "score" && looksLikeClasses(one, other)) {
      const found = sorted([...one, ...other]);
      notes.push(apply("item-classes", { a: names[0], b: names[1], n: found.length, some: listed(found.slice(0, 3).map((v) => general(v))) }));
    }
    flat.forEach((x, i) => {
      const below = x.filter((v) => v < 0);
      if (below.length && below.length <= 0.05 * x.length && isSame(below) && Number.isInteger(below[0]) && !x.every(Number.isInteger)) {
        notes.push(apply("item-code", { name: names[i], score: general(below[0]) }));
      }
    });
    return notes;
  }

  /** Whether two models give the same whole numbers, often agree, and otherwise differ a lot. */
  function looksLikeClasses(a, b) {
    const values = sorted(a);
    if (![...a, ...b].every(Number.isInteger) || a.length < 30 || String(values) !== String(sorted(b)) || values.length < 2 || values.length > 100) return false;
    if (values.length === 2) return values[0] !== 0;
    const [p, q] = [a, b].map((x) => values.map((value) => x.filter((v) => v === value).length / x.length));
    const luck = total(p.map((v, i) => v * q[i])), agree = a.filter((v, i) => v === b[i]).length / a.length;
    if (Math.max(...p, ...q) > 0.6 || agree - luck < 0.6 * (1 - luck)) return false;
    const gaps = a.map((v, i) => Math.abs(v - b[i])).filter((gap) => gap > 0);
    const pairs = values.flatMap((v, i) => values.map((w, j) => [Math.abs(v - w), i === j ? 0 : p[i] * q[j]]));
    return !gaps.length || meanOf(gaps) > 0.7 * total(pairs.map(([gap, weight]) => gap * weight)) / total(pairs.map(([, weight]) => weight));
  }

  function clustersOf(groups, items) {
    if (groups === null) return [null, []];
    const missing = groups.filter((name) => ["", "nan", "none", "<na>", "nat"].includes(name.toLowerCase())).length;
    if (missing) apply("groups-missing", { count: missing, n: items });
    const found = distinct(groups).sort(), seen = new Map(), numbers = new Map(found.map((name, i) => [name, i]));
    if (found.length < 2) apply("one-group", { n: items });
    const clusters = groups.map((name) => numbers.get(name));
    if (found.length === items) return [clusters, [apply("groups-own", { n: items })]];
    for (const name of found) {
      const plain = simple(name);
      if (seen.has(plain)) return [clusters, [apply("groups-variants", { a: seen.get(plain), b: name })]];
      seen.set(plain, name);
    }
    return [clusters, []];
  }

  /** Where the design has too few clusters or runs: replib.comparison.items.doubts. */
  function doubts({ units, effective, runs }, asked, clustered) {
    const notes = [], inexact = "the Type I error can be up to 7% at a nominal 5%";
    if (clustered && asked !== "seeds" && effective < 10) {
      const worth = units - effective > 0.5 ? ` of unequal size, worth ${effective.toFixed(1)} equal ones,` : "";
      notes.push(`${units} clusters${worth} are few: the variance between clusters is uncertain, and ${inexact}.`);
    }
    if (asked !== "items" && Math.min(...runs) === 2) {
      notes.push(`Two runs tell little about the spread between seeds: ${inexact}, and the power is low.`);
    }
    return notes;
  }

  // ---------------------------------------------------------------- numbers: replib.variance

  /** Sums over the items of each cluster; without clusters, the items themselves. */
  function sumsOf(clusters) {
    if (clusters === null) return (row) => row;
    const members = Array.from({ length: ends(clusters)[1] + 1 }, () => []);
    clusters.forEach((cluster, i) => members[cluster].push(i));
    return (row) => members.map(([first, ...rest]) => row[first] + total(rest.map((i) => row[i])));
  }

  function meanSquares([a, b], clusters, paired) {
    const items = a[0].length, sizes = sumsOf(clusters)(a[0].map(() => 1)), units = sizes.length;
    const correction = units / (units - 1) / items ** 2, scale = Math.max(largest(a.flat()), largest(b.flat()));
    const models = (paired ? [a.map((row, i) => minus(row, b[i]))] : [a, b]).map((rows) => {
      const x = rows.map(sumsOf(clusters)), pairs = Math.max(x.length * (x.length - 1), 1);
      const ofUnit = columnMeans(x), ofRun = x.map((row) => total(row) / items), middle = mean(ofRun);
      const rest = x.flatMap((row, run) => row.map((v, i) => v - ofUnit[i] - sizes[i] * (ofRun[run] - middle)));
      return {
        middle, ofUnit, runs: x.length, seed: total(ofRun.map((v) => (v - middle) ** 2)) / pairs,
        interaction: correction * total(rest.map((v) => v * v)) / pairs,
      };
    });
    const zero = { middle: 0, ofUnit: sizes.map(() => 0) }, [one, other] = [...models, zero];
    const estimate = Math.abs(one.middle - other.middle) <= NOISE * scale ? 0 : one.middle - other.middle;
    const deviations = minus(one.ofUnit, other.ofUnit).map((v, i) => v - sizes[i] * estimate);
    return {
      estimate, item: correction * total(deviations.map((v) => v * v)), seed: models.map((of) => of.seed),
      interaction: models.map((of) => of.interaction), runs: models.map((of) => of.runs), items, units,
      effective: clusters === null ? units : effectiveNumber(sizes.map((size) => size / items)), scale,
    };
  }

  function effectiveNumber(w) {
    const [p2, p3, p4, p5] = [2, 3, 4, 5].map((k) => total(w.map((v) => v ** k))), trace = p2 - 2 * p3 + p2 ** 2;
    const squared = p4 + 4 * p2 * p4 + 2 * p3 ** 2 + p2 ** 4 - 4 * p5 - 4 * p2 ** 2 * p3;
    return Math.min(trace ** 2 / squared + 1, w.length);
  }

  /** Variance of the difference, and its degrees of freedom. */
  function varianceFor(question, { item, seed, interaction, runs, units, effective, scale }) {
    const dfItem = (units >= 11 ? units : effective) - 1;
    if (question === "items") return [item, dfItem];
    const s = total(seed), m = total(interaction), coincide = s <= (NOISE * scale) ** 2;
    const dfSeed = coincide ? total(runs) - runs.length : s ** 2 / total(seed.map((v, i) => v ** 2 / (runs[i] - 1)));
    if (question === "seeds") return [coincide ? m : s, dfSeed];
    const all = (of) => Math.max(item, of, item + of - m), inflated = (1 + 2 / dfSeed ** 2) * s, v = all(inflated);
    return [all(s), v <= 0 ? dfItem : 1 / ((inflated / v) ** 2 / dfSeed + (item / v) ** 2 / dfItem)];
  }

  /** Student's t test of one question, with the 95% interval. */
  function test(question, squares) {
    const { estimate, scale } = squares, [variance, df] = varianceFor(question, squares);
    const error = Math.sqrt(variance) <= NOISE * scale ? 0 : Math.sqrt(variance);
    const statistic = error ? estimate / error : estimate ? Math.sign(estimate) * Infinity : 0;
    const pvalue = error || estimate ? Math.min(1, 2 * student(-Math.abs(statistic), df)) : 1;
    const reach = studentQuantile(0.975, df) * error;
    return { estimate, low: estimate - reach, high: estimate + reach, statistic, df, pvalue };
  }

  /** Probabilities that a repetition finds A better, B better, neither, each with limits. */
  function recurrence(question, newItems, squares, alpha = 0.05) {
    const { estimate, item, seed, interaction, runs, scale } = squares, middle = 16, points = 2 * middle + 1;
    const [variance, df] = varianceFor(!newItems ? "seeds" : Math.min(...runs) > 1 ? "both" : "items", squares);
    if (variance <= (NOISE * scale) ** 2) {  // all repetitions have the same result
      const { low, high } = test(question, squares);
      return [low > 0, high < 0, low <= 0 && high >= 0].map((sure) => [+sure, +sure, +sure]);
    }
    const shares = Array.from({ length: points }, (_, i) => (i + 0.5) / points), z = shares.map(normalQuantile);
    const chi = shares.map((share) => chiSquareQuantile(share, df) / df), critical = new Map();
    const outcomes = [[], [], []];
    for (const ofTruth of chi) {  // the true variance, then the variances that a repetition may show
      const sigma = Math.sqrt(variance / ofTruth);
      const borders = chi.map((ofRepetition) => {
        const ratio = ofRepetition / ofTruth, ofItems = newItems ? ratio : 1;
        const [v, its] = varianceFor(question, {
          ...squares, seed: seed.map((s) => s * ratio), item: item * ofItems, interaction: interaction.map((m) => m * ofItems),
        });
        const key = its.toPrecision(10);
        if (!critical.has(key)) critical.set(key, studentQuantile(1 - alpha / 2, its));
        return critical.get(key) * Math.sqrt(v);
      });
      for (const place of z) {
        const truth = estimate + sigma * place, beyond = (sign) => meanOf(borders.map((border) => normal((sign * truth - border) / sigma)));
        const [a, b] = [beyond(1), beyond(-1)];
        [a, b, 1 - a - b].forEach((p, i) => outcomes[i].push(p));
      }
    }
    return outcomes.map((of) => {
      const point = of[middle * points + middle], ordered = [...of].sort((a, b) => a - b);
      const quantile = (q) => {
        const at = q * (of.length - 1), low = Math.floor(at);
        return ordered[low] + (at - low) * (ordered[low + 1] - ordered[low]);
      };
      return [point, Math.min(quantile(0.025), point), Math.max(quantile(0.975), point)];
    });
  }

  /** Contributions of item, cluster, seed and seed x item to the variance of the difference. */
  function components({ blocks: [a, b], clusters, squares: { item, seed, interaction, items, units }, paired }) {
    const m = total(interaction), net = item - m;
    let within = net;
    if (clusters !== null) {
      const sums = sumsOf(clusters), sizes = sums(a[0].map(() => 1));
      const scatter = (row) => total(row.map((v) => v * v)) - total(sums(row).map((v, i) => v * v / sizes[i]));
      const models = paired ? [a.map((row, i) => minus(row, b[i]))] : [a, b], means = models.map(columnMeans);
      const noise = total(models.map((x, i) => total(x.map((row) => scatter(minus(row, means[i])))) / Math.max(x.length * (x.length - 1), 1)));
      within = (scatter(means.length > 1 ? minus(...means) : means[0]) - noise) / (Math.max(items - units, 1) * items);
    }
    return { item: within, cluster: net - within, seed: total(seed) - m, "seed × item": m };
  }

  return { components, holdsItems, mean, read, recurrence, test };
})();

if (typeof module !== "undefined") module.exports = replibItems;
