// Places the nodes of a directed acyclic graph in rows, operands above users.
// Time grows linearly with nodes and edges, but for the sorting of rows, so that
// tens of thousands of nodes take a fraction of a second.
//
// Source for the method: Sugiyama, Tagawa and Toda, "Methods for visual
// understanding of hierarchical system structures" (1981), without its dummy
// nodes, whose number is not linear. Positions in a row are the least squares
// solution that keeps nodes apart, by the pool-adjacent-violators algorithm.

const ROW_GAP = 34;
const NODE_GAP = 14;
// Wider layers become several rows.
const ROW_NODES = 40;

// `graph` has `count` nodes in topological order, their `widths` and `heights`,
// and the edges `from[i]` to `to[i]`. Returns the corners `x` and `y` of nodes,
// and the size of the whole.
function layoutLayers(graph) {
  const adjacent = adjacency(graph);
  const ranks = rankNodes(graph, adjacent);
  const rows = splitRows(orderLayers(graph, adjacent, layersOf(graph, ranks)));
  const centers = placeInRows(graph, adjacent, rows);
  return corners(graph, rows, centers);
}

// Lists of operands and of users, as ranges of one array for each.
function adjacency({count, from, to}) {
  const lists = (keys, values) => {
    const begin = new Int32Array(count + 1);
    for (const key of keys) ++begin[key + 1];
    for (let i = 0; i < count; ++i) begin[i + 1] += begin[i];
    const next = begin.slice(0, count);
    const all = new Int32Array(keys.length);
    for (let i = 0; i < keys.length; ++i) all[next[keys[i]]++] = values[i];
    return {begin, all};
  };
  return {operands: lists(to, from), users: lists(from, to)};
}

// The longest path from a source, except that sources stand right above their
// first user.
function rankNodes({count}, {operands, users}) {
  const ranks = new Int32Array(count);
  for (let node = 0; node < count; ++node) {
    for (let i = operands.begin[node]; i < operands.begin[node + 1]; ++i) {
      ranks[node] = Math.max(ranks[node], ranks[operands.all[i]] + 1);
    }
  }
  for (let node = 0; node < count; ++node) {
    if (operands.begin[node] !== operands.begin[node + 1]) continue;
    let first = Infinity;
    for (let i = users.begin[node]; i < users.begin[node + 1]; ++i) {
      first = Math.min(first, ranks[users.all[i]]);
    }
    if (first !== Infinity) ranks[node] = first - 1;
  }
  return ranks;
}

function layersOf({count}, ranks) {
  const layers = [];
  for (let node = 0; node < count; ++node) {
    while (layers.length <= ranks[node]) layers.push([]);
    layers[ranks[node]].push(node);
  }
  return layers;
}

// Sorts each layer by the mean place of its neighbours, down and up.
function orderLayers({count}, {operands, users}, layers) {
  const places = new Float64Array(count);
  const number = (layer) => {
    layer.forEach((node, i) => {
      places[node] = (i + 0.5) / layer.length;
    });
  };
  const sort = (layer, lists) => {
    const keys = new Map();
    for (const node of layer) {
      let sum = 0;
      for (let i = lists.begin[node]; i < lists.begin[node + 1]; ++i) {
        sum += places[lists.all[i]];
      }
      const degree = lists.begin[node + 1] - lists.begin[node];
      keys.set(node, degree > 0 ? sum / degree : places[node]);
    }
    layer.sort((a, b) => keys.get(a) - keys.get(b));
    number(layer);
  };
  layers.forEach(number);
  for (let sweep = 0; sweep < 2; ++sweep) {
    for (const layer of layers) sort(layer, operands);
    for (const layer of [...layers].reverse()) sort(layer, users);
  }
  return layers;
}

// Deals the nodes of a wide layer out to several rows, so that each row keeps
// the order.
function splitRows(layers) {
  const rows = [];
  for (const layer of layers) {
    const parts = Math.ceil(layer.length / ROW_NODES);
    for (let part = 0; part < parts; ++part) {
      rows.push(layer.filter((_, i) => i % parts === part));
    }
  }
  return rows;
}

// Moves nodes towards the middle of their operands, then of their users, then
// of both. Returns the centres.
function placeInRows(graph, {operands, users}, rows) {
  const centers = new Float64Array(graph.count);
  const wish = (node, lists) => {
    let sum = 0;
    let degree = 0;
    for (const list of lists) {
      for (let i = list.begin[node]; i < list.begin[node + 1]; ++i) {
        sum += centers[list.all[i]];
        ++degree;
      }
    }
    return degree > 0 ? sum / degree : centers[node];
  };
  const place = (row, lists) =>
      spread(row, row.map((node) => wish(node, lists)), graph.widths, centers);
  for (const row of rows) {
    spread(row, row.map(() => 0), graph.widths, centers);
  }
  for (const row of rows) place(row, [operands]);
  for (const row of [...rows].reverse()) place(row, [users]);
  for (const row of rows) place(row, [operands, users]);
  return centers;
}

// Sets the centres of a row's nodes as close to the wishes as the widths allow.
function spread(row, wishes, widths, centers) {
  // Blocks of nodes that touch: the mean of the wishes less the room that nodes
  // before in the row need.
  const blocks = [];
  let room = 0;
  const rooms = row.map((node) => {
    const middle = room + widths[node] / 2;
    room += widths[node] + NODE_GAP;
    return middle;
  });
  row.forEach((node, i) => {
    blocks.push({sum: wishes[i] - rooms[i], size: 1});
    while (blocks.length > 1) {
      const last = blocks[blocks.length - 1];
      const before = blocks[blocks.length - 2];
      if (before.sum / before.size <= last.sum / last.size) break;
      before.sum += last.sum;
      before.size += last.size;
      blocks.pop();
    }
  });
  let i = 0;
  for (const block of blocks) {
    for (let k = 0; k < block.size; ++k, ++i) {
      centers[row[i]] = block.sum / block.size + rooms[i];
    }
  }
}

function corners(graph, rows, centers) {
  const x = new Float64Array(graph.count);
  const y = new Float64Array(graph.count);
  let left = Infinity;
  let right = -Infinity;
  let top = 0;
  for (const row of rows) {
    let height = 0;
    for (const node of row) {
      x[node] = centers[node] - graph.widths[node] / 2;
      y[node] = top;
      left = Math.min(left, x[node]);
      right = Math.max(right, x[node] + graph.widths[node]);
      height = Math.max(height, graph.heights[node]);
    }
    top += height + ROW_GAP;
  }
  for (let node = 0; node < graph.count; ++node) x[node] -= left;
  return {x, y, width: right - left, height: top - ROW_GAP};
}
