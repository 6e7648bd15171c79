// A search field with the list of what it finds.

// The fields that "field:text" searches alone.
const SEARCH_FIELDS = ["name", "opcode", "shape", "file", "op"];
const SHOWN_HITS = 300;

// Returns the numbers of instructions that have all words of the query, in any
// field or in the one that the word names.
function searchProgram(program, query) {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "")
      .map((word) => {
        const colon = word.indexOf(":");
        const field = word.slice(0, Math.max(colon, 0));
        return SEARCH_FIELDS.includes(field) ?
            {field, text: word.slice(colon + 1)} : {field: null, text: word};
      });
  if (words.length === 0) return [];
  const hits = [];
  for (const node of program.instructions) {
    const fields = searchFields(program, node);
    if (words.every(({field, text}) => field === null
        ? Object.values(fields).some((value) => value.includes(text))
        : fields[field].includes(text))) {
      hits.push(node.number);
    }
  }
  return hits;
}

function searchFields(program, node) {
  if (node.searchFields === undefined) {
    const source = node.source === undefined ? "" : program.sources[node.source];
    node.searchFields = {
      name: node.name.toLowerCase(),
      opcode: node.opcode,
      shape: node.shape.toLowerCase(),
      file: source.toLowerCase(),
      op: (node.op_name || "").toLowerCase(),
    };
  }
  return node.searchFields;
}

class SearchBox {
  // `onhits(hits)` hears of new results, `onselect(instruction)` of the one that
  // is chosen.
  constructor(program, onhits, onselect) {
    this.program = program;
    this.onhits = onhits;
    this.onselect = onselect;
    this.hits = [];
    this.at = -1;
    this.input = element("input", {
      type: "search", placeholder: "Search  ( / )",
      title: "Words that must all occur; name: opcode: shape: file: op: limit " +
             "a word to that field. Enter goes to the next hit, Shift+Enter " +
             "to the one before.",
      "aria-label": "Search instructions",
      oninput: () => this.searchSoon(),
      onkeydown: (event) => this.key(event),
    });
    this.status = element("div", {class: "search-status", role: "status"});
    this.list = element("ol", {class: "hits"});
    this.element = element("div", {class: "search"}, this.input, this.status,
                           this.list);
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), 120);
  }

  search() {
    clearTimeout(this.timer);
    this.query = this.input.value;
    this.hits = searchProgram(this.program, this.query);
    this.at = -1;
    this.status.textContent = this.query.trim() === "" ? "" :
        formatNumberOf(this.hits.length, "hit") +
        (this.hits.length > SHOWN_HITS ? `, the first ${SHOWN_HITS} listed` : "");
    this.list.replaceChildren(...this.hits.slice(0, SHOWN_HITS).map(
        (instruction, i) => this.item(instruction, i)));
    this.onhits(this.hits);
  }

  item(instruction, i) {
    const node = this.program.instructions[instruction];
    return element("li", {}, element("button", {
      type: "button", onclick: () => this.go(i),
    }, element("span", {}, node.name), element(
        "span", {class: "dim"}, abridge(shapeWithoutLayout(node.shape), 28))));
  }

  key(event) {
    if (event.key === "Escape") {
      this.input.value = "";
      this.search();
      this.input.blur();
    } else if (event.key === "Enter") {
      if (this.query !== this.input.value) this.search();
      const step = event.shiftKey ? this.hits.length - 1 : 1;
      if (this.hits.length > 0) this.go((this.at + step) % this.hits.length);
    }
  }

  go(i) {
    this.at = Math.max(i, 0);
    for (const [k, item] of [...this.list.children].entries()) {
      item.classList.toggle("current", k === this.at);
      if (k === this.at) item.scrollIntoView({block: "nearest"});
    }
    this.onselect(this.hits[this.at]);
  }
}
