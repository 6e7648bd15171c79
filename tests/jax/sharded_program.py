"""Programs over a mesh as data: a function, its arguments with their
PartitionSpecs, a mesh. Each runs whole, on one device, and divided over the
mesh, on the platform under test and on cpu."""

import dataclasses
import math

import registry

DEVICES = 8


def mesh_sizes(text):
  """{"x": 2, "y": 4} of "x=2,y=4"."""
  return {name: int(size) for name, size in (
      part.split("=") for part in text.split(","))}


@dataclasses.dataclass(frozen=True)
class ShardedProgram(registry.Program):
  """Calls `function` under jit, in the context of a mesh, so that it may name
  axes in constraints and in shard_map.

  divided: the PartitionSpec of each argument, as a tuple.
  mesh: names and sizes of the axes; their product is at most DEVICES.
  results: out_shardings as PartitionSpecs; None leaves them to propagation.
  explicit: the axes whose type is Explicit; the others are Auto.
  whole: computes the results without a mesh where the function depends on the
      sizes of axes; else the function runs on a mesh of one device.
  not_cpu: why platform cpu cannot run it, or is wrong; empty if it can.
  """
  divided: tuple = ()
  mesh: str = "x=2,y=4"
  results: object = None
  explicit: tuple = ()
  whole: object = None
  not_cpu: str = ""
  donate: tuple = ()

  def make_mesh(self, devices):
    """The mesh over `devices`: with one, all axes have size 1."""
    import jax
    import numpy as np
    from jax.sharding import AxisType, Mesh
    sizes = mesh_sizes(self.mesh)
    if len(devices) == 1:
      sizes = dict.fromkeys(sizes, 1)
    count = math.prod(sizes.values())
    return Mesh(np.array(devices[:count]).reshape(tuple(sizes.values())),
                tuple(sizes), axis_types=tuple(
                    AxisType.Explicit if name in self.explicit
                    else AxisType.Auto for name in sizes))

  def jitted(self, mesh):
    """The function under jit and its arguments on the mesh, to be used in the
    context of the mesh."""
    import jax
    from jax.sharding import NamedSharding, PartitionSpec
    def on_mesh(spec):
      return None if spec is None else NamedSharding(mesh, spec)
    options = {"donate_argnums": self.donate}
    if self.results is not None:
      options["out_shardings"] = jax.tree.map(
          on_mesh, self.results,
          is_leaf=lambda s: s is None or isinstance(s, PartitionSpec))
    arguments = [jax.device_put(array, on_mesh(PartitionSpec(*spec)))
                 for array, spec in zip(self.arguments(), self.divided)]
    return jax.jit(self.function, **options), arguments

  def run(self, devices):
    """The results on a mesh of these devices."""
    import jax
    mesh = self.make_mesh(devices)
    with jax.set_mesh(mesh):
      function, arguments = self.jitted(mesh)
      return jax.block_until_ready(function(*arguments))

  def run_whole(self, device):
    """The results on one device."""
    import jax
    if self.whole is None:
      return self.run([device])
    with jax.default_device(device):
      return self.whole(*self.arguments())


class ShardedFamily(registry.Family):
  """Programs over a mesh; `add` takes arguments as ("f32[8,16]", "x", None):
  the array, then the entries of its PartitionSpec."""

  def add(self, name, function, *arguments, **options):
    name = f"{self.name}/{name}"
    if any(program.name == name for program in self.programs):
      raise ValueError(f"two programs named {name}")
    arguments = [(one,) if isinstance(one, str) else one for one in arguments]
    self.programs.append(ShardedProgram(
        name, function, tuple(one[0] for one in arguments),
        divided=tuple(one[1:] for one in arguments), devices=DEVICES,
        **options))

  def program(self, *arguments, **options):
    """Decorator: adds the function under its own name."""
    def decorate(function):
      self.add(function.__name__.strip("_"), function, *arguments, **options)
      return function
    return decorate


def spec_text(array):
  """What a result's sharding says: the entries of its PartitionSpec without
  trailing None, or the type of another sharding."""
  from jax.sharding import NamedSharding
  if not isinstance(array.sharding, NamedSharding):
    return type(array.sharding).__name__
  spec = array.sharding.spec
  entries = list(spec)
  while entries and entries[-1] in (None, ()):
    entries.pop()
  unreduced = sorted(getattr(spec, "unreduced", ()))
  return f"{tuple(entries)}" + (f" unreduced {unreduced}" if unreduced else "")
