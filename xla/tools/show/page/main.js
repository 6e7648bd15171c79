// Starts the pages: their header, and tabs that the address chooses.

// Shows the tabs {name, title, make()}; each is made when it is first opened.
// The address is "#name" or "#name/place"; tabs get the place.
class Tabs {
  constructor(tabs) {
    this.tabs = tabs.map((tab) => ({...tab, content: null}));
    this.list = element("div", {class: "tabs", role: "tablist"},
                        this.tabs.map((tab) => this.makeButton(tab)));
    this.body = element("main", {class: "tab-body"});
    addEventListener("hashchange", () => this.openAddress());
  }

  makeButton(tab) {
    tab.button = element("button", {
      type: "button", role: "tab", id: `tab-${tab.name}`,
      "aria-controls": `panel-${tab.name}`,
      onclick: () => {
        location.hash = `#${tab.name}`;
      },
      onkeydown: (event) => {
        const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (step === undefined) return;
        const at = this.tabs.indexOf(tab) + step + this.tabs.length;
        const next = this.tabs[at % this.tabs.length];
        location.hash = `#${next.name}`;
        next.button.focus();
      },
    }, tab.title);
    return tab.button;
  }

  openAddress() {
    const [name, ...rest] = location.hash.slice(1).split("/");
    const tab = this.tabs.find((each) => each.name === name) || this.tabs[0];
    if (tab.content === null) {
      tab.content = tab.make();
      tab.panel = element("div", {
        class: "tab-panel", role: "tabpanel", id: `panel-${tab.name}`,
        "aria-labelledby": `tab-${tab.name}`,
      }, tab.content.element);
      this.body.append(tab.panel);
    }
    for (const each of this.tabs) {
      each.button.setAttribute("aria-selected", each === tab);
      each.button.tabIndex = each === tab ? 0 : -1;
      if (each.panel) each.panel.hidden = each !== tab;
    }
    this.current = tab;
    tab.content.open(decodePlace(rest.join("/")));
  }
}

// An address that somebody typed need not be encoded well.
function decodePlace(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function startProgramPage(data) {
  const program = new Program(data);
  const graph = new GraphTab(program);
  const graphLink = (instruction) => graph.link(instruction);
  const tabs = new Tabs([
    {name: "graph", title: "Graph", make: () => graph},
    {name: "memory", title: "Memory", make: () => new MemoryTab(program, graphLink)},
    {name: "timeline", title: "Timeline",
     make: () => new TimelineTab(program, graphLink)},
    {name: "stages", title: "Stages", make: () => new StagesTab(program)},
    {name: "summary", title: "Summary",
     make: () => new SummaryTab(program, graphLink)},
  ]);
  const stats = data.memory_stats;
  const facts = [
    formatNumberOf(program.instructions.length, "instruction"),
    `${formatCount(data.cost.flops)} flops`,
    `${formatBytes(data.cost.bytes)} moved`,
    stats ? `peak ${formatBytes(stats.peak)}` : "as given, not compiled",
  ];
  document.body.append(
      element("header", {class: "top"}, element("h1", {}, program.name),
              tabs.list,
              element("span", {class: "facts-line"}, facts.join(" \u00b7 "))),
      tabs.body);
  addEventListener("keydown", (event) => {
    const typing = ["INPUT", "SELECT"].includes(document.activeElement.tagName);
    if (event.key !== "/" || typing || tabs.current.name !== "graph") return;
    event.preventDefault();
    graph.focusSearch();
  });
  tabs.openAddress();
}
