// The tab that shows memory over the steps of the program: where each buffer
// lies and when it is alive, the peak, and what is alive at a step.

// The height in pixels of the curve of live bytes above the buffers.
const CURVE_HEIGHT = 96;

class MemoryTab {
  constructor(program, graphLink) {
    this.program = program;
    this.graphLink = graphLink;
    if (program.memory === null) {
      this.element = element("div", {class: "page-tab"}, note(
          "Only programs that backend cpu compiled have planned memory."));
      return;
    }
    this.palette = new Palette();
    this.tooltip = new Tooltip();
    this.selected = -1;
    this.choices = this.allocationsWithBuffers();
    this.steps = 1 + program.memory.buffers.reduce(
        (most, buffer) => Math.max(most, buffer.end), 0);
    this.view = new CanvasView(
        "Buffers by step and offset. Arrow keys move the step, P goes to the " +
        "peak.", {
          draw: (context, view) => this.draw(context, view),
          click: (x, y) => this.click(x, y),
          hover: (x, y, event) => this.hover(x, y, event),
          limits: () => ({left: 0, right: this.steps, bottom: this.size,
                          top: -CURVE_HEIGHT / this.view.scaleY}),
        });
    this.view.leastScale = 1e-12;
    this.view.mostScale = 200;
    this.view.onFirstSize = () => this.fit();
    this.view.canvas.addEventListener("keydown", (event) => this.key(event));
    this.alive = element("aside", {class: "panel", "aria-live": "polite",
                                   "aria-label": "What is alive"});
    this.element = element(
        "div", {class: "split-tab"},
        element("div", {class: "main"}, this.toolbar(), this.view.element,
                element("details", {class: "below"},
                        element("summary", {}, "All allocations"),
                        this.allocationTable())),
        this.alive);
    this.chooseAllocation(this.choices.length > 0 ? this.choices[0] : -1);
  }

  open(place) {
    if (this.program.memory === null || place === "") return;
    const buffer = this.program.memory.buffers[Number(place)];
    if (buffer === undefined) return;
    if (buffer.allocation !== this.allocation) {
      this.chooseAllocation(buffer.allocation);
    }
    this.selected = buffer.number;
    this.setStep(Math.min(Math.max(this.step, buffer.begin), buffer.end - 1));
  }

  // The arena first, then by size.
  allocationsWithBuffers() {
    const {allocations, buffers} = this.program.memory;
    const used = new Set(buffers.map((buffer) => buffer.allocation));
    const isArena = (i) => allocations[i].kind === "temporaries";
    return [...used].sort((a, b) => isArena(b) - isArena(a) ||
                                    allocations[b].size - allocations[a].size);
  }

  chooseAllocation(number) {
    this.allocation = number;
    this.buffers = this.program.memory.buffers.filter(
        (buffer) => buffer.allocation === number);
    this.size = number < 0 ? 0 : this.program.memory.allocations[number].size;
    this.live = liveBytes(this.buffers, this.steps);
    this.peak = this.live.indexOf(this.live.reduce((a, b) => Math.max(a, b), 0));
    this.selected = -1;
    if (this.view.width > 0) this.fit();
    if (this.select) {
      this.select.querySelector("select").selectedIndex =
          this.choices.indexOf(number);
    }
    this.setStep(this.peak);
  }

  fit() {
    const {view} = this;
    view.scaleX = (view.width - 20) / this.steps;
    view.scaleY = (view.height - CURVE_HEIGHT - 24) / Math.max(this.size, 1);
    view.left = -10 / view.scaleX;
    view.top = -(CURVE_HEIGHT + 8) / view.scaleY;
    view.redraw();
  }

  toolbar() {
    const names = this.choices.slice(0, 500).map(
        (number) => `${allocationName(this.program, number)}, ` +
            formatBytes(this.program.memory.allocations[number].size));
    this.select = choice("Allocation", names, 0,
                         (i) => this.chooseAllocation(this.choices[i]));
    return element(
        "div", {class: "toolbar"}, this.select,
        button("Peak", "Go to the step with the most live bytes ( P )",
               () => this.setStep(this.peak)),
        button("Fit", "Show all", () => this.fit()));
  }

  click(x, y) {
    const buffer = this.bufferAt(x, y);
    this.selected = buffer === null ? -1 : buffer.number;
    this.setStep(Math.floor(x));
  }

  bufferAt(x, y) {
    for (const buffer of this.buffers) {
      if (x >= buffer.begin && x < buffer.end && y >= buffer.offset &&
          y < buffer.offset + buffer.size) {
        return buffer;
      }
    }
    return null;
  }

  hover(x, y, event) {
    const buffer = event === null ? null : this.bufferAt(x, y);
    if (buffer === null) return this.tooltip.hide();
    this.tooltip.show(event, [
      this.program.instructions[firstValue(buffer)].name,
      `${formatBytes(buffer.size)} at ${formatInteger(buffer.offset)}`,
      `steps ${buffer.begin} to ${buffer.end}`,
    ]);
  }

  key(event) {
    const actions = {
      "ArrowLeft": () => this.setStep(this.step - 1),
      "ArrowRight": () => this.setStep(this.step + 1),
      "p": () => this.setStep(this.peak),
    };
    if (!(event.key in actions) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    actions[event.key]();
  }

  setStep(step) {
    this.step = Math.min(Math.max(step, 0), this.steps - 1);
    this.listAlive();
    this.view.redraw();
  }

  listAlive() {
    const alive = this.buffers
        .filter(({begin, end}) => begin <= this.step && this.step < end)
        .sort((a, b) => b.size - a.size);
    const total = this.live[this.step];
    const running = this.runningAt(this.step);
    const most = 300;
    const items = alive.slice(0, most).map((buffer) => this.aliveItem(buffer));
    if (alive.length > most) {
      items.push(element("li", {}, `and ${formatInteger(alive.length - most)} more`));
    }
    this.alive.replaceChildren(
        element("h2", {}, this.step === this.peak ?
            `Peak: step ${this.step}` : `Step ${this.step}`),
        definitions([
          ["runs", running < 0 ? null : this.nodeLink(running)],
          ["alive", `${formatBytes(total)} in ` +
                    formatNumberOf(alive.length, "buffer")],
          ["peak", `${formatBytes(this.live[this.peak])} at step ${this.peak}`],
          ["allocation", this.allocation < 0 ? "none" :
           `${allocationName(this.program, this.allocation)}, ` +
           formatBytes(this.size)],
        ]),
        element("h3", {}, "Alive, largest first"),
        element("ol", {class: "alive"}, items));
  }

  aliveItem(buffer) {
    const share = buffer.size / Math.max(this.live[this.step], 1);
    const names = new Set();
    for (let i = 0; i < buffer.values.length; i += 2) names.add(buffer.values[i]);
    const others = names.size - 1;
    const {selected} = this;
    return element(
        "li", {class: buffer.number === selected ? "current" : ""},
        element("div", {}, this.nodeLink(firstValue(buffer)),
                others > 0 ? element("span", {class: "dim"},
                                     ` and ${formatNumberOf(others, "other")}`)
                           : ""),
        element("div", {class: "dim"},
                `${formatBytes(buffer.size)} (${formatShare(share)}) at ` +
                `${formatInteger(buffer.offset)}, steps ${buffer.begin} to ` +
                `${buffer.end}`),
        bar(share));
  }

  nodeLink(instruction) {
    return element("a", {href: this.graphLink(instruction)},
                   this.program.instructions[instruction].name);
  }

  // The instruction that runs at a step, of nested ones the innermost; -1 if
  // none does.
  runningAt(step) {
    const {steps} = this.program.memory;
    let best = -1;
    let length = Infinity;
    for (let i = 0; i < steps.length; i += 3) {
      const [begin, end] = [steps[i + 1], Math.max(steps[i + 2], steps[i + 1] + 1)];
      if (begin <= step && step < end && end - begin < length) {
        best = steps[i];
        length = end - begin;
      }
    }
    return best;
  }

  allocationTable() {
    const {program} = this;
    const rows = program.memory.allocations.map(
        (allocation, number) => ({allocation, number}));
    return new SortedTable("Allocations", [
      {title: "number", value: (row) => row.number, isNumber: true},
      {title: "kind", value: (row) => row.allocation.kind},
      {title: "what", value: (row) => row.allocation.constant === undefined ?
           allocationName(program, row.number) :
           program.instructions[row.allocation.constant].name},
      {title: "size", value: (row) => row.allocation.size, isNumber: true,
       text: (row) => formatBytes(row.allocation.size)},
    ], rows, 3).element;
  }

  draw(context, view) {
    const {palette} = this;
    context.save();
    context.beginPath();
    context.rect(0, CURVE_HEIGHT, view.width, view.height - CURVE_HEIGHT);
    context.clip();
    for (const buffer of this.buffers) this.drawBuffer(context, view, buffer);
    context.restore();
    const x = view.pixelX(this.step + 0.5);
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, 18);
    context.lineTo(x, view.height);
    context.stroke();
    // Text is above the line.
    for (const buffer of this.buffers) this.drawName(context, view, buffer);
    this.drawCurve(context, view);
  }

  drawBuffer(context, view, buffer) {
    const {palette} = this;
    const x = view.pixelX(buffer.begin);
    const w = Math.max((buffer.end - buffer.begin) * view.scaleX, 1);
    const y = view.pixelY(buffer.offset);
    const h = Math.max(buffer.size * view.scaleY, 1);
    if (x + w < 0 || x > view.width || y + h < CURVE_HEIGHT || y > view.height) {
      return;
    }
    const node = this.program.instructions[firstValue(buffer)];
    const isAlive = buffer.begin <= this.step && this.step < buffer.end;
    context.globalAlpha = isAlive ? 0.95 : 0.45;
    context.fillStyle = palette.ofClass(node.class);
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    if (w > 3 && h > 3) {
      context.strokeStyle = palette.surface;
      context.lineWidth = 1;
      context.strokeRect(x, y, w, h);
    }
    if (buffer.number === this.selected) {
      context.strokeStyle = palette.accent;
      context.lineWidth = 3;
      context.strokeRect(x, y, w, h);
    }
  }

  drawName(context, view, buffer) {
    const {palette} = this;
    const x = view.pixelX(buffer.begin);
    const w = Math.max((buffer.end - buffer.begin) * view.scaleX, 1);
    const top = Math.max(view.pixelY(buffer.offset), CURVE_HEIGHT);
    const bottom = view.pixelY(buffer.offset + buffer.size);
    const left = Math.max(x, 0);
    const room = Math.floor((Math.min(x + w, view.width) - left - 8) / 6.7);
    if (bottom - top < 14 || room < 4 || top > view.height) return;
    const node = this.program.instructions[firstValue(buffer)];
    context.font = `11px ${palette.font}`;
    context.fillStyle = palette.onClass;
    context.fillText(abridge(node.name, room), left + 4, top + 12);
  }

  drawCurve(context, view) {
    const {palette} = this;
    const most = Math.max(this.live[this.peak], 1);
    const height = CURVE_HEIGHT - 26;
    const yOf = (bytes) => CURVE_HEIGHT - 4 - (bytes / most) * height;
    const first = Math.max(0, Math.floor(view.left));
    const last = Math.min(this.steps - 1, Math.ceil(view.toX(view.width)));
    context.beginPath();
    context.moveTo(view.pixelX(first), yOf(0));
    // Of the steps in one pixel, the highest.
    const stride = Math.max(1, Math.floor(1 / view.scaleX));
    for (let step = first; step <= last; step += stride) {
      let bytes = 0;
      for (let i = step; i < Math.min(step + stride, last + 1); ++i) {
        bytes = Math.max(bytes, this.live[i]);
      }
      context.lineTo(view.pixelX(step), yOf(bytes));
      context.lineTo(view.pixelX(Math.min(step + stride, last + 1)), yOf(bytes));
    }
    context.lineTo(view.pixelX(last + 1), yOf(0));
    context.globalAlpha = 0.25;
    context.fillStyle = palette.accent;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = palette.accent;
    context.lineWidth = 1.2;
    context.stroke();
    const x = view.pixelX(this.peak + 0.5);
    context.font = `11px ${palette.font}`;
    context.fillStyle = palette.text;
    const label = `peak ${formatBytes(most)}`;
    context.fillText(label, Math.min(Math.max(x - 30, 6), view.width - 110), 13);
    context.fillStyle = palette.hot;
    context.beginPath();
    context.arc(x, yOf(most), 4, 0, 7);
    context.fill();
  }
}

// The bytes that are alive at each step.
function liveBytes(buffers, steps) {
  const live = new Float64Array(steps + 1);
  for (const {begin, end, size} of buffers) {
    live[begin] += size;
    live[end] -= size;
  }
  for (let step = 1; step <= steps; ++step) live[step] += live[step - 1];
  return live;
}
