// The tab that shows the program as a graph.

const GRAPH_HELP =
    "Drag or scroll to move, Ctrl and scroll to zoom, double click to fold or " +
    "unfold. Keys: arrows go to operands, users and neighbours, Enter folds and " +
    "unfolds, + and - zoom, 0 shows all, / searches.";

class GraphTab {
  constructor(program) {
    this.program = program;
    this.palette = new Palette();
    this.scene = new GraphScene(program);
    this.painter = new GraphPainter(this.scene, this.palette);
    this.view = new CanvasView(`Graph of ${program.name}. ${GRAPH_HELP}`, {
      draw: (context, view) => this.painter.draw(context, view),
      click: (x, y) => this.click(x, y),
      doubleClick: (x, y) => this.doubleClick(x, y),
      limits: () => ({left: 0, top: 0, right: this.scene.width,
                      bottom: this.scene.height}),
    });
    this.view.mostScale = 3;
    this.view.onFirstSize = () => this.home();
    this.view.canvas.addEventListener("keydown", (event) => this.key(event));
    this.panel = new NodePanel(program, (instruction) => this.link(instruction));
    this.search = new SearchBox(program, (hits) => this.markHits(hits),
                                (instruction) => this.go(instruction));
    this.message = element("span", {class: "dim", role: "status"});
    this.element = element(
        "div", {class: "graph-tab"},
        element("nav", {class: "side", "aria-label": "Search and computations"},
                this.search.element, this.computationList(), this.legend()),
        element("div", {class: "main"}, this.toolbar(), this.view.element),
        this.panel.element);
    this.countNodes();
  }

  link(instruction) {
    const {name} = this.program.instructions[instruction];
    return `#graph/${encodeURIComponent(name)}`;
  }

  // Called when the tab is chosen, with the rest of the address.
  open(place) {
    if (place === "") return;
    const instruction = this.program.find(place);
    if (instruction >= 0) this.select(instruction);
  }

  focusSearch() {
    this.search.input.focus();
  }

  go(instruction) {
    const address = this.link(instruction);
    if (location.hash === address) {
      this.select(instruction);
    } else {
      location.hash = address;
    }
  }

  // Selects an instruction, unfolds what hides it and shows it.
  select(instruction) {
    let item = this.scene.itemOf(instruction);
    if (item < 0) item = this.scene.reveal(instruction);
    this.countNodes();
    this.setSelected(item);
    this.show(item);
  }

  setSelected(item) {
    this.painter.selected = item;
    this.panel.show(item < 0 ? -1 : this.scene.instructions[item]);
    this.view.redraw();
  }

  // Moves the view if the item is outside of it, or too small to read.
  show(item) {
    const {view, scene} = this;
    if (view.width === 0) {
      view.onFirstSize = () => {
        this.home();
        this.show(item);
      };
      return;
    }
    if (view.scaleX < TEXT_SCALE) view.scaleX = view.scaleY = 0.9;
    const x = scene.x[item] + scene.w[item] / 2;
    const y = scene.y[item] + Math.min(scene.h[item] / 2, 60);
    const px = view.pixelX(x);
    const py = view.pixelY(y);
    if (px < 80 || px > view.width - 80 || py < 60 || py > view.height - 60) {
      view.center(x, y);
    }
    view.redraw();
  }

  // Shows the whole graph if that is legible, else its top.
  home() {
    const {view, scene} = this;
    const fit = Math.min(view.width / (scene.width + 40),
                         view.height / (scene.height + 40));
    view.scaleX = view.scaleY = Math.min(1.2, Math.max(fit, 0.8));
    view.left = (scene.width - view.width / view.scaleX) / 2;
    view.top = fit >= 0.8 ?
        (scene.height - view.height / view.scaleY) / 2 : -20;
    view.redraw();
  }

  showAll() {
    const {view, scene} = this;
    const fit = Math.min(view.width / (scene.width + 40),
                         view.height / (scene.height + 40));
    view.scaleX = view.scaleY = Math.min(1.2, Math.max(fit, view.leastScale));
    view.center(scene.width / 2, scene.height / 2);
  }

  click(x, y) {
    this.view.canvas.focus();
    const item = this.scene.itemAt(x, y);
    if (item < 0) return this.setSelected(-1);
    const instruction = this.scene.instructions[item];
    this.setSelected(item);
    history.replaceState(null, "", this.link(instruction));
    const {scene} = this;
    const onMarker = x > scene.x[item] + scene.w[item] - 24;
    const onTitle = scene.isUnfolded(item) && x < scene.x[item] + 24 &&
                    y < scene.y[item] + BOX_TITLE;
    if ((onMarker && !scene.isUnfolded(item)) || onTitle) this.toggle(item);
  }

  doubleClick(x, y) {
    const item = this.scene.itemAt(x, y);
    if (item >= 0) this.toggle(item);
  }

  // Folds or unfolds, and keeps the corner of the box where it is.
  toggle(item) {
    const {scene, view} = this;
    if (!scene.isFoldable(item)) return;
    const px = view.pixelX(scene.x[item]);
    const py = view.pixelY(scene.y[item]);
    const now = scene.toggle(item);
    view.left = scene.x[now] - px / view.scaleX;
    view.top = scene.y[now] - py / view.scaleY;
    this.countNodes();
    this.setSelected(now);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {selected} = this.painter;
    const actions = {
      "+": () => this.view.zoom(1.25),
      "=": () => this.view.zoom(1.25),
      "-": () => this.view.zoom(0.8),
      "0": () => this.showAll(),
      "Enter": () => selected >= 0 && this.toggle(selected),
      "Escape": () => this.setSelected(-1),
      "ArrowUp": () => this.step((node) => node.operands[0]),
      "ArrowDown": () => this.step((node) => node.users[0]),
      "ArrowLeft": () => this.neighbour(-1),
      "ArrowRight": () => this.neighbour(1),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  // Goes from the selected instruction, or to the root, if none is.
  step(next) {
    const {selected} = this.painter;
    if (selected < 0) {
      this.go(this.program.computations[this.scene.root.computation].root);
      return;
    }
    const {instructions} = this.scene;
    const to = next(this.program.instructions[instructions[selected]]);
    if (to === undefined) return;
    const item = selected + to - instructions[selected];
    this.setSelected(item);
    this.show(item);
    history.replaceState(null, "", this.link(to));
  }

  // Goes to the next node of the same row and computation.
  neighbour(direction) {
    const {scene} = this;
    const {selected} = this.painter;
    if (selected < 0) return this.step(() => undefined);
    let best = -1;
    for (let item = 0; item < scene.count; ++item) {
      const distance = (scene.x[item] - scene.x[selected]) * direction;
      if (scene.instances[item] !== scene.instances[selected] ||
          scene.y[item] !== scene.y[selected] || distance <= 0) {
        continue;
      }
      if (best < 0 || distance < (scene.x[best] - scene.x[selected]) * direction) {
        best = item;
      }
    }
    if (best < 0) return;
    this.setSelected(best);
    this.show(best);
  }

  markHits(hits) {
    this.painter.hits = new Set(hits);
    this.view.redraw();
  }

  // Runs a change of the whole scene.
  change(apply) {
    const {selected} = this.painter;
    const instruction = selected < 0 ? -1 : this.scene.instructions[selected];
    const complete = apply();
    this.countNodes(complete === false ? ", the most that are drawn" : "");
    this.setSelected(instruction < 0 ? -1 : this.scene.itemOf(instruction));
    this.home();
  }

  countNodes(more = "") {
    this.message.textContent =
        formatNumberOf(this.scene.count, "node") + more;
  }

  toolbar() {
    const times = this.program.hasMeasuredTimes ? "measured time"
                                                : "predicted time";
    return element(
        "div", {class: "toolbar"},
        button("\u2212", "Zoom out ( - )", () => this.view.zoom(0.8)),
        button("+", "Zoom in ( + )", () => this.view.zoom(1.25)),
        button("Fit", "Show all ( 0 )", () => this.showAll()),
        button("Unfold all", "Unfold all called computations",
               () => this.change(() => this.scene.unfoldAll())),
        button("Fold all", "Fold all called computations",
               () => this.change(() => this.scene.foldAll())),
        this.painter.longest > 0 ?
            choice("Colour", ["class", times], 0, (chosen) => {
              this.painter.byTime = chosen === 1;
              this.view.redraw();
            }) : null,
        this.message,
        element("span", {class: "help", title: GRAPH_HELP, tabindex: 0,
                         role: "note", "aria-label": GRAPH_HELP}, "?"));
  }

  computationList() {
    const {program} = this;
    const order = program.computations.map((_, i) => i)
        .sort((a, b) => (b === program.entry) - (a === program.entry) ||
                        program.computations[b].count -
                        program.computations[a].count);
    const most = 400;
    const items = order.slice(0, most).map((number) => {
      const computation = program.computations[number];
      return element("li", {}, element("button", {
        type: "button", title: "Show this computation alone",
        onclick: () => this.change(() => this.scene.setRoot(number)),
      }, element("span", {}, computation.name), element(
          "span", {class: "dim"}, formatInteger(computation.count))));
    });
    if (order.length > most) {
      items.push(element("li", {class: "dim"},
                         `and ${formatInteger(order.length - most)} more`));
    }
    return element("details", {class: "computations", open: true},
                   element("summary", {}, `Computations (${order.length})`),
                   element("ul", {class: "hits"}, items));
  }

  legend() {
    const present = new Set(this.program.instructions.map((node) => node.class));
    const items = CLASSES.filter(([name]) => present.has(name)).map(
        ([name, meaning]) => element(
            "li", {}, element("span", {class: `swatch class-${name}`}),
            meaning));
    return element("details", {class: "legend", open: true},
                   element("summary", {}, "Colours"), element("ul", {}, items));
  }
}
