// Micro kernels for AMX, which multiply tiles of 16 rows and 64 bytes: pairs of
// bfloat16, and quads of 8-bit integers of either sign.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_KERNELS_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_KERNELS_H_

#include "xla/backends/cpu/kernels/products/micro_kernels.h"

namespace xla::cpu {

// Returns the set for one of the types of tiles. Sums of pairs are F32: of each
// 16 pairs in depth, the products of first numbers and those of second ones are
// added up in order, then both sums to each other and to the sum. Subnormal
// operands and sums count as zeros. Only for VectorLevel::kAmx; other
// architectures than x86-64 do not define it.
const MicroKernelSet& TileKernelsOf(PanelType type);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_TILE_KERNELS_H_
