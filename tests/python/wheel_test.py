"""Does what `./dev wheel` does after the build, which ends with using the wheel
in a fresh environment. Skipped until `./dev wheel` has installed its tools."""

import importlib.util
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
  assert wheel.name.startswith(f"jax_tessera-{version}-py3-none-manylinux"), (
      wheel.name)
  names = zipfile.ZipFile(wheel).namelist()
  assert "jax_plugins/tessera/libpjrt_tessera.so" in names
  assert "jax_plugins/__init__.py" not in names, "a namespace has no module"
  assert any(name.endswith("licenses/tessera.txt") for name in names)


if __name__ == "__main__":
  harness.main(globals())
