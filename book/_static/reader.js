// What the browser keeps of its reader: the seed, and the bets of the short book.

// Where nothing can be kept, as on some disks, a value lives as long as its page.
const readerMemory = {
  values: {},
  read(name) {
    try {
      return JSON.parse(localStorage.getItem(`replib-${name}`)) ?? this.values[name];
    } catch {
      return this.values[name];
    }
  },
  write(name, value) {
    this.values[name] = value;
    try {
      localStorage.setItem(`replib-${name}`, JSON.stringify(value));
    } catch {
      /* the value lives as long as the page */
    }
  },
};

// ---------------------------------------------------------------------------------- the seed

// The whole number from 1 to `most` that a text names; null if it names none.
function seedNamed(text, most) {
  const seed = Number(text);
  return Number.isInteger(seed) && seed >= 1 && seed <= most ? seed : null;
}

function drawSeed(most) {
  return 1 + Math.floor(most * Math.random());
}

class SeedBox {
  constructor(box) {
    this.input = box.querySelector("input");
    this.most = Number(this.input.max);
    this.note = box.querySelector("[role=status]");
    this.input.addEventListener("input", () => this.typed());
    box.querySelector("button").addEventListener("click", () => this.deal());
    this.show(this.known ?? drawSeed(this.most));
  }

  // The seed of the address, or else the one that the reader had on another page.
  get known() {
    const inAddress = new URLSearchParams(location.search).get("seed");
    return seedNamed(inAddress, this.most) ?? seedNamed(readerMemory.read("seed"), this.most);
  }

  typed() {
    const seed = seedNamed(this.input.value, this.most);
    this.input.toggleAttribute("aria-invalid", seed === null);
    this.note.textContent =
      seed === null ? `a whole number from 1 to ${this.most.toLocaleString("en")}` : "";
    if (seed !== null) this.follow(seed);
  }

  deal() {
    this.show(drawSeed(this.most));
  }

  show(seed) {
    this.input.value = seed;
    this.typed();
  }

  // All pictures and sentences of the page are about this seed from now on.
  follow(seed) {
    readerMemory.write("seed", seed);
    rememberInAddress(seed);
    for (const value of document.querySelectorAll(".replib-seed-value")) {
      value.value = seed;
      value.dispatchEvent(new Event("input", { bubbles: true })); // its picture draws again
    }
    for (const sentence of document.querySelectorAll(".replib-seed")) {
      const columns = JSON.parse(sentence.dataset.columns);
      for (const part of sentence.querySelectorAll("[data-column]"))
        part.textContent = columns[part.dataset.column][seed - 1];
    }
  }
}

// The address carries the seed where the browser keeps nothing.
function rememberInAddress(seed) {
  const search = new URLSearchParams(location.search);
  search.set("seed", seed);
  try {
    history.replaceState(null, "", `?${search}${location.hash}`);
  } catch {
    /* some disks */
  }
}

function carrySeedAlong({ target }) {
  const link = target.closest("a[href]");
  const seed = new URLSearchParams(location.search).get("seed");
  if (seed && link && link.origin === location.origin && link.pathname !== location.pathname)
    link.search = `?seed=${seed}`;
}

// ---------------------------------------------------------------------------------- the bets

// How far a bet is from the answer, and how far the middle is, in percent of the scale.
function distancesOfBet({ guess, answer, low, high }) {
  const percent = (place) => (100 * Math.abs(place - answer)) / (high - low);
  return { bet: percent(guess), middle: percent((low + high) / 2) };
}

// A number of a bet in words: 281 of 1,000.
function numberInBet(number, { digits, unit }) {
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${Number(number).toLocaleString("en", format)}${unit && ` ${unit}`}`;
}

// Keep the bets by chapter, and tell the table of bets on this page.
function keepBets(bets) {
  readerMemory.write("bets", bets);
  document.dispatchEvent(new Event("replib-bets"));
}

class BetBox {
  constructor(form) {
    this.form = form;
    this.terms = JSON.parse(form.dataset.terms);
    this.slider = form.querySelector("input");
    this.picture = pictureAfter(form);
    this.answers = answersTo(form);
    form.addEventListener("submit", (event) => this.place(event));
    this.slider.addEventListener("input", () => this.moved());
    form.querySelector("[value=skip]").addEventListener("click", () => this.reveal());
    form.querySelector("[value=again]").addEventListener("click", () => this.takeBack());
    const bet = (readerMemory.read("bets") ?? {})[this.terms.chapter];
    if (bet) {
      this.slider.value = bet.guess;
      this.moved();
      this.settle();
    } else {
      form.querySelector("output").value = "Move the slider to place a bet.";
      this.wait();
    }
  }

  get guess() {
    return Number(this.slider.value);
  }

  // Where the slider lies at first is nobody's bet.
  moved() {
    this.form.querySelector("[type=submit]").disabled = false;
    const words = numberInBet(this.guess, this.terms);
    this.form.querySelector("output").value = words;
    this.slider.setAttribute("aria-valuetext", words);
  }

  // The picture answers the question, and so may the words below it: they wait for the bet.
  wait() {
    this.form.dataset.state = "open";
    this.hideAnswers(true);
  }

  hideAnswers(hidden) {
    for (const block of this.answers) {
      block.classList.toggle("replib-waits", hidden);
      block.toggleAttribute("inert", hidden);
    }
  }

  reveal() {
    this.form.dataset.state = "skipped";
    this.showPicture();
  }

  place(event) {
    event.preventDefault();
    const bets = readerMemory.read("bets") ?? {};
    keepBets({ ...bets, [this.terms.chapter]: this.bet });
    this.settle();
  }

  get bet() {
    return { ...this.terms, guess: this.guess };
  }

  settle() {
    this.form.dataset.state = "placed";
    this.form.querySelector(".replib-ruler").innerHTML = rulerOf(this.bet);
    this.form.querySelector("[role=status]").textContent =
      `You bet ${numberInBet(this.guess, this.terms)}. ` +
      `It is ${numberInBet(this.terms.answer, this.terms)}.`;
    if (this.picture) this.picture.dataset.bet = this.guess;
    this.showPicture();
  }

  showPicture() {
    this.hideAnswers(false);
    this.picture?.querySelector("form")?.dispatchEvent(new Event("input")); // draws the bet
    this.picture?.dispatchEvent(new Event("replib-shown"));
  }

  takeBack() {
    const { [this.terms.chapter]: _, ...others } = readerMemory.read("bets") ?? {};
    keepBets(others);
    delete this.picture?.dataset.bet;
    this.wait();
    this.slider.focus();
  }
}

// The blocks below a bet, up to the next heading.
function answersTo(form) {
  const section = form.closest("section") ?? form.parentElement;
  let block = form;
  while (block.parentElement !== section) block = block.parentElement;
  const blocks = [];
  while ((block = block.nextElementSibling) && !block.matches("section, h2, h3"))
    blocks.push(block);
  return blocks;
}

// The first picture with controls below an element.
function pictureAfter(element) {
  const pictures = [...document.querySelectorAll(".replib-explorer")];
  return pictures.find(
    (one) => element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
}

// A line from the lowest to the highest bet, with the bet above and the answer below.
function rulerOf(bet) {
  const LEFT = 20,
    RIGHT = 410,
    LINE = 26;
  const x = (number) => LEFT + ((RIGHT - LEFT) * (number - bet.low)) / (bet.high - bet.low);
  const words = (number, y, text, colour) => {
    const anchor = x(number) < 90 ? "start" : x(number) > 340 ? "end" : "middle";
    const style = `fill:${colour};text-anchor:${anchor}`;
    return `<text x="${x(number)}" y="${y}" style="${style}">${text}</text>`;
  };
  const BLUE = "var(--replib-blue, #0072b2)";
  const between = [x(bet.guess), x(bet.answer)].sort((a, b) => a - b);
  return (
    `<path d="M${LEFT} ${LINE}H${RIGHT}" style="stroke:currentColor;opacity:.4"/>` +
    `<path d="M${between[0]} ${LINE}H${between[1]}" style="stroke:${BLUE};stroke-width:3"/>` +
    `<circle cx="${x(bet.guess)}" cy="${LINE}" r="5" ` +
    `style="fill:var(--pst-color-background,#fff);stroke:currentColor;stroke-width:2"/>` +
    `<circle cx="${x(bet.answer)}" cy="${LINE}" r="5" style="fill:${BLUE}"/>` +
    words(bet.guess, 14, `your bet: ${numberInBet(bet.guess, bet)}`, "currentColor") +
    words(bet.answer, 47, `the answer: ${numberInBet(bet.answer, bet)}`, BLUE)
  );
}

class TableOfBets {
  constructor(box) {
    this.box = box;
    box.querySelector("button").addEventListener("click", () => keepBets({}));
    document.addEventListener("replib-bets", () => this.show());
    this.show();
  }

  show() {
    const bets = readerMemory.read("bets") ?? {};
    const placed = [...this.box.querySelectorAll("tr[data-chapter]")].filter((row) =>
      this.fill(row, bets[row.dataset.chapter]),
    );
    this.box.querySelector("button").hidden = !placed.length;
    this.box.querySelector("[role=status]").textContent = this.inWords(
      placed.map((row) => distancesOfBet(bets[row.dataset.chapter])),
    );
  }

  fill(row, bet) {
    const cells = bet
      ? [
          numberInBet(bet.guess, bet),
          numberInBet(bet.answer, bet),
          `${distancesOfBet(bet).bet.toFixed(0)}%`,
        ]
      : ["no bet", "", ""];
    row.querySelectorAll("td:nth-child(n+2)").forEach((cell, i) => {
      cell.textContent = cells[i];
    });
    return Boolean(bet);
  }

  inWords(distances) {
    if (!distances.length) return "You have placed no bet yet.";
    const mean = (name) =>
      (distances.reduce((sum, one) => sum + one[name], 0) / distances.length).toFixed(0);
    const bets =
      distances.length === 1 ? "Your bet was" : `Your ${distances.length} bets were on average`;
    return (
      `${bets} ${mean("bet")}% of the scale away from the answer. ` +
      `Somebody who always bets on the middle would have been ${mean("middle")}% away.`
    );
  }
}

if (typeof document !== "undefined" && document.addEventListener) {
  document.addEventListener("click", carrySeedAlong);
  document.addEventListener("DOMContentLoaded", () => {
    for (const form of document.querySelectorAll(".replib-bet")) new BetBox(form);
    for (const box of document.querySelectorAll(".replib-seed-box")) new SeedBox(box);
    for (const box of document.querySelectorAll(".replib-bets")) new TableOfBets(box);
  });
}
