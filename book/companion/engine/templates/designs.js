// Power and replicability of the designs in the limit of large data sets,
// companion.papers.bouckaert2005.models again,
// for the page.  A design is {kind, testFraction, samples, runs, folds}; shifts are standardised.
const replibDesigns = (function () {
  const STEP = 1 / 32,
    REACH = 9;

  const { gammaP, logGamma, normal, normalQuantile, studentQuantile } = replibStatistics;
  const normalTail = (x) => normal(-x);

  // what |t| exceeds with probability alpha; df may be Infinity
  const quantile = (alpha, df) =>
    df === Infinity ? normalQuantile(1 - alpha / 2) : studentQuantile(1 - alpha / 2, df);

  // Mean and variance of the sum of squares of the sorted scheme, from three constants of a number
  // of folds: |m|^2, m'Vm and tr V^2 of centred normal order statistics.
  function sortedSquares(runs, folds, [length, along, trace]) {
    const pair = trace + 2 * along;
    return [
      (folds - 1) / runs + (1 - 1 / runs) * length,
      (2 * (folds - 1)) / runs ** 3 +
        ((runs - 1) / runs ** 3) * (2 * pair + 4 * (runs - 2) * along + 4 * length),
    ];
  }

  // The probability of rejecting on a data set, as a function of its standardised difference m.
  function rejection(design, alpha, constants) {
    const { kind, testFraction: t, samples, runs, folds } = design;
    if (kind === "mcnemar") {
      const z = quantile(alpha, Infinity),
        spread = Math.sqrt(1 - t),
        scale = Math.sqrt(t);
      return (m) => normalTail((z - m * scale) / spread) + normalTail((z + m * scale) / spread);
    }
    if (kind === "resampling") {
      const df = samples - 1,
        ratio = (samples * t) / (1 - t),
        root = Math.sqrt(ratio);
      const critical = quantile(alpha, df) * Math.sqrt(1 + ratio);
      const spread = 1 / Math.sqrt(2 * df),
        step = Math.min(spread, 1 / critical) / 3;
      const norm = (df / 2 - 1) * Math.log(2) + logGamma(df / 2) - (df / 2) * Math.log(df);
      const nodes = [];
      for (let x = -(28 / df + 8 * spread); x < 8 * spread; x += step) {
        const weight = step * Math.exp(df * x - (df * Math.exp(2 * x)) / 2 - norm);
        if (weight > 1e-17) nodes.push([critical * Math.exp(x), weight]);
      }
      return (m) =>
        nodes.reduce(
          (sum, [at, weight]) =>
            sum + weight * (normalTail(at - m * root) + normalTail(at + m * root)),
          0,
        );
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
      df = (2 * mean ** 2) / variance;
      scale = mean / df / (folds - 1);
    }
    return (m) => gammaP(df / 2, (m * m) / (scale * critical ** 2) / 2);
  }

  // Power and raw replicability as functions of the shift, up to `most`.
  function profile(design, alpha, constants, most) {
    const reject = rejection(design, alpha, constants),
      values = [];
    const last = Math.ceil((most + REACH) / STEP);
    let certain = false; // from here on it always rejects
    for (let i = 0; i <= last; i++) {
      values.push(certain ? 1 : Math.min(reject(i * STEP), 1));
      certain = values[i] > 1 - 1e-14;
    }
    return function (shift) {
      let power = 0,
        agree = 0;
      for (let i = Math.floor((shift - REACH) / STEP); i <= (shift + REACH) / STEP; i++) {
        const p = values[Math.abs(i)];
        const weight = (Math.exp(-((i * STEP - shift) ** 2) / 2) * STEP) / Math.sqrt(2 * Math.PI);
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
