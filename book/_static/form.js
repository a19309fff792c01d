// The form of a chapter: its values come from the address, and it writes the command for them.

// The name of a parameter in the address: ?seed= is already the reader's seed in the pictures.
const inAddress = (name) => (name === "seed" ? "chapter_seed" : name);

// A value as a shell reads it as one word.
const quoted = (text) => (/^[\w.,:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

class ChapterForm {
  constructor(form) {
    this.form = form;
    this.fields = [...form.querySelectorAll("[data-default]")];
    this.fill();
    form.addEventListener("input", () => this.show());
    form.addEventListener("change", ({ target }) => this.takeComma(target));
    form.addEventListener("reset", () => setTimeout(() => this.reset()));
    form.addEventListener("click", (event) => this.click(event));
    form.addEventListener("submit", (event) => event.preventDefault());
    this.show();
    this.open();
    addEventListener("hashchange", () => this.open());
  }

  // The values that are not the defaults, by name.
  get changed() {
    const fields = this.fields.filter((field) => field.value.trim() !== field.dataset.default);
    return Object.fromEntries(fields.map((field) => [field.name, field.value.trim()]));
  }

  // A parameter called dataset hides the property of that name: ask for attributes.
  get chapter() {
    return this.form.getAttribute("data-chapter");
  }

  get isSmall() {
    return this.form.querySelector("[value=quick]")?.checked ?? false;
  }

  get address() {
    const search = new URLSearchParams(location.search);
    for (const { name } of this.fields) search.delete(inAddress(name));
    for (const [name, value] of Object.entries(this.changed)) search.set(inAddress(name), value);
    search.delete("small");
    if (this.isSmall) search.set("small", "1");
    return search.size ? `?${search}` : location.pathname;
  }

  get command() {
    const options = Object.entries(this.changed).map(
      ([name, value]) => `-p ${name} ${quoted(value)}`,
    );
    if (this.isSmall) options.push("--quick");
    return ["python -m replib run", this.chapter, ...options].join(" ");
  }

  // Take the values of the address, or else of the run that made this page.
  fill() {
    const search = new URLSearchParams(location.search);
    const run = JSON.parse(document.querySelector(".replib-copy")?.dataset.values ?? "{}");
    for (const field of this.fields) {
      const value = search.get(inAddress(field.name)) ?? run[field.name];
      if (value !== undefined) field.value = value;
    }
    const small = this.form.querySelector("[value=quick]");
    if (small) small.checked = search.has("small") || "small" in run;
  }

  show() {
    this.form.querySelector("pre code").textContent = this.command;
    for (const field of this.fields) {
      field.closest("label").classList.toggle("changed", field.name in this.changed);
    }
    try {
      history.replaceState(null, "", this.address + location.hash);
    } catch {
      /* some disks */
    }
  }

  // The keyboards of many phones have a decimal comma instead of a point.
  takeComma(field) {
    if (field.inputMode !== "decimal") return;
    field.value = field.value.trim().replace(/^(\d*),(\d+)$/, "$1.$2");
    this.show();
  }

  reset() {
    for (const field of this.fields) field.value = field.dataset.default;
    this.show();
  }

  async click({ target }) {
    if (target.value !== "copy") return;
    await copy(this.command, this.form.querySelector("pre code"));
    target.textContent = "Copied";
    setTimeout(() => {
      target.textContent = "Copy";
    }, 2000);
  }

  // A link to the form, or an address with values, opens it.
  open() {
    const isAsked = location.hash === "#replib-parameters";
    if (!isAsked && !Object.keys(this.changed).length) return;
    let fold = this.form.closest("details");
    while (fold) {
      fold.open = true;
      fold = fold.parentElement.closest("details");
    }
  }
}

async function copy(text, element) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // pages from disk may not write: select it and ask the browser
    getSelection().selectAllChildren(element);
    document.execCommand("copy");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  for (const form of document.querySelectorAll(".replib-form"))
    form.chapterForm = new ChapterForm(form);
});
