// Makes elements. Text from the program only ever becomes text nodes and
// attribute values, so that it cannot become markup.

// element("a", {href: "#x", class: "link", onclick: f}, "text", child, ...)
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  setAttributes(made, attributes);
  made.append(...children.flat().filter((child) => child !== null));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

function svgElement(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  setAttributes(made, attributes);
  made.append(...children.flat());
  return made;
}

function setAttributes(target, attributes) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) {
      target.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      target.setAttribute(name, value === true ? "" : value);
    }
  }
}

function button(label, title, onclick) {
  return element("button", {type: "button", title, onclick}, label);
}

// A drop-down list; `choices` are texts, and the handler gets a number.
function choice(label, choices, chosen, onchange) {
  const select = element("select", {
    onchange: () => onchange(select.selectedIndex),
  }, choices.map((text) => element("option", {}, text)));
  select.selectedIndex = chosen;
  return element("label", {class: "choice"}, label, select);
}

// A list of names and values; those without a value are left out.
function definitions(pairs) {
  const list = element("dl", {class: "facts"});
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", {}, name), element("dd", {}, value));
  }
  return list;
}

function note(...content) {
  return element("p", {class: "note"}, ...content);
}

// The value of a custom property of the style sheet, for canvases.
function styleValue(name) {
  return getComputedStyle(document.documentElement)
      .getPropertyValue(name).trim();
}

// Calls the handler at once and when colours change between light and dark.
function onColorScheme(handler) {
  handler();
  matchMedia("(prefers-color-scheme: dark)")
      .addEventListener("change", handler);
}
