// Distribution functions and quantiles for the scripts of the book; tests compare them with SciPy.
const replibStatistics = (() => {
  const LANCZOS = [
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7,
  ];

  function logGamma(x) {
    if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - logGamma(1 - x);
    const t = x + 6.5;
    let sum = LANCZOS[0];
    for (let i = 1; i < 9; i++) sum += LANCZOS[i] / (x - 1 + i);
    return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
  }

  /** Regularised incomplete beta function, by Lentz's continued fraction. */
  function betainc(a, b, x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - betainc(b, a, 1 - x);
    const front =
      Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) /
      a;
    const tiny = 1e-300;
    let c = 1,
      d = 1 - ((a + b) * x) / (a + 1);
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    let h = d;
    for (let m = 1; m < 2000; m++) {
      for (const numerator of [
        (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
        (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
      ]) {
        d = 1 + numerator * d;
        d = 1 / (Math.abs(d) < tiny ? tiny : d);
        c = 1 + numerator / c;
        if (Math.abs(c) < tiny) c = tiny;
        h *= c * d;
      }
      if (Math.abs(c * d - 1) < 1e-16) break;
    }
    return front * h;
  }

  /** Regularised lower incomplete gamma function: a series, or Lentz's continued fraction. */
  function gammaP(a, x) {
    if (x <= 0) return 0;
    const front = Math.exp(a * Math.log(x) - x - logGamma(a));
    if (x < a + 1) {
      let term = 1 / a,
        sum = term;
      for (let k = 1; Math.abs(term) > 1e-16 * sum; k++) sum += term *= x / (a + k);
      return front * sum;
    }
    let b = x + 1 - a,
      c = 1e300,
      d = 1 / b,
      h = d;
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

  /** Where a rising function crosses zero; bisection, so that nothing can go astray. */
  function root(rising, low, high) {
    for (
      let i = 0;
      i < 200 && high - low > 1e-15 * Math.max(1, Math.abs(low), Math.abs(high));
      i++
    ) {
      const middle = (low + high) / 2;
      if (rising(middle) < 0) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /** Distribution function of the normal: a series near 0, a continued fraction in the tail. */
  function normal(x) {
    if (Math.abs(x) < 3) {
      let term = x,
        sum = x;
      for (let k = 1; Math.abs(term) > 1e-18; k++) sum += term *= (x * x) / (2 * k + 1);
      return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
    }
    const z = Math.abs(x);
    let fraction = 0;
    for (let k = 120; k > 0; k--) fraction = k / (z + fraction);
    const tail = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / (z + fraction);
    return x > 0 ? 1 - tail : tail;
  }

  const normalQuantile = (p) => root((x) => normal(x) - p, -40, 40);

  function student(t, df) {
    if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
    const tail = betainc(df / 2, 0.5, df / (df + t * t)) / 2;
    return t > 0 ? 1 - tail : tail;
  }

  const studentQuantile = (p, df) => root((t) => student(t, df) - p, -1e7, 1e7);

  const chiSquareQuantile = (p, df) => root((x) => gammaP(df / 2, x / 2) - p, 0, 20 * df + 200);

  return {
    betainc,
    chiSquareQuantile,
    gammaP,
    logGamma,
    normal,
    normalQuantile,
    root,
    student,
    studentQuantile,
  };
})();
if (typeof module !== "undefined") module.exports = replibStatistics;
