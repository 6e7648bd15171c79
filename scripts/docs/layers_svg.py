"""Draws xla/LAYERS: the layers in rows, so that a layer includes only layers in
rows below its own, with an arrow for each of these includes that does not
follow from others."""

import sys

from command import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import tree

# Colours of the boxes by the first part of the name; light and dark pages show
# the picture on white.
COLOURS = {
    "base": "#eceff1", "proto": "#eceff1", "core": "#e3f2fd",
    "runtime": "#e0f2f1", "distributed": "#e0f2f1", "hlo": "#fff3e0",
    "stablehlo": "#f3e5f5", "program": "#f3e5f5", "backends": "#e8f5e9",
    "client": "#fce4ec", "profiler": "#e0f2f1", "pjrt": "#fce4ec", "capi": "#fce4ec",
    "tools": "#fce4ec"}
BOX_HEIGHT, ROW_GAP, COLUMN_GAP, MARGIN = 30, 46, 18, 16
CHARACTER = 7.3  # width in pixels of a character at the size of the text


def direct_includes(allowed):
  """The includes of each layer that do not follow from its other includes."""
  direct = {}
  for layer, reach in allowed.items():
    others = reach - {layer}
    implied = set().union(*(allowed[other] - {other} for other in others))
    direct[layer] = others - implied
  return direct


def rows_of(direct):
  """The layers in rows: each in the lowest row above all that it includes."""
  height = {}
  for layer in direct:  # a line of LAYERS names only lines above it
    height[layer] = 1 + max((height[other] for other in direct[layer]),
                            default=-1)
  rows = [[] for _ in range(max(height.values()) + 1)]
  for layer, row in height.items():
    rows[row].append(layer)
  return rows


def chains_of(rows, direct):
  """Maps each include (layer, other) to the boxes that its arrow goes through:
  both ends and, in the rows between, points that are added to `rows`."""
  height = {layer: i for i, row in enumerate(rows) for layer in row}
  chains = {}
  for layer in direct:
    for other in sorted(direct[layer]):
      points = [(layer, other, i)
                for i in range(height[layer] - 1, height[other], -1)]
      for point in points:
        rows[point[2]].append(point)
      chains[layer, other] = [layer, *points, other]
  return chains


def ordered(rows, chains):
  """The rows with each box near those that arrows connect it with."""
  place = {}
  neighbours = {box: set() for row in rows for box in row}
  for chain in chains.values():
    for one, other in zip(chain, chain[1:]):
      neighbours[one].add(other)
      neighbours[other].add(one)
  # Sets have another order in each run, which a sum of floats may show.
  neighbours = {box: sorted(near, key=str) for box, near in neighbours.items()}
  for row in rows:
    for i, layer in enumerate(row):
      place[layer] = (i + 0.5) / len(row)
  for step in range(24):
    for row in rows if step % 2 == 0 else reversed(rows):
      mean = {layer: (sum(place[n] for n in neighbours[layer])
                      / max(1, len(neighbours[layer]))) for layer in row}
      row.sort(key=lambda layer: (mean[layer], str(layer)))
      for i, layer in enumerate(row):
        place[layer] = (i + 0.5) / len(row)
  return rows


def box_width(layer):
  if isinstance(layer, tuple):  # a point of an arrow
    return 10
  return CHARACTER * len(layer) + 20


def place_boxes(rows):
  """Maps each layer to (x, y, width) of its box; also the picture's width."""
  widths = [sum(box_width(layer) + COLUMN_GAP for layer in row) - COLUMN_GAP
            for row in rows]
  full = max(widths) + 2 * MARGIN
  boxes = {}
  for i, row in enumerate(rows):
    slack = (full - 2 * MARGIN - widths[i]) / (len(row) + 1)
    x = MARGIN + slack
    y = MARGIN + (len(rows) - 1 - i) * (BOX_HEIGHT + ROW_GAP)
    for layer in row:
      boxes[layer] = x, y, box_width(layer)
      x += box_width(layer) + COLUMN_GAP + slack
  return boxes, full


def arrow(chain, boxes):
  """A curve from the bottom of the first box to the top of the last."""
  x, y, width = boxes[chain[0]]
  path = f"M{x + width / 2:.0f},{y + BOX_HEIGHT:.0f}"
  x, y = x + width / 2, y + BOX_HEIGHT
  for box in chain[1:]:
    left, top, width = boxes[box]
    x2, y2 = left + width / 2, top - 3 * (box is chain[-1])
    bend = (y2 - y) / 2
    path += (f" C{x:.0f},{y + bend:.0f} {x2:.0f},{y2 - bend:.0f} "
             f"{x2:.0f},{y2:.0f}")
    if box is not chain[-1]:
      path += f" V{y2 + BOX_HEIGHT:.0f}"
    x, y = x2, y2 + BOX_HEIGHT
  return f'<path d="{path}" marker-end="url(#head)"/>'


def picture(allowed=None):
  """The SVG text of xla/LAYERS, or of such a map."""
  allowed = allowed or tree.layers()
  direct = direct_includes(allowed)
  rows = rows_of(direct)
  chains = chains_of(rows, direct)
  rows = ordered(rows, chains)
  boxes, width = place_boxes(rows)
  height = 2 * MARGIN + len(rows) * (BOX_HEIGHT + ROW_GAP) - ROW_GAP
  lines = [
      f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} '
      f'{height}" font-family="sans-serif" font-size="13">',
      "<title>The folders below xla/ and what they include</title>",
      '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" '
      'markerWidth="7" markerHeight="7" orient="auto">'
      '<path d="M0,0 L8,4 L0,8 z" fill="#78909c"/></marker></defs>',
      f'<rect width="{width:.0f}" height="{height}" fill="white"/>',
      '<g fill="none" stroke="#90a4ae" stroke-width="1.1">']
  lines += [arrow(chain, boxes) for chain in chains.values()]
  lines.append("</g>")
  for layer, (x, y, box) in boxes.items():
    if isinstance(layer, tuple):
      continue
    colour = COLOURS[layer.split("/")[0]]
    lines.append(
        f'<rect x="{x:.0f}" y="{y}" width="{box:.0f}" height="{BOX_HEIGHT}" '
        f'rx="5" fill="{colour}" stroke="#607d8b"/>')
    lines.append(
        f'<text x="{x + box / 2:.0f}" y="{y + BOX_HEIGHT / 2 + 4.5}" '
        f'text-anchor="middle" fill="#263238">{layer}</text>')
  lines.append("</svg>")
  return "\n".join(lines) + "\n"


if __name__ == "__main__":
  print(picture(), end="")
