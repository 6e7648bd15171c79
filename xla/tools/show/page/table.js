// A table whose headers sort it. It shows the first rows, and more on request.

const TABLE_ROWS = 200;

class SortedTable {
  // `columns` are {title, value(row), text(row), isNumber}; text may return an
  // element and is the value if it is missing. `sortBy` is a column's number.
  constructor(caption, columns, rows, sortBy) {
    this.columns = columns;
    this.rows = [...rows];
    this.shown = TABLE_ROWS;
    this.sortBy = sortBy;
    this.descending = columns[sortBy].isNumber;
    this.body = element("tbody");
    this.headers = columns.map((column, i) => element(
        "th", {scope: "col", class: column.isNumber ? "number" : ""},
        button(column.title, `Sort by ${column.title}`, () => this.sort(i))));
    this.more = element("p");
    this.element = element(
        "div", {class: "table"},
        element("table", {}, element("caption", {}, caption),
                element("thead", {}, element("tr", {}, this.headers)),
                this.body),
        this.more);
    this.refresh();
  }

  sort(column) {
    this.descending = column === this.sortBy ? !this.descending
                                             : this.columns[column].isNumber;
    this.sortBy = column;
    this.refresh();
  }

  refresh() {
    const {value} = this.columns[this.sortBy];
    const sign = this.descending ? -1 : 1;
    this.rows.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
    this.headers.forEach((header, i) => {
      header.setAttribute("aria-sort", i !== this.sortBy ? "none" :
          this.descending ? "descending" : "ascending");
    });
    this.body.replaceChildren(...this.rows.slice(0, this.shown).map(
        (row) => element("tr", {}, this.columns.map((column) => element(
            "td", {class: column.isNumber ? "number" : ""},
            column.text ? column.text(row) : String(column.value(row)))))));
    const left = this.rows.length - this.shown;
    this.more.replaceChildren();
    if (left <= 0) return;
    this.more.append(button(
        `Show ${formatInteger(Math.min(left, 1000))} more of ` +
        `${formatInteger(left)}`, "", () => {
          this.shown += 1000;
          this.refresh();
        }));
  }
}

// A horizontal bar with the share of the longest one.
function bar(share, className = "") {
  const width = `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
  const fill = element("span", {class: `bar-fill ${className}`});
  fill.style.width = width;
  return element("span", {class: "bar", "aria-hidden": "true"}, fill);
}
