// A block of differences whose cells slide into the sample of a scheme.

function replibSchemes(box, { block, folds, schemes }) {
  const runs = block.length / folds,
    side = Math.min(270 / (runs + 2.5), 300 / folds);
  const most = Math.max(...block.map(Math.abs));
  replibLive(box, (form, svg) => {
    const { title, slots, n, p, type_1 } = schemes[form.elements.scheme.value];
    const style = (i) => {
      // slot -1 is left out; without slots every cell stays
      const moves = slots && slots[i] >= 0;
      const [column, row] = moves ? [slots[i], runs + 1.5] : [i % folds, Math.floor(i / folds)];
      return (
        `fill:var(--replib-${block[i] > 0 ? "blue" : "red"});` +
        `fill-opacity:${0.15 + (0.85 * Math.abs(block[i])) / most};` +
        `transform:translate(${110 + side * column}px,${4 + side * row}px);` +
        `opacity:${!slots || moves ? 1 : 0.25}`
      );
    };
    // where every cell stays, the block is the sample, and the row below it is empty
    const words = slots ? ["runs", "sample"] : ["sample", ""];
    if (svg.innerHTML) {
      svg.querySelectorAll("rect").forEach((cell, i) => {
        cell.style.cssText = style(i);
      });
      svg.querySelectorAll("text").forEach((label, i) => {
        label.textContent = words[i];
      });
    } else
      svg.innerHTML =
        block
          .map((d, i) => `<rect width="${side - 2}" height="${side - 2}" style="${style(i)}"/>`)
          .join("") +
        [18, 4 + side * (runs + 2.2)]
          .map(
            (y, i) =>
              `<text x="100" y="${y}" style="text-anchor:end;fill:currentColor">${words[i]}</text>`,
          )
          .join("");
    return (
      `${title}: ${n} values, ${p}. Where no learner can win, the t test on such samples ` +
      `finds a winner on ${type_1}% of data sets.`
    );
  });
}
