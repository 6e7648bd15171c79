// The tab that shows the texts of two stages of the compilation side by side.

const LINE_HEIGHT = 19;

class StagesTab {
  constructor(program) {
    const {stages} = program.data;
    if (stages === undefined) {
      this.element = element("div", {class: "page-tab"}, note(
          "This page has no stages; `tessera show --stages` adds them."));
      return;
    }
    this.lines = stages.lines;
    this.stages = stages.stages.map(
        ({name, runs}) => ({name, numbers: expandRuns(runs)}));
    this.left = 0;
    this.right = this.stages.length - 1;
    this.changesOnly = true;
    this.panes = ["left", "right"].map((side) => this.makePane(side));
    this.status = element("span", {class: "dim", role: "status"});
    this.element = element(
        "div", {class: "split-tab stages-tab"},
        element("div", {class: "main"}, this.toolbar(),
                element("div", {class: "panes"},
                        this.panes.map((pane) => pane.element))));
    this.at = -1;
    this.compare();
  }

  open() {
    // Lines were not drawn while the tab was hidden.
    if (this.panes) this.drawLines();
  }

  toolbar() {
    const names = this.stages.map(({name}, i) => `${i} ${name}`);
    const select = (side) => choice(
        side === "left" ? "Left" : "Right", names, this[side], (i) => {
          this[side] = i;
          this.compare();
        });
    this.selects = {left: select("left"), right: select("right")};
    const step = (by) => () => this.stepPass(by);
    const only = element("input", {type: "checkbox", checked: true, onchange: () => {
      this.changesOnly = only.checked;
      this.refresh();
    }});
    return element(
        "div", {class: "toolbar"}, this.selects.left, this.selects.right,
        button("\u2039 pass", "Show the pass before", step(-1)),
        button("pass \u203a", "Show the next pass", step(1)),
        element("label", {class: "choice"}, only, "only changes"),
        button("\u2191", "Go to the change before", () => this.goToChange(-1)),
        button("\u2193", "Go to the next change", () => this.goToChange(1)),
        this.status);
  }

  // Shows what one pass did: the stage before it beside the stage after it.
  stepPass(by) {
    const isOnePass = this.right === this.left + 1;
    const left = isOnePass ? this.left + by : by > 0 ? 0 : this.stages.length - 2;
    this.left = Math.min(Math.max(left, 0), Math.max(this.stages.length - 2, 0));
    this.right = Math.min(this.left + 1, this.stages.length - 1);
    for (const side of ["left", "right"]) {
      this.selects[side].querySelector("select").selectedIndex = this[side];
    }
    this.compare();
  }

  makePane(side) {
    const content = element("div", {class: "lines"});
    const pane = element("div", {class: `pane ${side}`, tabindex: 0, role: "region",
                                 "aria-label": `The ${side} stage`}, content);
    pane.addEventListener("scroll", () => this.follow(pane));
    new ResizeObserver(() => this.drawLines()).observe(pane);
    return {element: pane, content, side};
  }

  // Scrolls the other pane to the same place.
  follow(scrolled) {
    for (const {element: pane} of this.panes) {
      if (pane === scrolled) continue;
      if (pane.scrollTop !== scrolled.scrollTop) pane.scrollTop = scrolled.scrollTop;
      if (pane.scrollLeft !== scrolled.scrollLeft) {
        pane.scrollLeft = scrolled.scrollLeft;
      }
    }
    this.drawLines();
  }

  compare() {
    this.allRows = compareStages(this.stages[this.left].numbers,
                                 this.stages[this.right].numbers, this.lines);
    const counts = {changed: 0, added: 0, removed: 0, moved: 0};
    for (const row of this.allRows) {
      if (row.rightKind in counts) ++counts[row.rightKind];
      if (row.leftKind === "removed") ++counts.removed;
    }
    this.status.textContent = Object.entries(counts)
        .map(([kind, count]) => `${formatInteger(count)} ${kind}`).join(", ");
    this.refresh();
  }

  refresh() {
    this.rows = this.changesOnly ? onlyChanges(this.allRows, 2) : this.allRows;
    this.at = -1;
    // The widest line of both sides gives both the same width.
    let widest = 0;
    for (const row of this.rows) {
      if (row.hidden !== undefined) continue;
      for (const number of [row.left, row.right]) {
        if (number >= 0) widest = Math.max(widest, this.lines[number].length);
      }
    }
    for (const {element: pane, content} of this.panes) {
      content.style.height = `${this.rows.length * LINE_HEIGHT + 8}px`;
      content.style.width = `max(100%, ${Math.min(widest, 4000) + 4}ch)`;
      pane.scrollTop = 0;
    }
    this.drawLines();
  }

  // Makes elements for the visible rows only.
  drawLines() {
    for (const {element: pane, content, side} of this.panes) {
      const first = Math.max(0, Math.floor(pane.scrollTop / LINE_HEIGHT) - 5);
      const last = Math.min(
          this.rows.length,
          Math.ceil((pane.scrollTop + pane.clientHeight) / LINE_HEIGHT) + 5);
      const made = [];
      for (let i = first; i < last; ++i) {
        const line = this.makeLine(this.rows[i], side);
        line.style.top = `${i * LINE_HEIGHT}px`;
        if (i === this.at) line.classList.add("current");
        made.push(line);
      }
      content.replaceChildren(...made);
    }
  }

  makeLine(row, side) {
    if (row.hidden !== undefined) {
      return element("div", {class: "line hidden-lines"},
                     `\u22ef ${formatNumberOf(row.hidden, "equal line")}`);
    }
    const number = side === "left" ? row.left : row.right;
    const kind = side === "left" ? row.leftKind : row.rightKind;
    const line = element("div", {class: `line ${number < 0 ? "none" : kind}`});
    if (number < 0) return line;
    const text = this.lines[number].slice(0, 4000);
    if (kind !== "changed") {
      line.append(text);
      return line;
    }
    const other = this.lines[side === "left" ? row.right : row.left];
    line.append(...markDifference(text, other));
    return line;
  }

  goToChange(direction) {
    const isChange = (row) => row.hidden === undefined && !row.isHead &&
                              row.leftKind !== "same";
    for (let i = this.at + direction; i >= 0 && i < this.rows.length;
         i += direction) {
      const isInside = isChange(this.rows[i]) && i > 0 && isChange(this.rows[i - 1]);
      if (!isChange(this.rows[i]) || isInside) continue;
      this.at = i;
      const pane = this.panes[0].element;
      pane.scrollTop = i * LINE_HEIGHT - pane.clientHeight / 3;
      this.drawLines();
      return;
    }
  }
}

function expandRuns(runs) {
  const numbers = [];
  for (let i = 0; i < runs.length; i += 2) {
    for (let k = 0; k < runs[i + 1]; ++k) numbers.push(runs[i] + k);
  }
  return numbers;
}

// The text with what lies between the common beginning and end marked.
function markDifference(text, other) {
  let begin = 0;
  while (begin < text.length && text[begin] === other[begin]) ++begin;
  let end = text.length;
  let otherEnd = other.length;
  while (end > begin && otherEnd > begin && text[end - 1] === other[otherEnd - 1]) {
    --end;
    --otherEnd;
  }
  return [text.slice(0, begin), element("mark", {}, text.slice(begin, end)),
          text.slice(end)];
}
