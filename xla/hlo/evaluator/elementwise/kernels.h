// The loops of element-wise ops, one set for each type that they compute in.
// ElementwiseKernel selects one and converts operands and results.
#ifndef XLA_HLO_EVALUATOR_ELEMENTWISE_KERNELS_H_
#define XLA_HLO_EVALUATOR_ELEMENTWISE_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "xla/core/comparison.h"
#include "xla/hlo/evaluator/elementwise/elementwise.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Each returns null for ops that are undefined for the type. Unless stated
// otherwise, operands and result have the type.

// F32 and F64. Functions are computed in double and rounded once. is-finite
// returns pred, complex returns C64 or C128.
KernelFn FloatKernel(HloOpcode opcode, PrimitiveType type);

// C64 and C128. abs, real and imag return the component type.
KernelFn ComplexKernel(HloOpcode opcode, PrimitiveType type);

// S64 and U64; the low bits of their results are right for narrower types too.
// Shift amounts and the operands of logical shifts and bit counts must be
// zero-extended; KernelParams::width is the element's width.
KernelFn IntegerKernel(HloOpcode opcode, PrimitiveType type);

KernelFn PredKernel(HloOpcode opcode);

// Returns pred. Types: PRED, S64, U64, F32, F64, C64, C128. `total` means the
// total order of floats; an S64 then holds the sign-extended bits of a float.
KernelFn CompareKernel(ComparisonDirection direction, PrimitiveType type,
                       bool total);

// Maps pred, T, T -> T for elements of 1, 2, 4, 8 or 16 bytes.
KernelFn SelectKernel(int byte_width);

// Works on the bits of IEEE numbers of 16, 32 or 64 bits.
KernelFn ReducePrecisionKernel(int byte_width);

// Maps F64, U64 random bits -> F64, a number of the target format: an integer,
// or a float with KernelParams::mantissa_bits, where exponent_bits is the
// exponent of the smallest normal number. Uses `width` random bits.
KernelFn StochasticRoundKernel();

// Applies kF, a function object on Wide, to arrays of In, with results of Out.
template <typename In, typename Wide, typename Out, auto kF>
void Map1(const void* const* inputs, void* output, size_t n,
          const KernelParams&) {
  const In* a = static_cast<const In*>(inputs[0]);
  Out* out = static_cast<Out*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] = static_cast<Out>(kF(static_cast<Wide>(a[i])));
  }
}

template <typename In, typename Wide, typename Out, auto kF>
void Map2(const void* const* inputs, void* output, size_t n,
          const KernelParams&) {
  const In* a = static_cast<const In*>(inputs[0]);
  const In* b = static_cast<const In*>(inputs[1]);
  Out* out = static_cast<Out*>(output);
  for (size_t i = 0; i < n; ++i) {
    out[i] =
        static_cast<Out>(kF(static_cast<Wide>(a[i]), static_cast<Wide>(b[i])));
  }
}

template <typename T, auto kF>
void Map3(const void* const* inputs, void* output, size_t n,
          const KernelParams&) {
  const T* a = static_cast<const T*>(inputs[0]);
  const T* b = static_cast<const T*>(inputs[1]);
  const T* c = static_cast<const T*>(inputs[2]);
  T* out = static_cast<T*>(output);
  for (size_t i = 0; i < n; ++i) out[i] = kF(a[i], b[i], c[i]);
}

}  // namespace xla

#endif  // XLA_HLO_EVALUATOR_ELEMENTWISE_KERNELS_H_
