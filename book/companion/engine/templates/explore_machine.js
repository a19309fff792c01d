// The dealing machine: patients are dealt into folds, differences appear, and a p-value lands.

const REPLIB_INKS = {
  bayes: "var(--replib-blue, #0072b2)",
  tree: "var(--replib-red, #c84a00)",
  quiet: "var(--replib-grey, #777d86)",
};

// ------------------------------------------------------------------------ what has been done

// Experiments in turn, from that of the reader's seed on. Whatever it is asked, it is in a state
// that the stored runs had: so many experiments done, and so many runs of the current one.
class ReplibMachine {
  constructor(limit) {
    this.limit = limit;
    this.begin(0, 1, 1);
  }

  // Show the experiment of a seed, done.
  begin(first, runs, number) {
    Object.assign(this, { first, runs, number, done: 0, run: runs, dealt: 1 });
  }

  get current() {
    return (this.first + this.done) % this.number;
  }

  get isLanded() {
    return this.run === this.runs && this.dealt === 1;
  }

  get isAtEnd() {
    return this.isLanded && this.done + 1 === Math.min(this.limit, this.number);
  }

  // Experiments whose p-value has landed, the last one last.
  get landed() {
    const length = this.done + (this.isLanded ? 1 : 0);
    return Array.from({ length }, (_, i) => (this.first + i) % this.number);
  }

  // A share of the patients, or a whole run; after the last run the next experiment begins.
  step(share = 1) {
    if (this.isAtEnd) return;
    if (this.dealt < 1) {
      this.dealt = Math.min(1, this.dealt + share);
      return;
    }
    if (this.run === this.runs) {
      this.done += 1;
      this.run = 0;
    }
    this.run += 1;
    this.dealt = Math.min(1, share);
  }

  // The rest of the current experiment, or the whole next one.
  finish(experiments = 1) {
    const most = Math.min(this.limit, this.number) - 1;
    this.done = Math.min(most, this.done + experiments - (this.isLanded ? 0 : 1));
    this.run = this.runs;
    this.dealt = 1;
  }

  restart() {
    Object.assign(this, { done: 0, run: 1, dealt: 0 });
  }
}

// ------------------------------------------------------------------------ the upper picture

const REPLIB_DECK = { left: 10, width: 41, top: 6, grid: 38, bottom: 106 };

// The folds of the current run: a dot per patient, coloured where a learner is wrong.
function replibFolds(experiments, machine) {
  const { left, width, top } = REPLIB_DECK,
    dots = { quiet: "", bayes: "", tree: "" };
  const dot = (fold, i) =>
    `M${(left + width * fold + 3 + 3.6 * (i % 10)).toFixed(1)} ` +
    `${(top + 4.4 * Math.floor(i / 10)).toFixed(1)}h0`;
  experiments.sizes.forEach((size, fold) => {
    const [bayes, tree] = experiments.inFold(machine.current, machine.run - 1, fold);
    const isTested = machine.dealt === 1;
    for (let i = 0; i < Math.round(size * machine.dealt); i++) {
      const isTree = i >= size - tree;
      dots[isTested && i < bayes ? "bayes" : isTested && isTree ? "tree" : "quiet"] += dot(fold, i);
    }
  });
  return Object.entries(dots)
    .map(
      ([name, path]) =>
        `<path d="${path}" style="stroke:${REPLIB_INKS[name]};stroke-width:2.8;` +
        `stroke-linecap:round;fill:none${name === "quiet" ? ";opacity:.45" : ""}"/>`,
    )
    .join("");
}

// A row of differences for each run that is done: blue where naive Bayes is better, red the tree.
function replibDifferences(experiments, machine) {
  const { left, width, grid, bottom } = REPLIB_DECK,
    height = (bottom - grid) / machine.runs,
    runs = machine.dealt === 1 ? machine.run : machine.run - 1;
  const cell = (difference, run, fold) => {
    const ink = difference === 0 ? "quiet" : difference > 0 ? "bayes" : "tree";
    const opacity = difference === 0 ? 0.15 : Math.min(1, 0.25 + 6 * Math.abs(difference));
    return (
      `<path d="M${left + width * fold} ${(grid + height * run).toFixed(1)}h${width - 2}` +
      `v${(0.86 * height).toFixed(1)}h${2 - width}Z" ` +
      `style="fill:${REPLIB_INKS[ink]};opacity:${opacity.toFixed(2)}"/>`
    );
  };
  return (
    `<path d="M${left} ${bottom + 2}H${left + 10 * width}" ` +
    `style="stroke:${REPLIB_INKS.quiet};opacity:.4"/>` +
    experiments
      .block(machine.current, runs)
      .flatMap((row, run) => row.map((difference, fold) => cell(difference, run, fold)))
      .join("")
  );
}

// ------------------------------------------------------------------------ the lower picture

const REPLIB_ROOM = { top: 140, bottom: 236 };
const REPLIB_LEAST_P = 0.001;

function replibPAxis(svg, words, more) {
  return replibPlot(svg, {
    low: REPLIB_LEAST_P,
    high: 1,
    log: true,
    ticks: [0.001, 0.01, 0.05, 0.2, 1].map((p) => [p, p === 0.001 ? "≤ 0.001" : String(p)]),
    label: words,
    ...REPLIB_ROOM,
    ...more,
  });
}

const replibShownP = (p) => Math.min(1, Math.max(REPLIB_LEAST_P, p));

// How many p-values fall into each bin; the threshold is the edge of two of them.
function replibBins(pvalues, alpha, width = 0.12) {
  const place = (p) => Math.floor(Math.log10(replibShownP(p) / alpha) / width + 1e-9);
  const counts = new Map();
  for (const p of pvalues) counts.set(place(p), (counts.get(place(p)) ?? 0) + 1);
  return [...counts].map(([bin, count]) => ({
    low: replibShownP(alpha * 10 ** (bin * width)),
    high: replibShownP(alpha * 10 ** ((bin + 1) * width)),
    isFound: bin < 0,
    count,
  }));
}

function replibHistogram(svg, { pvalues, now, alpha, bet, ink }) {
  const bins = replibBins(pvalues, alpha),
    most = Math.max(5, ...bins.map(({ count }) => count)),
    found = pvalues.filter((p) => p < alpha).length / pvalues.length;
  const plot = replibPAxis(svg, "p-value, logarithmic; y: experiments", {
    levels: [0, most],
    most,
  });
  for (const { low, high, isFound, count } of bins) {
    plot.area(
      [
        [low, 0],
        [low, count],
        [high, count],
        [high, 0],
      ],
      `fill:${isFound ? ink : REPLIB_INKS.quiet};` +
        "stroke:var(--pst-color-background,#fff);stroke-width:.5",
    );
  }
  plot.guide(alpha);
  plot.mark(replibShownP(now), 0, "none", 5, "stroke:currentColor;stroke-width:2");
  if (pvalues.length) plot.share(found, bet, ink);
  return plot;
}

function replibScatter(svg, { points, now, counted, alpha, bet }) {
  const plot = replibPAxis(svg, "p-value, logarithmic; y: predicted agreement (%)");
  for (const { p, predicted } of points)
    plot.mark(replibShownP(p), predicted, REPLIB_INKS.bayes, 2, "opacity:.45");
  for (const [low, high, level] of [
    [REPLIB_LEAST_P, alpha, counted.found],
    [alpha, 1, counted.not],
  ]) {
    const at = (share) => [
      [low, share],
      [high, share],
    ];
    plot.curve(at(level), `stroke:${REPLIB_INKS.tree};stroke-width:3`);
    // so far from the truth, by the reader's bet, are predictions on average
    for (const share of bet === null ? [] : [level - bet / 100, level + bet / 100])
      if (share >= 0 && share <= 1)
        plot.curve(at(share), "stroke:currentColor;stroke-width:2;stroke-dasharray:1 4");
  }
  plot.guide(alpha);
  plot.mark(replibShownP(now.p), now.predicted, "none", 7, "stroke:currentColor;stroke-width:2.5");
  return plot;
}

function replibCourses(svg, { courses, now, least, wanted, runs }) {
  const plot = replibPlot(svg, {
    low: least,
    high: runs,
    ticks: [least, 10, 20, 30, 40, 50].filter((run) => run <= runs).map((run) => [run, run]),
    label: "runs so far; y: certainty of the forecast (%)",
    ...REPLIB_ROOM,
  });
  const curve = (course) => course.map(({ certainty }, i) => [i + 1, certainty]).slice(least - 1);
  const level = `stroke:${REPLIB_INKS.quiet};stroke-width:1.5;stroke-dasharray:4 3`;
  plot.curve(
    [
      [least, wanted],
      [runs, wanted],
    ],
    level,
  );
  for (const course of courses) {
    const stop = replibStop(course, wanted, least);
    plot.curve(curve(course), `stroke:${REPLIB_INKS.quiet};stroke-width:.6;opacity:.4`);
    if (course[stop - 1].forecast === course[runs - 1].forecast)
      plot.mark(stop, course[stop - 1].certainty, REPLIB_INKS.quiet, 2.5);
    else {
      const ring = `stroke:${REPLIB_INKS.tree};stroke-width:2`;
      plot.mark(stop, course[stop - 1].certainty, "none", 4.5, ring);
    }
  }
  if (now.length >= least) {
    plot.curve(curve(now), `stroke:${REPLIB_INKS.bayes};stroke-width:3`);
    plot.mark(now.length, now[now.length - 1].certainty, REPLIB_INKS.bayes);
  }
  return plot;
}

// ------------------------------------------------------------------------ one kind a chapter

const replibCounted = (number, noun) => `${number} ${noun}${String(number) === "1" ? "" : "s"}`;
const replibPercent = (share) => `${(100 * share).toFixed(0)}%`;
const replibWordsP = (p) => (p < 0.001 ? "p < 0.001" : `p = ${p.toPrecision(2)}`);

// What a machine shows below the differences. `draw` is given the state and the controls, and
// returns its plot and the reading in words.
class ReplibLanding {
  constructor(statistics, options) {
    Object.assign(this, { statistics, ...options });
    this.remembered = new Map();
  }

  // Compute once, whatever frames ask for it again.
  once(name, compute) {
    if (!this.remembered.has(name)) this.remembered.set(name, compute());
    return this.remembered.get(name);
  }

  test(experiments, experiment, runs, more) {
    const name = ["test", experiments.name, experiment, runs, more.ratio, more.truth].join();
    return this.once(name, () =>
      replibTTest(this.statistics, experiments.block(experiment, runs), more),
    );
  }

  tests(machine, experiments, more) {
    return machine.landed.map((one) => this.test(experiments, one, machine.runs, more));
  }

  runsSoFar(machine) {
    return machine.dealt === 1 ? machine.run : Math.max(1, machine.run - 1);
  }
}

// Another seed, or new patients: how many find a difference?
class ReplibPValues extends ReplibLanding {
  draw(svg, machine, experiments, form, bet) {
    const more = { ratio: this.ratio },
      tests = this.tests(machine, experiments, more),
      now = this.test(experiments, machine.current, this.runsSoFar(machine), more);
    const decisions = tests.map((test) => replibDecision(test, this.alpha)),
      counts = [1, -1, 0].map((kind) => decisions.filter((one) => one === kind).length);
    const plot = replibHistogram(svg, {
      pvalues: tests.map(({ p }) => p),
      now: now.p,
      alpha: this.alpha,
      bet: bet === null ? null : bet / this.most,
      ink: REPLIB_INKS.bayes,
    });
    const runs = replibCounted(this.runsSoFar(machine), "run"),
      soFar = `Seed ${machine.current + 1}, after ${runs}: ${replibWordsP(now.p)}. `;
    if (!tests.length) return { plot, words: soFar };
    const agree =
      tests.length > 1
        ? ` Two of them agree with probability ${replibAgreement(counts).toFixed(2)}.`
        : "";
    return {
      plot,
      words:
        soFar +
        `Of ${replibCounted(tests.length.toLocaleString("en"), "seed")} so far, naive Bayes is ` +
        `significantly better for ${counts[0]}, the tree for ${counts[1]}, and neither for ` +
        `${counts[2]}.${agree}`,
    };
  }
}

// The truth is known: how often does a test reject it?
class ReplibAgainstTruth extends ReplibLanding {
  draw(svg, machine, experiments, form) {
    const isPlain = form.elements.test.value === "plain",
      more = { ratio: isPlain ? 0 : this.ratio, truth: this.truth };
    const pvalues = this.tests(machine, experiments, more).map(({ p }) => p),
      now = this.test(experiments, machine.current, this.runsSoFar(machine), more),
      rejected = pvalues.filter((p) => p < this.alpha).length;
    const plot = replibHistogram(svg, {
      pvalues,
      now: now.p,
      alpha: this.alpha,
      bet: null,
      ink: REPLIB_INKS.tree,
    });
    return {
      plot,
      words:
        `Team ${machine.current + 1}, after ${replibCounted(this.runsSoFar(machine), "run")}: ` +
        `the true difference has ${replibWordsP(now.p)}. ` +
        `The ${form.elements.test.value} t test rejects it for ${rejected} of ` +
        `${replibCounted(pvalues.length.toLocaleString("en"), "team")}. Its level allows ` +
        `${replibPercent(this.alpha)}.`,
    };
  }
}

// What each experiment predicts about a rerun, and how often reruns really agree.
class ReplibBeliefs extends ReplibLanding {
  belief(experiments, experiment, runs) {
    return this.once(["belief", experiment, runs].join(), () => ({
      p: this.test(experiments, experiment, runs, { ratio: this.ratio }).p,
      predicted: replibPrediction(this.statistics, experiments.block(experiment, runs), this),
    }));
  }

  // Shares of all experiments that reach a decision, among those that reach it.
  counted(experiments, runs) {
    return this.once(["counted", runs].join(), () => {
      const all = Array.from({ length: experiments.number }, (_, one) =>
        this.test(experiments, one, runs, { ratio: this.ratio }),
      );
      const found = all.filter(({ p }) => p < this.alpha).length;
      // of the others
      return { found: (found - 1) / (all.length - 1), not: 1 - found / (all.length - 1) };
    });
  }

  draw(svg, machine, experiments, form, bet) {
    const runs = Math.max(2, this.runsSoFar(machine)),
      now = this.belief(experiments, machine.current, runs),
      counted = this.counted(experiments, machine.runs);
    const plot = replibScatter(svg, {
      points: machine.landed.map((one) => this.belief(experiments, one, machine.runs)),
      now,
      counted,
      alpha: this.alpha,
      bet,
    });
    const truth = now.p < this.alpha ? counted.found : counted.not;
    return {
      plot,
      words:
        `After ${runs} runs seed ${machine.current + 1} has ${replibWordsP(now.p)} and predicts ` +
        `that a rerun agrees with probability ${now.predicted.toFixed(2)}. In truth, ` +
        `${replibPercent(truth)} of the other seeds agree.`,
    };
  }
}

// How certain the forecast of an experiment is after each run, and where it may stop.
class ReplibStops extends ReplibLanding {
  course(experiments, experiment) {
    return this.once(["course", experiment].join(), () => {
      const rows = experiments.block(experiment, experiments.runs);
      return rows.map((_, i) =>
        i === 0
          ? { forecast: 0, certainty: 0 } // one run shows no spread
          : replibForecast(this.statistics, rows.slice(0, i + 1), rows.length, this),
      );
    });
  }

  draw(svg, machine, experiments, form) {
    const wanted = Number(form.elements.wanted.value),
      courses = machine.landed.map((one) => this.course(experiments, one)),
      mine = this.course(experiments, machine.current);
    const plot = replibCourses(svg, {
      courses,
      now: mine.slice(0, machine.run),
      least: this.least,
      wanted,
      runs: machine.runs,
    });
    replibOutputs(form, { wanted: replibPercent(wanted) });
    return { plot, words: this.inWords(machine, mine, courses, wanted) };
  }

  inWords(machine, mine, courses, wanted) {
    const { forecast, certainty } = mine[machine.run - 1],
      who = `Seed ${machine.current + 1}`;
    if (!machine.isLanded)
      return (
        `${who}, after ${machine.run} of ${machine.runs} runs: the forecast is ` +
        `${this.words[1 + forecast]}, with certainty ${replibPercent(certainty)}.`
      );
    const stops = courses.map((course) => replibStop(course, wanted, this.least)),
      stop = replibStop(mine, wanted, this.least);
    const same = courses.filter(
      (course, i) => course[stops[i] - 1].forecast === course[machine.runs - 1].forecast,
    ).length;
    return (
      `${who} stops after ${stop} runs and decides: ${this.words[1 + mine[stop - 1].forecast]}. ` +
      `All ${machine.runs} runs decide: ${this.words[1 + forecast]}. ` +
      (courses.length > 1
        ? `These ${courses.length} seeds take ${replibMean(stops).toFixed(1)} runs on average. ` +
          `The early decision is the decision of all runs for ${same} of them.`
        : "")
    );
  }
}

const REPLIB_KINDS = {
  seeds: ReplibPValues,
  truth: ReplibAgainstTruth,
  beliefs: ReplibBeliefs,
  stops: ReplibStops,
};

// ------------------------------------------------------------------------ what moves it

// Frames of a machine that plays: the first experiment slowly, then more and more at once.
class ReplibPlayer {
  constructor(machine, show) {
    Object.assign(this, { machine, show, timer: null });
  }

  get isPlaying() {
    return this.timer !== null;
  }

  play() {
    this.stop();
    const frame = () => {
      this.forward();
      this.timer = this.machine.isAtEnd ? null : setTimeout(frame, this.pause);
      this.show();
    };
    this.timer = setTimeout(frame, this.pause);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  forward() {
    const { done, runs } = this.machine;
    if (done === 0) this.machine.step(runs > 10 ? 1 : 0.25);
    else this.machine.finish(Math.ceil(done / 8));
  }

  get pause() {
    if (this.machine.done > 0) return this.machine.done < 8 ? 250 : 80;
    return this.machine.runs > 10 ? 80 : 100;
  }
}

function replibWantsNoMotion() {
  const question = "(prefers-reduced-motion: reduce)";
  return typeof matchMedia !== "undefined" && matchMedia(question).matches;
}

// Calls `start` once, when a picture that does not wait for a bet is first seen.
function replibWhenSeen(box, start) {
  if (typeof IntersectionObserver === "undefined" || replibWantsNoMotion()) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting) || box.closest(".replib-waits")) return;
      observer.disconnect();
      start();
    },
    { threshold: 0.6 },
  );
  observer.observe(box);
  // a bet that is placed shows the picture where it is
  box.addEventListener("replib-shown", () => {
    observer.unobserve(box);
    observer.observe(box);
  });
}

function replibMachine(statistics, box, { kind, patients, ...options }) {
  const experiments = Object.fromEntries(
    Object.entries(patients).map(([name, data]) => [
      name,
      Object.assign(new ReplibExperiments(data), { name }),
    ]),
  );
  const landing = new REPLIB_KINDS[kind](statistics, options),
    machine = new ReplibMachine(options.limit),
    form = box.querySelector("form");
  const chosen = () => experiments[form.elements.patients.value];
  const redraw = () => form.dispatchEvent(new Event("input"));
  const player = new ReplibPlayer(machine, redraw);
  let asked = "";

  replibLive(box, (_, svg, bet) => {
    const runs = Number(form.elements.runs?.value ?? chosen().runs),
      begins = [form.elements.seed.value, form.elements.patients.value, runs].join();
    if (begins !== asked) {
      player.stop();
      machine.begin(Number(form.elements.seed.value) - 1, runs, chosen().number);
      asked = begins;
    }
    if (form.elements.runs) replibOutputs(form, { runs });
    replibNameButtons(form, player, machine);
    const { plot, words } = landing.draw(svg, machine, chosen(), form, bet);
    plot.draw(replibFolds(chosen(), machine) + replibDifferences(chosen(), machine));
    return words;
  });

  const press = {
    play() {
      if (player.isPlaying) player.stop();
      else if (replibWantsNoMotion()) machine.finish(machine.limit);
      else {
        if (machine.isAtEnd) machine.restart();
        player.play();
      }
    },
    step() {
      player.stop();
      machine.step();
    },
    next() {
      player.stop();
      machine.finish();
    },
    end() {
      player.stop();
      machine.finish(machine.limit);
    },
  };
  for (const button of form.querySelectorAll("button[value]"))
    button.addEventListener("click", () => {
      press[button.value]();
      redraw();
    });
  replibWhenSeen(box, () => {
    machine.restart();
    player.play();
  });
}

function replibNameButtons(form, player, machine) {
  const reading = form.parentElement?.querySelector(".reading");
  reading?.setAttribute("aria-live", player.isPlaying ? "off" : "polite");
  for (const button of form.querySelectorAll("button[value]")) {
    if (button.value === "play") button.textContent = player.isPlaying ? "pause" : "play";
    else button.disabled = machine.isAtEnd;
  }
}
