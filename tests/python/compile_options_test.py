"""Options of a compilation: unknown ones are rejected, known ones have their
effect. Errors about memory name the arrays that did not fit."""

import re

import harness
import numpy as np
import tessera_jax as tj


def compiled(function, *arguments, **options):
  return tj.jax().jit(function).lower(*arguments).compile(
      compiler_options=options)


def error_of(function, *arguments, **options):
  try:
    compiled(function, *arguments, **options)
  except RuntimeError as error:
    return str(error)
  raise AssertionError(f"no error with {options}")


def test_unknown_option():
  tj.holds(error_of(lambda x: x + 1, 1.0, invalid="x"),
           "No such compile option: 'invalid'")


def test_unknown_value():
  tj.holds(error_of(lambda x: x + 1, 1.0, xla_backend_optimization_level="x"),
           "xla_backend_optimization_level=x: expected a number")


def rows(x):
  """A program for many passes: loops, sums, equal values, dead ones,
  branches."""
  import jax
  from jax import lax
  jnp = jax.numpy
  def body(i, c):
    a, b = c
    return a @ b * 0.1 + jnp.sin(a) + i, b
  a, b = lax.fori_loop(0, 40, body, (x, x.T * 0.25 + jnp.eye(8)))
  c = lax.scan(lambda c, r: (jnp.tanh(c + r), c.sum()), x[0], x)
  d = lax.cond(x[0, 0] > 0, lambda v: jnp.sort(v, axis=0), lambda v: v * 2, a)
  e = jax.nn.softmax(x @ b) @ x
  return a.sum(0) + (x + 0).sum(0), b, c, d, e, (x * 1).reshape(64)[::3]


def test_disabled_passes():
  jax = tj.jax()
  x = np.random.default_rng(0).normal(size=(8, 8))
  text = error_of(rows, x, xla_disable_hlo_passes="copy-insertion")
  tj.holds(text, "code is made of what pass copy-insertion gives")
  names = re.search(r"these can be left out: (.*)", text)[1].split(", ")
  assert len(names) > 10, names
  tj.holds(error_of(rows, x, xla_disable_hlo_passes="no-such-pass"),
           "there is no pass no-such-pass")
  want = jax.tree.leaves(compiled(rows, x)(x))
  for name in [*names, ",".join(names)]:
    got = jax.tree.leaves(compiled(rows, x, xla_disable_hlo_passes=name)(x))
    for one, other in zip(got, want):
      np.testing.assert_allclose(one, other, rtol=1e-9, err_msg=name)
  got = jax.tree.leaves(compiled(rows, x, xla_disable_all_hlo_passes=True)(x))
  for one, other in zip(got, want):
    np.testing.assert_allclose(one, other, rtol=1e-9)


def test_disabled_pass_is_left_out():
  jax = tj.jax()
  def twice(x):
    return jax.numpy.sin(x) + jax.numpy.cos(x) * 2
  x = np.ones(1000)
  tj.holds(compiled(twice, x).as_text(), "fusion(")
  text = compiled(twice, x, xla_disable_hlo_passes="instruction-fusion").as_text()
  assert "fusion(" not in text, text


def test_optimization_level():
  jax = tj.jax()
  x = np.random.default_rng(0).normal(size=(8, 8))
  want = jax.tree.leaves(compiled(rows, x)(x))
  for level in (0, 1, 2, 3):
    program = compiled(rows, x, xla_backend_optimization_level=level)
    for one, other in zip(jax.tree.leaves(program(x)), want):
      np.testing.assert_allclose(one, other, rtol=1e-9)
  for level in (-1, 4):
    tj.holds(error_of(rows, x, xla_backend_optimization_level=level),
             f"xla_backend_optimization_level is {level}")


def test_level_0_does_not_optimize():
  sizes = {}
  jax = tj.jax()
  x = np.ones((64, 64))
  for level in (0, 3):
    program = compiled(lambda x: jax.numpy.exp(x).sum(1) + jax.numpy.tanh(x[0]),
                       x, xla_backend_optimization_level=level)
    sizes[level] = program.memory_analysis().generated_code_size_in_bytes
  assert sizes[0] > 1.3 * sizes[3], sizes


def test_sharding_propagation_is_told():
  text = compiled(lambda x: x + 1, 1.0).as_text()
  tj.holds(text, "allow_spmd_sharding_propagation_to_parameters={true}")
  tj.holds(text, "allow_spmd_sharding_propagation_to_output={true}")


def test_auto_layouts():
  jax = tj.jax()
  try:
    from jax.experimental.layout import Format, Layout
  except ImportError:
    raise harness.Skip("this version of JAX spells layouts differently")
  x = np.arange(20.0).reshape(4, 5)
  program = jax.jit(lambda x: (x.T @ x, x * 2),
                    in_shardings=Format(Layout.AUTO),
                    out_shardings=Format(Layout.AUTO))
  program = program.lower(jax.ShapeDtypeStruct(x.shape, x.dtype)).compile()
  (given,), _ = program.input_formats
  harness.equal([tuple(f.layout.major_to_minor)
                 for f in (given, *program.output_formats)], [(0, 1)] * 3)
  out = program(jax.device_put(x, given))
  np.testing.assert_allclose(out[0], x.T @ x)
  column = Format(Layout((1, 0)), given.sharding)
  program = jax.jit(lambda x: x * 2, in_shardings=column, out_shardings=column)
  out = program(jax.device_put(x, column))
  harness.equal(tuple(out.format.layout.major_to_minor), (1, 0))
  np.testing.assert_array_equal(out, x * 2)


def test_metadata_of_calls():
  jax = tj.jax()
  try:
    from jax.experimental import scheduling_groups
  except ImportError:
    raise harness.Skip("this version of JAX has no scheduling groups")
  def grouped(x):
    return scheduling_groups.scheduling_group("first")(
        lambda y: jax.numpy.sin(y) @ y)(x) + 1
  text = compiled(grouped, np.ones((3, 3))).as_text()
  assert re.search(r" dot\(.*scheduling_group=\"first\"", text), text


def test_inlineable_is_kept():
  jax = tj.jax()
  try:
    from jax.experimental.xla_metadata import set_xla_metadata
  except ImportError:
    raise harness.Skip("this version of JAX has no such metadata")
  def marked(x):
    with set_xla_metadata(inlineable="false", _scheduling_group_id=7):
      return jax.numpy.sin(x) @ x
  text = compiled(marked, np.ones((3, 3))).as_text()
  tj.holds(text, 'inlineable="false"')
  tj.holds(text, '_scheduling_group_id="7"')


def memory_error(function, *arguments):
  jax = tj.jax()
  try:
    jax.block_until_ready(jax.jit(function)(*arguments))
  except RuntimeError as error:
    return str(error)
  raise AssertionError("no error")


def test_out_of_memory():
  jnp = tj.jax().numpy
  def outer(x):
    return jnp.sort(jnp.outer(x, x) @ jnp.outer(x, x + 1), axis=0).sum()
  cases = {
      "jit_zeros": lambda: memory_error(
          _named("zeros", lambda x: jnp.zeros((1 << 20, 1 << 22), "float32")),
          1.0),
      "jit_outer": lambda: memory_error(outer, jnp.ones(1 << 19, "float32")),
  }
  for name, case in cases.items():
    text = case()
    tj.holds(text, "RESOURCE_EXHAUSTED: out of memory: ")
    assert re.search(r"out of memory: \d{10,} bytes", text), text
    assert re.search(r"more than the \d+ of this machine", text), text
    tj.holds(text, f"program {name}")
    assert re.search(r"its largest arrays: f32\[\d+,\d+\]\S* \S+ \(\d+ bytes\)",
                     text), text


def _named(name, function):
  function.__name__ = name
  return function


if __name__ == "__main__":
  harness.main(globals())
