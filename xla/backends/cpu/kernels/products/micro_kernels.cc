// The tables of micro kernels, one for each VectorLevel.
#include "xla/backends/cpu/kernels/products/micro_kernels.h"

#include <array>
#include <type_traits>

#include "xla/backends/cpu/kernels/products/tile_kernels.h"
#include "xla/backends/cpu/kernels/vector/vector_level.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace xla::cpu {
namespace {

#define XLA_VECTOR_EXTENSIONS
#define XLA_VECTOR_BODY "xla/backends/cpu/kernels/products/micro_kernels.inc"
#include "xla/backends/cpu/kernels/vector/for_each_vector_level.h"

}  // namespace

bool HasMicroKernels(PanelType type) {
  const VectorLevel level = CurrentVectorLevel();
  switch (type) {
    case PanelType::kF32:
    case PanelType::kF64:
    case PanelType::kPairs:
    case PanelType::kU32:
    case PanelType::kU64:
      return true;
#if defined(__x86_64__)
    case PanelType::kQuads:
      return level == VectorLevel::kAvxVnni ||
             level >= VectorLevel::kAvx512Vnni;
    case PanelType::kBf16Pairs:
      return level >= VectorLevel::kAvx512Bf16;
    default:  // tiles
      return level == VectorLevel::kAmx;
#else
#if defined(__aarch64__)
    case PanelType::kQuads:
      return level >= VectorLevel::kNeonDotProd;
    case PanelType::kBf16Pairs:
      return level >= VectorLevel::kNeonBf16;
#endif
    default:
      return false;
#endif
  }
}

const MicroKernelSet& MicroKernelsOf(PanelType type) {
#if defined(__x86_64__)
  if (IsForTiles(type)) return TileKernelsOf(type);
  if (CurrentVectorLevel() == VectorLevel::kAvxVnni) {
    if (type == PanelType::kQuads) return avx_vnni::kQuadKernels;
    if (type == PanelType::kPairs) return avx_vnni::kPairKernels;
  }
  if (type == PanelType::kQuads) return avx512_vnni::kQuadKernels;
  if (type == PanelType::kBf16Pairs) return avx512_bf16::kBf16Kernels;
  if (type == PanelType::kPairs &&
      CurrentVectorLevel() >= VectorLevel::kAvx512Vnni) {
    return avx512_vnni::kPairKernels;
  }
#elif defined(__aarch64__)
  if (type == PanelType::kQuads) {
    return CurrentVectorLevel() >= VectorLevel::kNeonI8mm
               ? neon_i8mm::kQuadKernels
               : neon_dotprod::kQuadKernels;
  }
  if (type == PanelType::kBf16Pairs) return neon_bf16::kBf16Kernels;
#endif
  const auto& tables = TableOf(baseline::kMicroKernels, avx2::kMicroKernels,
                               avx512::kMicroKernels);
  return tables[static_cast<int>(type)];
}

}  // namespace xla::cpu
