// Random numbers as functions of a key and a state, by the counter-based
// generators of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy
// as 1, 2, 3" (SC 2011). The bits are those of XLA's library. The builder keeps
// errors of all functions.
#ifndef XLA_HLO_BUILDER_LIB_PRNG_H_
#define XLA_HLO_BUILDER_LIB_PRNG_H_

#include <functional>
#include <utility>

#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

struct RngOutput {
  XlaOp value;
  XlaOp state;
};

// (u64[] key, state, shape) -> (bits, next state). The bits are unsigned
// integers as wide as the elements of the shape.
using BitGeneratorTy = std::function<RngOutput(XlaOp key, XlaOp initial_state,
                                               const Shape& shape)>;

// Threefry 2x32 with 20 rounds; the state is u64[1]. Errors: bit_generator_c1
// where the elements of `shape` are not real numbers of 8 to 64 bits.
RngOutput ThreeFryBitGenerator(XlaOp key, XlaOp initial_state,
                               const Shape& shape);
// Philox 4x32 with 10 rounds; the state is u64[2], low word first. Errors:
// bit_generator_c1.
RngOutput PhiloxBitGenerator(XlaOp key, XlaOp initial_state,
                             const Shape& shape);
// u64[] -> (u64[2] state, u64[] key), for keys with few random bits.
std::pair<XlaOp, XlaOp> ScramblePhiloxKey(XlaOp key);

// Return uniform numbers in [minval, maxval), scalars of the shape's type.
// Errors: uniform_c1 if the shape is not of floating-point numbers that the
// bits cover, or not of 32- or 64-bit integers.
RngOutput UniformFloatingPointDistribution(XlaOp key, XlaOp initial_state,
                                           BitGeneratorTy bit_generator,
                                           XlaOp minval, XlaOp maxval,
                                           const Shape& shape);
RngOutput UniformIntDistribution(XlaOp key, XlaOp initial_state,
                                 BitGeneratorTy bit_generator, XlaOp minval,
                                 XlaOp maxval, const Shape& shape);

// Returns normal numbers with mean 0 and variance 1, by Box and Muller, "A note
// on the generation of random normal deviates" (1958). Errors: normal_c1 if the
// shape is not of F16, F32 or F64.
RngOutput NormalFloatingPointDistribution(XlaOp key, XlaOp initial_state,
                                          BitGeneratorTy bit_generator,
                                          const Shape& shape);

// T[], T[], ... -> T[n].
XlaOp ConcatScalars(XlaBuilder* builder, absl::Span<const XlaOp> scalars);

// Returns the Philox state u64[2] after `delta`, u64[], more blocks.
XlaOp PhiloxIncreaseCounter(XlaOp counter, XlaOp delta);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_PRNG_H_
