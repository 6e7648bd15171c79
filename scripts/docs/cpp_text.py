"""Finds calls, strings and brackets in the text of C++ sources."""

import functools
import re

RAW_STRING = re.compile(r'R"(\w*)\((.*?)\)\1"', re.DOTALL)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
CHARACTER = re.compile(r"'(?:[^'\\\n]|\\.)'")
COMMENT = re.compile(r"//[^\n]*")
# No call is longer, in bytes.
LONGEST_CALL = 4000
OPEN, CLOSE = "([{", ")]}"


@functools.lru_cache(maxsize=64)
def masked(text):
  """`text` with the contents of strings and comments replaced by blanks, so
  that what is left are the brackets of code."""
  pattern = re.compile("|".join(
      p.pattern.replace(r"\1", r"(?P=raw)").replace(r"(\w*)", r"(?P<raw>\w*)")
      for p in (RAW_STRING, STRING, CHARACTER, COMMENT)), re.DOTALL)
  return pattern.sub(
      lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing(mask, start):
  """The position behind the bracket that closes the one at `start`."""
  depth = 0
  for i in range(start, len(mask)):
    depth += (mask[i] in OPEN) - (mask[i] in CLOSE)
    if depth == 0:
      return i + 1
  return len(mask)


def enclosing(mask, position):
  """The (start, end) of all brackets around `position`, the innermost first."""
  depth = 0
  for i in range(position - 1, -1, -1):
    if mask[i] in CLOSE:
      depth += 1
    elif mask[i] in OPEN:
      if depth == 0:
        yield i, closing(mask, i)
      else:
        depth -= 1
    if depth == 0 and mask.startswith("\n}", i):
      return


def with_callee(mask, start):
  """`start` of a parenthesis moved before the name that is called."""
  name = re.search(r"[\w:.>-]*$", mask[:start])
  return name.start() if name else start


def whole_lines(text, start, end):
  """The lines from `start` to `end`, less their common indentation."""
  start = text.rfind("\n", 0, start) + 1
  stop = text.find("\n", end)
  lines = text[start:stop if stop >= 0 else len(text)].splitlines()
  width = min((len(line) - len(line.lstrip()) for line in lines
               if line.strip()), default=0)
  return "\n".join(line[width:] for line in lines)


def arguments(text, start):
  """The arguments of the call whose parenthesis opens at `start`."""
  end = start + closing(masked(text[start:start + LONGEST_CALL]), 0)
  mask = masked(text[start:end])
  parts, depth, begin = [], 0, 1
  for i, c in enumerate(mask):
    depth += (c in OPEN) - (c in CLOSE)
    if (c == "," and depth == 1) or depth == 0:
      parts.append(text[start + begin:start + i].strip())
      begin = i + 1
  return parts
