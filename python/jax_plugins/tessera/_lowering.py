"""Lowering rules: platform tessera follows platform cpu.

JAX keeps rules by platform name. A primitive's rule for tessera is the one
registered for tessera, else the one for cpu, else the common one; this includes
rules that are registered later. Callbacks and sparse products have modules of
their own.
"""

import dataclasses
import functools

from jax._src.interpreters import mlir

# The names of primitives whose common rule is preferred to the one for cpu.
_COMMON_RULE = {"bcsr_dot_general"}

# Rules by the name of a primitive whose module may not be imported yet. Each
# takes (primitive) and returns an entry of the table, or None.
_late_rules = {}


def rule_of(entry):
  """The function in an entry of JAX's tables, which newer versions wrap."""
  return getattr(entry, "rule", entry)


def with_rule(entry, rule):
  """A copy of such an entry with another function."""
  if dataclasses.is_dataclass(entry):
    return dataclasses.replace(entry, rule=rule)
  return rule


def set_late_rule(name, make):
  """Lets `make(primitive)` make the entry of the primitive called `name`."""
  _late_rules[name] = make


class _Rules(dict):
  """A platform's table that falls back to that of platform cpu."""

  def _fallback(self, primitive):
    name = getattr(primitive, "name", None)
    if name in _late_rules:
      entry = _late_rules[name](primitive)
      if entry is not None:
        return entry
    if name in _COMMON_RULE and primitive in mlir._lowerings:
      return None
    return mlir._platform_specific_lowerings["cpu"].get(primitive)

  def __contains__(self, primitive):
    return (super().__contains__(primitive)
            or self._fallback(primitive) is not None)

  def __missing__(self, primitive):
    entry = self._fallback(primitive)
    if entry is None:
      raise KeyError(primitive)
    return entry

  def get(self, primitive, default=None):
    return self[primitive] if primitive in self else default


def install(platform):
  """Makes cpu's rules apply to `platform`."""
  tables = mlir._platform_specific_lowerings
  tables["cpu"]  # Raises if this is not a table by platform.
  tables[platform] = _Rules(tables.get(platform, {}))


def install_donation(platform):
  """Lets programs for `platform` reuse the buffers of donated arguments."""
  if platform not in mlir._platforms_with_donation:
    mlir._platforms_with_donation.append(platform)


def _with_platform(branches, platform):
  """The `branches` of platform_dependent, where the one for cpu also serves
  `platform` unless a branch names it."""
  if any(names and platform in names for names in branches):
    return branches
  return tuple(
      (*names, platform) if names and "cpu" in names else names
      for names in branches)


def install_branches(platform):
  """Makes jax.lax.platform_dependent take the branch for cpu if none names
  `platform`."""
  from jax._src.lax.control_flow import conditionals
  wanted = ((conditionals.platform_index_p, "platforms"),
            (conditionals.cond_p, "branches_platforms"))
  for primitive, parameter in wanted:
    entry = mlir._lowerings[primitive]

    def rule(ctx, *args, _original=rule_of(entry), _name=parameter, **params):
      if params.get(_name) is not None:
        params[_name] = _with_platform(params[_name], platform)
      return _original(ctx, *args, **params)

    functools.update_wrapper(rule, rule_of(entry))
    mlir._lowerings[primitive] = with_rule(entry, rule)
