// A canvas that shows a part of a plane. Dragging and the wheel move it, the
// wheel with Ctrl (or pinching) zooms; it draws at most once a frame.

class CanvasView {
  // `actions` are draw(context, view), and optionally click(x, y, event),
  // doubleClick(x, y) and hover(x, y, event), which get points of the plane, and
  // limits(), which returns {left, top, right, bottom} of what there is to see.
  // `zoomY` false keeps the vertical scale.
  constructor(label, actions, {zoomY = true} = {}) {
    this.actions = actions;
    this.zoomY = zoomY;
    this.left = 0;
    this.top = 0;
    this.scaleX = 1;
    this.scaleY = 1;
    this.width = 0;
    this.height = 0;
    this.leastScale = 1e-4;
    this.mostScale = 4;
    this.canvas = element("canvas", {
      tabindex: 0, role: "img", "aria-label": label,
    });
    this.element = element("div", {class: "canvas-view"}, this.canvas);
    this.context = this.canvas.getContext("2d");
    this.pending = false;
    this.onFirstSize = null;
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.listen();
    onColorScheme(() => this.redraw());
  }

  toX(pixel) { return this.left + pixel / this.scaleX; }
  toY(pixel) { return this.top + pixel / this.scaleY; }
  pixelX(x) { return (x - this.left) * this.scaleX; }
  pixelY(y) { return (y - this.top) * this.scaleY; }

  resize() {
    const {clientWidth, clientHeight} = this.element;
    if (clientWidth === 0 || clientHeight === 0) return;
    const isFirst = this.width === 0;
    this.width = clientWidth;
    this.height = clientHeight;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    if (isFirst && this.onFirstSize !== null) this.onFirstSize();
    this.drawNow();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.drawNow();
    });
  }

  drawNow() {
    if (this.width === 0) return;
    const ratio = this.canvas.width / this.width;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    this.actions.draw(this.context, this);
  }

  // Moves by pixels, but not so far that nothing remains visible.
  move(dx, dy) {
    this.left += dx / this.scaleX;
    this.top += dy / this.scaleY;
    this.keepInside();
    this.redraw();
  }

  keepInside() {
    if (!this.actions.limits) return;
    const {left, top, right, bottom} = this.actions.limits();
    const keep = (value, low, high, size) =>
        Math.min(Math.max(value, low - 0.7 * size), high - 0.3 * size);
    this.left = keep(this.left, left, right, this.width / this.scaleX);
    this.top = keep(this.top, top, bottom, this.height / this.scaleY);
  }

  // Zooms so that the point under the pixel stays there.
  zoom(factor, pixelX = this.width / 2, pixelY = this.height / 2) {
    const x = this.toX(pixelX);
    const y = this.toY(pixelY);
    const clamp = (scale) =>
        Math.min(Math.max(scale, this.leastScale), this.mostScale);
    const scaleX = clamp(this.scaleX * factor);
    if (this.zoomY) this.scaleY *= scaleX / this.scaleX;
    this.scaleX = scaleX;
    this.left = x - pixelX / this.scaleX;
    if (this.zoomY) this.top = y - pixelY / this.scaleY;
    this.keepInside();
    this.redraw();
  }

  center(x, y) {
    this.left = x - this.width / 2 / this.scaleX;
    this.top = y - this.height / 2 / this.scaleY;
    this.keepInside();
    this.redraw();
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        this.zoom(Math.exp(-event.deltaY / 200), event.offsetX, event.offsetY);
      } else if (event.shiftKey) {
        this.move(event.deltaY + event.deltaX, 0);
      } else {
        this.move(event.deltaX, event.deltaY);
      }
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.drag = {x: event.clientX, y: event.clientY, moved: 0};
    });
    canvas.addEventListener("pointermove", (event) => this.pointerMove(event));
    canvas.addEventListener("pointerup", (event) => {
      const isClick = this.drag && this.drag.moved < 4;
      this.drag = null;
      if (isClick) this.call("click", event);
    });
    canvas.addEventListener("dblclick", (event) =>
        this.call("doubleClick", event));
    canvas.addEventListener("pointerleave", () => {
      if (this.actions.hover) this.actions.hover(NaN, NaN, null);
    });
  }

  pointerMove(event) {
    if (!this.drag) {
      this.call("hover", event);
      return;
    }
    const dx = event.clientX - this.drag.x;
    const dy = event.clientY - this.drag.y;
    this.drag.moved += Math.abs(dx) + Math.abs(dy);
    this.drag.x = event.clientX;
    this.drag.y = event.clientY;
    if (this.drag.moved >= 4) this.move(-dx, -dy);
  }

  call(action, event) {
    if (!this.actions[action]) return;
    this.actions[action](this.toX(event.offsetX), this.toY(event.offsetY), event);
  }
}

// A text that follows the pointer.
class Tooltip {
  constructor() {
    this.element = element("div", {class: "tooltip", hidden: true});
    document.body.append(this.element);
  }

  show(event, lines) {
    this.element.replaceChildren(
        ...lines.map((line) => element("div", {}, line)));
    this.element.hidden = false;
    const {offsetWidth, offsetHeight} = this.element;
    const left = Math.min(event.clientX + 14, innerWidth - offsetWidth - 6);
    const top = Math.min(event.clientY + 14, innerHeight - offsetHeight - 6);
    this.element.style.left = `${Math.max(left, 0)}px`;
    this.element.style.top = `${Math.max(top, 0)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
