"""Does what `./dev wheel` does after the build, which ends with using the wheel
in a fresh environment. Skipped until `./dev wheel` has installed its tools."""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import zipfile

import harness
import tessera_jax as tj


def test_wheel():
  for tool in ("auditwheel", "build", "jax", "scikit_build_core"):
    if importlib.util.find_spec(tool) is None:
      raise harness.Skip(f"no {tool} here; `./dev wheel` installs it")
  out = pathlib.Path("dist").resolve()
  done = subprocess.run(
      [sys.executable, str(tj.PACKAGE / "build_wheel.py"), tj.plugin(), "--out",
       str(out)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
      check=False, timeout=500)
  harness.equal(done.returncode, 0, done.stdout)
  text = (harness.SRC / "CMakeLists.txt").read_text()
  version = re.search(r"project\(Tessera VERSION ([0-9.]+)", text)[1]
  tj.holds(done.stdout, f"jax-tessera {version} with jax ")
  [wheel] = out.glob("*.whl")
  assert wheel.name.startswith(
      f"jax_tessera-{version}-py3-none-manylinux_2_34_"), wheel.name
  contents = zipfile.ZipFile(wheel)
  names = contents.namelist()
  assert "jax_plugins/tessera/libpjrt_tessera.so" in names
  assert "jax_plugins/__init__.py" not in names, "a namespace has no module"
  info = f"jax_tessera-{version}.dist-info"
  data = json.loads(contents.read(f"{info}/sboms/jax_tessera.spdx.json"))
  check_documents(data, names, info)


def check_documents(data, names, info):
  """Each library in the wheel is in the list of what is inside, and each licence
  has its text."""
  files = {file for relation in data["relationships"]
           if relation["relationshipType"] == "CONTAINS"
           for file in relation["comment"].split(", ")}
  for name in names:
    library = re.fullmatch(r"jax_tessera\.libs/(\w+)-\w+(\.so.*)", name)
    if library:  # auditwheel added a hash, and the last digits of the version.
      assert any(file.startswith(library[1] + ".so") and
                 library[2].startswith(file.removeprefix(library[1]))
                 for file in files), (name, files)
  sources = {re.match(r"built from source package (\S+)",
                      package["sourceInfo"])[1]
             for package in data["packages"]
             if any(relation["relatedSpdxElement"] == package["SPDXID"] and
                    relation["relationshipType"] in ("STATIC_LINK", "CONTAINS")
                    for relation in data["relationships"])}
  assert {"abseil", "gcc-12", "llvm-toolchain-19", "openblas",
          "protobuf"} <= sources, sources
  for source in (*sources, "tessera"):
    assert f"{info}/licenses/{source}.txt" in names, source


if __name__ == "__main__":
  harness.main(globals())
