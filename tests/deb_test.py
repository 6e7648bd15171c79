"""Tests the Debian packages that `./dev deb` has built into dist/: what lintian
says, what is in them, and that programs build and run with them unpacked.
Skipped where there are none of this version, or not their tools."""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

import harness

DIST = harness.SRC / "dist"
CLIENT = harness.SRC / "tests" / "package" / "evaluator"
NAMES = ("libtessera0.1", "libtessera-aot1", "libtessera-c1", "libtessera-evaluator0.1",
         "libtessera-dev", "tessera", "tessera-engines", "python3-jax-tessera")


def run(*words, **options):
  done = subprocess.run(list(map(str, words)), text=True, check=False,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        **options)
  harness.equal(done.returncode, 0, f"{words}\n{done.stdout}")
  return done.stdout


def version():
  text = (harness.SRC / "CMakeLists.txt").read_text()
  return re.search(r"project\(Tessera VERSION ([\d.]+)", text)[1]


@functools.cache
def packages():
  """Maps the name of each package to its file."""
  if not shutil.which("dpkg-deb"):
    raise harness.Skip("no dpkg-deb here")
  architecture = run("dpkg", "--print-architecture").strip()
  found = {name: DIST / f"{name}_{version()}_{architecture}.deb"
           for name in NAMES}
  missing = [name for name, path in found.items() if not path.exists()]
  if missing:
    raise harness.Skip(f"no package {missing[0]} {version()} in dist/; "
                       "`./dev deb` builds it")
  return found


@functools.cache
def root(*names):
  """A folder into which these packages, or all, are unpacked."""
  folder = pathlib.Path("-".join(("root", *names))).resolve()
  shutil.rmtree(folder, ignore_errors=True)
  for name in names or NAMES:
    run("dpkg-deb", "-x", packages()[name], folder)
  return folder


def libraries(folder):
  [path] = (folder / "usr" / "lib").glob("*-linux-gnu")
  return path


def field(name, what):
  return run("dpkg-deb", "-f", packages()[name], what).strip()


def test_lintian():
  packages()
  if not shutil.which("lintian"):
    raise harness.Skip("no lintian here; `./dev deb` installs it")
  [changes] = DIST.glob(f"tessera_{version()}_*.changes")
  run("lintian", "--fail-on", "error,warning", "--allow-root", changes)


def test_dependencies():
  assert "libprotobuf32" in field("libtessera0.1", "Depends")
  evaluator = field("libtessera-evaluator0.1", "Depends")
  assert "openblas" not in evaluator and "libzip" in evaluator, evaluator
  development = field("libtessera-dev", "Depends")
  for name in ("libtessera0.1", "libtessera-evaluator0.1"):
    assert f"{name} (= {version()})" in development, development
  assert "libgloo0" in field("tessera-engines", "Depends")
  assert "libgloo0" not in field("tessera", "Depends")


def test_shared_libraries_are_apart():
  for name, library in (("libtessera0.1", "libtessera"),
                        ("libtessera-evaluator0.1", "libtessera_evaluator")):
    files = {path.name for path in libraries(root(name)).iterdir()}
    harness.equal(files, {f"{library}.so.0.1", f"{library}.so.{version()}"})


def test_documents():
  for name in NAMES:
    folder = root() / "usr" / "share" / "doc" / name
    assert (folder / "copyright").exists(), name
    if name != "libtessera-dev":
      assert list(folder.glob("*.spdx.json*")), sorted(folder.iterdir())


def test_command():
  environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries(root())))
  command = root() / "usr" / "bin" / "tessera"
  harness.equal(run(command, "--version", env=environment),
                f"tessera {version()}\n")
  run(command, "run", harness.SRC / "examples/digits/digits_predict.hlo",
      "--inputs", harness.SRC / "examples/digits/digits_predict.npz",
      "--expect", harness.SRC / "examples/digits/digits_predict.npz",
      env=environment)
  assert (root() / "usr/share/man/man1/tessera.1.gz").exists()


def check(program):
  environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries(root())))
  harness.equal(run(program, env=environment).strip(), "all checks passed")


def test_client_by_cmake():
  build = pathlib.Path("build-cmake").resolve()
  shutil.rmtree(build, ignore_errors=True)
  run("cmake", "-G", "Ninja", "-S", CLIENT, "-B", build,
      f"-DCMAKE_PREFIX_PATH={root()}/usr")
  run("cmake", "--build", build)
  check(build / "evaluate")


def test_client_by_pkg_config():
  for library in ("tessera", "tessera-evaluator"):
    flags = run("pkg-config", "--cflags", "--libs", library, env=dict(
        os.environ, PKG_CONFIG_PATH=str(libraries(root()) / "pkgconfig")))
    program = pathlib.Path(f"evaluate-{library}").resolve()
    run("c++", "-std=c++20", CLIENT / "evaluate.cc", *flags.split(), "-o",
        program)
    check(program)


def test_command_is_a_component_of_its_package_alone():
  cmake = "cmake/Tessera/Tessera_command.cmake"
  assert (libraries(root("tessera")) / cmake).exists()
  assert not (libraries(root("libtessera-dev")) / cmake).exists()


def test_jax():
  jax = harness.require("jax")
  borrowed = pathlib.Path(jax.__file__).parent.parent
  site = root() / "usr" / "lib" / "python3" / "dist-packages"
  environment = dict(os.environ, JAX_PLATFORMS="tessera,cpu",
                     PYTHONPATH=f"{site}:{borrowed}")
  environment.pop("TESSERA_LIBRARY_PATH", None)
  output = run(sys.executable, "-c", (
      "import jax, jax.numpy as jnp\n"
      "from jax_plugins import tessera\n"
      "x = jax.jit(lambda x: (x @ x.T).sum())(jnp.arange(6.0).reshape(2, 3))\n"
      "print(x, x.devices().pop().platform, tessera.__version__,\n"
      "      tessera.problems(), tessera.library_path())"), env=environment)
  harness.equal(output.split(), ["83.0", "tessera", version(), "{}",
                                 str(site / "jax_plugins/tessera/"
                                     "libpjrt_tessera.so")])


if __name__ == "__main__":
  harness.main(globals())
