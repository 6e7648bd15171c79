// Random numbers: from a state that is an operand, and from the device's own.
#ifndef XLA_HLO_OPS_RANDOM_H_
#define XLA_HLO_OPS_RANDOM_H_

#include <cstdint>
#include <tuple>

#include "absl/status/statusor.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct RngAttrs {
  RandomDistribution distribution = RNG_UNIFORM;
  static constexpr auto kFields =
      std::tuple(Field{"distribution", &RngAttrs::distribution,
                       "rng_uniform or rng_normal", Show::kRequired});
};

struct RngBitGeneratorAttrs {
  RandomAlgorithm algorithm = RNG_DEFAULT;
  static constexpr auto kFields =
      std::tuple(Field{"algorithm", &RngBitGeneratorAttrs::algorithm,
                       "rng_default, rng_three_fry or rng_philox",
                       Show::kRequired, "rng_algorithm"});
};

struct RngGetAndUpdateStateAttrs {
  int64_t delta = 0;
  static constexpr auto kFields =
      std::tuple(Field{"delta", &RngGetAndUpdateStateAttrs::delta,
                       "what is added to the state", Show::kRequired});
};

// T[], T[] -> declared T[dims]: uniform in [a, b), or normal of mean a and
// standard deviation b. As in XLA, further scalars may follow, which mean
// nothing. Errors: rules rng_c1 to _c3. Source: "RngUniform",
// "RngNormal".
absl::StatusOr<Shape> InferRng(const InferArgs& args, const RngAttrs& attrs);

// state S -> declared (S, T[dims]). Errors: rules rng_bit_generator_c1 to _c3.
absl::StatusOr<Shape> InferRngBitGenerator(const InferArgs& args,
                                           const RngBitGeneratorAttrs& attrs);

// -> u64[2], the 128 bits of the state before the update, low half first.
absl::StatusOr<Shape> InferRngGetAndUpdateState(
    const InferArgs& args, const RngGetAndUpdateStateAttrs& attrs);

inline constexpr OpDef kRng = {
    .opcode = HloOpcode::kRng,
    .name = "rng",
    .operands = {"a", "b", "unused..."},
    .attrs = AttrsOf<RngAttrs>(),
    .infer = Infer<RngAttrs, InferRng>(),
    .declares_shape = true,
    .side_effect = true,
    .cost_class = CostClass::kAlgorithm,
    .summary =
        "Random numbers, uniform in [a, b) or normal of mean a and "
        "standard deviation b.",
    .section = "RngUniform",
};

inline constexpr OpDef kRngBitGenerator = {
    .opcode = HloOpcode::kRngBitGenerator,
    .name = "rng-bit-generator",
    .operands = {"initial_state"},
    .attrs = AttrsOf<RngBitGeneratorAttrs>(),
    .infer = Infer<RngBitGeneratorAttrs, InferRngBitGenerator>(),
    .declares_shape = true,
    .cost_class = CostClass::kAlgorithm,
    .summary = "The next state and random bits, a function of the state.",
    .section = "RngBitGenerator",
};

inline constexpr OpDef kRngGetAndUpdateState = {
    .opcode = HloOpcode::kRngGetAndUpdateState,
    .name = "rng-get-and-update-state",
    .attrs = AttrsOf<RngGetAndUpdateStateAttrs>(),
    .infer = Infer<RngGetAndUpdateStateAttrs, InferRngGetAndUpdateState>(),
    .side_effect = true,
    .cost_class = CostClass::kDevice,
    .summary = "The device's 128-bit random state, advanced by delta.",
};

}  // namespace xla

#endif  // XLA_HLO_OPS_RANDOM_H_
