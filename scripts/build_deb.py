#!/usr/bin/env python3
"""Builds Tessera's Debian packages and checks them with lintian.

    build_deb.py [--kind KIND] [--build FOLDER] [--out FOLDER]

Runs dpkg-buildpackage with debian/ in a folder of its own, so that nothing is
written into the source tree or beside it. CMake builds in FOLDER, build-deb,
which lies in the tree like a preset's build folder and compiles with the same
flags: ccache then has what the preset's build has compiled. KIND is CMake's
build type, Release or Dev. The packages replace those in --out, dist.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import tree


def run(*command, **options):
  """Runs a command whose output is shown only if it fails. Errors: SystemExit
  with the output."""
  done = subprocess.run([str(word) for word in command], text=True,
                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        check=False, **options)
  if done.returncode:
    sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout[-20000:]}")
  return done.stdout


def build(kind, folder, out):
  """The paths of the packages that were built."""
  work = folder / "package"
  shutil.rmtree(work, ignore_errors=True)
  staged = work / "tessera"
  shutil.copytree(tree.ROOT / "debian", staged / "debian")
  env = dict(os.environ, TESSERA_SOURCE=str(tree.ROOT), TESSERA_KIND=kind,
             TESSERA_BUILD=str(folder),
             # Packages of debugging symbols would be as large as LLVM's.
             DEB_BUILD_OPTIONS="nocheck noautodbgsym")
  # dh sets another home, where ccache would look for its cache.
  if shutil.which("ccache"):
    env["CCACHE_DIR"] = run("ccache", "--get-config", "cache_dir").strip()
  # -d: scripts/packages.txt has been installed, and names some packages that
  # provide what debian/control asks for.
  run("dpkg-buildpackage", "--build=binary", "--no-sign", "-d", cwd=staged,
      env=env)
  out.mkdir(parents=True, exist_ok=True)
  for old in [*out.glob("*tessera*.deb"), *out.glob("tessera_*.changes")]:
    old.unlink()
  built = []
  for path in sorted(work.glob("*.*")):
    if path.is_file():
      shutil.move(path, out / path.name)
      built.append(out / path.name)
  shutil.rmtree(work)
  return built


def main():
  parser = argparse.ArgumentParser(
      description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
  parser.add_argument("--kind", default="Release", choices=["Release", "Dev"])
  parser.add_argument("--build", type=pathlib.Path,
                      default=tree.ROOT / "build-deb")
  parser.add_argument("--out", type=pathlib.Path, default=tree.ROOT / "dist")
  options = parser.parse_args()
  folder = options.build.resolve()
  if folder.parent != tree.ROOT:
    sys.exit(f"{folder} must lie directly in {tree.ROOT}")
  folder.mkdir(exist_ok=True)
  built = build(options.kind, folder, options.out.resolve())
  [changes] = [path for path in built if path.suffix == ".changes"]
  print(run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0",
            "--allow-root", changes).strip() or "lintian: nothing to report")
  for path in built:
    if path.suffix == ".deb":
      print(f"{path} ({path.stat().st_size / 2**20:.1f} MiB)")


if __name__ == "__main__":
  main()
