#!/usr/bin/env python3
"""Packs a built plugin into the wheel of jax-tessera and checks the wheel.

    build_wheel.py PLUGIN.so [--out FOLDER] [--sysroot FOLDER]

auditwheel copies the libraries that the plugin needs into the wheel under
unique names, so that they do not clash with other copies in the process. The
program checks the exported symbols, the size and the platform tag, and, in a
fresh virtual environment, that JAX finds the platform and computes on it. It
skips the last check for a plugin of another processor, whose libraries are in a
sysroot.
"""

import argparse
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import venv
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
NAME = "libpjrt_tessera.so"
# The upper limit of the plugin's size, in MiB.
MAX_MEGABYTES = 45
# Not bundled: every Linux system that the wheel's tag admits has them.
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


def machine_of(plugin):
  """The processor that a shared object is for, as `uname -m` calls it."""
  with open(plugin, "rb") as file:
    number, = struct.unpack_from("<H", file.read(20), 18)
  return {62: "x86_64", 183: "aarch64"}.get(number, f"ELF machine {number}")


def library_folders(sysroot, machine):
  """The folders of the processor's libraries in the sysroot."""
  return [sysroot / "usr" / "lib" / f"{machine}-linux-gnu",
          sysroot / "usr" / "lib"]


def libraries(plugin, folders):
  """The names of the shared libraries in `folders` that the wheel will
  bundle."""
  names, pending = [], [plugin]
  while pending:
    needed = run("llvm-readelf-19", "--needed-libs", pending.pop())
    for name in re.findall(r"^\s+(\S+\.so\S*)$", needed, re.MULTILINE):
      if SYSTEM.match(name) or name in names:
        continue
      found = [folder / name for folder in folders if (folder / name).exists()]
      if not found:
        sys.exit(f"{plugin}: {name} is in none of {folders}")
      names.append(name)
      pending.append(found[0])
  return names


def collect_licenses(plugin, folders, folder):
  """Copies the license text of each bundled library's Debian package, which
  this machine has as well, and Tessera's own."""
  folder.mkdir()
  shutil.copy(HERE.parent / "LICENSE", folder / "tessera.txt")
  for library in libraries(plugin, folders):
    query = subprocess.run(["dpkg-query", "-S", f"*/{library}"], text=True,
                           check=False, capture_output=True)
    owner = query.stdout.partition(":")[0]
    text = pathlib.Path("/usr/share/doc", owner, "copyright")
    if not owner or not text.is_file():
      print(f"warning: no license text for {library}", file=sys.stderr)
      continue
    shutil.copy(text.resolve(), folder / f"{owner}.txt")


def check_symbols(plugin):
  """Errors: SystemExit unless GetPjrtApi is the only exported symbol."""
  names = [line.split()[-1].partition("@")[0] for line in
           run("llvm-nm-19", "-D", "--defined-only", plugin).splitlines()]
  # The tag of a version script appears as an absolute symbol.
  names = [name for name in names if not name.startswith("TESSERA_")]
  if names != ["GetPjrtApi"]:
    sys.exit(f"{plugin} exports {names[:10]}, expected GetPjrtApi alone")


def pack(plugin, folders, work):
  """The wheel as scikit-build-core makes it, not yet repaired."""
  staged = work / NAME
  shutil.copy(plugin, staged)
  run("llvm-strip-19", "--strip-unneeded", staged)
  check_symbols(staged)
  megabytes = staged.stat().st_size / 2**20
  if megabytes > MAX_MEGABYTES:
    sys.exit(f"the plugin has {megabytes:.1f} MiB, {MAX_MEGABYTES} allowed")
  licenses = work / "licenses"
  collect_licenses(plugin, folders, licenses)
  run(sys.executable, "-m", "build", "--wheel", "--no-isolation", HERE,
      "--outdir", work / "raw",
      f"-Cbuild-dir={work / 'build'}",
      f"-Ccmake.define.TESSERA_PLUGIN={staged}",
      f"-Ccmake.define.TESSERA_LICENSES={licenses}",
      # The platform that Python's sysconfig reports, which becomes the wheel's
      # tag.
      env=dict(os.environ, _PYTHON_HOST_PLATFORM=f"linux-{machine_of(plugin)}"))
  return next((work / "raw").glob("*.whl"))


def repair(raw, folders, out, work):
  """Writes the wheel with its libraries to `out`, where it replaces the
  previous one for this processor."""
  machine = raw.stem.rpartition("linux_")[2]
  out.mkdir(parents=True, exist_ok=True)
  for old in out.glob(f"*_{machine}.whl"):
    old.unlink()
  # LLVM's strip supports all processors.
  tools = work / "tools"
  tools.mkdir()
  (tools / "strip").symlink_to(shutil.which("llvm-strip-19"))
  env = {"PATH": f"{tools}:{pathlib.Path(sys.executable).parent}:/usr/bin:/bin"}
  run(sys.executable, "-m", "auditwheel", "repair", "--strip", "-w", out,
      "--ldpaths", ":".join(map(str, folders)), raw, env=env)
  wheel = next(out.glob(f"*_{machine}.whl"))
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
  parser.add_argument("--sysroot", type=pathlib.Path, default="/",
                      help="where the plugin's libraries are")
  options = parser.parse_args()
  machine = machine_of(options.plugin)
  folders = library_folders(options.sysroot.resolve(), machine)
  with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    wheel = repair(pack(options.plugin.resolve(), folders, work), folders,
                   options.out, work)
    with zipfile.ZipFile(wheel) as contents:
      for entry in contents.infolist():
        if entry.file_size > 2**20:
          print(f"{entry.file_size / 2**20:8.1f} MiB  {entry.filename}")
    if machine == platform.machine():
      check_install(wheel.resolve(), work)
  print(f"{wheel} ({wheel.stat().st_size / 2**20:.1f} MiB)")


if __name__ == "__main__":
  main()
