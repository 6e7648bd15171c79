// Draws the visible part of a graph scene, with less detail from far away.

// Below this scale nodes have no text, and titles of boxes are drawn at their
// own size.
const TEXT_SCALE = 0.45;
// So many edges are drawn at most, thin ones from far away left out first.
const MOST_EDGES = 20000;

class GraphPainter {
  constructor(scene, palette) {
    this.scene = scene;
    this.palette = palette;
    this.selected = -1;  // an item
    this.hits = new Set();  // instructions
    this.byTime = false;
    this.longest = 0;
    for (let i = 0; i < scene.program.instructions.length; ++i) {
      this.longest = Math.max(this.longest, scene.program.nanoseconds(i));
    }
  }

  draw(context, view) {
    this.context = context;
    this.view = view;
    this.drawBoxes();
    this.drawEdges();
    this.drawNodes();
    this.drawTitles();
    if (this.selected >= 0) this.drawSelection();
  }

  isVisible(x, y, w, h) {
    const {view} = this;
    return x + w >= view.left && x <= view.toX(view.width) &&
           y + h >= view.top && y <= view.toY(view.height);
  }

  // Calls the function with the visible items that are unfolded, or are not.
  forEachVisible(unfolded, paint) {
    const {scene} = this;
    for (let item = 0; item < scene.count; ++item) {
      if (!this.isVisible(scene.x[item], scene.y[item], scene.w[item],
                          scene.h[item])) {
        continue;
      }
      if (scene.isUnfolded(item) === unfolded) paint(item);
    }
  }

  // The rectangle of an item in pixels.
  rectangle(item) {
    const {scene, view} = this;
    return [view.pixelX(scene.x[item]), view.pixelY(scene.y[item]),
            scene.w[item] * view.scaleX, scene.h[item] * view.scaleY];
  }

  roundedRectangle(x, y, w, h) {
    const radius = Math.min(5 * this.view.scaleX, 5, h / 3);
    this.context.beginPath();
    this.context.roundRect(x, y, w, h, radius);
  }

  colorOf(item) {
    const {program} = this.scene;
    const instruction = this.scene.instructions[item];
    if (!this.byTime) {
      return this.palette.ofClass(program.instructions[instruction].class);
    }
    return this.palette.ofShare(
        this.longest > 0 ? program.nanoseconds(instruction) / this.longest : 0);
  }

  drawBoxes() {
    const {context, palette} = this;
    this.forEachVisible(true, (item) => {
      this.roundedRectangle(...this.rectangle(item));
      context.fillStyle = palette.surface;
      context.fill();
      context.globalAlpha = 0.10;
      context.fillStyle = this.colorOf(item);
      context.fill();
      context.globalAlpha = 1;
      const isHit = this.hits.has(this.scene.instructions[item]);
      context.strokeStyle = isHit ? palette.hit : this.colorOf(item);
      context.lineWidth = isHit ? 2.5 : 1;
      context.stroke();
    });
  }

  // The ends of edge `i`, in the plane.
  endsOf(i) {
    const {scene} = this;
    const from = scene.edges.from[i];
    const to = scene.edges.to[i];
    return [scene.x[from] + scene.w[from] / 2, scene.y[from] + scene.h[from],
            scene.x[to] + scene.w[to] * scene.edges.port[i], scene.y[to]];
  }

  drawEdges() {
    const {context, scene, view} = this;
    const visible = [];
    for (let i = 0; i < scene.edges.from.length; ++i) {
      const [x0, y0, x1, y1] = this.endsOf(i);
      if (!this.isVisible(Math.min(x0, x1), Math.min(y0, y1),
                          Math.abs(x1 - x0), Math.abs(y1 - y0))) {
        continue;
      }
      const pixels = Math.abs(x1 - x0) * view.scaleX +
                     Math.abs(y1 - y0) * view.scaleY;
      if (pixels >= 3) visible.push(i);
    }
    const step = Math.max(1, visible.length / MOST_EDGES);
    context.strokeStyle = this.palette.line;
    context.lineWidth = Math.min(1.2, Math.max(0.4, 1.2 * view.scaleX));
    const chosen = [];
    for (let k = 0; k < visible.length; k += step) {
      const i = visible[Math.floor(k)];
      if (!scene.edges.isControl[i]) chosen.push(i);
    }
    this.strokeEdges(chosen.filter((i) => this.isFar(i)), 0.4);
    this.strokeEdges(chosen.filter((i) => !this.isFar(i)), 1);
    context.setLineDash([4, 3]);
    this.strokeEdges(visible.filter((i) => scene.edges.isControl[i]), 1);
    context.setLineDash([]);
  }

  // Edges past many rows are fainter, since there are often many side by side.
  isFar(i) {
    const [, y0, , y1] = this.endsOf(i);
    return y1 - y0 > 5 * (NODE_HEIGHT + ROW_GAP);
  }

  strokeEdges(edges, alpha) {
    const {context} = this;
    context.globalAlpha = alpha;
    context.beginPath();
    for (const i of edges) this.traceEdge(i);
    context.stroke();
    context.globalAlpha = 1;
  }

  traceEdge(i) {
    const {context, scene, view} = this;
    const [x0, y0, x1, y1] = this.endsOf(i);
    const [px0, py0, px1, py1] = [view.pixelX(x0), view.pixelY(y0),
                                  view.pixelX(x1), view.pixelY(y1)];
    context.moveTo(px0, py0);
    if (view.scaleX < 0.2) {
      context.lineTo(px1, py1);
      return;
    }
    const drop = Math.abs(py1 - py0);
    const bend = Math.max(Math.min(drop / 2, 160), 10 * view.scaleX);
    // Edges past other rows go around the nodes that are right between the ends.
    const isLong = y1 - y0 > NODE_HEIGHT + 2 * ROW_GAP;
    const side = scene.edges.port[i] < 0.5 ? -1 : 1;
    const bow = isLong && Math.abs(px1 - px0) < 120 * view.scaleX ?
        side * Math.min(drop / 3, 170 * view.scaleX) : 0;
    context.bezierCurveTo(px0 + bow, py0 + bend, px1 + bow, py1 - bend, px1, py1);
  }

  drawNodes() {
    const {context, scene, view, palette} = this;
    const hasText = view.scaleX >= TEXT_SCALE;
    if (hasText) context.font = `${11 * view.scaleX}px ${palette.font}`;
    this.forEachVisible(false, (item) => {
      const [x, y, w, h] = this.rectangle(item);
      const isHit = this.hits.has(scene.instructions[item]);
      if (!hasText) {
        context.fillStyle = isHit ? palette.hit : this.colorOf(item);
        context.fillRect(x, y, Math.max(w, 1), Math.max(h, 1));
        return;
      }
      this.drawNode(item, x, y, w, h, isHit);
    });
  }

  drawNode(item, x, y, w, h, isHit) {
    const {context, scene, view, palette} = this;
    const scale = view.scaleX;
    const instruction = scene.instructions[item];
    const node = scene.program.instructions[instruction];
    this.roundedRectangle(x, y, w, h);
    context.fillStyle = palette.raised;
    context.fill();
    context.save();
    context.clip();
    context.fillStyle = this.colorOf(item);
    context.fillRect(x, y, 5 * scale, h);
    context.restore();
    this.roundedRectangle(x, y, w, h);
    context.strokeStyle = isHit ? palette.hit : palette.line;
    context.lineWidth = isHit ? 2.5 : 1;
    context.stroke();
    const isRoot = scene.program.isRoot(instruction);
    if (isRoot) {
      this.roundedRectangle(x - 3 * scale, y - 3 * scale, w + 6 * scale,
                            h + 6 * scale);
      context.strokeStyle = palette.dim;
      context.lineWidth = 1;
      context.stroke();
    }
    context.fillStyle = palette.text;
    context.fillText(titleOf(node), x + 12 * scale, y + 16 * scale);
    context.fillStyle = palette.dim;
    context.fillText(subtitleOf(node), x + 12 * scale, y + 30 * scale);
    if (scene.isFoldable(item)) {
      context.fillStyle = palette.accent;
      context.fillText("\u25b8", x + w - 15 * scale, y + 23 * scale);
    }
  }

  // Titles of boxes keep a legible size, as far as they fit.
  drawTitles() {
    const {context, scene, view, palette} = this;
    const size = Math.max(11, Math.min(13, 13 * view.scaleX));
    context.font = `600 ${size}px ${palette.font}`;
    this.forEachVisible(true, (item) => {
      const [x, y, w] = this.rectangle(item);
      const characters = Math.floor((w - 16) / (0.62 * size));
      if (characters < 4 || BOX_TITLE * view.scaleY < 0.6 * size) return;
      const node = scene.program.instructions[scene.instructions[item]];
      const names = node.calls.map(
          (call) => scene.program.computations[call].name);
      context.fillStyle = palette.text;
      context.fillText(
          abridge(`\u25be ${node.name}: ${names.join(", ")}`, characters),
          Math.max(x, 0) + 8, y + Math.max(17 * view.scaleY, size));
    });
  }

  drawSelection() {
    const {context, scene, view, palette, selected} = this;
    context.lineWidth = Math.max(1.5, 2 * view.scaleX);
    for (let i = 0; i < scene.edges.from.length; ++i) {
      const isOperand = scene.edges.to[i] === selected;
      if (!isOperand && scene.edges.from[i] !== selected) continue;
      context.strokeStyle = isOperand ? palette.operand : palette.user;
      context.beginPath();
      this.traceEdge(i);
      context.stroke();
    }
    const [x, y, w, h] = this.rectangle(selected);
    this.roundedRectangle(x - 2, y - 2, Math.max(w, 4) + 4, Math.max(h, 4) + 4);
    context.strokeStyle = palette.accent;
    context.lineWidth = 3;
    context.stroke();
  }
}
