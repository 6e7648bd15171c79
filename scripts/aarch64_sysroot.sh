#!/usr/bin/env bash
# aarch64_sysroot.sh FOLDER: unpacks Debian 12's arm64 libraries that Tessera
# builds and runs with into FOLDER, which is a sysroot for compilers and for
# qemu-aarch64 -L. Nothing is installed on this machine. A FOLDER that this
# version of the script has filled is left as it is.
set -euo pipefail
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
folder=$1
suite=bookworm
mirror=${TESSERA_DEBIAN_MIRROR:-http://deb.debian.org/debian}
multiarch=aarch64-linux-gnu

packages=(
  libc6-dev libstdc++-12-dev
  libabsl-dev libprotobuf-dev libzip-dev zlib1g-dev libcli11-dev
  libopenblas-serial-dev liblapacke-dev llvm-19-dev libzstd-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  python3)

stamp=$folder/.made-by
version=$(sha256sum "${BASH_SOURCE[0]}" | cut -d' ' -f1)
[ "$(cat "$stamp" 2>/dev/null)" != "$version" ] || exit 0
if [ -e "$folder" ] && [ ! -e "$folder/usr/lib/$multiarch" ]; then
  echo "$0: $folder exists and is no sysroot for aarch64" >&2
  exit 1
fi

# Beside the folder and then renamed: what is there is always whole.
partial=$folder.partial
rm -rf "$partial"
mkdir -p "$partial"
# `extract` unpacks the packages and all that they depend on, without running
# one of their scripts, which would be arm64's.
mmdebstrap --quiet --variant=extract --architectures=arm64 \
  --include="$(IFS=,; echo "${packages[*]}")" \
  --aptopt='Acquire::Languages "none"' \
  --dpkgopt='path-exclude=/usr/share/doc/*' \
  --dpkgopt='path-exclude=/usr/share/locale/*' \
  --dpkgopt='path-exclude=/usr/share/man/*' \
  "$suite" "$partial" "$mirror"

# What is outside /usr in some packages is where a merged /usr has it.
for name in bin sbin lib lib64; do
  if [ -d "$partial/$name" ] && [ ! -L "$partial/$name" ]; then
    mkdir -p "$partial/usr/$name"
    cp -a "$partial/$name/." "$partial/usr/$name/"
    rm -rf "${partial:?}/$name"
  fi
  ln -sfn "usr/$name" "$partial/$name"
done

# The links that update-alternatives makes when a package is configured.
for name in libopenblas libblas liblapack; do
  for extension in so so.0 so.3 a; do
    for own in openblas-serial "${name#lib}"; do
      file=usr/lib/$multiarch/$own/$name.$extension
      if [ -e "$partial/$file" ] || [ -L "$partial/$file" ]; then
        ln -sfn "$own/$name.$extension" \
          "$partial/usr/lib/$multiarch/$name.$extension"
        break
      fi
    done
  done
done

# Links to absolute paths would lead out of the sysroot.
while IFS= read -r -d '' link; do
  target=$(readlink "$link")
  ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" \
    "$partial$target")" "$link"
done < <(find "$partial" -type l -lname '/*' -print0)

# So would the one absolute path in LLVM's CMake files, libz3's.
# shellcheck disable=SC2016
sed -i "s#\([\";]\)/usr/lib/$multiarch/#\1\${_IMPORT_PREFIX}/../$multiarch/#g" \
  "$partial/usr/lib/llvm-19/lib/cmake/llvm/LLVMExports.cmake"

rm -rf "$folder"
mv "$partial" "$folder"
echo "$version" >"$folder/.made-by"
