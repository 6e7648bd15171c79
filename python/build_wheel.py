#!/usr/bin/env python3
"""Packs a built plugin into the wheel of jax-tessera and checks the wheel.

    build_wheel.py PLUGIN.so [--out FOLDER]

auditwheel copies the libraries that the plugin needs into the wheel under
names of their own, so that they meet no other copy in the process. Checked
are the exported symbols, the size, the platform tag, and in a fresh virtual
environment that JAX finds the platform and computes on it.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
NAME = "libpjrt_tessera.so"
MAX_MEGABYTES = 45
# Not bundled: every Linux that the wheel's tag admits has them.
SYSTEM = re.compile(
    r"^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))[-.]")
USE = """
import jax, jax.numpy as jnp
device = jax.devices()[0]
assert device.platform == "tessera", jax.devices()
x = jnp.arange(6.0).reshape(2, 3)
assert float((x @ x.T).sum()) == 83.0, x @ x.T
from jax_plugins import tessera
assert not tessera.problems(), tessera.problems()
print(f"jax-tessera {tessera.__version__} with jax {jax.__version__}:", device)
"""


def run(*command, **options):
  """Runs a command and returns its output. Errors: SystemExit with it."""
  done = subprocess.run([str(part) for part in command], text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        check=False, **options)
  if done.returncode:
    sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}")
  return done.stdout


def libraries(plugin):
  """Paths of the shared libraries that the wheel is going to bundle."""
  found = []
  for line in run("ldd", plugin).splitlines():
    match = re.match(r"\s*(\S+) => (/\S+)", line)
    if match and not SYSTEM.match(match[1]):
      found.append(pathlib.Path(match[2]))
    elif "not found" in line:
      sys.exit(f"{plugin}:{line}")
  return found


def collect_licenses(plugin, folder):
  """Copies the license text of each bundled library's Debian package, and
  Tessera's own."""
  folder.mkdir()
  shutil.copy(HERE.parent / "LICENSE", folder / "tessera.txt")
  for library in libraries(plugin):
    # The package may list the path with or without the /usr in front.
    path = library.resolve()
    owner = ""
    for name in {path, pathlib.Path("/", *path.parts[2:])}:
      query = subprocess.run(["dpkg-query", "-S", name], text=True, check=False,
                             capture_output=True)
      owner = owner or query.stdout.partition(":")[0]
    text = pathlib.Path("/usr/share/doc", owner, "copyright")
    if not owner or not text.is_file():
      print(f"warning: no license text for {library}", file=sys.stderr)
      continue
    shutil.copy(text.resolve(), folder / f"{owner}.txt")


def check_symbols(plugin):
  """Errors: SystemExit unless GetPjrtApi is the only exported symbol."""
  names = [line.split()[-1].partition("@")[0] for line in
           run("nm", "-D", "--defined-only", plugin).splitlines()]
  # A version script's own tag shows as an absolute symbol.
  names = [name for name in names if not name.startswith("TESSERA_")]
  if names != ["GetPjrtApi"]:
    sys.exit(f"{plugin} exports {names[:10]}, expected GetPjrtApi alone")


def pack(plugin, work):
  """The wheel as scikit-build-core makes it, not yet repaired."""
  staged = work / NAME
  shutil.copy(plugin, staged)
  run("strip", "--strip-unneeded", staged)
  check_symbols(staged)
  megabytes = staged.stat().st_size / 2**20
  if megabytes > MAX_MEGABYTES:
    sys.exit(f"the plugin has {megabytes:.1f} MiB, {MAX_MEGABYTES} allowed")
  licenses = work / "licenses"
  collect_licenses(plugin, licenses)
  run(sys.executable, "-m", "build", "--wheel", "--no-isolation", HERE,
      "--outdir", work / "raw",
      f"-Cbuild-dir={work / 'build'}",
      f"-Ccmake.define.TESSERA_PLUGIN={staged}",
      f"-Ccmake.define.TESSERA_LICENSES={licenses}")
  return next((work / "raw").glob("*.whl"))


def repair(raw, out):
  """The wheel with its libraries, in `out`."""
  out.mkdir(parents=True, exist_ok=True)
  before = set(out.glob("*.whl"))
  for old in before:
    old.unlink()
  tools = pathlib.Path(sys.executable).parent
  env = {"PATH": f"{tools}:/usr/bin:/bin"}
  run(sys.executable, "-m", "auditwheel", "repair", "--strip", "-w", out, raw,
      env=env)
  wheel = next(out.glob("*.whl"))
  print(run(sys.executable, "-m", "auditwheel", "show", wheel, env=env).strip())
  return wheel


def check_install(wheel, work):
  """Installs the wheel into a fresh environment, which borrows JAX from this
  one, and uses it. Skipped where JAX is absent."""
  try:
    import jax
  except ImportError:
    print("warning: no jax here, so the wheel is not tried", file=sys.stderr)
    return
  venv.create(work / "venv", with_pip=True)
  python = work / "venv" / "bin" / "python"
  run(python, "-m", "pip", "install", "--quiet", "--no-deps",
      "--disable-pip-version-check", wheel)
  site = next((work / "venv" / "lib").glob("python*/site-packages"))
  borrowed = pathlib.Path(jax.__file__).parent.parent
  (site / "borrowed.pth").write_text(f"{borrowed}\n")
  env = {"JAX_PLATFORMS": "tessera,cpu", "PATH": "/usr/bin:/bin"}
  print(run(python, "-I", "-c", USE, env=env, cwd=work).strip())


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("plugin", type=pathlib.Path)
  parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "dist")
  options = parser.parse_args()
  with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    wheel = repair(pack(options.plugin.resolve(), work), options.out)
    with zipfile.ZipFile(wheel) as contents:
      for entry in contents.infolist():
        if entry.file_size > 2**20:
          print(f"{entry.file_size / 2**20:8.1f} MiB  {entry.filename}")
    check_install(wheel.resolve(), work)
  print(f"{wheel} ({wheel.stat().st_size / 2**20:.1f} MiB)")


if __name__ == "__main__":
  main()
