"""Buffers and executables as JAX uses them: donation, copies, layouts,
memories, asynchrony, ahead-of-time compilation."""

import functools
import gc
import threading

import jax
import jax.numpy as jnp
import numpy as np

from registry import Family, TYPES

FAMILY = Family("runtime")
program = FAMILY.program
ALL = tuple(t for t in TYPES if t not in ("f4e2m1fn", "s4", "u4"))


@program("@[3,4]", types=ALL, eager=True)
def round_trip(x):
  y = jax.device_put(x)
  return y, y.copy(), np.asarray(y).tobytes() == x.tobytes(), jnp.transpose(y)


@program("s4[3,5]:any", "u4[7]:any", "f4e2m1fn[9]", eager=True)
def round_trip_of_four_bits(x, y, z):
  return [np.asarray(jax.device_put(v)).astype(np.float32) for v in (x, y, z)]


@program("f32[4,6]", "c64[3,3,2]", "u8[5]:any", eager=True)
def strided_buffers(x, y, z):
  return [jax.device_put(v) for v in (
      x.T, x[::2], x[:, ::-1], np.asfortranarray(y), y[1:, ::2], z[::-2],
      np.broadcast_to(z, (3, 5)), x[1:3, 2:5], x[:0])]


@program("f32[4,6]", eager=True)
def host_memory_may_change(x):
  host = x.copy()
  y = jax.device_put(host)
  z = jnp.array(host)
  host[:] = 0
  return z, y.shape


@program("f32[4]", "s32[3,2]", eager=True)
def donation(x, y):
  step = jax.jit(lambda a, b: (a * 2, b + 1), donate_argnums=(0, 1))
  a, b = jax.device_put(x), jax.device_put(y)
  out = step(a, b)
  return out, a.is_deleted(), b.is_deleted()


@program("f32[64]", eager=True)
def donation_in_a_loop(x):
  step = jax.jit(lambda v: v.at[3].add(1) * 1.01, donate_argnums=0)
  v = jax.device_put(x)
  for _ in range(20):
    v = step(v)
  return v


@program("f32[4]", eager=True)
def donated_and_used_again(x):
  step = jax.jit(lambda v: v * 2, donate_argnums=0)
  v = jax.device_put(x)
  step(v)
  try:
    np.asarray(v)
  except RuntimeError as error:
    return "delete" in str(error).lower()
  return "no error"


@program("f32[4]", eager=True)
def deletion(x):
  v = jax.device_put(x)
  v.delete()
  try:
    jnp.sin(v)
  except (RuntimeError, ValueError) as error:
    return v.is_deleted(), "delete" in str(error).lower()
  return "no error"


@program("f32[3,5]", eager=True)
def between_platforms(x):
  other = jax.devices("cpu")[0]
  here = jax.config.jax_default_device
  y = jax.device_put(jax.device_put(x, here), other)
  z = jax.device_put(y, here)
  return y, z, y.devices() == {other}, z.devices() == {here}


@program("f32[3,5]", eager=True)
def ahead_of_time(x):
  lowered = jax.jit(lambda v: (v * 2, v.sum())).lower(x)
  compiled = lowered.compile()
  return compiled(x), compiled.in_tree == lowered.in_tree, bool(
      compiled.cost_analysis() is not None), bool(
          compiled.memory_analysis() is not None)


@program("f32[3]", "f32[4]", "s32[3]", eager=True)
def static_arguments(x, y, z):
  @functools.partial(jax.jit, static_argnums=1, static_argnames="flag")
  def f(v, n, flag=False):
    return v * n + flag
  return f(x, 3), f(y, 2, flag=True), f(z, 5), f(x, 3)


@program("f32[3]", eager=True)
def unused_and_repeated(x):
  f = jax.jit(lambda a, b, c: (c, c, a, 3.0))
  g = jax.jit(lambda a, b, c: (a, a), keep_unused=True)
  return f(x, x + 1, x + 2), g(x, x, x), jax.jit(lambda: ())(), jax.jit(
      lambda v: v)(x)


@program("f32[200,3]", eager=True)
def many_results(x):
  return jax.jit(lambda v: [row + i for i, row in enumerate(v[:60])])(x)


@program("f32[8]", eager=True)
def many_arguments(x):
  return jax.jit(lambda *a: sum(a))(*[x * i for i in range(90)])


@program("f32[8]", eager=True)
def long_chain(x):
  step = jax.jit(lambda v: v * 0.99 + 0.01)
  v = x
  for _ in range(100):
    v = step(v)
  return v


@program("f32[16]", eager=True)
def threads(x):
  results = [None] * 6
  def run(i):
    f = jax.jit(lambda v: jnp.sin(v * i).sum())
    with jax.default_device(device):
      results[i] = [float(f(x)) for _ in range(4)]
  device = jax.config.jax_default_device
  pool = [threading.Thread(target=run, args=(i,)) for i in range(6)]
  for thread in pool:
    thread.start()
  for thread in pool:
    thread.join()
  return np.array(results, np.float32)


@program("f32[3,4]", eager=True)
def dlpack(x):
  device = jax.config.jax_default_device
  y = jax.device_put(x, device)
  return jax.device_put(np.array(y), device), np.asarray(
      jnp.from_dlpack(np.ascontiguousarray(x)))


@program("f32[3,4]", eager=True)
def memory_kinds(x):
  device = jax.config.jax_default_device
  sharding = jax.sharding.SingleDeviceSharding(device)
  kinds = {m.kind for m in device.addressable_memories()}
  out = []
  for kind in ("device", "pinned_host", "unpinned_host"):
    y = jax.device_put(x, sharding.with_memory_kind(kind))
    out += [y, kind in kinds, y.sharding.memory_kind]
  return out


@program("f32[3,4]", eager=True)
def layouts(x):
  from jax.experimental.layout import Format, Layout
  device = jax.config.jax_default_device
  sharding = jax.sharding.SingleDeviceSharding(device)
  column = Format(Layout(major_to_minor=(1, 0)), sharding)
  y = jax.device_put(x, column)
  f = jax.jit(lambda v: v * 2, in_shardings=column, out_shardings=column)
  return y, f(y), y.format.layout.major_to_minor


@program("f32[3]", eager=True)
def asynchronous_results(x):
  f = jax.jit(lambda v: jax.lax.fori_loop(0, 200, lambda i, u: jnp.sin(u), v))
  outs = [f(x + i) for i in range(5)]
  outs[0].copy_to_host_async()
  return [o.is_ready() in (True, False) for o in outs], [
      o.block_until_ready() for o in outs]


@program("f32[3]", eager=True)
def collected_in_flight(x):
  f = jax.jit(lambda v: jnp.cumsum(jnp.sin(v)))
  for i in range(20):
    f(x * i)
  gc.collect()
  return f(x)


@program(eager=True)
def device_facts():
  device = jax.config.jax_default_device
  return (device.id, device.process_index, device.local_hardware_id is None
          or device.local_hardware_id >= 0, device.default_memory().kind, [
              m.kind for m in device.addressable_memories()][:1], len(
                  str(device)) > 0, len(device.device_kind) > 0)


@program("f32[4]", eager=True)
def composite_and_inline(x):
  @functools.partial(jax.lax.composite, name="suite.scale")
  def scale(v):
    return v * 3
  return jax.jit(scale)(x), jax.jit(jax.jit(jnp.sin, inline=True))(x)


@program("f32[4]", eager=True)
def compiler_options(x):
  return jax.jit(jnp.tanh).lower(x).compile(
      compiler_options={"xla_embed_ir_in_executable": True})(x)


@program("f32[2]", "f64[2]", eager=True)
def x64_switch(x, y):
  with jax.enable_x64(False):
    z = jax.jit(lambda a: a * 2)(y)
  return x * 2, z


@program("f32[4]", eager=True)
def scalars_in_and_out(x):
  f = jax.jit(lambda a, b, c: (a + b, c, a))
  return f(1, 2.5, True), f(np.int8(3), x, 1j), float(jax.jit(jnp.sum)(x))
