"""Draws the tables of docs/performance.md, which `./dev bench` writes, as bars:
how many times as fast as XLA:CPU each program runs and compiles."""

import math
import re

from command import ROOT, table_rows

PAGE = ROOT / "docs/performance.md"
ROW, BAR, LABEL, PLOT, RIGHT = 17, 11, 235, 430, 70
TOP, BOTTOM = 54, 12
FASTER, SLOWER, AXIS = "#26a69a", "#ef6c00", "#b0bec5"
TICKS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)


def number(cell):
  """The first number of a cell, without the marks of Markdown."""
  return float(re.search(r"\d+(?:\.\d+)?", cell.replace("*", ""))[0])


def section(page, heading):
  """The text under a heading of the second level. Errors: ValueError if the
  page has none."""
  match = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", page,
                    re.MULTILINE | re.DOTALL)
  if not match:
    raise ValueError(f"{PAGE}: no section {heading!r}")
  return match[1]


def ratios(page, heading):
  """The pairs (program, ratio) of a section's tables, whose fourth column is
  the ratio."""
  return [(row[0].strip("`"), number(row[3]))
          for row in table_rows(section(page, heading))]


def picture(title, pairs):
  """Horizontal bars from 1 to each ratio, on a logarithmic axis."""
  low = min(0.5, min(ratio for _, ratio in pairs) * 0.9)
  high = max(ratio for _, ratio in pairs) * 1.1
  scale = PLOT / math.log(high / low)

  def x(ratio):
    return LABEL + math.log(ratio / low) * scale

  width = LABEL + PLOT + RIGHT
  height = TOP + ROW * len(pairs) + BOTTOM
  lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
           f'{height}" font-family="sans-serif" font-size="11">',
           f"<title>{title}</title>",
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{LABEL}" y="16" font-size="13" fill="#263238">{title}'
           "</text>"]
  for tick in TICKS:
    if low <= tick <= high:
      thick = 1.6 if tick == 1 else 0.6
      lines.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" '
                   f'y1="{TOP - 8}" y2="{height - BOTTOM}" stroke="{AXIS}" '
                   f'stroke-width="{thick}"/>')
      lines.append(f'<text x="{x(tick):.1f}" y="{TOP - 14}" '
                   f'text-anchor="middle" fill="#455a64">{tick:g}</text>')
  for i, (program, ratio) in enumerate(pairs):
    y = TOP + i * ROW
    left, right = sorted((x(1), x(ratio)))
    lines.append(f'<text x="{LABEL - 8}" y="{y + 9}" text-anchor="end" '
                 f'fill="#263238">{program}</text>')
    lines.append(f'<rect x="{left:.1f}" y="{y}" width="{right - left:.1f}" '
                 f'height="{BAR}" fill="{FASTER if ratio >= 1 else SLOWER}"/>')
    lines.append(f'<text x="{right + 4:.1f}" y="{y + 9}" '
                 f'fill="#455a64">{ratio:.2f}</text>')
  lines.append("</svg>")
  return "\n".join(lines) + "\n"


def pictures(page=None):
  """Maps file names to SVG texts."""
  page = page or PAGE.read_text()
  return {
      "run-time.svg": picture(
          "XLA:CPU's run time / Tessera's: above 1, Tessera is faster", ratios(page, "Run time")),
      "compile-time.svg": picture(
          "XLA:CPU's compile time / Tessera's: above 1, Tessera is faster",
          ratios(page, "Compile time and memory")),
  }


def with_pictures(page, folder):
  """The Markdown page with a picture before the first table of each section."""
  for heading, name, text in (
      ("Run time", "run-time.svg",
       "How many times as fast as XLA:CPU each program runs"),
      ("Compile time and memory", "compile-time.svg",
       "How many times as fast as XLA:CPU each program compiles")):
    page = page.replace(
        f"## {heading}\n", f"## {heading}\n\n![{text}]({folder}/{name})\n")
  return page
