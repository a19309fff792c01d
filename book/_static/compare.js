// The numbers of replib.comparison without Python: tests/companion/engine/test_compare_js.py holds the two together.
// A classic script, since pages opened from a disk may load no modules.
"use strict";

const compare = (() => {
  const { betainc, chiSquareQuantile, logGamma, normal, normalQuantile, root, student, studentQuantile } =
    typeof module === "undefined" ? replibStatistics : require("../companion/engine/templates/statistics.js");
  const gate = typeof module === "undefined" ? replibGate : require("./gate.js");
  const items = typeof module === "undefined" ? replibItems : require("./items.js");

  /** Distribution function of the noncentral t (AS 243), summed outwards from its largest term. */
  function noncentralT(t, df, noncentrality) {
    if (t < 0) return 1 - noncentralT(-t, df, -noncentrality);
    const x = t * t / (df + t * t), half = noncentrality * noncentrality / 2;
    let sum = normal(-noncentrality);
    if (x === 0) return sum;
    const middle = Math.floor(half), reach = Math.ceil(10 * Math.sqrt(half + 20));
    for (let j = Math.max(0, middle - reach); j <= middle + reach; j++) {
      const log = half > 0 ? j * Math.log(half) : (j === 0 ? 0 : -Infinity);
      const p = Math.exp(log - half - logGamma(j + 1));
      const q = Math.exp(log - half - logGamma(j + 1.5)) * noncentrality / Math.SQRT2;
      sum += (p * betainc(j + 0.5, df / 2, x) + q * betainc(j + 1, df / 2, x)) / 2;
    }
    return Math.min(Math.max(sum, 0), 1);
  }

  /** Noncentrality at which a statistic is below t with the given probability. */
  function noncentralityLimit(t, df, probability) {
    if (!Number.isFinite(t)) return t;
    // as replib: where the limit is beyond +-10 it need not be exact
    const tail = Math.min(probability, 1 - probability);
    const far = 10 / Math.sqrt(chiSquareQuantile(tail, df) / df);
    const near = Math.min(Math.max(t, -far), far);
    const reach = 12 + 4 * Math.abs(near);
    return root((e) => probability - noncentralT(near, df, e), near - reach, near + reach);
  }

  const binomialAtMost = (k, n, p) => k < 0 ? 0 : k >= n ? 1 : betainc(n - k, k + 1, 1 - p);
  const binomialAtLeast = (k, n, p) => k <= 0 ? 1 : k > n ? 0 : betainc(k, n - k + 1, p);

  // ---------------------------------------------------------------- scores

  const NOISE = 1e-10;
  const mean = (x) => x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = (x, m = mean(x)) => x.reduce((s, v) => s + (v - m) ** 2, 0) / (x.length - 1);
  const largest = (x) => x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

  /** Scores of A and B, flat in the order of the splits; `folds` is 1 for random splits. */
  function scores(a, b, { runs, folds, ratio = 1 / (folds - 1), alpha = 0.05 }) {
    if (a.length !== b.length) throw new Error(`A has ${a.length} scores and B ${b.length}: both must be scored on the same splits`);
    if (![runs, folds].every(Number.isInteger) || runs < 1 || folds < 1) throw new Error("runs and folds are whole numbers from 1");
    if (a.length !== runs * folds) throw new Error(`${a.length} scores are not ${runs} × ${folds}: expected are all folds of the first run, then all folds of the second, and so on`);
    if (a.length < 2) throw new Error("one split shows no spread: at least two scores of each are needed");
    if (!(ratio > 0 && ratio < Infinity)) throw new Error("the share of test data lies between 0 and 1");
    if (![...a, ...b].every(Number.isFinite)) throw new Error("a score is no number");
    const d = a.map((value, i) => value - b[i]);
    const n = d.length, df = n - 1, estimate = mean(d);
    let error = Math.sqrt((1 / n + ratio) * variance(d, estimate));
    if (error <= NOISE * Math.abs(estimate)) error = 0;
    const t = error > 0 ? estimate / error : estimate === 0 ? 0 : Math.sign(estimate) * Infinity;
    const pvalue = error === 0 && estimate === 0 ? 1 : Math.min(1, 2 * student(-Math.abs(t), df));
    const critical = studentQuantile(1 - alpha / 2, df);
    // of one cross-validation, as in replib.replication_probability.cv_t
    const scale = runs > 1 || folds === 1 ? 1 : Math.sqrt((3 * folds - 1) * (folds - 1)) / (2 * folds - 1);
    const reach = studentQuantile(0.975, df) * error;
    return {
      meanA: mean(a), meanB: mean(b), estimate, low: estimate - reach, high: estimate + reach,
      statistic: t, df, pvalue, decision: pvalue < alpha ? Math.sign(estimate) : 0,
      plainPvalue: plain(d, estimate), agreement: runs < 2 ? null : agreement(d, runs, folds, ratio, alpha),
      replication: Math.abs(t) === Infinity ? null : replication(Math.abs(t) / scale, df, critical / scale),
    };
  }

  function plain(d, estimate) {
    const error = Math.sqrt(variance(d, estimate) / d.length);
    if (error <= NOISE * Math.abs(estimate)) return estimate === 0 ? 1 : 0;
    return Math.min(1, 2 * student(-Math.abs(estimate / error), d.length - 1));
  }

  function replication(t, df, critical) {
    if (!Number.isFinite(t)) return [1, 1, 1];
    const effects = [t, noncentralityLimit(t, df, 0.975), noncentralityLimit(t, df, 0.025)];
    return effects.map((effect) => noncentralT(-critical, df, -Math.min(effect, 500)));
  }

  /** Probability that a rerun decides the same, with limits: replib.comparison.agreement. */
  function agreement(d, runs, folds, ratio, alpha) {
    const n = d.length, m = mean(d);
    const c = studentQuantile(1 - alpha / 2, n - 1) * Math.sqrt(1 / n + ratio);
    let sd = Math.sqrt(variance(d, m));
    if (sd <= NOISE * largest(d)) sd = 0;
    const ofRuns = Array.from({ length: runs }, (_, i) => d.slice(i * folds, (i + 1) * folds));
    const means = ofRuns.map((run) => mean(run));
    const spreads = ofRuns.map((run) => c * mean(run.map((v) => (v - m) ** 2)) / (2 * (sd || 1)));
    const side = (sign) => {
      const margin = sign * m - c * sd;
      let deviation = Math.sqrt(variance(means.map((value, i) => sign * value - spreads[i])));
      if (deviation <= NOISE * largest(means)) return null;
      const t = Math.sqrt(runs) * margin / deviation;
      const limit = (q) => normal(noncentralityLimit(t, runs - 1, q));
      return { found: margin > 0, point: student(t / Math.SQRT2, runs - 1), low: limit(0.975), high: limit(0.025) };
    };
    const a = side(1), b = side(-1), within = (p) => Math.min(1, Math.max(0, p));
    if (!a || !b) return null;  // runs that are all alike show no spread
    if (a.found) return [a.point, a.low, a.high];
    if (b.found) return [b.point, b.low, b.high];
    return [within(1 - a.point - b.point), within(1 - a.high - b.high), within(1 - a.low - b.low)];
  }

  // ---------------------------------------------------------------- counts

  /** Wins, losses and draws on one test set: replib.comparison.predictions. */
  function counts(wins, losses, draws, alpha = 0.05) {
    if (![wins, losses, draws].every((x) => Number.isInteger(x) && x >= 0)) throw new Error("wins, losses and draws are whole numbers from 0");
    const n = wins + losses + draws, discordant = wins + losses;
    if (n === 0) throw new Error("there is nothing to compare");
    const pvalue = Math.min(1, 2 * binomialAtMost(Math.min(wins, losses), discordant, 0.5));
    const middle = (wins - losses) / (n + 2);
    const reach = normalQuantile(0.975) * Math.sqrt((discordant + 1) / (n + 2) - middle ** 2) / Math.sqrt(n + 2);
    return {
      estimate: (wins - losses) / n, low: Math.max(middle - reach, -1), high: Math.min(middle + reach, 1),
      pvalue, decision: pvalue < alpha ? Math.sign(wins - losses) : 0,
      replication: discordant ? replicationOfWins(Math.max(wins, losses), discordant, alpha) : null,
    };
  }

  function replicationOfWins(wins, n, alpha) {
    let needed = Math.floor(n / 2) + 1;
    while (needed <= n && 2 * binomialAtLeast(needed, n, 0.5) >= alpha) needed++;
    const again = (p) => needed > n ? 0 : binomialAtLeast(needed, n, p);
    const low = wins > 0 ? root((p) => betainc(wins, n - wins + 1, p) - 0.025, 0, 1) : 0;
    const high = wins < n ? root((p) => betainc(wins + 1, n - wins, p) - 0.975, 0, 1) : 1;
    return [again(wins / n), again(low), again(high)];
  }

  // ---------------------------------------------------------------- sentences: replib.comparison.words

  /** Decimals as Python rounds them: exact halves to the even digit. */
  function fixed(x, digits) {
    const text = x.toFixed(digits);
    if (!Number.isInteger(x * 2 ** (digits + 1)) || !/[13579]$/.test(text)) return text;
    const other = (Math.abs(x) - 10 ** -(digits + 2)).toFixed(digits);
    return other === text.replace("-", "") ? text : (x < 0 ? "-" : "") + other;
  }
  const signed = (text) => text.replace(/(?<![\w.)])-(?=\.?\d)/g, "−");
  function number(x, decimals = 3) {
    if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
    const text = Math.abs(x) < 10 ? fixed(x, decimals) : gate.general(x);
    return Number(text) ? signed(text) : text.replace(/^-/, "");
  }
  const pText = (p) => p < 0.001 ? "p < 0.001" : `p = ${gate.general(p, 2)}`;
  const SPEAKS_OF = "The test is about training on new data of this size.";
  const better = (less) => less ? "lower" : "higher";

  function rerun(again, runs) {
    if (again) {
      const [point, low, high] = again.map((p) => fixed(p, 2));
      return `On the same data, a rerun with another seed is predicted to reach the same decision with probability ${point} (95% interval ${low} to ${high}).`;
    }
    return `${runs < 2 ? "A single run shows" : "The runs show"} no spread between seeds, so a rerun cannot be predicted.`;
  }

  /** The pair in the direction in which more is better. */
  function ofPair(read, i, j, alpha = 0.05) {
    const [a, b] = read.less ? [read.scores[j], read.scores[i]] : [read.scores[i], read.scores[j]];
    return scores(a, b, { runs: read.runs, folds: read.folds, ratio: read.ratio, alpha });
  }

  function sentenceOfTwo(read, r) {
    const [a, b] = read.names.map((name, i) => `${name} (${number(mean(read.scores[i]))})`);
    const much = `a significantly ${better(read.less)} mean ${read.metric}`;
    const what = r.decision > 0 ? `${a} had ${much} than ${b}` : r.decision < 0 ? `${b} had ${much} than ${a}`
      : `The mean ${read.metric} of ${a} and ${b} did not differ significantly`;
    const sign = r.decision < 0 ? -1 : 1;
    const [low, high] = [sign * r.low, sign * r.high].sort((x, y) => x - y);
    return `${what} (difference ${number(sign * r.estimate)}, 95% confidence interval ${number(low)} to ${number(high)}; ` +
      `corrected resampled t test on ${read.design}, t(${r.df}) = ${number(sign * r.statistic, 2)}, ${pText(r.pvalue)}). ` +
      `${SPEAKS_OF} ${rerun(r.agreement, read.runs)}`;
  }

  /** Holm's adjusted p-values. */
  function holm(pvalues) {
    const order = pvalues.map((_, i) => i).sort((i, j) => pvalues[i] - pvalues[j]), adjusted = [];
    let most = 0;
    order.forEach((i, place) => { adjusted[i] = most = Math.max(most, Math.min(1, (pvalues.length - place) * pvalues[i])); });
    return adjusted;
  }

  const and = (names) => names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}` : names[0];

  function sentenceOfMany(read, pairs, means, alpha) {
    const found = pairs.filter((pair) => pair.decision), than = new Map();
    for (const { a, b, pvalue } of found) than.set(a, [...(than.get(a) || []), `${b} (${pText(pvalue)})`]);
    const rest = pairs.length - found.length;
    const which = found.length
      ? `Significantly ${better(read.less)}: ${[...than].map(([a, others]) => `${a} than ${and(others)}`).join("; ")}` +
        (rest > 1 ? `; not the ${rest} other pairs` : rest ? "; not the other pair" : "")
      : `None of the ${pairs.length} pairs differed significantly`;
    return `${means[0].name} had the ${read.less ? "lowest" : "highest"} mean ${read.metric} of ${means.length} classifiers (${number(means[0].mean)}). ` +
      `${which} (corrected resampled t tests on ${read.design}, Holm-adjusted for ${pairs.length} pairs, level ${gate.general(alpha)}). ${SPEAKS_OF}`;
  }

  // ---------------------------------------------------------------- scores per item: replib.comparison.items

  const QUESTIONS = {
    both: "The test is about training with a new seed, and about new items.",
    items: "The test is about these two trained models on new items, not about training them again.",
    seeds: "The test is about training with a new seed on these very items, not about new items.",
  };

  /** Answers to each question that the runs can answer; one run of right and wrong answers is counted. */
  function answersOf({ blocks: [a, b], clusters, squares }, alpha) {
    const right = [...a, ...b].every((row) => row.every((v) => v === 0 || v === 1));
    const count = (sign) => a[0].filter((v, i) => Math.sign(v - b[0][i]) === sign).length;
    const counted = right && clusters === null && a.length + b.length === 2 ? counts(count(1), count(-1), count(0), alpha) : null;
    const possible = Math.min(...squares.runs) > 1 ? Object.keys(QUESTIONS) : ["items"];
    return possible.map((question) => {
      const r = counted || items.test(question, squares), { estimate } = squares;
      const how = (sign) => `${counted ? "McNemar's exact test" : `t(${gate.general(r.df)}) = ${number(sign * r.statistic, 2)}`}, ${pText(r.pvalue)}`;
      return { ...r, question, counted, estimate, how, decision: r.pvalue < alpha ? Math.sign(estimate) : 0 };
    });
  }

  function ofItems(text, options, alpha) {
    const read = items.read(text, options), { squares, asked, blocks } = read, answers = answersOf(read, alpha);
    const r = answers.find((one) => one.question === asked), { decision } = r, sign = decision < 0 ? -1 : 1;
    const means = read.names.map((name, i) => ({ name, mean: items.mean(blocks[i].flat()) }));
    const [a, b] = means.map((one) => `${one.name} (${number(one.mean)})`);
    const recur = (newItems) => items.recurrence(asked, newItems, squares, alpha);
    const seen = !r.counted && Math.min(...squares.runs) > 1 && squares.seed.some(Boolean);
    const agreement = seen ? recur(false)[[1, 2, 0][decision + 1]] : null, [again, low, high] = (agreement || []).map((p) => fixed(p, 2));
    const runs = blocks.map(({ length: n }) => n === 1 ? "one run" : `${n} runs`);
    const design = `${squares.items} items, ${read.clusters ? `in ${squares.units} clusters` : "taken to be independent"}, in ${runs[0]} of ` +
      (runs[0] === runs[1] ? "each model" : `${read.names[0]} and ${runs[1]} of ${read.names[1]}`);
    const metric = blocks.every((block) => block.length === 1) && read.metric !== "score" ? read.metric : `mean ${read.metric}`;
    const what = decision > 0 ? `${a} had a significantly higher ${metric} than ${b}` : decision < 0 ? `${b} had a significantly higher ${metric} than ${a}`
      : `the ${metric} of ${a} and ${b} did not differ significantly`;
    const limits = [sign * r.low, sign * r.high].sort((x, y) => x - y).map((x) => number(x));
    return {
      sentence: `On ${design}, ${what} (difference ${number(sign * r.estimate)}, 95% confidence interval ${limits.join(" to ")}; ${r.how(sign)}). ${QUESTIONS[asked]}` +
        (agreement ? ` With new seeds on the same items, the same decision is predicted with probability ${again} (95% interval ${low} to ${high}).` : ""),
      notes: read.notes, means, answers, asked, agreement, replication: recur(true)[+(r.estimate < 0)], components: items.components(read),
    };
  }

  /** Pasted text, compared: the sentence, the notes, and the numbers of each pair, the better one first. */
  function table(text, options = {}, alpha = 0.05) {
    if (items.holdsItems(text)) return ofItems(text, options, alpha);
    const read = gate.scores(text, options);
    const means = read.names.map((name, i) => ({ name, i, mean: mean(read.scores[i]) }));
    if (means.length === 2) {
      const r = ofPair(read, 0, 1, alpha);
      return { sentence: sentenceOfTwo(read, r), notes: read.notes, means, pairs: [{ a: means[0].name, b: means[1].name, ...r }] };
    }
    means.sort((one, other) => read.less ? one.mean - other.mean : other.mean - one.mean);
    const pairs = means.flatMap((one, i) => means.slice(i + 1).map((other) => ({ a: one.name, b: other.name, ...ofPair(read, one.i, other.i, alpha) })));
    holm(pairs.map((pair) => pair.pvalue)).forEach((p, i) => {
      pairs[i].unadjusted = pairs[i].pvalue;
      pairs[i].pvalue = p;
      pairs[i].decision = p < alpha && pairs[i].estimate !== 0 ? 1 : 0;
      pairs[i].agreement = null;
    });
    return { sentence: sentenceOfMany(read, pairs, means, alpha), notes: read.notes, means, pairs };
  }

  return { scores, counts, table, number, pText, noncentralT, student, normal, betainc, general: gate.general, holdsItems: items.holdsItems };
})();

if (typeof module !== "undefined") module.exports = compare;
