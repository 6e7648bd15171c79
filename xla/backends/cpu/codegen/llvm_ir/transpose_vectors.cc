// First transposes squares that fit into 16 bytes by interleaving, then moves
// these 16-byte units. Each shuffle is one that processors have as an
// instruction (unpack and 128-bit shuffles on x86, zip on aarch64).
#include "xla/backends/cpu/codegen/llvm_ir/transpose_vectors.h"

#include <algorithm>
#include <utility>

namespace xla::cpu {
namespace {

// In bytes: x86's unpack instructions interleave within 128 bits.
constexpr int kUnitBytes = 16;

// Interleaves the elements of the lower or upper half of each unit of x with
// those of y.
llvm::Value* Interleave(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y,
                        int lanes, int unit, bool upper) {
  std::vector<int> mask;
  for (int u = 0; u < lanes; u += unit) {
    for (int i = 0; i < unit / 2; ++i) {
      const int from = u + i + (upper ? unit / 2 : 0);
      mask.push_back(from);
      mask.push_back(lanes + from);
    }
  }
  return b.CreateShuffleVector(x, y, mask);
}

// Returns every second unit of x, then every second unit of y.
llvm::Value* EverySecondUnit(llvm::IRBuilder<>& b, llvm::Value* x,
                             llvm::Value* y, int lanes, int unit, int first) {
  std::vector<int> mask;
  for (int from = first * unit; from < 2 * lanes; from += 2 * unit) {
    for (int i = 0; i < unit; ++i) mask.push_back(from + i);
  }
  return b.CreateShuffleVector(x, y, mask);
}

}  // namespace

std::vector<llvm::Value*> TransposeVectors(llvm::IRBuilder<>& b,
                                           std::vector<llvm::Value*> rows) {
  const int n = static_cast<int>(rows.size());
  if (n == 1) return rows;
  const int bytes =
      static_cast<int>(rows[0]->getType()->getScalarSizeInBits() / 8);
  const int unit = std::min(n, std::max(1, kUnitBytes / bytes));
  const int units = n / unit;
  std::vector<llvm::Value*> next(n);
  // Transpose within each group of `unit` rows: afterwards unit u of row g *
  // unit + c is column u * unit + c of the group that starts at row g * unit.
  // Each pass interleaves rows i and i + unit / 2 into rows 2i and 2i + 1.
  for (int done = 1; done < unit; done *= 2) {
    for (int g = 0; g < n; g += unit) {
      for (int i = 0; i < unit / 2; ++i) {
        llvm::Value* x = rows[g + i];
        llvm::Value* y = rows[g + i + unit / 2];
        next[g + 2 * i] = Interleave(b, x, y, n, unit, false);
        next[g + 2 * i + 1] = Interleave(b, x, y, n, unit, true);
      }
    }
    std::swap(rows, next);
  }
  // For each c, the units of rows c, unit + c, 2 * unit + c, ... form a square
  // that is transposed the same way: its rows g and g + 1 give their even units
  // to row g / 2 and their odd units to row (g + units) / 2.
  for (int done = 1; done < units; done *= 2) {
    for (int c = 0; c < unit; ++c) {
      for (int g = 0; g < units; g += 2) {
        llvm::Value* x = rows[g * unit + c];
        llvm::Value* y = rows[(g + 1) * unit + c];
        next[g / 2 * unit + c] = EverySecondUnit(b, x, y, n, unit, 0);
        next[(g + units) / 2 * unit + c] = EverySecondUnit(b, x, y, n, unit, 1);
      }
    }
    std::swap(rows, next);
  }
  return rows;
}

std::vector<llvm::Value*> InterleaveVectors(
    llvm::IRBuilder<>& b, const std::vector<llvm::Value*>& vectors) {
  const int n = static_cast<int>(vectors.size());
  std::vector<llvm::Value*> results;
  llvm::Type* const narrow = vectors[0]->getType();
  // LLVM has no code for shuffles of elements that are no whole bytes.
  if (narrow->isIntOrIntVectorTy() && narrow->getScalarSizeInBits() < 8) {
    std::vector<llvm::Value*> bytes;
    for (llvm::Value* vector : vectors) {
      bytes.push_back(
          b.CreateZExt(vector, narrow->getWithNewType(b.getInt8Ty())));
    }
    for (llvm::Value* vector : InterleaveVectors(b, bytes)) {
      results.push_back(b.CreateTrunc(vector, narrow));
    }
    return results;
  }
  for (int r = 0; r < n; ++r) {
    const auto* type = llvm::cast<llvm::FixedVectorType>(vectors[0]->getType());
    const int lanes = static_cast<int>(type->getNumElements());
    llvm::Value* result = vectors[0];
    for (int v = 0; v < n; ++v) {
      // Lanes of the vectors before v are in place.
      std::vector<int> from(lanes, llvm::PoisonMaskElem);
      for (int l = 0; l < lanes; ++l) {
        const int of = (r * lanes + l) % n;
        if (of < v) from[l] = l;
        if (of == v) from[l] = (r * lanes + l) / n + (v == 0 ? 0 : lanes);
      }
      result = b.CreateShuffleVector(result, vectors[v], from);
    }
    results.push_back(result);
  }
  return results;
}

}  // namespace xla::cpu
