// The stored experiments of the short book: mistakes of two learners in folds, and what tests say.

const REPLIB_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

class ReplibExperiments {
  // Two letters a fold are the mistakes of naive Bayes and of the tree; experiments have `runs`
  // runs, or `long` runs: their own, and then those of the next experiments, in a circle.
  constructor({ mistakes, sizes, runs, long = runs }) {
    Object.assign(this, { mistakes, sizes, own: runs, runs: long });
    this.number = mistakes.length / (2 * sizes.length * runs);
  }

  // Mistakes of both learners in a fold; all three numbers count from 0.
  inFold(experiment, run, fold) {
    const source = (experiment + Math.floor(run / this.own)) % this.number;
    const place = 2 * ((source * this.own + (run % this.own)) * this.sizes.length + fold);
    return [0, 1].map((learner) => REPLIB_LETTERS.indexOf(this.mistakes[place + learner]));
  }

  // Accuracy of naive Bayes minus that of the tree.
  difference(experiment, run, fold) {
    const [bayes, tree] = this.inFold(experiment, run, fold);
    return (tree - bayes) / this.sizes[fold];
  }

  // Differences of the first runs of an experiment, a row per run.
  block(experiment, runs) {
    return Array.from({ length: runs }, (_, run) =>
      this.sizes.map((_, fold) => this.difference(experiment, run, fold)),
    );
  }
}

const replibMean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function replibDeviation(values) {
  const mean = replibMean(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}

// The t test that takes the variance of the mean to be s²(1/n + ratio).
function replibTTest(statistics, rows, { ratio, truth = 0 }) {
  const sample = rows.flat(),
    n = sample.length,
    mean = replibMean(sample),
    deviation = replibDeviation(sample);
  if (deviation === 0) return { mean, deviation, p: mean === truth ? 1 : 0 };
  const t = (mean - truth) / (deviation * Math.sqrt(1 / n + ratio));
  return { mean, deviation, p: 2 * (1 - statistics.student(Math.abs(t), n - 1)) };
}

// 1 where naive Bayes is significantly better, -1 where the tree is, or 0.
function replibDecision({ mean, p }, alpha) {
  return p < alpha ? Math.sign(mean) : 0;
}

// What each run adds to the margin of a side (1 for naive Bayes, -1 for the tree), and the margin.
function replibMargin(rows, side, critical) {
  const sample = rows.flat(),
    mean = replibMean(sample),
    deviation = replibDeviation(sample);
  const added = rows.map((row) => {
    const spread = replibMean(row.map((x) => (x - mean) ** 2)) / (2 * deviation);
    return side * replibMean(row) - critical * spread;
  });
  return { margin: side * mean - critical * deviation, spread: replibDeviation(added) };
}

// Multiple of the deviation that a mean must exceed; few are asked for, and often.
const replibCriticalValues = new Map();
function replibCritical(statistics, n, { ratio, alpha }) {
  const name = [n, ratio, alpha].join();
  if (!replibCriticalValues.has(name)) {
    const quantile = statistics.studentQuantile(1 - alpha / 2, n - 1);
    replibCriticalValues.set(name, quantile * Math.sqrt(1 / n + ratio));
  }
  return replibCriticalValues.get(name);
}

// Probability that a rerun reaches the decision of these runs, of which there are at least two.
function replibPrediction(statistics, rows, test) {
  const runs = rows.length,
    critical = replibCritical(statistics, rows.flat().length, test);
  const sides = [1, -1].map((side) => replibMargin(rows, side, critical));
  const finds = sides.map(({ margin, spread }) =>
    statistics.student(margin / (spread / Math.sqrt(runs)) / Math.SQRT2, runs - 1),
  );
  const found = sides.findIndex(({ margin }) => margin > 0);
  return found < 0 ? 1 - finds[0] - finds[1] : finds[found];
}

// What `most` runs will decide, by these runs, and how certain that is.
function replibForecast(statistics, rows, most, test) {
  const runs = rows.length,
    mean = replibMean(rows.flat()),
    critical = replibCritical(statistics, most * rows[0].length, test);
  const side = Math.sign(mean),
    { margin, spread } = replibMargin(rows, side, critical);
  const forecast = margin > 0 ? side : 0;
  if (runs === most) return { forecast, certainty: 1 };
  const change = spread * Math.sqrt((most - runs) / (most * runs));
  return { forecast, certainty: statistics.student(Math.abs(margin) / change, runs - 1) };
}

// First run from `least` on after which the forecast is certain enough.
function replibStop(course, wanted, least) {
  return course.findIndex(({ certainty }, i) => i + 1 >= least && certainty >= wanted) + 1;
}

// Probability that two of them find the same, from how many found each: R2.
function replibAgreement(counts) {
  const n = counts.reduce((a, b) => a + b);
  return counts.reduce((sum, k) => sum + k * (k - 1), 0) / (n * (n - 1));
}
