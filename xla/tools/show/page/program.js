// The program of the page's data, with what follows from it: users, callers,
// buffers and measured times of each instruction.

class Program {
  constructor(data) {
    this.data = data;
    this.name = data.module.name;
    this.entry = data.module.entry;
    this.sources = data.module.sources;
    this.computations = data.module.computations;
    this.instructions = data.module.instructions;
    this.memory = data.memory || null;
    this.thunks = data.thunks || [];
    this.events = data.events;
    this.numberComputations();
    this.findUsers();
    this.findBuffers();
    this.findMeasuredTimes();
  }

  // The number of the instruction with this name, or -1.
  find(name) {
    const number = this.byName.get(name);
    return number === undefined ? -1 : number;
  }

  computationOf(instruction) {
    return this.computations[this.instructions[instruction].computation];
  }

  // What a computation is to a run: "runs" if its instructions run one after
  // the other, as the entry's and those of bodies do, "fused" if a fusion
  // computes them as one, "applied" if they are applied to elements.
  roleOf(number) {
    const computation = this.computations[number];
    if (computation.role === undefined) {
      computation.role = "runs";
      const caller = computation.callers[0];
      if (caller !== undefined) {
        const {opcode} = this.instructions[caller];
        const outer = this.roleOf(this.instructions[caller].computation);
        const isBody = ["while", "conditional", "call"].includes(opcode) ||
                       opcode.startsWith("async");
        computation.role = isBody ? outer :
            opcode === "fusion" && outer !== "applied" ? "fused" : "applied";
      }
    }
    return computation.role;
  }

  isRoot(instruction) {
    return this.computationOf(instruction).root === instruction;
  }

  // The best known time of an instruction: of all its executions if it was
  // measured, else of one as predicted; 0 if neither is known.
  nanoseconds(instruction) {
    const node = this.instructions[instruction];
    if (this.hasMeasuredTimes) {
      return node.measured === null ? 0 : node.measured.nanoseconds;
    }
    return node.predicted_ns || 0;
  }

  numberComputations() {
    let first = 0;
    this.computations.forEach((computation, number) => {
      computation.number = number;
      computation.first = first;
      computation.callers = [];
      first += computation.count;
      for (let i = computation.first; i < first; ++i) {
        this.instructions[i].computation = number;
      }
    });
  }

  findUsers() {
    this.byName = new Map();
    this.instructions.forEach((node, number) => {
      node.number = number;
      node.operands = node.operands || [];
      node.after = node.after || [];
      node.calls = node.calls || [];
      node.users = [];
      this.byName.set(node.name, number);
    });
    this.instructions.forEach((node, number) => {
      for (const operand of new Set(node.operands)) {
        this.instructions[operand].users.push(number);
      }
      for (const called of new Set(node.calls)) {
        this.computations[called].callers.push(number);
      }
    });
  }

  findBuffers() {
    for (const node of this.instructions) node.leaves = [];
    if (this.memory === null) return;
    this.memory.buffers.forEach((buffer, number) => {
      buffer.number = number;
      for (let i = 0; i < buffer.values.length; i += 2) {
        const leaves = this.instructions[buffer.values[i]].leaves;
        leaves.push({leaf: buffer.values[i + 1], buffer});
      }
    });
    for (const node of this.instructions) {
      node.leaves.sort((a, b) => a.leaf - b.leaf);
    }
  }

  findMeasuredTimes() {
    for (const node of this.instructions) node.measured = null;
    this.hasMeasuredTimes = false;
    for (const event of this.events) {
      const number = event.hlo === undefined ? -1 : this.find(event.hlo);
      event.instruction = number;
      // Others are parts of thunks, or what these are parts of.
      if (number < 0 || event.category !== "thunk") continue;
      this.hasMeasuredTimes = true;
      const node = this.instructions[number];
      if (node.measured === null) node.measured = {executions: 0, nanoseconds: 0};
      node.measured.executions += 1;
      node.measured.nanoseconds += 1000 * event.duration_us;
    }
  }
}

// The first instruction in program order that writes to the buffer.
function firstValue(buffer) {
  return buffer.values[0];
}

// "constant 3", "temporaries"
function allocationName(program, number) {
  const allocation = program.memory.allocations[number];
  const leaf = allocation.leaf === undefined ? "" : ` ${allocation.leaf}`;
  return allocation.kind + leaf;
}
