#!/usr/bin/env python3
"""Writes the list of what a library or program of the build holds and needs, as
SPDX 2.3 JSON (docs/packages.md).

    sbom.py TARGET [--build FOLDER] [--bundled FILE...] [--out FILE]

What is linked statically is read from the linker's command of the CMake target
TARGET, such as pjrt_tessera; what it needs when it runs, from the file that the
command writes. --bundled names copies of shared libraries that are shipped with
it. Each file belongs to a Debian package of this machine, which gives version
and licence text; SOURCES says which licence that is.
"""

import argparse
import datetime
import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

import tree

# Debian's source packages: (SPDX licence of what we use, a word that the
# copyright file must have, so that a change of licence is noticed).
SOURCES = {
    "abseil": ("Apache-2.0", "Apache"),
    "bzip2": ("bzip2-1.0.6", "bzip2"),
    "cli11": ("BSD-3-Clause", "BSD"),
    "gcc-12": ("GPL-3.0-or-later WITH GCC-exception-3.1",
               "GCC Runtime Library Exception"),
    "gcc-12-cross": ("GPL-3.0-or-later WITH GCC-exception-3.1",
                     "GCC Runtime Library Exception"),
    "glibc": ("LGPL-2.1-or-later", "Lesser General Public"),
    "gloo": ("BSD-3-Clause", "BSD-3-Clause"),
    "libzip": ("BSD-3-Clause", "The names of the authors may not be used"),
    "libzstd": ("BSD-3-Clause", "BSD-3-clause"),
    "llvm-toolchain-19": ("Apache-2.0 WITH LLVM-exception",
                          "LLVM Exceptions to the Apache 2.0 License"),
    "openblas": ("BSD-3-Clause", "BSD-3-clause"),
    "openmpi": ("BSD-3-Clause-Open-MPI", "Trustees of Indiana University"),
    "openssl": ("Apache-2.0", "Apache-2.0"),
    "protobuf": ("BSD-3-Clause", "Google Inc"),
    "zlib": ("Zlib", "Jean-loup Gailly"),
}
# Packages of headers whose templates and inline functions become part of what
# is compiled: of all targets, and of one.
INLINE = ("libabsl-dev", "libprotobuf-dev", "libstdc++-12-dev")
INLINE_OF = {"tessera_command": ("libcli11-dev",)}
# Targets of C++ without Abseil and Protocol Buffers.
PLAIN = ("tessera_gloo", "tessera_mpi")
# Of every Linux system, or Tessera's own; no package is asked for them.
LOADER = re.compile(r"^(ld-linux.*|linux-vdso|libtessera)\.so")


class SbomError(Exception):
  """What keeps the list from being complete."""


def output(*command):
  done = subprocess.run([str(word) for word in command], text=True,
                        capture_output=True, check=False)
  if done.returncode:
    raise SbomError(f"{shlex.join(map(str, command))}: {done.stderr.strip()}")
  return done.stdout


@functools.cache
def owner(path):
  """The Debian package that a file belongs to. For a file of another
  processor's sysroot it is the package that has this processor's. Errors: SbomError."""
  path = pathlib.Path(os.path.normpath(path))
  here = re.sub(r"^.+(/usr/lib/)", r"\1", str(path))
  here = re.sub(r"^/usr/lib/[a-z0-9_]+-linux-gnu/",
                f"/usr/lib/{platform.machine()}-linux-gnu/", here)
  # Packages name files of a merged /usr by their old paths, too.
  old = [str(name).removeprefix("/usr") for name in (path, here)]
  for pattern in (path, old[0], path.resolve(), here, old[1],
                  f"*/{path.name}"):
    done = subprocess.run(["dpkg-query", "-S", str(pattern)], text=True,
                          capture_output=True, check=False)
    # A path that two packages divert among them has lines of its own.
    owners = [line.partition(":")[0] for line in done.stdout.splitlines()
              if not line.startswith("diversion")]
    if owners:
      return owners[0].partition(",")[0]
  raise SbomError(f"no Debian package here has {path}")


@functools.cache
def facts(package):
  """Version, source package, its version, and homepage of a Debian package."""
  text = output("dpkg-query", "-W", "-f", "${Version}\t${source:Package}\t"
                "${source:Version}\t${Homepage}\n", package).splitlines()[0]
  return text.split("\t")


def copyright_file(package):
  """The licence text of a Debian package."""
  path = pathlib.Path("/usr/share/doc", package, "copyright").resolve()
  if not path.is_file():
    raise SbomError(f"there is no {path}")
  return path


def licence(package):
  """The SPDX licence of a package. Errors: SbomError for a source package that
  SOURCES lacks, or whose copyright file has changed."""
  source = facts(package)[1]
  if source not in SOURCES:
    raise SbomError(f"{package} of {source} is linked: add its licence to "
                    "SOURCES of scripts/sbom.py, after reading "
                    f"{copyright_file(package)}")
  name, word = SOURCES[source]
  text = " ".join(copyright_file(package).read_text(errors="replace").split())
  if word.lower() not in text.lower():
    raise SbomError(f"{copyright_file(package)} does not say `{word}`: does "
                    f"{name} still hold?")
  return name


def link_command(build, target):
  """The words of the command that links a target, and the file it writes."""
  lines = output("ninja", "-C", build, "-t", "commands", target).splitlines()
  for line in reversed(lines):  # The last ones make links to the file.
    if "-o " in line and " -c " not in line:
      words = shlex.split(line)
      return words, build / words[words.index("-o") + 1]
  raise SbomError(f"{target} of {build} is not linked")


def compiler_of(words):
  """The compiler of a link command, which knows where libraries are."""
  return next((word for word in words
               if re.search(r"([gc]\+\+|gcc|clang)(-\d+)?$", word)), "c++")


def archives(build, words):
  """The static libraries of others on a linker's command line, and those that
  the compiler adds."""
  named = [build / word for word in words if word.endswith(".a")
           and not word.startswith("-")]
  named.append(pathlib.Path(
      output(compiler_of(words), "-print-libgcc-file-name").strip()))
  own = build.resolve()
  return sorted({path for path in named if own not in path.resolve().parents})


def library_path(words, name):
  """Where a link command's sysroot, or else its compiler, has a shared
  library."""
  for word in words:
    if word.startswith("--sysroot="):
      folder = pathlib.Path(word.partition("=")[2], "usr", "lib")
      for path in folder.glob(f"*-linux-gnu/{name}"):
        return path
  return output(compiler_of(words), f"-print-file-name={name}").strip()


def needed(file):
  """The shared libraries that a file needs."""
  found = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "-d", file))
  return [name for name in found if not LOADER.match(name)]


def components(build, target, bundled):
  """Maps (relation, package) to the names of its files. Relations are those of
  SPDX: STATIC_LINK, DYNAMIC_LINK, and CONTAINS for bundled copies."""
  words, file = link_command(build, target)
  found = {}

  def add(relation, package, name):
    names = found.setdefault((relation, package), [])
    if name not in names:
      names.append(name)

  for path in archives(build, words):
    add("STATIC_LINK", owner(path), path.name)
  inline = INLINE_OF.get(target, ()) + (INLINE[2:] if target in PLAIN
                                        else INLINE)
  for package in inline:
    add("STATIC_LINK", package, "headers")
  carried = {name for name, _ in bundled}
  for name, package in bundled:
    add("CONTAINS", package, name)
  for name in needed(file):
    if name not in carried:
      add("DYNAMIC_LINK", owner(library_path(words, name)), name)
  return file, found


def identifier(*parts):
  return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", "-".join(parts))


def package_entry(package, names):
  version, source, source_version, homepage = facts(package)
  return {
      "SPDXID": identifier("Package", package),
      "name": package,
      "versionInfo": version,
      "supplier": "Organization: Debian",
      "downloadLocation":
          f"https://snapshot.debian.org/package/{source}/{source_version}/",
      **({"homepage": homepage} if homepage else {}),
      "filesAnalyzed": False,
      "sourceInfo": f"built from source package {source} {source_version}; "
                    f"used: {', '.join(names)}",
      "licenseConcluded": licence(package),
      "licenseDeclared": "NOASSERTION",
      "licenseComments":
          f"The text is in Debian's /usr/share/doc/{package}/copyright, and in "
          f"licenses/{source}.txt of a wheel",
      "copyrightText": "NOASSERTION",
      "externalRefs": [{
          "referenceCategory": "PACKAGE-MANAGER",
          "referenceType": "purl",
          "referenceLocator": f"pkg:deb/debian/{package}@"
                              f"{version.replace(':', '%3A')}"
                              "?distro=debian-12"}],
  }


def project_version():
  text = (tree.ROOT / "CMakeLists.txt").read_text()
  return re.search(r"project\(Tessera VERSION ([\d.]+)", text)[1]


def document(build, target, bundled=()):
  """The SPDX document of a target, as Python data. `bundled` are pairs of a
  shared library's name and the package that it comes from."""
  file, found = components(build, target, bundled)
  version = project_version()
  epoch = int(os.environ.get("SOURCE_DATE_EPOCH", file.stat().st_mtime))
  root = {
      "SPDXID": identifier("Package", target),
      "name": file.name,
      "versionInfo": version,
      "downloadLocation": "NOASSERTION",
      "filesAnalyzed": False,
      "licenseConcluded": "Apache-2.0",
      "licenseDeclared": "Apache-2.0",
      "copyrightText": "NOASSERTION",
      "primaryPackagePurpose":
          "APPLICATION" if target == "tessera_command" else "LIBRARY",
  }
  names = {}
  for (_, package), files in found.items():
    names.setdefault(package, []).extend(files)
  relations = [{"spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": root["SPDXID"]}]
  for (relation, package), files in sorted(found.items()):
    relations.append({"spdxElementId": root["SPDXID"],
                      "relationshipType": relation,
                      "relatedSpdxElement": identifier("Package", package),
                      "comment": ", ".join(files)})
  packages = [root] + [package_entry(package, files)
                       for package, files in sorted(names.items())]
  # Equal contents have equal names, which the specification wants to be unique.
  digest = hashlib.sha256(
      json.dumps([packages, relations]).encode()).hexdigest()
  return {
      "spdxVersion": "SPDX-2.3",
      "dataLicense": "CC0-1.0",
      "SPDXID": "SPDXRef-DOCUMENT",
      "name": f"{file.name}-{version}",
      "documentNamespace":
          f"https://spdx.org/spdxdocs/{target}-{version}-{digest[:32]}",
      "creationInfo": {
          "created": datetime.datetime.fromtimestamp(
              epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
          "creators": [f"Tool: Tessera-sbom.py-{version}"]},
      "packages": packages,
      "relationships": relations,
  }


def licence_texts(data):
  """Maps the source package of each Debian package in a document that is linked
  statically or bundled to its licence text."""
  ids = {relation["relatedSpdxElement"] for relation in data["relationships"]
         if relation["relationshipType"] in ("STATIC_LINK", "CONTAINS")}
  names = [package["name"] for package in data["packages"]
           if package["SPDXID"] in ids]
  return {facts(name)[1]: copyright_file(name) for name in names}


def main():
  parser = argparse.ArgumentParser(
      description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
  parser.add_argument("target")
  parser.add_argument("--build", type=pathlib.Path,
                      default=tree.ROOT / "build")
  parser.add_argument("--bundled", nargs="*", default=[], metavar="FILE")
  parser.add_argument("--out", type=pathlib.Path)
  options = parser.parse_args()
  bundled = [(pathlib.Path(file).name, owner(file)) for file in options.bundled]
  try:
    data = document(options.build.absolute(), options.target, bundled)
  except SbomError as problem:
    sys.exit(f"sbom.py: {problem}")
  text = json.dumps(data, indent=1) + "\n"
  if options.out:
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(text)
  else:
    print(text, end="")


if __name__ == "__main__":
  main()
