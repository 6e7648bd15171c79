"""Collectives on four devices: replicas, partitions, or two by two."""

import compare
import programs
import suite
import values
from ops_contraction import values_of
from programs import shape_text

XLA_MODE = "old"

MODES = {"replicas": (4, 1), "partitions": (1, 4), "both": (2, 2)}
GROUPS = {"all": [[0, 1, 2, 3]], "pairs": [[0, 2], [3, 1]]}


def groups_text(groups):
  return "{" + ",".join("{" + ",".join(map(str, group)) + "}"
                        for group in groups) + "}"


def per_device(rng, t, shape):
  return [values_of(rng, t, shape) for _ in range(4)]


def modes():
  """Yields (name, program, attributes, groups) for each way to number
  devices."""
  for mode, (replicas, partitions) in MODES.items():
    for name, groups in GROUPS.items():
      program = programs.Program(replicas, partitions)
      extra = {"channel_id": 1, "use_global_device_ids": "true"}
      if mode == "replicas":
        extra = {}
      yield f"{mode}-{name}", program, extra, groups
  # Groups of replicas, with all partitions of each.
  for groups in ([[0, 1]], [[1], [0]]):
    yield "both-cross", programs.Program(2, 2), {"channel_id": 1}, groups


def sum_of(t):
  return "or" if t == "pred" else "add" if t != "f8e8m0fnu" else "maximum"


def group_size(program, extra, groups):
  cross = extra and "use_global_device_ids" not in extra
  return len(groups[0]) * (program.partitions if cross else 1)


def all_reduce(rng, t, program, extra, groups):
  shape = values.dims(rng, int(rng.integers(1, 3)), low=1)
  x = program.arg(per_device(rng, t, shape), True)
  program.out(shape_text(t, shape), "all-reduce", x,
              replica_groups=groups_text(groups), **extra,
              to_apply=program.reducer(sum_of(t), t))


def reduce_scatter(rng, t, program, extra, groups):
  n = group_size(program, extra, groups)
  x = program.arg(per_device(rng, t, (2 * n, 3)), True)
  program.out(shape_text(t, (2, 3)), "reduce-scatter", x,
              replica_groups=groups_text(groups), **extra, dimensions="{0}",
              to_apply=program.reducer(sum_of(t), t))


def all_gather(rng, t, program, extra, groups):
  n = group_size(program, extra, groups)
  x = program.arg(per_device(rng, t, (2, 3)), True)
  program.out(shape_text(t, (2, 3 * n)), "all-gather", x,
              replica_groups=groups_text(groups), **extra, dimensions="{1}")


def all_to_all(rng, t, program, extra, groups):
  n = len(groups[0])
  extra = {key: value for key, value in extra.items()
           if key != "use_global_device_ids"}
  x = program.arg(per_device(rng, t, (2 * n, 3)), True)
  program.out(shape_text(t, (2 * n, 3)), "all-to-all", x,
              replica_groups=groups_text(groups), **extra, dimensions="{0}")


def all_reduce_pair(rng, t, program, extra, groups):
  """Two arrays in one all-reduce."""
  x = program.arg(per_device(rng, t, (3,)), True)
  y = program.arg(per_device(rng, t, (2, 2)), True)
  program.tuple_out([shape_text(t, (3,)), shape_text(t, (2, 2))],
                    "all-reduce", x, y, replica_groups=groups_text(groups),
                    **extra, to_apply=program.reducer(sum_of(t), t))


def all_to_all_tuple(rng, t, program, extra, groups):
  """An all-to-all with one operand and one result for each member of the
  group."""
  n = len(groups[0])
  extra = {key: value for key, value in extra.items()
           if key != "use_global_device_ids"}
  names = [program.arg(per_device(rng, t, (2, 3)), True) for _ in range(n)]
  program.tuple_out([shape_text(t, (2, 3))] * n, "all-to-all", *names,
                    replica_groups=groups_text(groups), **extra)


def collective_broadcast(rng, t, program, extra, groups):
  extra = {key: value for key, value in extra.items()
           if key != "use_global_device_ids"}
  x = program.arg(per_device(rng, t, (2, 3)), True)
  program.out(shape_text(t, (2, 3)), "collective-broadcast", x,
              replica_groups=groups_text(groups), **extra)


def collective_permute(rng, t, program, extra, groups):
  extra = {key: value for key, value in extra.items()
           if key != "use_global_device_ids"}
  x = program.arg(per_device(rng, t, (2, 3)), True)
  pairs = [[0, 1], [1, 3], [3, 0]]  # 2 receives nothing: gets zeros
  program.out(shape_text(t, (2, 3)), "collective-permute", x,
              source_target_pairs=groups_text(pairs), **extra)


def ids(rng, t, program, extra, groups):
  x = program.arg(per_device(rng, "u32", (1,)), True)
  program.results.append((x, "u32[1]"))
  for op in ("replica-id", "partition-id"):
    program.out("u32[1]", "reshape", program.add("u32[]", op))


OPS = {"all-reduce": all_reduce, "all-gather": all_gather,
       "reduce-scatter": reduce_scatter, "all-to-all": all_to_all,
       "collective-broadcast": collective_broadcast,
       "collective-permute": collective_permute,
       "all-reduce-pair": all_reduce_pair,
       "all-to-all-tuple": all_to_all_tuple}
FEW_TYPES = ("all-reduce-pair", "all-to-all-tuple")
SINGLE_SCOPE = ("all-to-all-tuple", "all-to-all", "collective-broadcast",
                "collective-permute")


def cases():
  for op, build in OPS.items():
    for t in ("f32", "s8", "bf16") if op in FEW_TYPES else values.ALL:
      rng = suite.generator(f"{op}/{t}")
      built = []
      for mode, program, extra, groups in modes():
        # These number devices only by replica or only by partition.
        if op in SINGLE_SCOPE and mode.startswith("both"):
          continue
        if op == "collective-permute" and mode.endswith("pairs"):
          continue
        build(rng, t, program, extra, groups)
        built.append(program)
      yield suite.Case(f"{op}/{t}", built, compare.Tolerance(zero_sign=False))
  rng = suite.generator("replica-id/u32")
  built = []
  for _, program, extra, groups in modes():
    ids(rng, "u32", program, extra, groups)
    built.append(program)
  yield suite.Case("replica-id/u32", built)
