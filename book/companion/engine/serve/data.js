// *My data* with the server: the library compares, whatever the design.

// A request may have 25 MB (companion.engine.serve.command); beyond it is the command's.
const MOST_BYTES = 25_000_000;

const MORE_FIELDS = `
<div><label for="metric">Metric</label>
<input id="metric" name="metric" autocomplete="off" placeholder="accuracy"></div>`;

const CONTROLS_OF_DATA = `
<p>The server on this machine hands them to the library, so every design works: <code>10x10</code>,
<code>30 x 10%</code>, <code>seeds</code>, <code>items</code>, <code>datasets</code>. Nothing leaves
this machine.</p>
<label for="files">Or files: a table, a table for each model, or logs as text</label>
<input id="files" type="file" multiple accept=".csv,.tsv,.txt,.json,.jsonl">
<label for="folder">Or a folder of logs, such as the output of lm-evaluation-harness</label>
<input id="folder" type="file" webkitdirectory>
<details><summary>More options, as of replib compare</summary>
<div class="fields">
<div><label for="high">--high, the largest value: 100 for percent</label>
<input id="high" name="high" autocomplete="off"></div>
<div><label for="column">--column, such as dataset=task</label>
<input id="column" name="column" autocomplete="off"></div>
<div><label for="where">--where, such as split=test</label>
<input id="where" name="where" autocomplete="off"></div>
<div><label for="task">--task, of logs with several</label>
<input id="task" name="task" autocomplete="off"></div>
<div><label for="missing">--missing, to keep what all models have</label>
<select id="missing" name="missing"><option></option><option>common</option></select></div>
<div><label for="about">--about, for items in several trainings</label>
<select id="about" name="about"><option></option><option>models</option><option>training</option>
<option>both</option></select></div>
<div><label for="equivalence">--equivalence, a difference that does not matter</label>
<input id="equivalence" name="equivalence" autocomplete="off"></div>
<div><label for="alpha">--alpha</label>
<input id="alpha" name="alpha" autocomplete="off" placeholder="0.05"></div>
</div>
<p>Several values of --column, --where and --task are separated by semicolons.</p></details>
<p><button type="submit">Compare</button></p>`;

const ANSWER = `
<div class="answer"></div>
<div class="reruns"></div>
<h3>For the Methods section</h3>
<blockquote><p class="methods"></p></blockquote>
<p><button type="button" value="report">Download the report</button></p>`;

// Options that may have several values.
const SEVERAL = ["column", "where", "task"];
// What the page can send as text; of other kinds the command knows more.
const TEXTS = /\.(csv|tsv|txt|jsonl?)$/i;

class DataForm {
  constructor(form, result) {
    this.form = form;
    this.result = result;
    document.querySelectorAll(".replib-without-server").forEach((part) => part.remove());
    form.querySelector(".fields").insertAdjacentHTML("beforeend", MORE_FIELDS);
    form.insertAdjacentHTML("beforeend", CONTROLS_OF_DATA);
    form.addEventListener("submit", () => this.compare());
    form.addEventListener("input", () => result.replaceChildren());
    result.addEventListener("click", ({ target }) => {
      if (target.value === "report") this.download();
    });
  }

  async order() {
    return { files: await this.files(), options: this.options() };
  }

  // Texts by name: those of files, of a folder, or what was pasted.
  async files() {
    const { files, folder, scores } = this.form.elements;
    const logs = [...folder.files].filter(({ name }) => TEXTS.test(name));
    if (folder.files.length && !logs.length)
      throw new Error("The folder has no text: give it to the command replib compare.");
    const chosen = [...files.files, ...logs];
    if (!chosen.length) return { "scores.csv": scores.value };
    const named = chosen.map(async (file) => [
      file.webkitRelativePath || file.name,
      await file.text(),
    ]);
    return Object.fromEntries(await Promise.all(named));
  }

  options() {
    const options = {};
    for (const { name, value } of this.form.querySelectorAll("[name]")) {
      const values = SEVERAL.includes(name) ? value.split(";") : [value];
      const written = values.map((text) => text.trim()).filter(Boolean);
      if (written.length) options[name] = written;
    }
    // a direction alone declares a metric without a name
    if (options.better && !options.metric) options.metric = ["score"];
    return options;
  }

  async compare() {
    this.result.textContent = "Comparing …";
    try {
      const { sentence, html, rerun, methods } = await this.ask("data");
      if (sentence) throw new Error(`Not yet: ${sentence}.`);
      this.result.innerHTML = ANSWER;
      this.result.querySelector(".answer").innerHTML = html; // escaped by the library
      if (rerun) compare.addReruns(this.result.querySelector(".reruns"), rerun);
      this.result.querySelector(".methods").textContent = methods;
    } catch (problem) {
      this.refuse(problem.message);
    }
  }

  async ask(address) {
    const order = await this.order();
    if (new Blob([JSON.stringify(order)]).size > MOST_BYTES)
      throw new Error("This is more than 25 MB: give the files to the command replib compare.");
    return ask(address, order);
  }

  refuse(sentence) {
    this.result.replaceChildren(document.createElement("p"));
    this.result.firstChild.className = "refusal";
    this.result.firstChild.textContent = sentence;
  }

  async download() {
    try {
      const { page } = await this.ask("data/report");
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
      link.download = "report.html";
      link.click();
      URL.revokeObjectURL(link.href);
    } catch (problem) {
      this.refuse(problem.message);
    }
  }
}

document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("scores-form");
  if (form) new DataForm(form, document.getElementById("scores-result"));
});
