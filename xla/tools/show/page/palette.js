// Colours of classes of instructions and of times. The style sheet has them, for
// light and dark pages.

const CLASSES = [
  ["value", "parameters, constants, tuples"],
  ["arithmetic", "element-wise"],
  ["movement", "moves elements"],
  ["reduction", "reductions, maps"],
  ["contraction", "dots, convolutions"],
  ["scatter", "scatters"],
  ["algorithm", "sorts, FFTs, scans, ..."],
  ["fusion", "fusions"],
  ["control", "loops, calls, branches"],
  ["device", "other devices, the host"],
  ["foreign", "custom calls"],
];

// Reads the colours anew when the scheme changes.
class Palette {
  constructor() {
    onColorScheme(() => this.read());
  }

  read() {
    this.classes = new Map();
    for (const [name] of CLASSES) {
      this.classes.set(name, styleValue(`--class-${name}`));
    }
    for (const name of ["text", "dim", "line", "surface", "raised", "accent",
                        "operand", "user", "hit", "cold", "warm", "hot",
                        "onClass"]) {
      this[name] = styleValue(`--${name.toLowerCase()}`);
    }
    this.font = styleValue("--mono");
  }

  ofClass(name) {
    return this.classes.get(name) || this.dim;
  }

  // From cold to hot for shares of 0.001 to 1 of the longest time, in powers of
  // ten.
  ofShare(share) {
    if (share <= 0) return this.line;
    const place = Math.max(0, 1 + Math.log10(share) / 3);
    return place < 0.5 ? mix(this.cold, this.warm, 2 * place)
                       : mix(this.warm, this.hot, 2 * place - 1);
  }
}

// Mixes two colours written "#rrggbb".
function mix(a, b, share) {
  const part = (color, i) => parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map(
      (i) => Math.round(part(a, i) * (1 - share) + part(b, i) * share));
  return `rgb(${mixed.join(" ")})`;
}
