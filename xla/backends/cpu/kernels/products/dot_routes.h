// The ways in which Dot multiplies. Private to it.
#ifndef XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ROUTES_H_
#define XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ROUTES_H_

#include <cstddef>
#include <cstdint>

#include "xla/backends/cpu/kernels/products/dot.h"

namespace xla::cpu {

// `desc` with all strides filled in.
DotDesc WithStrides(const DotDesc& desc);

// F32 or F64 throughout and so small that packing would cost more than the
// product: dot_tiny.cc.
bool IsTinyDot(const DotDesc& desc);
void TinyDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
             ParallelRunner& runner);

// Real floats with few rows or few columns, whose larger operand is read as it
// is: dot_skinny.cc.
bool IsSkinnyDot(const DotDesc& desc);
size_t SkinnyDotScratchBytes(const DotDesc& desc, int num_threads);
void SkinnyDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
               void* scratch, ParallelRunner& runner);

// Everything else: dot_packed.cc.
size_t PackedDotScratchBytes(const DotDesc& desc, int num_threads);
void PackedDot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
               void* scratch, ParallelRunner& runner);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_KERNELS_PRODUCTS_DOT_ROUTES_H_
