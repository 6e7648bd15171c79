"""Makes the error index: each rule label with what holds, its message, an input
that breaks it and what to do.

The rule is the comment of the code, the input the negative test, and the
message what the command says about it. Where no HLO text breaks the rule, the
input is C++ from a test (cpp_examples.py) and the message what that test got,
which rule_messages.txt keeps. What to do is a line of rules.txt.
"""

import concurrent.futures
import dataclasses
import functools
import re
import sys

import cpp_examples
import op_cases
from command import ROOT, fence

sys.path.insert(0, str(ROOT / "scripts"))
import check_rules
import tree

ADVICE = ROOT / "scripts/docs/rules.txt"
MESSAGES = ROOT / "scripts/docs/rule_messages.txt"
ADVICE_LINE = re.compile(r"([a-z][a-z0-9_]*_c\d+): (.+)")
LABEL = r"[a-z][a-z0-9_]*_c\d+"
# A comment `// pad_c3: what holds`, with the lines that continue it.
RULE_COMMENT = re.compile(rf"// ({LABEL}: .*(?:\n *// (?! *{LABEL}:).*)*)")
# What readers of a page need to know of its examples.
NOTES = {
    "Modules and computations":
        "Some of these rules are checked only where an option of "
        "`HloVerifierOptions` asks for it; the example then names it. In the "
        "examples of `DeadlockIn`, `Scheduled` makes a module of these "
        "transfers, with their pairs of devices, in this order, and "
        "`DeadlockIn` verifies it with `verify_no_collective_deadlocks`.\n",
    "XlaBuilder":
        "Unless an example makes them, `b` is a builder, and `x`, `s` and "
        "`token` are an `f32[2,4]`, an `f32[]` and a token of it; `p` are "
        "parameters. `ScalarAdd()` is a computation that adds two `f32[]`, "
        "`Scalar()` and `Vector(n)` are the shapes `f32[]` and `f32[n]`. The "
        "error comes from `b.Build()`, or earlier from `b.first_error()`.\n"}


@dataclasses.dataclass
class Rule:
  """One entry of the index."""
  label: str
  holds: str
  advice: str
  message: str = ""
  language: str = ""  # of the example: hlo or cpp
  example: str = ""
  # Where an example in C++ is from.
  test: cpp_examples.Test = None


def number(label):
  stem, _, digits = label.rpartition("_c")
  return stem, int(digits)


def advice():
  """Maps each heading of rules.txt to its labels with what to do. Errors:
  ValueError for other lines."""
  groups, group = {}, None
  for line in ADVICE.read_text().splitlines():
    match = ADVICE_LINE.fullmatch(line)
    if match and group is not None:
      group[match[1]] = match[2]
    elif re.fullmatch(r"\[.+\]", line):
      group = groups.setdefault(line[1:-1], {})
    elif line and not line.startswith("#"):
      raise ValueError(f"rules.txt: {line!r} is neither a heading nor a rule")
  return groups


@functools.lru_cache(maxsize=None)
def labels():
  """All labels of the code."""
  return frozenset(check_rules.labels(check_rules.RULE,
                                      tree.sources("xla/hlo")))


def mismatches():
  """Labels of the code without a line of rules.txt, and the reverse."""
  lines = [label for group in advice().values() for label in group]
  return (sorted(labels() - set(lines)), sorted(set(lines) - labels()),
          sorted({label for label in lines if lines.count(label) > 1}))


def split_comment(comment):
  """Yields (label, sentence) of a comment that may give several rules."""
  text = re.sub(r"\n *// ?", " ", comment)
  parts = re.split(rf"({LABEL}): ", text)
  for label, sentence in zip(parts[1::2], parts[2::2]):
    yield label, sentence.strip()


@functools.lru_cache(maxsize=None)
def sentences():
  """Maps each label to what its comment says."""
  found = {}
  for path in tree.sources("xla/hlo"):
    text = path.read_text()
    if "_c" in text:
      for comment in RULE_COMMENT.findall(text):
        for label, sentence in split_comment(comment):
          found.setdefault(label, sentence)
  return found


def run_text(command, label, text):
  """The message about HLO text that breaks the rule; empty if it does not."""
  _, printed = command("run", "wrong.hlo", "--backend=evaluator",
                       files=[("wrong.hlo", text.strip("\n") + "\n")])
  return printed.strip() if f"({label})" in printed else ""


def from_op_cases(command, rule):
  """Fills the example from tests/ops; false if none breaks the rule."""
  for case in op_cases.cases():
    if any(rule.label in value for _, value in case.values("ERROR")):
      _, printed = op_cases.run(command, case, "--backend=evaluator")
      if f"({rule.label})" in printed:
        rule.language, rule.example = "hlo", case.text
        rule.message = printed.strip()
        return True
  return False


def from_cpp(command, rule):
  """Fills the example from a C++ test: its HLO text if that breaks the rule,
  else a part of the test."""
  for module in cpp_examples.modules(rule.label):
    message = run_text(command, rule.label, module)
    if message:
      rule.language, rule.example = "hlo", module.strip("\n")
      rule.message = message
      return
  found = cpp_examples.example(rule.label)
  if found:
    rule.language = "cpp"
    rule.example, rule.test = found


def fill(command, rule):
  if not from_op_cases(command, rule):
    from_cpp(command, rule)
  return rule


@functools.lru_cache(maxsize=None)
def without_messages(command):
  """As `entries`, before examples in C++ have got their messages."""
  missing, unknown, twice = mismatches()
  if missing or unknown or twice:
    raise LookupError(f"scripts/docs/rules.txt: no line for {missing}, no rule "
                      f"for {unknown}, twice {twice}")
  made = {}
  with concurrent.futures.ThreadPoolExecutor() as pool:
    for group, lines in advice().items():
      made[group] = list(pool.map(
          lambda item: fill(command, Rule(item[0], sentences()[item[0]],
                                          item[1])), lines.items()))
  bare = [rule.label for rules in made.values() for rule in rules
          if not rule.example]
  if bare:
    raise LookupError(f"no test shows what breaks {', '.join(bare)}")
  return made


def in_cpp(command):
  """Maps the labels with an example in C++ to the tests."""
  return {rule.label: rule.test for rules in without_messages(command).values()
          for rule in rules if rule.test}


def kept_messages():
  """Maps labels to the messages of rule_messages.txt."""
  lines = (line.split(": ", 1) for line in MESSAGES.read_text().splitlines()
           if not line.startswith("#"))
  return {label: re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), text)
          for label, text in lines}


def entries(command):
  """Maps each heading to its rules, complete. Errors: LookupError for labels
  without advice, example or message, and for advice without a rule."""
  made, kept = without_messages(command), kept_messages()
  tests = in_cpp(command)
  if tests.keys() != kept.keys():
    raise LookupError(
        f"{MESSAGES} should have {sorted(tests.keys() - kept.keys())} and not "
        f"{sorted(kept.keys() - tests.keys())}: run rule_messages.py")
  return {group: [dataclasses.replace(rule, message=rule.message or
                                      kept[rule.label]) for rule in rules]
          for group, rules in made.items()}


def file_name(group):
  return re.sub(r"[^a-z]+", "-", group.lower()).strip("-") + ".md"


def table_text(text):
  return text.replace("|", "\\|").replace("<", "&lt;")


def section(rule):
  sentence = rule.holds.replace("<", "&lt;")
  holds = sentence[0].upper() + sentence[1:].rstrip(".") + "."
  lines = [f"## {rule.label}\n", f"**Rule.** {holds}\n"]
  if rule.message:
    lines.append(fence("text", rule.message))
  lines += [f"**What to do.** {rule.advice}\n", "An example that breaks it:\n",
            fence(rule.language, rule.example)]
  return "\n".join(lines)


def pages(command):
  """Maps the file name of each page to its Markdown text; index.md lists all
  labels."""
  made = {}
  index = ["# Error index\n",
           "Errors about programs end in the label of the rule that is broken, "
           "such as `(pad_c3)`. Search for it here, or find it in the list. "
           "Each entry has the rule, the message, what to do, and the input of "
           "the test that breaks the rule; all but the advice comes from the "
           "code and its tests.\n"]
  for group, rules in entries(command).items():
    name = file_name(group)
    made[name] = "\n".join([f"# Errors: {group}\n", NOTES.get(group, ""),
                            *map(section, rules)])
    index += [f"## {group}\n", "| label | rule |\n| --- | --- |"]
    index += [f"| [`{rule.label}`]({name}#{rule.label}) | "
              f"{table_text(rule.holds)} |" for rule in rules]
    index.append("")
  made["index.md"] = "\n".join(index)
  return made
