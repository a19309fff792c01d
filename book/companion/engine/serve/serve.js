// What a page can do with a server: run its chapter, show how it goes, stop it.

const GONE =
  "The server has stopped. Start it again with make serve, and open the address that " +
  "it prints.";

const CONTROLS = `
<p><button type="button" value="run">Run</button>
<button type="button" value="small">Run the small version</button>
<button type="reset">Reset</button></p>
<details><summary>As a command</summary></details>`;

const PROGRESS = `
<span role="status"></span> <progress max="1"></progress>
<button type="button" value="run">Run</button>
<button type="button" value="stop">Stop</button>
<button type="button" value="close" aria-label="Close">×</button>`;

// The address of the book, which need not be that of its host.
const BOOK = new URL(document.documentElement.dataset.content_root, location.href);

// Ask the server; a server that does not answer is gone.
async function ask(address, order) {
  const options = order && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(order),
  };
  let answer;
  try {
    answer = await fetch(new URL(address, BOOK), options);
  } catch {
    throw new Error(GONE);
  }
  if (answer.status === 403) throw new Error(`${GONE} (It was started again.)`);
  const text = await answer.text();
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) return JSON.parse(text);
  throw new Error(text);
}

// One sentence on the state of a run.
function described({ state, place, parts, sentence }) {
  if (state === "waiting")
    return place === 1 ? "One run is before yours." : `${place} runs are before yours.`;
  if (state === "stopped") return "Stopped; what was computed is kept.";
  if (state !== "running") return sentence;
  if (parts["the page"]) return "Making the page …";
  const words = Object.entries(parts).map(([part, { cell, n_cells, percent }]) => {
    const bar = percent ? `, ${percent}%` : "";
    return `${part}: cell ${cell} of ${n_cells}${bar}`;
  });
  return words.length ? `Running ${words.join("; ")}` : "Running …";
}

// The share that is done of the part that is furthest behind.
function share({ parts }) {
  const shares = Object.values(parts).map(({ cell, n_cells, percent }) =>
    n_cells ? (cell - 1 + percent / 100) / n_cells : 1,
  );
  return shares.length ? Math.min(...shares) : 0;
}

class RunForm {
  constructor(chapterForm) {
    this.chapterForm = chapterForm;
    this.form = chapterForm.form;
    this.name = chapterForm.chapter;
    this.makeControls();
    this.makeProgress();
    this.form.addEventListener("change", () => {
      this.withdraw();
      this.check();
    });
    this.form.addEventListener("submit", () => this.run());
    this.form.addEventListener("reset", () => setTimeout(() => this.showDefault()));
    this.form.addEventListener("click", ({ target }) => {
      if (target.value === "run") this.run();
      if (target.value === "small") this.run({ small: true });
    });
    this.attach();
    if (Object.keys(chapterForm.changed).length) this.check();
    this.offer();
  }

  makeControls() {
    const box = this.form.querySelector(".replib-run-form");
    const command = [...box.children];
    box.insertAdjacentHTML("afterbegin", CONTROLS);
    for (const element of command.slice(0, -1)) box.querySelector("details").append(element);
    box.querySelector(":scope > details [type=reset]").remove(); // there is one above
    command.at(-1).remove(); // how to start the server
    this.small = this.form.querySelector("[value=quick]");
    box.querySelector("[value=small]").hidden = !this.small;
    for (const [value, seconds] of [
      ["run", this.form.getAttribute("data-seconds")],
      ["small", this.form.getAttribute("data-small-seconds")],
    ]) {
      if (seconds) box.querySelector(`[value=${value}]`).append(` (about ${seconds} s)`);
    }
  }

  makeProgress() {
    this.bar = document.createElement("div");
    this.bar.className = "replib-progress";
    this.bar.hidden = true;
    this.bar.innerHTML = PROGRESS;
    document.body.append(this.bar);
    this.bar.addEventListener("click", ({ target }) => {
      if (target.value === "run") this.run({ small: this.chapterForm.isSmall });
      if (target.value === "stop") this.stop();
      if (target.value === "close") this.bar.hidden = true;
    });
  }

  get order() {
    return { values: this.chapterForm.changed, small: this.chapterForm.isSmall };
  }

  async run({ small = false } = {}) {
    if (this.small) this.small.checked = small;
    this.chapterForm.show();
    this.say("Asking the server …");
    try {
      const answer = await ask(`run/${this.name}`, this.order);
      this.refuse(answer);
      this.bar.hidden = Boolean(answer.sentence); // it stands at the field
      this.form.querySelector("[aria-invalid]")?.focus(); // which may be far above
      if (answer.address) this.open(answer.address);
      if (answer.number) this.follow(answer.number);
    } catch (problem) {
      this.say(problem.message);
    }
  }

  // Say at a field what is wrong with its value.
  refuse({ wrong, sentence }) {
    this.form.querySelector(".replib-wrong")?.remove();
    this.form.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
    if (!sentence) return;
    const field = wrong && this.form.elements[wrong];
    const message = document.createElement("span");
    message.className = "replib-wrong";
    message.role = "alert";
    message.textContent = sentence;
    if (field) {
      field.setAttribute("aria-invalid", "true");
      field.closest("label").append(message);
    } else {
      this.form.querySelector(".replib-run-form").prepend(message);
    }
  }

  async check() {
    const checked = JSON.stringify(this.order);
    try {
      const answer = await ask(`check/${this.name}`, this.order);
      if (checked === JSON.stringify(this.order)) this.refuse(answer); // else it is too late
    } catch (problem) {
      this.say(problem.message);
    }
  }

  // An address that somebody sent may have values that were not run here: the page as built does
  // not show them.
  offer() {
    const { values, small } = this.order;
    const isAnswered = document.querySelector(".replib-copy");
    if (isAnswered || !(small || Object.keys(values).length)) return;
    const words = Object.entries(values).map(([name, value]) => `${name} = ${value}`);
    if (small) words.push("small version");
    this.say(`These values were not run yet: ${words.join(", ")}.`);
    this.bar.querySelector("[value=run]").hidden = false;
  }

  withdraw() {
    if (!this.bar.querySelector("[value=run]").hidden) this.bar.hidden = true;
  }

  // A run goes on without its page: find the one of this chapter.
  async attach() {
    try {
      const { runs } = await ask("runs");
      const mine = runs.findLast(({ chapter }) => chapter === this.name);
      if (mine) this.follow(mine.number);
    } catch {
      /* it is said when something is asked for */
    }
  }

  follow(number) {
    this.events?.close();
    this.number = number;
    this.done = 0;
    this.events = new EventSource(new URL(`runs/${number}/events`, BOOK));
    this.events.onmessage = ({ data }) => this.show(JSON.parse(data));
    this.events.onerror = () => {
      this.events.close(); // it would ask again, and say so over what comes next
      this.say(GONE);
    };
  }

  show(run) {
    const isOver = !["waiting", "running"].includes(run.state);
    this.done = Math.max(this.done, share(run)); // a cell may have several bars of its own
    this.say(described(run), isOver ? null : this.done);
    if (isOver) this.events.close();
    if (run.state === "done") this.open(run.address);
  }

  // Show a sentence, and with a share the bar of a run that can be stopped.
  say(sentence, done = null) {
    this.bar.hidden = false;
    this.bar.querySelector("[role=status]").textContent = sentence;
    this.bar.querySelector("progress").hidden = done === null;
    this.bar.querySelector("progress").value = done ?? 0;
    this.bar.querySelector("[value=run]").hidden = true;
    this.bar.querySelector("[value=stop]").hidden = done === null;
    this.bar.querySelector("[value=close]").hidden = done !== null;
  }

  async stop() {
    try {
      await ask(`runs/${this.number}/stop`, {});
    } catch (problem) {
      this.say(problem.message);
    }
  }

  // Go to an answer.  The reader's seed stays.
  open(address) {
    const target = new URL(`${address}#your-copy`, BOOK);
    const seed = new URLSearchParams(location.search).get("seed");
    if (seed) target.searchParams.set("seed", seed);
    load(target);
  }

  // Go back to the page as built, and there to the form, for other values.
  showDefault() {
    this.refuse({});
    this.withdraw();
    if (document.querySelector(".replib-copy"))
      load(`${this.chapterForm.address}#replib-parameters`);
  }
}

// Load an address, which may be that of this page already, and go to the part that it names.  A
// reload would go to where the reader was.
function load(address) {
  history.replaceState(null, "", "?"); // of a page that has another address
  location.replace(address);
}

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".replib-form");
  if (form?.chapterForm) new RunForm(form.chapterForm);
});
