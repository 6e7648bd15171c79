"""The plugin as JAX's platform cpu: its name, the consequences of the name, and
jaxlib's own cpu next to it."""

import harness
import tessera_jax as tj

DEVICES = ("import jax; print([(d.platform, d.device_kind, d.id, "
           "'tessera' in d.client.platform_version) for d in jax.devices()])")
BOTH = """
import jax, jax.numpy as jnp, numpy as np
from jax_plugins import tessera
jax.config.update("jax_enable_x64", True)
ours, theirs = jax.devices()[0], jax.devices(tessera.BUILT_IN_CPU)[0]
assert tessera.is_tessera(ours.client) and not tessera.is_tessera(theirs.client)
def on(device, function, *arguments):
  with jax.default_device(device):
    result = jax.block_until_ready(jax.jit(function)(*arguments))
  assert {d for leaf in jax.tree.leaves(result) for d in leaf.devices()} == {
      device}, result
  return jax.tree.map(np.asarray, result)
"""


def as_cpu(code, status=0, **more):
  return tj.child(code, status, **{"TESSERA_AS_CPU": "1", **more})


def test_name():
  for platforms in ("", "cpu", "tessera,cpu", "cpu,tessera"):
    out = as_cpu(f"import os; os.environ['JAX_PLATFORMS'] = {platforms!r}\n"
                 + DEVICES)
    harness.equal(out.strip(), "[('cpu', 'cpu', 0, True)]", platforms)


def test_asked_in_python():
  out = as_cpu("from jax_plugins import tessera; tessera.stand_in_for_cpu()\n"
               + DEVICES, TESSERA_AS_CPU="0")
  harness.equal(out.strip(), "[('cpu', 'cpu', 0, True)]")


def test_default_backend():
  out = as_cpu("import jax; print(jax.default_backend(), "
               "jax.devices('cpu') == jax.devices() == jax.devices('tessera'))")
  harness.equal(out.strip(), "cpu True")


def test_asked_too_late():
  out = as_cpu("import jax; jax.devices(); from jax_plugins import tessera; "
               "tessera.stand_in_for_cpu()", status=1, TESSERA_AS_CPU="")
  tj.holds(out, "stand_in_for_cpu() comes too late")


def test_bad_variable():
  out = as_cpu(DEVICES, status=1, TESSERA_AS_CPU="perhaps")
  tj.holds(out, "TESSERA_AS_CPU must be 1 or 0, not 'perhaps'")


def test_nothing_missing():
  out = as_cpu("import jax; jax.devices(); from jax_plugins import tessera; "
               "print(tessera.problems())")
  harness.equal(out.strip(), "{}")


def test_no_warning_at_start():
  out = as_cpu("import warnings; warnings.simplefilter('error'); "
               "import jax; jax.devices()")
  harness.equal(out, "")


def test_number_of_devices():
  count = "import jax; print(jax.device_count())"
  flag = {"XLA_FLAGS": "--xla_force_host_platform_device_count=3"}
  harness.equal(as_cpu(count, **flag).strip(), "3")
  harness.equal(as_cpu(count, JAX_NUM_CPU_DEVICES="2", **flag).strip(), "2")
  harness.equal(as_cpu(count, TESSERA_NUM_DEVICES="4", **flag).strip(), "4")


def test_built_in_by_name():
  for platforms in ("", "cpu", "cpu,xla_cpu"):
    out = as_cpu(f"import os; os.environ['JAX_PLATFORMS'] = {platforms!r}\n"
                 + BOTH + """
print(ours.platform, theirs.platform, ours == theirs, jax.devices() == [ours])
x = jax.device_put(jnp.arange(3.0), theirs)
print(x.devices() == {theirs}, jax.device_put(x, ours).devices() == {ours})
print(on(ours, jnp.cumsum, np.arange(4.0)), on(theirs, jnp.cumsum,
                                               np.arange(4.0)))
""")
    harness.equal(out.split("\n")[0], "cpu cpu False True")
    tj.holds(out, "True True")
    tj.holds(out, "[0. 1. 3. 6.] [0. 1. 3. 6.]")


def test_linear_algebra():
  out = as_cpu(BOTH + """
a = np.random.default_rng(0).normal(size=(5, 5))
import jax.scipy as jsp
from jax.experimental import sparse
programs = {
    "cholesky": lambda a: jnp.linalg.cholesky(a @ a.T + jnp.eye(5)),
    "eigvals": lambda a: jnp.sort_complex(jnp.linalg.eigvals(a)),
    "eigh": lambda a: jnp.linalg.eigh(a + a.T)[0],
    "svd": lambda a: jnp.linalg.svd(a)[1],
    "solve": lambda a: jnp.linalg.solve(a, jnp.ones(5)),
    "qr": lambda a: jnp.abs(jnp.linalg.qr(a)[1]),
    "schur": lambda a: jnp.abs(jsp.linalg.schur(a + a.T)[0]),
    "hessenberg": lambda a: jnp.abs(jax.lax.linalg.hessenberg(a)[0]),
    "csr": lambda a: sparse.CSR.fromdense(a, nse=25) @ jnp.ones(5),
}
for name, program in programs.items():
  np.testing.assert_allclose(on(ours, program, a), on(theirs, program, a),
                             rtol=1e-9, atol=1e-9, err_msg=name)
print("agree")
""")
  tj.holds(out, "agree")


def test_callbacks_on_either():
  out = as_cpu(BOTH + """
from jax.experimental import io_callback
def program(x):
  jax.debug.callback(lambda v: print("debug", float(v)), x)
  io_callback(lambda v: print("io", float(v)), None, x, ordered=True)
  return jax.pure_callback(lambda v: np.asarray(v) * 2,
                           jax.ShapeDtypeStruct((), x.dtype), x)
print(on(ours, program, 1.0))
print(on(theirs, program, 2.0))
jax.effects_barrier()
""")
  harness.equal(sorted(out.split("\n")[:3]), ["2.0", "debug 1.0", "io 1.0"])
  harness.equal(sorted(out.split("\n")[3:6]), ["4.0", "debug 2.0", "io 2.0"])


def test_donation():
  out = as_cpu("""
import warnings
warnings.simplefilter("error")
import jax, jax.numpy as jnp
x = jnp.arange(1000.0)
where = x.unsafe_buffer_pointer()
y = jax.jit(lambda a: a + 1, donate_argnums=0)(x)
print(x.is_deleted(), y.unsafe_buffer_pointer() == where)
""")
  harness.equal(out.strip(), "True True")


def test_dlpack_shares_memory():
  out = as_cpu("""
import jax, jax.numpy as jnp, numpy as np
x = jnp.arange(1000.0)
y = np.from_dlpack(x)
print(y.ctypes.data == x.unsafe_buffer_pointer(), x.__dlpack_device__())
z = jax.dlpack.from_dlpack(x)
print(z.unsafe_buffer_pointer() == x.unsafe_buffer_pointer())
a = np.arange(1024, dtype=np.float32)
print(jax.dlpack.from_dlpack(a)[5], jnp.asarray(a, copy=False)[7])
""")
  tj.holds(out, "True (")
  tj.holds(out, "True\n5.0 7.0")


def test_export_for_cpu():
  out = as_cpu(BOTH + """
from jax import export
program = export.export(jax.jit(jnp.cos))(jax.ShapeDtypeStruct((3,), "float64"))
print(program.platforms)
program = export.deserialize(program.serialize())
print(on(ours, program.call, np.zeros(3)), on(theirs, program.call,
                                              np.zeros(3)))
""")
  tj.holds(out, "('cpu',)\n[1. 1. 1.] [1. 1. 1.]")


def test_branch_for_cpu():
  out = as_cpu("""
import jax
print(jax.jit(lambda x: jax.lax.platform_dependent(
    x, cpu=lambda x: x + 1, default=lambda x: x))(1.0))
""")
  harness.equal(out.strip(), "2.0")


def test_strings():
  out = as_cpu("""
import jax, numpy as np
x = np.array(["one", "two"], dtype=np.dtypes.StringDType())
print(np.asarray(jax.device_put(x, jax.devices()[0])))
""")
  tj.holds(out, "['one' 'two']")


def test_sharding_callbacks():
  out = as_cpu("""
import jax, jax.numpy as jnp, numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P
from jax.experimental.custom_partitioning import custom_partitioning
mesh = jax.sharding.Mesh(jax.devices(), ("i",))
x = jax.device_put(jnp.arange(4.0), NamedSharding(mesh, P("i")))
jax.jit(lambda x: (jax.debug.inspect_array_sharding(
    x, callback=lambda s: print("sharding", s is not None)), x + 1)[1])(x)
@custom_partitioning
def twice(x):
  return x * 2
twice.def_partition(
    partition=lambda mesh, args, result: (
        mesh, lambda x: x * 2, result.sharding, (args[0].sharding,)),
    infer_sharding_from_operands=lambda mesh, args, result: args[0].sharding,
    sharding_rule="i -> i")
print(jax.jit(twice)(x))
""")
  tj.holds(out, "sharding True")
  tj.holds(out, "[0. 2. 4. 6.]")


def test_compilation_cache():
  out = as_cpu(BOTH + """
import tempfile, os
with tempfile.TemporaryDirectory() as folder:
  jax.config.update("jax_compilation_cache_dir", folder)
  jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
  jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
  program = lambda x: x * 3.25
  on(ours, program, 1.0)
  entries = len(os.listdir(folder))
  jax.clear_caches()
  print(entries > 0, on(ours, program, 2.0), on(theirs, program, 2.0))
""")
  tj.holds(out, "True 6.5 6.5")


if __name__ == "__main__":
  harness.main(globals())
