// Adds up what the runtime's plans allocate. Given memory frees only its last
// block (runtime/given_memory.h), so an array that grows counts with all those
// that it has outgrown.
#include "xla/backends/cpu/aot/load_bytes.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "xla/backends/cpu/fusion/attention.h"
#include "xla/backends/cpu/kernels/fft_stages.h"
#include "xla/backends/cpu/kernels/products/micro_kernels.h"
#include "xla/base/checked_math.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/linear_algebra.h"

namespace xla::cpu::aot {
namespace {

// For the instance itself, and for each byte of an archive, which becomes a
// thunk with its plan.
constexpr int64_t kInstanceBytes = int64_t{16} << 10;
constexpr int64_t kBytesForArchiveByte = 64;
// The scratch of packing one constant, which is freed: blocks of depth of two
// groups of rows (PackRightScratchBytes), or rows converted for them.
constexpr int64_t kPackingScratchBytes =
    2 * 8 * kMaxBlockDepth * static_cast<int64_t>(sizeof(double));
// An array that doubles its size takes less than four times what it holds.
constexpr int64_t kGrowth = 4;

// The real numbers in the tables of lines of n (FftLine).
int64_t FftTable(int64_t n) {
  int64_t rest = n;
  for (const int radix : kFftRadices) {
    while (rest % radix == 0) rest /= radix;
  }
  // The roots of all steps.
  if (rest <= 1) return 2 * n;
  // Bluestein: chirp, the roots of the longer line, its transform, and four
  // arrays for making that.
  const auto longer =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
  return 2 * n + 8 * longer;
}

int64_t FftBytes(const HloInstruction& fft) {
  constexpr int64_t kSteps = 8 << 10;  // the lists of steps of one line
  if (ShapeUtil::ElementsIn(fft.shape()) == 0) return 0;
  const PrimitiveType type = fft.shape().element_type();
  const int64_t real_bytes = type == F64 || type == C128 ? 8 : 4;
  const FftAttrs& attrs = fft.attrs<FftAttrs>();
  int64_t bytes = 0;
  for (const int64_t n : attrs.fft_length) {
    bytes += kSteps + real_bytes * FftTable(n);
  }
  if (attrs.fft_type == RFFT || attrs.fft_type == IRFFT) {
    // Two tables of half the length and one.
    bytes += kGrowth * real_bytes * (attrs.fft_length.back() + 2);
  }
  return bytes;
}

// The ranges of columns that blocks of rows read.
int64_t AttentionBytes(const HloInstruction& fusion) {
  const std::optional<AttentionGroup> group = FusedAttention(fusion);
  if (!group.has_value()) return 0;
  const Shape& shape = group->first->shape();
  int64_t rows = 1;
  for (const int64_t size : shape.dimensions()) rows *= size;
  rows /= std::max<int64_t>(shape.dimensions(shape.rank() - 1), 1);
  return kGrowth * 2 * static_cast<int64_t>(sizeof(int64_t)) *
         CeilOfRatio<int64_t>(rows, MicroKernelSet::kMaxVectorRows);
}

// What differs between the places that holes of the input make.
int64_t ConvolutionBytes(const HloInstruction& convolution) {
  constexpr int64_t kPhaseBytes = 256;
  int64_t bytes = 0;
  for (const WindowDimension& dim : convolution.window().dimensions()) {
    bytes += kGrowth * kPhaseBytes * dim.base_dilation();
  }
  return bytes;
}

}  // namespace

int64_t LoadBytes(const HloModule& module, int64_t archive_bytes,
                  int64_t packed_bytes) {
  int64_t bytes = kInstanceBytes + kBytesForArchiveByte * archive_bytes;
  if (packed_bytes > 0) bytes += packed_bytes + kPackingScratchBytes;
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kFft) bytes += FftBytes(*hlo);
      if (hlo->opcode() == HloOpcode::kFusion) bytes += AttentionBytes(*hlo);
      if (hlo->opcode() == HloOpcode::kConvolution) {
        bytes += ConvolutionBytes(*hlo);
      }
    }
  }
  return bytes;
}

}  // namespace xla::cpu::aot
