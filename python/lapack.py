"""Links the LAPACK that the wheel carries: those routines of OpenBLAS that the
plugin calls, in a shared object that takes the place of libopenblas.so.0.

Debian's library has all routines, each of BLAS's for 21 kinds of x86-64
processors: 35 MB. With what the plugin needs, for the kinds that KIND_OF
leaves, it is 8 MB. The routines are the same machine code.
"""

import pathlib
import re

NAME = "libopenblas.so.0"
ARCHIVE = "openblas-serial/libopenblas.a"
# Kinds of x86-64 processors that run another kind's routines: the best of those
# that use no instruction that the processor lacks. OpenBLAS does likewise where
# it is built for a list of kinds (DYNAMIC_LIST). Those that stay: PRESCOTT
# (SSE3), SANDYBRIDGE (AVX), HASWELL (AVX2, FMA), SKYLAKEX (AVX-512). NEHALEM
# (SSE4.2) is no faster than PRESCOTT. OPTERON is the one kind without SSE3,
# processors of 2003 and 2004, on which the LAPACK of the wheel does not run; JAX
# itself asks for AVX.
KIND_OF = {
    "OPTERON": "PRESCOTT", "OPTERON_SSE3": "PRESCOTT", "BARCELONA": "PRESCOTT",
    "BOBCAT": "PRESCOTT", "CORE2": "PRESCOTT", "PENRYN": "PRESCOTT",
    "DUNNINGTON": "PRESCOTT", "ATOM": "PRESCOTT", "NANO": "PRESCOTT",
    "NEHALEM": "PRESCOTT",
    "BULLDOZER": "SANDYBRIDGE", "PILEDRIVER": "SANDYBRIDGE",
    "STEAMROLLER": "SANDYBRIDGE",
    "EXCAVATOR": "HASWELL", "ZEN": "HASWELL",
    "COOPERLAKE": "SKYLAKEX",
}


def archive(folders):
  """The static OpenBLAS in the first of `folders` that has one, or None."""
  found = [folder / ARCHIVE for folder in folders
           if (folder / ARCHIVE).is_file()]
  return found[0] if found else None


def routines(plugin, library, run):
  """The names of the functions that `plugin` takes from `library`. `run` is a
  function that runs a command and returns its output."""
  wanted = run("llvm-nm-19", "-D", "--undefined-only", plugin).split()
  offered = set(re.findall(r"^\S+ [TW] (\w+)", run(
      "llvm-nm-19", "-D", "--defined-only", library), re.MULTILINE))
  return sorted({name for name in wanted if name in offered})


def link(plugin, machine, folders, sysroot, work, run):
  """Writes NAME into a new folder below `work` and returns the folder.

  `machine` is the processor as `uname -m` calls it, `folders` have its
  libraries, `run` runs a command and returns its output, or ends the program.
  """
  out = work / "lapack"
  out.mkdir()
  names = routines(plugin, archive(folders).with_name(NAME), run)
  exports = out / "exports.map"
  exports.write_text("{ global: " + "".join(f"{name}; " for name in names) +
                     "local: *; };\n")
  compiler = [f"{machine}-linux-gnu-gcc"]
  if str(sysroot) != "/":
    compiler.append(f"--sysroot={sysroot}")
  objects = [out / "concat_string.o"]
  run(*compiler, "-O2", "-fPIC", "-c",
      pathlib.Path(__file__).with_name("lapack") / "concat_string.c", "-o",
      objects[0])
  if machine == "x86_64":
    # dynamic.o chooses among the kinds; the linker takes those that it names.
    run("llvm-ar-19", "x", archive(folders), "dynamic.o", cwd=out)
    objects.append(out / "dynamic.o")
    run("llvm-objcopy-19", *(
        f"--redefine-sym=gotoblas_{kind}=gotoblas_{other}"
        for kind, other in KIND_OF.items()), objects[1])
  run(*compiler, "-shared", "-o", out / NAME, f"-Wl,-soname,{NAME}",
      "-fuse-ld=lld", "-B/usr/lib/llvm-19/bin", "-Wl,--as-needed",
      "-Wl,--gc-sections", "-Wl,-Bsymbolic", "-Wl,-z,defs",
      f"-Wl,--version-script={exports}",
      *(f"-Wl,-u,{name}" for name in names), *objects, archive(folders), "-lm")
  return out
