// The tab with the totals of a program: cost, memory, compilation, thunks.

class SummaryTab {
  constructor(program, graphLink) {
    this.program = program;
    this.graphLink = graphLink;
    this.element = element(
        "div", {class: "page-tab"},
        element("div", {class: "cards packed"}, this.programCard(), this.costCard(),
                ...this.memoryCard(), ...this.compileCard()),
        this.thunkTable(), this.opcodeTable(), this.passTable());
  }

  open() {}

  card(title, ...content) {
    return element("section", {class: "card"}, element("h2", {}, title),
                   ...content);
  }

  programCard() {
    const {data} = this.program;
    return this.card("Program", definitions([
      ["module", this.program.name],
      ["file", data.program],
      ["backend", data.backend || "not compiled"],
      ["threads", data.threads > 0 ? String(data.threads) : null],
      ["instructions", formatInteger(this.program.instructions.length)],
      ["computations", formatInteger(this.program.computations.length)],
    ]));
  }

  costCard() {
    const {cost, compile} = this.program.data;
    const measured = this.program.events
        .filter((event) => event.category === "thunk")
        .reduce((sum, event) => sum + 1000 * event.duration_us, 0);
    return this.card("Cost of a run", definitions([
      ["arithmetic", `${formatCount(cost.flops)} flops`],
      ["transcendentals", formatCount(cost.transcendentals)],
      ["bytes moved", formatBytes(cost.bytes)],
      ["flops per byte",
       cost.bytes > 0 ? (cost.flops / cost.bytes).toFixed(2) : null],
      ["predicted on one thread", !compile ? null :
       compile.run_ns === null ? "unknown" : formatNanoseconds(compile.run_ns)],
      ["measured, all thunks", measured > 0 ? formatNanoseconds(measured) : null],
    ]), cost.has_unknown_loops ?
        note("Some loops have an unknown trip count; their bodies count once.") :
        "");
  }

  memoryCard() {
    const stats = this.program.data.memory_stats;
    if (stats === undefined) return [];
    const rows =
        Object.entries(stats).map(([name, bytes]) => [name, formatBytes(bytes)]);
    // The Memory tab shows the arena alone.
    const {memory} = this.program;
    const scratch = memory === null ? 0 : stats.temporaries -
        memory.allocations.filter(({kind}) => kind === "temporaries")
            .reduce((sum, {size}) => sum + size, 0);
    if (scratch > 0) {
      const after = rows.findIndex(([name]) => name === "temporaries") + 1;
      rows.splice(after, 0, ["of these scratch", formatBytes(scratch)]);
    }
    return [this.card("Memory on each device", definitions(rows), scratch > 0 ?
        note("Scratch is what library calls work in, such as packed operands " +
             "of products; the Memory tab has the other temporaries.") : "")];
  }

  compileCard() {
    const {compile} = this.program.data;
    if (compile === undefined) return [];
    const longest = Math.max(...compile.phases.map((phase) => phase.seconds), 0);
    const sum = compile.phases.reduce((all, {seconds}) => all + seconds, 0);
    const phases = compile.phases.map((phase) => element(
        "tr", {}, element("th", {scope: "row"}, phase.name),
        element("td", {class: "number"}, formatSeconds(phase.seconds)),
        element("td", {class: "wide"}, bar(phase.seconds / longest))));
    return [this.card(
        `Compilation: ${formatSeconds(compile.seconds)}`,
        element("table", {class: "plain"}, element("tbody", {}, phases)),
        sum > compile.seconds ?
            note("Threads share some phases, whose times are sums over " +
                 "threads.") : "",
        definitions(compile.counts.map(
            ({name, number}) => [name, formatInteger(number)])))];
  }

  nameLink(name) {
    const instruction = this.program.find(name);
    return instruction < 0 ? name :
        element("a", {href: this.graphLink(instruction)}, name);
  }

  thunkTable() {
    const {program} = this;
    if (program.thunks.length === 0) return "";
    // Traces have no jumps, which are called after what they depend on.
    const measured = (thunk) => {
      const instruction =
          /^(jump|switch)/.test(thunk.kind) ? -1 : program.find(thunk.name);
      return instruction < 0 ? null : program.instructions[instruction].measured;
    };
    const time = program.hasMeasuredTimes ?
        (thunk) => (measured(thunk) || {nanoseconds: 0}).nanoseconds :
        (thunk) => thunk.predicted_ns || 0;
    const longest = Math.max(...program.thunks.map(time), 1e-9);
    const columns = [
      {title: "number", value: (thunk) => thunkOrder(thunk.number),
       text: (thunk) => thunk.number, isNumber: true},
      {title: "kind", value: (thunk) => thunk.kind},
      {title: "instruction", value: (thunk) => thunk.name,
       text: (thunk) => this.nameLink(thunk.name)},
      {title: "algorithm", value: (thunk) => thunk.algorithm || ""},
      {title: "bytes", value: (thunk) => thunk.bytes || 0, isNumber: true,
       text: (thunk) => thunk.bytes ? formatBytes(thunk.bytes) : ""},
      {title: "predicted", value: (thunk) => thunk.predicted_ns || 0,
       isNumber: true, text: (thunk) => thunk.predicted_ns ?
           formatNanoseconds(thunk.predicted_ns) : ""},
    ];
    if (program.hasMeasuredTimes) {
      columns.push(
          {title: "executions", isNumber: true,
           value: (thunk) => (measured(thunk) || {executions: 0}).executions,
           text: (thunk) => measured(thunk) === null ? "" :
               formatInteger(measured(thunk).executions)},
          {title: "measured", isNumber: true, value: time,
           text: (thunk) => time(thunk) > 0 ? formatNanoseconds(time(thunk)) : ""});
    }
    columns.push({title: "share of the longest", value: time, isNumber: true,
                  text: (thunk) => bar(time(thunk) / longest)});
    return new SortedTable("Thunks", columns, program.thunks,
                           columns.length - 1).element;
  }

  opcodeTable() {
    const {program} = this;
    const rows = new Map();
    for (const node of program.instructions) {
      const row = rows.get(node.opcode) ||
                  {opcode: node.opcode, count: 0, flops: 0, bytes: 0};
      // What is computed inside of an instruction is arithmetic of its own but
      // moves nothing; what calls computations does no arithmetic beside theirs.
      const role = program.roleOf(node.computation);
      row.count += 1;
      if (role !== "applied" && !callsRun(program, node)) {
        row.flops += node.flops || 0;
      }
      if (role === "runs" && !callsRun(program, node, "runs")) {
        row.bytes += node.bytes || 0;
      }
      rows.set(node.opcode, row);
    }
    return new SortedTable("Opcodes, loops and branches counted once", [
      {title: "opcode", value: (row) => row.opcode},
      {title: "instructions", value: (row) => row.count, isNumber: true,
       text: (row) => formatInteger(row.count)},
      {title: "flops", value: (row) => row.flops, isNumber: true,
       text: (row) => row.flops > 0 ? formatCount(row.flops) : ""},
      {title: "bytes moved", value: (row) => row.bytes, isNumber: true,
       text: (row) => row.bytes > 0 ? formatBytes(row.bytes) : ""},
    ], rows.values(), 1).element;
  }

  passTable() {
    const {compile} = this.program.data;
    if (compile === undefined || compile.passes.length === 0) return "";
    const rows = new Map();
    for (const pass of compile.passes) {
      const row = rows.get(pass.name) ||
                  {name: pass.name, runs: 0, changes: 0, seconds: 0};
      row.runs += 1;
      row.changes += pass.changed ? 1 : 0;
      row.seconds += pass.seconds;
      rows.set(pass.name, row);
    }
    return new SortedTable("Passes", [
      {title: "pass", value: (row) => row.name},
      {title: "runs", value: (row) => row.runs, isNumber: true},
      {title: "changed something", value: (row) => row.changes, isNumber: true},
      {title: "time", value: (row) => row.seconds, isNumber: true,
       text: (row) => formatSeconds(row.seconds)},
    ], rows.values(), 3).element;
  }
}

// Whether the instruction calls computations whose instructions count on their
// own: bodies, or fused ones; with `role` those of that role alone.
function callsRun(program, node, role = null) {
  return node.calls.some((called) => {
    const its = program.roleOf(called);
    return role === null ? its !== "applied" : its === role;
  });
}

// Orders "3" before "3.1" before "4".
function thunkOrder(number) {
  const [whole, part] = number.split(".");
  return Number(whole) + (part === undefined ? 0 : (Number(part) + 1) / 1e6);
}
