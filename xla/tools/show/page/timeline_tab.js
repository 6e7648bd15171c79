// The tab that shows the measured events on their threads.

const LANE_HEIGHT = 22;
const AXIS_HEIGHT = 26;
const LANE_NAME_WIDTH = 92;

class TimelineTab {
  constructor(program, graphLink) {
    this.program = program;
    this.graphLink = graphLink;
    if (program.events.length === 0) {
      this.element = element("div", {class: "page-tab"}, note(
          "There are no measured times. `tessera show --run` measures a run; " +
          "--trace=FILE shows a trace that was recorded before."));
      return;
    }
    this.palette = new Palette();
    this.tooltip = new Tooltip();
    this.lanes = makeLanes(program.events);
    this.start = program.events.reduce(
        (least, event) => Math.min(least, event.start_us), Infinity);
    this.duration = Math.max(1e-3, program.events.reduce(
        (most, event) => Math.max(most, event.start_us + event.duration_us),
        -Infinity) - this.start);
    this.rows = this.lanes.reduce((sum, lane) => sum + lane.rows.length + 0.5, 0);
    this.view = new CanvasView("Events by thread and time.", {
      draw: (context, view) => this.draw(context, view),
      click: (x, y, event) => this.click(x, y, event),
      hover: (x, y, event) => this.hover(x, y, event),
      limits: () => ({left: 0, right: this.duration, top: 0,
                      bottom: AXIS_HEIGHT + this.rows * LANE_HEIGHT}),
    }, {zoomY: false});
    this.view.leastScale = 1e-9;
    this.view.mostScale = 1e4;
    this.view.onFirstSize = () => this.fit();
    this.element = element(
        "div", {class: "split-tab"},
        element("div", {class: "main"}, this.toolbar(), this.view.element));
  }

  open() {}

  toolbar() {
    return element(
        "div", {class: "toolbar"},
        button("\u2212", "Zoom out", () => this.view.zoom(0.7)),
        button("+", "Zoom in", () => this.view.zoom(1.4)),
        button("Fit", "Show all", () => this.fit()),
        element("span", {class: "dim"},
                `${formatNumberOf(this.program.events.length, "event")} on ` +
                `${formatNumberOf(this.lanes.length, "thread")} in ` +
                formatNanoseconds(1000 * this.duration)));
  }

  fit() {
    const {view} = this;
    view.scaleX = (view.width - LANE_NAME_WIDTH - 12) / this.duration;
    view.left = -LANE_NAME_WIDTH / view.scaleX;
    view.top = 0;
    view.redraw();
  }

  // The event at a point, or null.
  eventAt(x, y) {
    let top = AXIS_HEIGHT;
    for (const lane of this.lanes) {
      for (const row of lane.rows) {
        if (y >= top && y < top + LANE_HEIGHT) {
          const time = x + this.start;
          const slack = 2 / this.view.scaleX;
          const i = firstEndingAfter(row, time - slack);
          return i < row.length && row[i].start_us <= time + slack ? row[i] : null;
        }
        top += LANE_HEIGHT;
      }
      top += LANE_HEIGHT / 2;
    }
    return null;
  }

  click(x, y) {
    const event = this.eventAt(x, y);
    if (event !== null && event.instruction >= 0) {
      location.hash = this.graphLink(event.instruction);
    }
  }

  hover(x, y, pointer) {
    const event = pointer === null ? null : this.eventAt(x, y);
    this.view.canvas.style.cursor =
        event !== null && event.instruction >= 0 ? "pointer" : "";
    if (event === null) return this.tooltip.hide();
    this.tooltip.show(pointer, [
      event.hlo && event.hlo !== event.name ? `${event.name} (${event.hlo})`
                                            : event.name,
      `${formatNanoseconds(1000 * event.duration_us)}, begins at ` +
          formatNanoseconds(1000 * (event.start_us - this.start)),
      event.category,
    ]);
  }

  draw(context, view) {
    const {palette} = this;
    context.font = `11px ${palette.font}`;
    this.drawGrid(context, view);
    let top = AXIS_HEIGHT;
    for (const lane of this.lanes) {
      const laneTop = top;
      for (const row of lane.rows) {
        this.drawRow(context, view, row, view.pixelY(top));
        top += LANE_HEIGHT;
      }
      context.fillStyle = palette.surface;
      context.globalAlpha = 0.85;
      context.fillRect(0, view.pixelY(laneTop), LANE_NAME_WIDTH - 6,
                       LANE_HEIGHT);
      context.globalAlpha = 1;
      context.fillStyle = palette.dim;
      context.fillText(lane.name, 6, view.pixelY(laneTop) + 15);
      top += LANE_HEIGHT / 2;
    }
    this.drawAxis(context, view);
  }

  drawRow(context, view, row, y) {
    const {palette, program} = this;
    let drawnTo = -Infinity;
    const first = firstEndingAfter(row, view.left + this.start);
    for (let i = first; i < row.length; ++i) {
      const event = row[i];
      const x = view.pixelX(event.start_us - this.start);
      if (x > view.width) break;
      const w = Math.max(event.duration_us * view.scaleX, 1);
      // Many events may lie in one pixel.
      if (x + w < drawnTo + 0.5) continue;
      drawnTo = x + w;
      context.fillStyle = event.instruction < 0 ? palette.dim :
          palette.ofClass(program.instructions[event.instruction].class);
      context.fillRect(x, y + 2, w, LANE_HEIGHT - 4);
      if (w > 6) {
        context.strokeStyle = palette.surface;
        context.lineWidth = 1;
        context.strokeRect(x, y + 2, w, LANE_HEIGHT - 4);
      }
      const left = Math.max(x, LANE_NAME_WIDTH);
      const room = Math.floor((Math.min(x + w, view.width) - left - 8) / 6.7);
      if (room < 3) continue;
      context.fillStyle = palette.onClass;
      context.fillText(abridge(event.name, room), left + 4, y + 15);
    }
  }

  // The times in us that the axis names.
  ticks(view) {
    const step = niceStep(110 / view.scaleX);
    const ticks = [];
    for (let tick = Math.max(0, Math.ceil(view.left / step));
         tick * step <= view.toX(view.width); ++tick) {
      ticks.push(tick * step);
    }
    return ticks;
  }

  // Lines behind the events.
  drawGrid(context, view) {
    context.strokeStyle = this.palette.line;
    context.lineWidth = 1;
    context.globalAlpha = 0.5;
    for (const time of this.ticks(view)) {
      const x = view.pixelX(time);
      context.beginPath();
      context.moveTo(x, AXIS_HEIGHT - 6);
      context.lineTo(x, view.height);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawAxis(context, view) {
    const {palette} = this;
    context.fillStyle = palette.surface;
    context.fillRect(0, 0, view.width, AXIS_HEIGHT - 6);
    context.fillStyle = palette.dim;
    for (const time of this.ticks(view)) {
      context.fillText(time === 0 ? "0" : formatNanoseconds(1000 * time),
                       view.pixelX(time) + 3, 14);
    }
  }
}

// The smallest of 1, 2, 5, 10, 20, ... times a power of ten that is no less.
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least);
}

// Events of each thread in rows: an event that lies inside another one is in the
// row below. In a row, events neither overlap nor change their order.
function makeLanes(events) {
  const lanes = new Map();
  for (const event of events) {
    const key = `${event.process}/${event.thread}`;
    if (!lanes.has(key)) {
      lanes.set(key, {process: event.process, thread: event.thread, events: []});
    }
    lanes.get(key).events.push(event);
  }
  const sorted = [...lanes.values()].sort(
      (a, b) => a.process - b.process || a.thread - b.thread);
  const processes = new Set(sorted.map((lane) => lane.process));
  for (const lane of sorted) {
    lane.name = (processes.size > 1 ? `${lane.process}: ` : "") +
                `thread ${lane.thread}`;
    lane.rows = stackRows(lane.events);
  }
  return sorted;
}

function stackRows(events) {
  const end = (event) => event.start_us + event.duration_us;
  const rows = [];
  for (const event of [...events].sort(
      (a, b) => a.start_us - b.start_us || b.duration_us - a.duration_us)) {
    let row = rows.find(
        (each) => end(each[each.length - 1]) <= event.start_us + 1e-6);
    if (row === undefined) {
      row = [];
      rows.push(row);
    }
    row.push(event);
  }
  return rows;
}

// The number of the first event of the row that ends after the time.
function firstEndingAfter(row, time) {
  let low = 0;
  let high = row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (row[middle].start_us + row[middle].duration_us <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
