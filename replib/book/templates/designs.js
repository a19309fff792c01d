// Power and replicability of the designs in the limit of large data sets: replib.theory.designs again,
// for the page.  A design is {kind, testFraction, samples, runs, folds}; shifts are standardised.
const replibDesigns = (function () {
  const STEP = 1 / 32, REACH = 9;

  function logGamma(x) { // Lanczos, about 1e-14
    const c = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
      -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
      1.5056327351493116e-7];
    if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
    let sum = c[0];
    for (let i = 1; i < 9; i++) sum += c[i] / (x - 1 + i);
    const t = x + 6.5;
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  function gammaP(a, x) { // regularised lower incomplete gamma: series, or continued fraction of Lentz
    if (x <= 0) return 0;
    const front = Math.exp(a * Math.log(x) - x - logGamma(a));
    if (x < a + 1) {
      let term = 1 / a, sum = term;
      for (let k = 1; Math.abs(term) > 1e-16 * sum; k++) sum += term *= x / (a + k);
      return front * sum;
    }
    let b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (let i = 1; i < 10000; i++) {
      const an = -i * (i - a);
      b += 2;
      d = 1 / (an * d + b);
      c = b + an / c;
      h *= d * c;
      if (Math.abs(d * c - 1) < 1e-15) break;
    }
    return 1 - front * h;
  }

  function normalTail(x) { // P(X > x); beyond 9 it is less than 1e-18
    if (Math.abs(x) > 9) return x > 0 ? 0 : 1;
    const half = 0.5 * (1 - gammaP(0.5, x * x / 2));
    return x >= 0 ? half : 1 - half;
  }

  function betaI(a, b, x) { // regularised incomplete beta, by its continued fraction
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - betaI(b, a, 1 - x);
    let c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (let m = 1; m < 5000; m++) {
      for (const top of [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ]) {
        d = 1 / (1 + top * d);
        c = 1 + top / c;
        h *= d * c;
      }
      if (Math.abs(d * c - 1) < 1e-15) break;
    }
    return h * Math.exp(
      logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)
    ) / a;
  }

  function quantile(alpha, df) { // what |t| exceeds with probability alpha; df may be Infinity
    const tail = (t) => df === Infinity ? 2 * normalTail(t) : betaI(df / 2, 0.5, df / (df + t * t));
    let low = 0, high = 1;
    while (tail(high) > alpha) high *= 2;
    for (let i = 0; i < 100; i++) {
      const middle = (low + high) / 2;
      if (tail(middle) > alpha) low = middle; else high = middle;
    }
    return (low + high) / 2;
  }

  // Mean and variance of the sum of squares of the sorted scheme, from three constants of a number
  // of folds: |m|^2, m'Vm and tr V^2 of centred normal order statistics.
  function sortedSquares(runs, folds, [length, along, trace]) {
    const pair = trace + 2 * along;
    return [
      (folds - 1) / runs + (1 - 1 / runs) * length,
      2 * (folds - 1) / runs ** 3
        + (runs - 1) / runs ** 3 * (2 * pair + 4 * (runs - 2) * along + 4 * length),
    ];
  }

  // The probability of rejecting on a data set whose standardised difference is m, as a function of m.
  function rejection(design, alpha, constants) {
    const { kind, testFraction: t, samples, runs, folds } = design;
    if (kind === "mcnemar") {
      const z = quantile(alpha, Infinity), spread = Math.sqrt(1 - t), scale = Math.sqrt(t);
      return (m) => normalTail((z - m * scale) / spread) + normalTail((z + m * scale) / spread);
    }
    if (kind === "resampling") {
      const df = samples - 1, ratio = samples * t / (1 - t), root = Math.sqrt(ratio);
      const critical = quantile(alpha, df) * Math.sqrt(1 + ratio);
      const spread = 1 / Math.sqrt(2 * df), step = Math.min(spread, 1 / critical) / 3;
      const norm = (df / 2 - 1) * Math.log(2) + logGamma(df / 2) - df / 2 * Math.log(df);
      const nodes = [];
      for (let x = -(28 / df + 8 * spread); x < 8 * spread; x += step) {
        const weight = step * Math.exp(df * x - df * Math.exp(2 * x) / 2 - norm);
        if (weight > 1e-17) nodes.push([critical * Math.exp(x), weight]);
      }
      return (m) => nodes.reduce((sum, [at, weight]) =>
        sum + weight * (normalTail(at - m * root) + normalTail(at + m * root)), 0);
    }
    let df, scale, critical;
    if (kind === "cross-validation") {
      const total = runs * folds - 1;
      critical = quantile(alpha, total);
      df = runs * (folds - 1);
      scale = (1 / runs + folds / (folds - 1)) / total;
    } else {
      const [mean, variance] = sortedSquares(runs, folds, constants[folds]);
      critical = quantile(alpha, folds - 1);
      df = 2 * mean ** 2 / variance;
      scale = mean / df / (folds - 1);
    }
    return (m) => gammaP(df / 2, m * m / (scale * critical ** 2) / 2);
  }

  // Power and raw replicability as functions of the shift, up to `most`.
  function profile(design, alpha, constants, most) {
    const reject = rejection(design, alpha, constants), values = [];
    const last = Math.ceil((most + REACH) / STEP);
    let certain = false; // from here on it always rejects
    for (let i = 0; i <= last; i++) {
      values.push(certain ? 1 : Math.min(reject(i * STEP), 1));
      certain = values[i] > 1 - 1e-14;
    }
    return function (shift) {
      let power = 0, agree = 0;
      for (let i = Math.floor((shift - REACH) / STEP); i <= (shift + REACH) / STEP; i++) {
        const p = values[Math.abs(i)];
        const weight = Math.exp(-((i * STEP - shift) ** 2) / 2) * STEP / Math.sqrt(2 * Math.PI);
        power += weight * p;
        agree += weight * (0.5 + 2 * (p - 0.5) ** 2);
      }
      return { power, replicability: agree };
    };
  }

  function trainings({ kind, samples, runs, folds }) {
    return kind === "mcnemar" ? 1 : kind === "resampling" ? samples : runs * folds;
  }

  return { quantile, normalTail, profile, trainings };
})();
if (typeof module !== "undefined") module.exports = replibDesigns;
