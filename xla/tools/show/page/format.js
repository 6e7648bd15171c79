// Numbers with units, as texts.

function formatScaled(value, units, base) {
  let unit = 0;
  let scaled = value;
  while (Math.abs(scaled) >= base && unit + 1 < units.length) {
    scaled /= base;
    ++unit;
  }
  const digits = Math.abs(scaled) >= 100 || Number.isInteger(scaled) ? 0 :
                 Math.abs(scaled) >= 10 ? 1 : 2;
  const separator = units[unit] === "" ? "" : "\u00a0";
  return scaled.toFixed(digits) + separator + units[unit];
}

function formatBytes(bytes) {
  return formatScaled(bytes, ["B", "kB", "MB", "GB", "TB"], 1000);
}

function formatNanoseconds(ns) {
  return formatScaled(ns, ["ns", "\u00b5s", "ms", "s"], 1000);
}

function formatSeconds(seconds) {
  return formatNanoseconds(seconds * 1e9);
}

function formatCount(count) {
  return formatScaled(count, ["", "k", "M", "G", "T", "P"], 1000);
}

function formatInteger(number) {
  return number.toLocaleString("en-US");
}

function formatShare(part) {
  return (100 * part).toFixed(part < 0.1 ? 1 : 0) + "\u00a0%";
}

// "3 instructions"
function formatNumberOf(number, noun) {
  return `${formatInteger(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// Cuts a text in the middle.
function abridge(text, most) {
  if (text.length <= most) return text;
  const head = Math.ceil((most - 1) * 0.6);
  return text.slice(0, head) + "\u2026" + text.slice(text.length - (most - 1 - head));
}

// A shape without layouts: "f32[64,128]" of "f32[64,128]{1,0}".
function shapeWithoutLayout(shape) {
  return shape.replace(/\{[^}]*\}/g, "");
}
