// Compares the texts of a program at two stages, instruction by instruction.

// Splits a stage into its head and its computations. Lines are numbers in
// `lines`, equal for equal texts.
function splitStage(numbers, lines) {
  const parts = [{name: "", head: [], body: []}];
  for (const number of numbers) {
    const text = lines[number];
    const last = parts[parts.length - 1];
    if (text.endsWith("{") && !text.startsWith(" ") &&
        !text.startsWith("HloModule")) {
      parts.push({name: computationName(text), head: [number], body: []});
    } else if (text.startsWith("  ")) {
      last.body.push({number, name: instructionName(text)});
    } else if (parts.length === 1 && text !== "") {
      last.head.push(number);
    }
  }
  return parts;
}

function computationName(text) {
  return text.replace(/^ENTRY /, "").replace(/^%/, "").split(/[ (]/)[0];
}

function instructionName(text) {
  const match = /^\s+(?:ROOT )?%?(\S+) = /.exec(text);
  return match === null ? text : match[1];
}

// Returns rows {left, right, leftKind, rightKind}: the numbers of lines, -1 for
// none, and whether each is "same", "changed", "moved", "removed", "added" or
// the "head" of a computation. Computations of both stages come first, then those
// that were added, then those that were removed.
function compareStages(leftNumbers, rightNumbers, lines) {
  const left = splitStage(leftNumbers, lines);
  const right = splitStage(rightNumbers, lines);
  const byName = new Map(left.map((part) => [part.name, part]));
  const rows = [];
  const added = [];
  for (const part of right) {
    const other = byName.get(part.name);
    if (other === undefined) {
      added.push(part);
      continue;
    }
    byName.delete(part.name);
    compareComputations(other, part, rows);
  }
  for (const part of added) compareComputations(null, part, rows);
  for (const part of byName.values()) compareComputations(part, null, rows);
  return rows;
}

function compareComputations(left, right, rows) {
  const head = (part) => part === null || part.head.length === 0 ? -1 : part.head[0];
  rows.push({left: head(left), right: head(right), leftKind: "head",
             rightKind: "head", isHead: true});
  if (left === null || right === null) {
    const kind = left === null ? "added" : "removed";
    for (const {number} of (left || right).body) {
      rows.push(left === null ?
          {left: -1, right: number, leftKind: "none", rightKind: kind} :
          {left: number, right: -1, leftKind: kind, rightKind: "none"});
    }
    return;
  }
  alignBodies(left.body, right.body, rows);
}

// Pairs instructions of the same name, as many as keep the order of both sides;
// the others of the same name have moved.
function alignBodies(left, right, rows) {
  const places = new Map(left.map(({name}, i) => [name, i]));
  const rightNames = new Set(right.map(({name}) => name));
  const partners = right.map(
      ({name}) => places.has(name) ? places.get(name) : -1);
  const kept = longestIncreasing(partners);
  const pending = {left: [], right: []};
  let i = 0;
  const leftUntil = (end) => {
    for (; i < end; ++i) {
      pending.left.push({number: left[i].number,
                         kind: rightNames.has(left[i].name) ? "moved" : "removed"});
    }
  };
  right.forEach((instruction, j) => {
    if (!kept.has(j)) {
      pending.right.push({number: instruction.number,
                          kind: partners[j] < 0 ? "added" : "moved"});
      return;
    }
    leftUntil(partners[j]);
    flushPending(pending, rows);
    const {number} = left[i++];
    const kind = number === instruction.number ? "same" : "changed";
    rows.push({left: number, right: instruction.number, leftKind: kind,
               rightKind: kind});
  });
  leftUntil(left.length);
  flushPending(pending, rows);
}

// Puts what only one side has side by side.
function flushPending(pending, rows) {
  const count = Math.max(pending.left.length, pending.right.length);
  const none = {number: -1, kind: "none"};
  for (let k = 0; k < count; ++k) {
    const left = pending.left[k] || none;
    const right = pending.right[k] || none;
    rows.push({left: left.number, right: right.number, leftKind: left.kind,
               rightKind: right.kind});
  }
  pending.left = [];
  pending.right = [];
}

// The places of a longest increasing subsequence of the numbers, without the
// negative ones. Time n log n (patience sorting).
function longestIncreasing(numbers) {
  const tails = [];  // places of the least last numbers, by length
  const before = new Int32Array(numbers.length).fill(-1);
  numbers.forEach((number, place) => {
    if (number < 0) return;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[tails[middle]] < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    before[place] = low > 0 ? tails[low - 1] : -1;
    tails[low] = place;
  });
  const kept = new Set();
  for (let place = tails.length > 0 ? tails[tails.length - 1] : -1; place >= 0;
       place = before[place]) {
    kept.add(place);
  }
  return kept;
}

// The rows that differ with `context` rows around them and the heads of their
// computations; {hidden: n} stands for n rows that are left out.
function onlyChanges(rows, context) {
  const isKept = new Uint8Array(rows.length);
  let head = -1;
  rows.forEach((row, i) => {
    if (row.isHead) head = i;
    const isOneSided = row.isHead && (row.left < 0) !== (row.right < 0);
    if (!isOneSided && (row.isHead || row.leftKind === "same")) return;
    if (head >= 0) isKept[head] = 1;
    for (let k = Math.max(head, i - context);
         k <= i + context && k < rows.length && (k === i || !rows[k].isHead); ++k) {
      isKept[k] = 1;
    }
  });
  const kept = [];
  let hidden = 0;
  rows.forEach((row, i) => {
    if (!isKept[i]) {
      ++hidden;
      return;
    }
    if (hidden > 0) kept.push({hidden});
    hidden = 0;
    kept.push(row);
  });
  if (hidden > 0) kept.push({hidden});
  return kept;
}
