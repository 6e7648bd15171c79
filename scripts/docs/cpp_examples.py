"""Finds what breaks a rule in the C++ tests, and shows it as the code that a
user writes: without the matchers and helpers of tests."""

import dataclasses
import functools
import pathlib
import re
import textwrap

import cpp_text
from command import ROOT

LABEL = r"[a-z][a-z0-9_]*_c\d+"
TEST = re.compile(r"^TEST\(\w+, (\w+)\) \{", re.MULTILINE)
# How a test says that something breaks a rule, those first that show best.
CHECKS = (r"EXPECT_RULE\(\s*\"", r"(?:ExpectBreaks|breaks)\(\s*\"",
          r"BreaksRule\(\"", r"\bBreaks\(.*\"", r"\(")
# What EXPECT_RULE gives to its statements.
GIVEN_TO_RULES = ("b", "x", "s", "token")
# Matchers, which are no calls that an example shows.
MATCHERS = ("BreaksRule", "AllOf", "testing::AllOf", "testing::Value")
WORD = re.compile(r"[A-Za-z_]\w*")
# A declaration of a local variable.
LOCAL = re.compile(r"(?://.*\n)*(?:const |static |constexpr )*"
                   r"[A-Za-z][\w:<>, ]*?[*&]? "
                   r"(?:const )?(\w+)(?:\[\])?(?: =\s|\(|;|\{|, \w)")
# A constant of a file, and a loop of a test over values.
FILE_CONSTANT = re.compile(r"^const \w+ k\w+ = .*?;$", re.MULTILINE | re.DOTALL)
LOOP = re.compile(r"^ *for \(([^:;]*?) :\s+\{(.*?)\}\) \{$",
                  re.MULTILINE | re.DOTALL)
ENDS_OF_MESSAGES = (".status().message()", ".message()", ".status()")


@dataclasses.dataclass(frozen=True)
class Test:
  """A case of a C++ test."""
  path: pathlib.Path
  name: str


@functools.lru_cache(maxsize=1)
def mentions():
  """Maps each label to the places of C++ tests that name it."""
  found = {}
  for path in sorted((ROOT / "tests").rglob("*.cc")):
    text = path.read_text()
    for match in re.finditer(rf"\b{LABEL}\b", text):
      found.setdefault(match[0], []).append((path, text, match.start()))
  return found


def modules(label):
  """The HLO texts in the tests that name the label."""
  for _, text, position in mentions().get(label, ()):
    around = [text[start:end] for start, end in
              cpp_text.enclosing(cpp_text.masked(text), position)]
    for _, module in cpp_text.RAW_STRING.findall(around[-1] if around else ""):
      if "HloModule" in module:
        yield module


def rank(text, position):
  """The check that names the label at `position`; None if none does."""
  before = text[max(0, position - 200):position]
  for i, check in enumerate(CHECKS):
    if re.search(check + r"\Z", before):
      return i
  return None


def statements(text):
  """The statements of the body of a function."""
  mask, depth, start, found = cpp_text.masked(text), 0, 0, []
  for i, c in enumerate(mask):
    depth += (c in cpp_text.OPEN) - (c in cpp_text.CLOSE)
    is_block = c == "}" and re.match(r"\s*(for|while|if) ", mask[start:])
    if depth == 0 and (c == ";" or is_block):
      found.append(unindented(text[start:i + 1].strip("\n")))
      start = i + 1
  return found


def unindented(text):
  """`text` less the indentation of its first line, which raw strings keep."""
  width = len(text) - len(text.lstrip(" "))
  code = cpp_text.masked(text).split("\n")
  return "\n".join(
      line if code[i].isspace() and not line.lstrip().startswith("//")
      else line[min(width, len(line) - len(line.lstrip(" "))):]
      for i, line in enumerate(text.split("\n")))


def is_check(statement):
  return bool(re.match(r"(//.*\n)*(EXPECT_|ASSERT_|Expect[A-Z]|breaks\()",
                       statement))


def effect(statement):
  """What a check does besides checking: an expression whose success it asks
  for; "" if there is none."""
  match = re.match(r"(?:EXPECT|ASSERT)_(?:TRUE|FALSE)\((.*)\.(ok|valid)\(\)\)",
                   statement, re.DOTALL)
  return match[1].rstrip() + ";" if match and "(" in match[1] else ""


def with_declarations(shown, before, given):
  """`shown` behind those of the statements `before` it that its names need, but
  for the names that are `given`."""
  declared = {match[1] for statement in before
              if (match := LOCAL.match(statement))} - given
  before = [effect(statement) if is_check(statement) else statement
            for statement in before if "ExpectBreaks" not in statement]
  words = [set(WORD.findall(cpp_text.masked(text))) & declared
           for text in before]
  note = re.match("//.*", shown)
  needed, known = set(WORD.findall(cpp_text.masked(shown) +
                                   (note[0] if note else ""))) & declared, None
  while needed != known:
    known = needed
    needed = needed.union(*(found for found in words if found & needed))
  kept = [text for text, found in zip(before, words) if found & needed]
  # The name of a status alone says nothing more.
  return "\n".join(kept if kept and shown in ("status;", "error;")
                   else kept + [shown])


def function(text):
  """(body, names of parameters) of the lambda function that `text` is; `text`
  and no names if it is none."""
  match = re.match(r"\[.*?\]\(([^)]*)\) \{", text, re.DOTALL)
  if not match:
    return text, set()
  end = cpp_text.closing(cpp_text.masked(text), match.end() - 1)
  return text[match.end():end - 1].strip("\n"), set(WORD.findall(match[1]))


def as_statement(text):
  """`text` without `return`, its lines aligned again, and with a semicolon."""
  if text.startswith(" "):
    text = unindented(text)
  elif 'R"(' not in text:
    first, _, rest = text.partition("\n")
    text = first + "\n" * bool(rest) + textwrap.indent(textwrap.dedent(rest),
                                                       "    ")
  text = re.sub(r"^return ", "", text.rstrip(), flags=re.MULTILINE)
  return text if text.endswith((";", "}")) else text + ";"


def without_message(expression):
  """What fails, of an expression for the message of its error."""
  text = expression.strip()
  match = re.fullmatch(r"std::string\((.*)\)", text, re.DOTALL)
  text = match[1].strip() if match else text
  for end in ENDS_OF_MESSAGES:
    parts = re.fullmatch(r"(.*?)\s*" + r"\s*".join(
        map(re.escape, re.split(r"(?<=\))(?=\.)", end))), text, re.DOTALL)
    text = parts[1] if parts else text
  return text


def readable(text, source):
  """`text` with the helpers of the verifier's tests written out."""
  good = re.search(r'kGood = (R"\(.*?\)");', source, re.DOTALL)
  if good:
    text = text.replace("Parse(kGood)", f"Parse({good[1]})")
  text = re.sub(r'\bParse\((R"\(.*?\)"|\w+\(.*?\))\)',
                r"ParseAndReturnUnverifiedModule(\1).value()", text,
                flags=re.DOTALL)
  text = re.sub(r"\bErrorOf\((\*\w+|HloModule.*?\))\)",
                r"HloVerifier().Verify(\1)", text)
  text = re.sub(r"\bErrorOf\((\w+)\)", r"\1.first_error()", text)
  option = re.search(r"ErrorWith\(", text)
  if option:
    end = cpp_text.closing(cpp_text.masked(text), option.end() - 1)
    parts = cpp_text.arguments(text, option.end() - 1)
    name = parts[0].split("::")[-1]
    value = parts[1] if len(parts) > 2 else "true"
    text = (f"{text[:option.start()]}HloVerifier({{.{name} = {value}}})\n"
            f"    .Verify(*ParseAndReturnUnverifiedModule({parts[-1]})"
            f".value()){text[end:]}")
  return text


def checked(text, position):
  """What the check that names the label at `position` applies to, and which of
  its names the check gives a meaning to."""
  mask = cpp_text.masked(text)
  for start, _ in cpp_text.enclosing(mask, position):
    callee = text[cpp_text.with_callee(mask, start):start]
    if callee in MATCHERS:
      continue
    parts = cpp_text.arguments(text, start)
    if callee == "EXPECT_RULE":
      return as_statement(", ".join(parts[1:])), set(GIVEN_TO_RULES)
    if callee in ("ExpectBreaks", "breaks"):
      given = (f"// The parameters p have the values of {parts[2]}.\n"
               if len(parts) > 2 else "")
      body, names = function(parts[1])
      return given + as_statement(body), names
    if callee == "EXPECT_THAT":
      return as_statement(without_message(parts[0])), set()
    if callee == "Breaks":
      return as_statement(parts[0]), set()
    if text[start] == "{" and len(parts) == 4 and parts[0].startswith('"'):
      shapes = ", ".join(re.findall(r'"([^"]+)"', parts[1]) or [parts[1]])
      body, names = function(parts[2])
      return (f"// The parameters p are of shape {shapes}.\n" +
              as_statement(body if names else body + "(b, p)"), {"b", "p"})
  return "", set()


def example(label):
  """(the code, its Test) of what breaks the rule in C++; None without one."""
  places = [(rank(text, position), path, text, position)
            for path, text, position in mentions().get(label, ())]
  places = [place for place in places if place[0] is not None]
  if not places:
    return None
  _, path, text, position = min(places, key=lambda place: place[0])
  head = list(TEST.finditer(text, 0, position))[-1]
  # Of loops around the check, the first round.
  before = FILE_CONSTANT.findall(text) + statements(LOOP.sub(
      lambda m: f"{m[1]} = {cpp_text.arguments('{' + m[2] + '}', 0)[0]};",
      text[head.end():position]))
  shown, given = checked(text, position)
  shown = with_declarations(shown, before, given)
  return readable(shown, text), Test(path, head[1])
