// The numbers of replib.comparison without Python: tests/book/test_compare_js.py holds the two together.
// A classic script, since pages opened from a disk may load no modules.
"use strict";

const compare = (() => {
  const { betainc, gammaP, logGamma, normal, normalQuantile, root, student, studentQuantile } =
    typeof module === "undefined" ? replibStatistics : require("../../replib/book/templates/statistics.js");

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

  function chiSquareQuantile(p, df) {
    return root((x) => gammaP(df / 2, x / 2) - p, 0, 20 * df + 200);
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
      replication: replication(Math.abs(t) / scale, df, critical / scale),
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
      if (deviation <= NOISE * largest(means)) deviation = 0;
      const t = deviation > 0 ? Math.sqrt(runs) * margin / deviation : margin > 0 ? Infinity : -Infinity;
      const limit = (q) => Number.isFinite(t)
        ? normal(noncentralityLimit(t, runs - 1, q)) : t > 0 ? 1 : 0;
      return { found: margin > 0, point: student(t / Math.SQRT2, runs - 1), low: limit(0.975), high: limit(0.025) };
    };
    const a = side(1), b = side(-1), within = (p) => Math.min(1, Math.max(0, p));
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

  // ---------------------------------------------------------------- pasted text

  /** Two columns of numbers; a line of names above them is left out. */
  function parse(text) {
    const rows = text.trim().split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    const a = [], b = [];
    rows.forEach((row, place) => {
      const decimalComma = /[;\t]/.test(row);
      const cells = row.split(decimalComma ? /[;\t]/ : /[,\s]+/).map((cell) => cell.trim().replace(/%$/, ""));
      const numbers = cells.map((cell) => cell === "" ? NaN : Number(decimalComma ? cell.replace(",", ".") : cell));
      if (place === 0 && numbers.every(Number.isNaN)) return;
      if (numbers.length !== 2 || !numbers.every(Number.isFinite)) {
        throw new Error(`line ${place + 1} is not two numbers: ${row.slice(0, 40)}`);
      }
      a.push(numbers[0]);
      b.push(numbers[1]);
    });
    return { a, b };
  }

  return { scores, counts, parse, noncentralT, student, normal, betainc };
})();

if (typeof module !== "undefined") module.exports = compare;
