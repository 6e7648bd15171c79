// The graph as it is unfolded: which called computations are drawn inside their
// callers, and where each node is.

const NODE_HEIGHT = 38;
const CHARACTER_WIDTH = 6.7;  // of the monospace font at 11 pixels
const BOX_PADDING = 14;
const BOX_TITLE = 26;
// Unfolding everything stops at so many nodes, since nested calls multiply.
const MOST_NODES = 100000;

// An instance is one place where a computation is drawn; `caller` is the
// instruction of the parent instance that calls it.
function makeInstance(computation, parent, caller) {
  return {computation, parent, caller, unfolded: new Map(), layout: null,
          x: 0, y: 0, firstItem: 0};
}

class GraphScene {
  constructor(program) {
    this.program = program;
    this.setRoot(program.entry);
  }

  // Shows one computation alone.
  setRoot(computation) {
    this.root = makeInstance(computation, null, -1);
    this.arrange();
  }

  // The nodes are the items 0, 1, ...; those of an instance are consecutive.
  get count() { return this.instructions.length; }

  isFoldable(item) {
    return this.program.instructions[this.instructions[item]].calls.length > 0;
  }

  isUnfolded(item) {
    return this.instances[item].unfolded.has(this.instructions[item]);
  }

  toggle(item) {
    const instance = this.instances[item];
    const instruction = this.instructions[item];
    if (instance.unfolded.has(instruction)) {
      instance.unfolded.delete(instruction);
    } else {
      this.unfold(instance, instruction);
    }
    this.forget(instance);
    this.arrange();
    return instance.firstItem + instruction - this.firstOf(instance);
  }

  // Unfolds what is needed to see the instruction, and returns its item.
  reveal(instruction) {
    const computation = this.program.instructions[instruction].computation;
    let chain = this.chainTo(computation);
    if (chain === null && this.root.computation !== this.program.entry) {
      this.setRoot(this.program.entry);
      chain = this.chainTo(computation);
    }
    if (chain === null) {
      this.setRoot(computation);
      chain = [];
    }
    let instance = this.root;
    for (const {caller, called} of chain) {
      if (!instance.unfolded.has(caller)) {
        this.unfold(instance, caller);
        this.forget(instance);
      }
      instance = instance.unfolded.get(caller)
                     .find((child) => child.computation === called);
    }
    this.arrange();
    return instance.firstItem + instruction - this.firstOf(instance);
  }

  // Unfolds level by level; returns false if it stopped early.
  unfoldAll() {
    let total = 0;
    let level = [this.root];
    while (level.length > 0) {
      const next = [];
      for (const instance of level) {
        const computation = this.program.computations[instance.computation];
        total += computation.count;
        const end = computation.first + computation.count;
        for (let i = computation.first; i < end; ++i) {
          if (this.program.instructions[i].calls.length === 0) continue;
          if (total > MOST_NODES) {
            this.arrange();
            return false;
          }
          if (!instance.unfolded.has(i)) this.unfold(instance, i);
          next.push(...instance.unfolded.get(i));
        }
        instance.layout = null;
      }
      level = next;
    }
    this.arrange();
    return true;
  }

  foldAll() {
    this.setRoot(this.root.computation);
  }

  // The item whose box is innermost at the point, or -1.
  itemAt(x, y) {
    for (let item = this.count - 1; item >= 0; --item) {
      if (x >= this.x[item] && x <= this.x[item] + this.w[item] &&
          y >= this.y[item] && y <= this.y[item] + this.h[item]) {
        return item;
      }
    }
    return -1;
  }

  // The first item that shows the instruction, or -1.
  itemOf(instruction) {
    const computation = this.program.instructions[instruction].computation;
    for (const instance of this.allInstances) {
      if (instance.computation === computation) {
        return instance.firstItem + instruction - this.firstOf(instance);
      }
    }
    return -1;
  }

  firstOf(instance) {
    return this.program.computations[instance.computation].first;
  }

  unfold(instance, instruction) {
    instance.unfolded.set(
        instruction,
        this.program.instructions[instruction].calls.map(
            (called) => makeInstance(called, instance, instruction)));
  }

  forget(instance) {
    for (let at = instance; at !== null; at = at.parent) at.layout = null;
  }

  // The calls that lead from the root to the computation, or null.
  chainTo(computation) {
    const via = new Map([[computation, null]]);
    const queue = [computation];
    for (let i = 0; i < queue.length; ++i) {
      if (queue[i] === this.root.computation) {
        const chain = [];
        for (let step = via.get(queue[i]); step !== null;
             step = via.get(step.called)) {
          chain.push(step);
        }
        return chain;
      }
      for (const caller of this.program.computations[queue[i]].callers) {
        const outer = this.program.instructions[caller].computation;
        if (via.has(outer)) continue;
        via.set(outer, {caller, called: queue[i]});
        queue.push(outer);
      }
    }
    return null;
  }

  arrange() {
    this.layOut(this.root);
    this.allInstances = [];
    this.instructions = [];
    this.instances = [];
    this.x = [];
    this.y = [];
    this.w = [];
    this.h = [];
    this.edges = {from: [], to: [], port: [], isControl: []};
    this.flatten(this.root, 0, 0);
    this.width = this.root.layout.width;
    this.height = this.root.layout.height;
  }

  // Finds the layout of an instance that has none, inner instances first.
  layOut(instance) {
    if (instance.layout !== null) return;
    const {first, count} = this.program.computations[instance.computation];
    const widths = new Float64Array(count);
    const heights = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      const size = this.sizeOf(instance, first + i);
      widths[i] = size.width;
      heights[i] = size.height;
    }
    const from = [];
    const to = [];
    for (let i = 0; i < count; ++i) {
      const node = this.program.instructions[first + i];
      for (const operand of node.operands) {
        from.push(operand - first);
        to.push(i);
      }
      for (const before of node.after) {
        from.push(before - first);
        to.push(i);
      }
    }
    instance.layout = {
      ...layoutLayers({count, widths, heights, from, to}), widths, heights};
  }

  sizeOf(instance, instruction) {
    const inner = instance.unfolded.get(instruction);
    const node = this.program.instructions[instruction];
    const own = Math.max(titleOf(node).length, subtitleOf(node).length);
    const room = node.calls.length > 0 ? 38 : 22;
    const width = Math.min(Math.max(room + CHARACTER_WIDTH * own, 60), 300);
    if (inner === undefined) return {width, height: NODE_HEIGHT};
    let x = BOX_PADDING;
    let height = 0;
    for (const child of inner) {
      this.layOut(child);
      child.x = x;
      child.y = BOX_TITLE + BOX_PADDING / 2;
      x += child.layout.width + 2 * BOX_PADDING;
      height = Math.max(height, child.layout.height);
    }
    return {width: Math.max(width, x - BOX_PADDING),
            height: height + BOX_TITLE + 1.5 * BOX_PADDING};
  }

  // Appends the items of an instance whose corner is at (left, top).
  flatten(instance, left, top) {
    const {first, count} = this.program.computations[instance.computation];
    const {x, y, widths, heights} = instance.layout;
    const base = this.instructions.length;
    instance.firstItem = base;
    this.allInstances.push(instance);
    for (let i = 0; i < count; ++i) {
      this.instructions.push(first + i);
      this.instances.push(instance);
      this.x.push(left + x[i]);
      this.y.push(top + y[i]);
      this.w.push(widths[i]);
      this.h.push(heights[i]);
      this.addEdges(first + i, base - first);
    }
    for (const [caller, inner] of instance.unfolded) {
      const box = base + caller - first;
      for (const child of inner) {
        this.flatten(child, this.x[box] + child.x, this.y[box] + child.y);
      }
    }
  }

  addEdges(instruction, shift) {
    const node = this.program.instructions[instruction];
    const add = (from, port, isControl) => {
      this.edges.from.push(from + shift);
      this.edges.to.push(instruction + shift);
      this.edges.port.push(port);
      this.edges.isControl.push(isControl);
    };
    node.operands.forEach((operand, i) =>
        add(operand, (i + 1) / (node.operands.length + 1), false));
    for (const before of node.after) add(before, 0.5, true);
  }
}

// The two lines of text of a node.
function titleOf(node) {
  return abridge(node.name, 38);
}

function subtitleOf(node) {
  const value = node.payload === undefined || node.opcode !== "constant" ?
      "" : ` = ${abridge(node.payload, 14)}`;
  return abridge(shapeWithoutLayout(node.shape), 38 - value.length) + value;
}
