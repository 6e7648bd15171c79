// MakeFakeArguments: arguments with which a module runs.
#ifndef COMPAT_XLA_TESTS_FAKE_ARGUMENTS_H_
#define COMPAT_XLA_TESTS_FAKE_ARGUMENTS_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/fake_literal.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_instructions.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/literal.h"
#include "xla/literal_util.h"

namespace xla {
namespace fake_arguments_internal {

// What the uses of a parameter ask of its values.
struct Needs {
  std::optional<int64_t> index_limit;  // an index, at most this
  bool no_duplicates = false;
  std::optional<HloOpcode> reduction;  // the initial value of one

  void LimitIndex(int64_t limit) {
    index_limit = std::max<int64_t>(
        std::min(index_limit.value_or(std::numeric_limits<int64_t>::max()),
                 limit),
        0);
  }
};

// The most that every index may be, so that windows of `sizes` stay within the
// `indexed` dimensions.
template <typename Dimensions>
void LimitIndices(const Shape& shape, const Dimensions& indexed,
                  absl::Span<const int64_t> sizes, Needs& needs) {
  for (const int64_t dimension : indexed) {
    needs.LimitIndex(shape.dimensions(dimension) - sizes[dimension]);
  }
}

// Scatter's windows have the size 1 where it inserts dimensions.
inline std::vector<int64_t> WindowSizes(const HloScatterInstruction& scatter) {
  const auto& numbers = scatter.scatter_dimension_numbers();
  const Shape& updates = scatter.scatter_updates()[0]->shape();
  std::vector<int64_t> sizes;
  int window = 0;
  for (int64_t i = 0;
       i < scatter.scatter_operands()[0]->shape().dimensions_size(); ++i) {
    const bool is_single =
        absl::c_linear_search(numbers.inserted_window_dims(), i) ||
        absl::c_linear_search(numbers.input_batching_dims(), i);
    sizes.push_back(
        is_single ? 1
                  : updates.dimensions(numbers.update_window_dims(window++)));
  }
  return sizes;
}

inline void AddUse(const HloInstruction& user, int64_t operand, Needs& needs) {
  switch (user.opcode()) {
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kDynamicUpdateSlice: {
      const bool updates = user.opcode() == HloOpcode::kDynamicUpdateSlice;
      const int64_t first = updates ? 2 : 1;
      if (operand < first) return;
      const Shape& window = updates ? user.operand(1)->shape() : user.shape();
      const Shape& shape = user.operand(0)->shape();
      for (int64_t i = 0; i < shape.dimensions_size(); ++i) {
        if (user.operand_count() == first + 1 || operand == first + i) {
          needs.LimitIndex(shape.dimensions(i) - window.dimensions(i));
        }
      }
      return;
    }
    case HloOpcode::kGather:
      if (operand == 1) {
        LimitIndices(user.operand(0)->shape(),
                     user.gather_dimension_numbers().start_index_map(),
                     user.gather_slice_sizes(), needs);
      }
      return;
    case HloOpcode::kScatter: {
      const auto& scatter = static_cast<const HloScatterInstruction&>(user);
      if (user.operand(operand) == scatter.scatter_indices()) {
        LimitIndices(
            user.operand(0)->shape(),
            scatter.scatter_dimension_numbers().scatter_dims_to_operand_dims(),
            WindowSizes(scatter), needs);
      }
      return;
    }
    case HloOpcode::kSort:
      needs.no_duplicates |= operand == 0;
      return;
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      if (operand >= user.operand_count() / 2) {
        needs.reduction = user.to_apply()->root_instruction()->opcode();
      }
      return;
    default:
      return;
  }
}

// Follows the values through ops that only move them, and into computations.
inline void AddUses(const HloInstruction& value,
                    absl::flat_hash_set<const HloInstruction*>& seen,
                    Needs& needs) {
  if (!seen.insert(&value).second) return;
  for (const HloInstruction* user : value.users()) {
    for (int64_t i = 0; i < user->operand_count(); ++i) {
      if (user->operand(i) != &value) continue;
      switch (user->opcode()) {
        case HloOpcode::kBitcast:
        case HloOpcode::kBroadcast:
        case HloOpcode::kConcatenate:
        case HloOpcode::kConvert:
        case HloOpcode::kCopy:
        case HloOpcode::kReshape:
        case HloOpcode::kSlice:
        case HloOpcode::kTranspose:
          AddUses(*user, seen, needs);
          break;
        case HloOpcode::kCall:
          AddUses(*user->to_apply()->parameter_instruction(i), seen, needs);
          break;
        case HloOpcode::kFusion:
          AddUses(*user->fused_parameter(i), seen, needs);
          break;
        default:
          AddUse(*user, i, needs);
      }
    }
  }
}

// The value that leaves the other operand as it is; none for other opcodes.
inline std::optional<Literal> IdentityOf(HloOpcode opcode, PrimitiveType type) {
  switch (opcode) {
    case HloOpcode::kAdd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      return LiteralUtil::Zero(type);
    case HloOpcode::kMultiply:
    case HloOpcode::kAnd:
      return LiteralUtil::One(type);
    case HloOpcode::kMaximum:
      return LiteralUtil::MinValue(type);
    case HloOpcode::kMinimum:
      return LiteralUtil::MaxValue(type);
    default:
      return std::nullopt;
  }
}

}  // namespace fake_arguments_internal

// Returns a literal for each parameter of the entry: pseudo random numbers, the
// same ones in every call, or ones. Indices of slices, gathers and scatters are
// in bounds, keys of sorts are distinct, and initial values of reductions leave
// the others as they are. The other arguments are those of MakeFakeLiteral.
// Errors: those of MakeFakeLiteral.
inline absl::StatusOr<std::vector<Literal>> MakeFakeArguments(
    const HloModule* module, std::minstd_rand0* engine,
    bool use_large_range = false, bool treat_gte_as_data_formatting = false,
    std::optional<int64_t> max_bits_of_precision = std::nullopt) {
  using fake_arguments_internal::Needs;
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter :
       module->entry_computation()->parameter_instructions()) {
    const Shape& shape = parameter->shape();
    Needs needs;
    absl::flat_hash_set<const HloInstruction*> seen;
    fake_arguments_internal::AddUses(*parameter, seen, needs);
    if (needs.reduction.has_value() && shape.IsArray() &&
        shape.dimensions_size() == 0) {
      std::optional<Literal> identity = fake_arguments_internal::IdentityOf(
          *needs.reduction, shape.element_type());
      if (identity.has_value()) {
        arguments.push_back(*std::move(identity));
        continue;
      }
    }
    std::optional<std::pair<int64_t, int64_t>> limit;
    if (needs.index_limit.has_value()) limit = {0, *needs.index_limit};
    TF_ASSIGN_OR_RETURN(
        Literal argument,
        MakeFakeLiteral(shape, engine, limit, /*is_sorted=*/false,
                        needs.no_duplicates, use_large_range,
                        max_bits_of_precision));
    arguments.push_back(std::move(argument));
  }
  return arguments;
}
inline absl::StatusOr<std::vector<Literal>> MakeFakeArguments(
    const HloModule* module, bool pseudo_random = true,
    bool use_large_range = false, bool treat_gte_as_data_formatting = false,
    std::optional<int64_t> max_bits_of_precision = std::nullopt,
    std::minstd_rand0* engine = nullptr) {
  std::minstd_rand0 own_engine(42);
  if (engine == nullptr) engine = &own_engine;
  return MakeFakeArguments(module, pseudo_random ? engine : nullptr,
                           use_large_range, treat_gte_as_data_formatting,
                           max_bits_of_precision);
}

}  // namespace xla

#endif  // COMPAT_XLA_TESTS_FAKE_ARGUMENTS_H_
