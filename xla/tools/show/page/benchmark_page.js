// The page of benchmarks: a table, bars of run times, and the roofline plot.
//
// Source: Williams, Waterman and Patterson, "Roofline: an insightful visual
// performance model for multicore architectures" (2009).

function startBenchmarkPage(data) {
  const benchmarks = withTitles(data.benchmarks);
  document.body.append(
      element("header", {class: "top"}, element("h1", {}, "Benchmarks"),
              element("span", {class: "facts-line"}, machineText(benchmarks))),
      element("main", {class: "page-tab"}, benchmarkTable(benchmarks),
              element("div", {class: "cards"},
                      element("section", {class: "card"},
                              element("h2", {}, "Time of a run"),
                              runTimes(benchmarks)),
                      element("section", {class: "card"},
                              element("h2", {}, "Time of a compilation"),
                              compileTimes(benchmarks))),
              element("section", {class: "card"},
                      element("h2", {}, "Roofline"), roofline(benchmarks))));
}

// Adds to each benchmark what the page calls it: the program's name, with its
// file where others have that name.
function withTitles(benchmarks) {
  const counts = new Map();
  for (const {program} of benchmarks) {
    counts.set(program, (counts.get(program) || 0) + 1);
  }
  return benchmarks.map((benchmark) => ({
    ...benchmark,
    title: counts.get(benchmark.program) === 1 ? benchmark.program :
        `${benchmark.program} (${benchmark.file.replace(/^.*\//, "")})`,
  }));
}

function machineText(benchmarks) {
  const {processor, threads, backend} = benchmarks[0];
  return `${processor}, ${formatNumberOf(threads, "thread")}, backend ${backend}`;
}

function benchmarkTable(benchmarks) {
  const number = (title, value, text) => ({title, value, text, isNumber: true});
  return new SortedTable("Programs", [
    {title: "program", value: (row) => row.title},
    number("median", (row) => row.run.median,
           (row) => formatSeconds(row.run.median)),
    number("least", (row) => row.run.least, (row) => formatSeconds(row.run.least)),
    number("samples", (row) => row.run.samples,
           (row) => formatInteger(row.run.samples)),
    number("predicted", (row) => row.predicted || 0,
           (row) => row.predicted === null ? "" : formatSeconds(row.predicted)),
    number("flops", (row) => row.flops, (row) => formatCount(row.flops)),
    number("bytes", (row) => row.bytes, (row) => formatBytes(row.bytes)),
    number("FLOP/s", (row) => row.flops_per_second,
           (row) => formatCount(row.flops_per_second)),
    number("of the limit", (row) => row.share_of_flops_limit,
           (row) => shareText(row.share_of_flops_limit)),
    number("bytes/s", (row) => row.bytes_per_second,
           (row) => formatBytes(row.bytes_per_second)),
    number("of the limit", (row) => row.share_of_stream_limit,
           (row) => shareText(row.share_of_stream_limit)),
    number("peak memory", (row) => row.memory.peak,
           (row) => formatBytes(row.memory.peak)),
    number("compilation", (row) => row.compile.seconds,
           (row) => formatSeconds(row.compile.seconds)),
  ], benchmarks, 1).element;
}

function shareText(share) {
  return share > 0 ? formatShare(share) : "";
}

// Bars from zero to the median, with the quartiles as text.
function runTimes(benchmarks) {
  const longest = Math.max(...benchmarks.map(({run}) => run.median));
  return barTable(benchmarks.map(({title, run}) => ({
    name: title,
    text: `${formatSeconds(run.median)} (${formatSeconds(run.lower_quartile)} ` +
          `to ${formatSeconds(run.upper_quartile)})`,
    share: run.median / longest,
  })));
}

function compileTimes(benchmarks) {
  const longest = Math.max(...benchmarks.map(({compile}) => compile.seconds));
  return barTable(benchmarks.map(({title, compile}) => ({
    name: title,
    text: `${formatSeconds(compile.seconds)}, the first one ` +
          formatSeconds(compile.first),
    share: compile.seconds / longest,
  })));
}

function barTable(rows) {
  return element("table", {class: "plain"}, element("tbody", {}, rows.map(
      ({name, text, share}) => element(
          "tr", {}, element("th", {scope: "row"}, name),
          element("td", {class: "wide"}, bar(share)),
          element("td", {class: "number"}, text)))));
}

const PLOT = {width: 900, height: 460, left: 76, right: 20, top: 16, bottom: 48};

// Achieved flops per second over flops per byte, both in powers of ten, under
// the limits of memory and arithmetic.
function roofline(benchmarks) {
  const points = benchmarks.filter(({flops, bytes}) => flops > 0 && bytes > 0);
  const {limits} = benchmarks[0];
  if (points.length === 0) {
    return note("No program does arithmetic that the cost analysis counts.");
  }
  const axes = plotAxes(points, limits);
  const content = [...gridLines(axes)];
  if (limits.stream_bytes_per_second > 0) {
    content.push(...roofs(axes, limits, points));
  }
  content.push(...points.map((point) => plotPoint(axes, point)));
  return element(
      "div", {},
      svgElement("svg", {
        class: "plot", viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img",
        "aria-label": "Roofline plot; the table above has its numbers",
      }, content),
      limits.stream_bytes_per_second > 0 ?
          note("Lines: what the machine's memory bandwidth and multiply-adds " +
               "allow, as measured beside the programs. Points above the slope " +
               "work on data in caches.") :
          note("The machine's limits were not measured (--no-limits)."));
}

function plotAxes(points, limits) {
  const xs = points.map(({flops, bytes}) => flops / bytes);
  const ys = points.map((point) => point.flops_per_second);
  const most = Math.max(limits.f32_flops_per_second, ...ys);
  if (limits.stream_bytes_per_second > 0) {
    xs.push(limits.f32_flops_per_second / limits.stream_bytes_per_second);
  }
  const powers = (values, room) => [
    Math.floor(Math.log10(Math.min(...values)) - room),
    Math.ceil(Math.log10(Math.max(...values)) + room)];
  const x = powers(xs, 0.3);
  const y = powers([...ys, most], 0.1);
  const scale = (value, [low, high], from, to) =>
      from + (Math.log10(value) - low) / (high - low) * (to - from);
  return {
    x, y,
    toX: (value) => scale(value, x, PLOT.left, PLOT.width - PLOT.right),
    toY: (value) => scale(value, y, PLOT.height - PLOT.bottom, PLOT.top),
  };
}

function gridLines({x, y, toX, toY}) {
  const made = [];
  const text = (attributes, content) => svgElement("text", attributes, content);
  const bottom = PLOT.height - PLOT.bottom;
  for (let power = x[0]; power <= x[1]; ++power) {
    const at = toX(10 ** power);
    made.push(svgElement("line", {class: "grid", x1: at, x2: at, y1: PLOT.top,
                                  y2: bottom}),
              text({x: at, y: bottom + 18, "text-anchor": "middle"},
                   String(Number((10 ** power).toPrecision(1)))));
  }
  for (let power = y[0]; power <= y[1]; ++power) {
    const at = toY(10 ** power);
    made.push(svgElement("line", {class: "grid", x1: PLOT.left,
                                  x2: PLOT.width - PLOT.right, y1: at, y2: at}),
              text({x: PLOT.left - 8, y: at + 4, "text-anchor": "end"},
                   formatCount(10 ** power)));
  }
  made.push(
      text({x: (PLOT.left + PLOT.width) / 2, y: PLOT.height - 8,
            "text-anchor": "middle"}, "flops per byte"),
      text({x: 16, y: (PLOT.top + bottom) / 2, "text-anchor": "middle",
            transform: `rotate(-90 16 ${(PLOT.top + bottom) / 2})`},
           "FLOP/s"));
  return made;
}

// The roof of f32, and that of f64 if a program needs it.
function roofs(axes, limits, points) {
  const kinds = [["f32", limits.f32_flops_per_second]];
  if (points.some((point) => point.is_f64)) {
    kinds.push(["f64", limits.f64_flops_per_second]);
  }
  const made = [];
  for (const [name, flops] of kinds) {
    const ridge = flops / limits.stream_bytes_per_second;
    const start = Math.max(10 ** axes.x[0],
                           10 ** axes.y[0] / limits.stream_bytes_per_second);
    const path = [[start, start * limits.stream_bytes_per_second],
                  [ridge, flops], [10 ** axes.x[1], flops]];
    made.push(
        svgElement("polyline", {
          class: `roof ${name}`,
          points: path.map(([x, y]) => `${axes.toX(x)},${axes.toY(y)}`).join(" "),
        }),
        svgElement("text", {
          x: PLOT.width - PLOT.right - 4, y: axes.toY(flops) - 6,
          "text-anchor": "end",
        }, `${name}: ${formatCount(flops)}FLOP/s`));
  }
  const middle = 10 ** (axes.x[0] + 0.15 * (axes.x[1] - axes.x[0]));
  const rate = limits.stream_bytes_per_second;
  made.push(svgElement("text", {
    x: axes.toX(middle), y: Math.min(axes.toY(middle * rate) - 10,
                                     PLOT.height - PLOT.bottom - 8),
    "text-anchor": "end",
  }, `${formatBytes(rate)}/s`));
  return made;
}

function plotPoint({toX, toY}, point) {
  const x = toX(point.flops / point.bytes);
  const y = toY(point.flops_per_second);
  const isRight = x > 0.75 * PLOT.width;
  return svgElement(
      "g", {},
      svgElement("circle", {class: "point", cx: x, cy: y, r: 6}),
      svgElement("text", {
        class: "label", x: x + (isRight ? -11 : 11), y: y + 16,
        "text-anchor": isRight ? "end" : "start",
      }, point.title),
      svgElement("title", {}, `${point.title}: ` +
                 `${formatCount(point.flops_per_second)}FLOP/s at ` +
                 `${(point.flops / point.bytes).toFixed(2)} flops per byte`));
}
