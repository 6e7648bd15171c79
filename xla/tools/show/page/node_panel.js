// What is known of one instruction, as a list with links.

class NodePanel {
  // `link(instruction)` returns an address of the page.
  constructor(program, link) {
    this.program = program;
    this.link = link;
    this.element = element("aside", {class: "panel", "aria-live": "polite",
                                     "aria-label": "Instruction"});
    this.show(-1);
  }

  show(instruction) {
    if (instruction < 0) {
      this.element.replaceChildren(note(
          "Select an instruction to see its shape, costs, source and memory."));
      return;
    }
    const node = this.program.instructions[instruction];
    this.element.replaceChildren(
        element("h2", {}, node.name),
        definitions([
          ["opcode", node.opcode],
          ["shape", element("code", {}, node.shape)],
          [node.opcode === "parameter" ? "number" : "value",
           node.payload === undefined ? null
                                      : element("code", {}, node.payload)],
          ["computation", this.computationLinks(instruction)],
        ]),
        ...this.attributes(node), ...this.source(node), ...this.costs(node),
        ...this.memory(node),
        ...this.links("Operands", node.operands),
        ...this.links("After", node.after),
        ...this.links("Users", node.users), ...this.calls(node));
  }

  section(title, content) {
    return [element("h3", {}, title), content];
  }

  nodeLink(instruction) {
    return element("a", {href: this.link(instruction)},
                   this.program.instructions[instruction].name);
  }

  computationLinks(instruction) {
    const computation = this.program.computationOf(instruction);
    const callers = computation.callers.slice(0, 20);
    return element(
        "span", {}, computation.name,
        this.program.isRoot(instruction) ? ", its root" : "",
        callers.length > 0 ? ", called by " : "",
        callers.map((caller, i) => [i > 0 ? ", " : "", this.nodeLink(caller)])
            .flat(),
        computation.callers.length > 20 ? ", \u2026" : "");
  }

  attributes(node) {
    if (node.attributes === undefined) return [];
    return this.section("Attributes", definitions(
        splitAttributes(node.attributes).map(
            ([name, value]) => [name, element("code", {}, value)])));
  }

  source(node) {
    const source = node.source === undefined ?
        [] : this.program.sources[node.source].split("\n");
    if (node.op_name === undefined && source.length === 0) return [];
    return this.section("Source", definitions([
      ["op_name", node.op_name],
      ["line", source.length > 0 ? source[0] : null],
      ["called from",
       source.length > 1
           ? element("ol", {}, source.slice(1).map(
                                   (line) => element("li", {}, line)))
           : null],
    ]));
  }

  costs(node) {
    const {measured} = node;
    const facts = [
      ["flops", node.flops && formatCount(node.flops)],
      ["transcendentals",
       node.transcendentals && formatCount(node.transcendentals)],
      ["bytes moved", node.bytes && formatBytes(node.bytes)],
      ["flops per byte",
       node.flops && node.bytes ? (node.flops / node.bytes).toFixed(2) : null],
      ["predicted", node.predicted_ns &&
       `${formatNanoseconds(node.predicted_ns)} an execution on one thread`],
      ["measured", measured &&
       `${formatNanoseconds(measured.nanoseconds)} in ` +
       formatNumberOf(measured.executions, "execution")],
    ];
    if (facts.every(([, value]) => !value)) return [];
    return this.section("Cost", definitions(
        facts.map(([name, value]) => [name, value || null])));
  }

  memory(node) {
    if (node.leaves.length === 0) return [];
    const rows = node.leaves.slice(0, 50).map(({leaf, buffer}) => {
      const link = element("a", {href: `#memory/${buffer.number}`},
                           `buffer ${buffer.number}`);
      return element(
          "li", {}, node.leaves.length > 1 ? `leaf ${leaf}: ` : "", link,
          ` in ${allocationName(this.program, buffer.allocation)}` +
          ` (allocation ${buffer.allocation}), offset ` +
          `${formatInteger(buffer.offset)}, ${formatBytes(buffer.size)}, ` +
          `alive from step ${buffer.begin} to ${buffer.end}`);
    });
    if (node.leaves.length > 50) rows.push(element("li", {}, "\u2026"));
    return this.section("Memory", element("ul", {}, rows));
  }

  links(title, instructions) {
    if (instructions.length === 0) return [];
    const shown = instructions.slice(0, 100).map((instruction) => element(
        "li", {}, this.nodeLink(instruction), " ",
        element("code", {class: "dim"}, abridge(shapeWithoutLayout(
            this.program.instructions[instruction].shape), 40))));
    const left = instructions.length - shown.length;
    if (left > 0) shown.push(element("li", {}, `and ${formatInteger(left)} more`));
    const count = instructions.length > 3 ? ` (${instructions.length})` : "";
    return this.section(title + count, element("ul", {}, shown));
  }

  calls(node) {
    if (node.calls.length === 0) return [];
    return this.section("Calls", element("ul", {}, node.calls.map((call) => {
      const computation = this.program.computations[call];
      return element("li", {}, element("a", {href: this.link(computation.root)},
                                       computation.name),
                     ` of ${formatNumberOf(computation.count, "instruction")}`);
    })));
  }
}

// Splits "a={1, 2}, b=f" at the commas that are outside of brackets and quotes.
function splitAttributes(text) {
  const parts = [];
  let depth = 0;
  let quoted = false;
  let begin = 0;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") ++i;
      if (c === '"') quoted = false;
    } else if (c === '"') {
      quoted = true;
    } else if ("{[(".includes(c)) {
      ++depth;
    } else if ("}])".includes(c)) {
      --depth;
    } else if (c === "," && depth === 0) {
      parts.push(text.slice(begin, i));
      begin = i + 1;
    }
  }
  parts.push(text.slice(begin));
  return parts.map((part) => {
    const [name, ...value] = part.trim().split("=");
    return [name, value.join("=") || "true"];
  });
}
