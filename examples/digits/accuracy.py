"""Prints the fraction of predictions that are right.

usage: accuracy.py PREDICTED.npz LABELS.npz

Compares array out0 of the first file with test_labels of the second. Uses only
the standard library, so that the demo needs nothing but the build.
"""
import ast
import struct
import sys
import zipfile


def read_int32s(path, name):
    """The one-dimensional int32 array `name` of a .npz file."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read(name + ".npy")
    length_size = 2 if data[6] == 1 else 4
    start = 8 + length_size
    length = int.from_bytes(data[8:start], "little")
    header = ast.literal_eval(data[start:start + length].decode("latin1"))
    if header["descr"] != "<i4" or len(header["shape"]) != 1:
        sys.exit(f"{path}: {name} is not an int32 vector")
    count = header["shape"][0]
    return struct.unpack_from(f"<{count}i", data, start + length)


predicted = read_int32s(sys.argv[1], "out0")
labels = read_int32s(sys.argv[2], "test_labels")
right = sum(p == l for p, l in zip(predicted, labels, strict=True))
print(f"{right} of {len(labels)} images right: accuracy {right / len(labels):.4f}")
