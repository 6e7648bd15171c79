"""Programs of a library as data: a maker, its tolerance, and further
properties.

A file programs/NAME.py holds `LIBRARY = Library("NAME")` and makers:

    @LIBRARY.program(tolerance=1e-5)
    def adam():
      ...
      return function, argument, ...

A maker runs once per platform, with arrays of that platform. The function that
it returns is timed, and its result is compared.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Program:
  """One program. An array of its result may differ from cpu's by `tolerance`
  times the greatest magnitude of the array, or times `unit` if that is more;
  integers and booleans must be equal. The function runs under jax.jit unless
  `jit` is false: then the library compiles, or calls JAX piecewise. `quick`
  programs run in ./dev test. One that is `set_aside` does not run; the text
  gives the reason."""
  name: str
  make: object
  tolerance: float = 1e-5
  unit: float = 0.0
  jit: bool = True
  quick: bool = False
  set_aside: str = ""


class Library:
  """The programs of one library."""

  def __init__(self, name):
    self.name = name
    self.programs = []

  def add(self, name, make, **options):
    """Adds the program that make() returns, named LIBRARY/NAME."""
    full = f"{self.name}/{name}"
    if any(program.name == full for program in self.programs):
      raise ValueError(f"two programs are named {full}")
    self.programs.append(Program(full, make, **options))

  def program(self, **options):
    """Adds the decorated maker under its own name."""
    def decorate(make):
      self.add(make.__name__, make, **options)
      return make
    return decorate
