#!/usr/bin/env bash
# Classifies 357 images of handwritten digits with a small convolutional net,
# and takes one step of its training; both checked against XLA's results.
# TESSERA_BIN is the folder of the tessera command.
set -euo pipefail
bin=${TESSERA_BIN:?}
digits=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/digits
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

echo "== the trained net classifies 357 images"
"$bin/tessera" run "$digits/digits_predict.hlo" \
  --inputs "$digits/digits_predict.npz" --expect "$digits/digits_predict.npz" \
  --outputs "$scratch/predicted.npz"
python3 "$digits/accuracy.py" "$scratch/predicted.npz" \
  "$digits/digits_labels.npz"

echo "== one step of its training on 144 images"
"$bin/tessera" run "$digits/digits_train_step.hlo" --quiet \
  --inputs "$digits/digits_train_step.npz" \
  --expect "$digits/digits_train_step.npz"
