// Assigns the words of the generators to elements.
#include "xla/hlo/transforms/random/rng_bit_generator_expander.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/transforms/random/random_bits.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// The words for all elements, and the number of counts that they took.
struct Words {
  Hlo words;
  int64_t counts;
};

// Returns the dimension along which Threefry's 32-bit elements are paired, a
// pair per count: the first even one, else the first of the largest.
size_t SplitDimension(const Dims& sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] % 2 == 0) return i;
  }
  return std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
}

Hlo Counters(HloBuilder& emit, Hlo first, int64_t n) {
  Hlo count = emit.Iota(U64, {n}, 0);
  return emit.Plus(emit.Splat(first, {n}), count);
}

Words ThreeFry32(HloBuilder& emit, Hlo counter, Hlo key, const Dims& sizes) {
  if (sizes.empty()) {
    return {EmitThreeFry(emit, counter, key)[0], 1};
  }
  const size_t split = SplitDimension(sizes);
  const int64_t half = (sizes[split] + 1) / 2;
  int64_t major = 1, minor = 1;
  for (size_t i = 0; i < split; ++i) major *= sizes[i];
  for (size_t i = split + 1; i < sizes.size(); ++i) minor *= sizes[i];
  const int64_t counts = major * half * minor;
  const auto x = EmitThreeFry(emit, Counters(emit, counter, counts), key);
  const Dims pair = {major, half, 1, minor};
  Hlo both =
      emit.Concatenate({emit.Reshape(x[0], pair), emit.Reshape(x[1], pair)}, 2);
  both = emit.Reshape(both, {major, 2 * half, minor});
  return {emit.Reshape(emit.SliceDim(both, 1, 0, sizes[split]), sizes), counts};
}

Words ThreeFry64(HloBuilder& emit, Hlo counter, Hlo key, const Dims& sizes,
                 int64_t n) {
  const auto x = EmitThreeFry(emit, Counters(emit, counter, n), key);
  return {emit.Reshape(JoinWords(emit, x[0], x[1]), sizes), n};
}

// Returns the low bits of `words` as elements of `type`.
Hlo LowBits(HloBuilder& emit, Hlo words, PrimitiveType type) {
  if (type == PRED) {
    Hlo bit = emit.And(words, emit.IntegerLike(words, 1));
    return emit.Compare(ComparisonDirection::kNe, bit,
                        emit.IntegerLike(words, 0));
  }
  const PrimitiveType bits = primitive_util::UnsignedIntegralTypeForBitWidth(
      primitive_util::BitWidth(type));
  return emit.BitcastConvert(emit.Convert(words, bits), type);
}

absl::Status CheckTypes(const HloInstruction& hlo, bool is_philox) {
  const Shape& state = hlo.operand(0)->shape();
  const Shape& shape = hlo.shape().tuple_shapes(1);
  const int64_t size = state.rank() == 1 ? state.dimensions(0) : 0;
  if (state.element_type() != U64 || !(size == 2 || (is_philox && size == 3))) {
    return absl::InvalidArgumentError(absl::StrCat(
        "rng-bit-generator: ", is_philox ? "Philox" : "Threefry",
        " needs a state u64[2]", is_philox ? " or u64[3]" : "", ", got ",
        ShapeUtil::HumanString(state), " (instruction ", hlo.name(), ")"));
  }
  const int width = primitive_util::BitWidth(shape.element_type());
  if (width > 64 || primitive_util::IsComplexType(shape.element_type()) ||
      primitive_util::UnsignedIntegralTypeForBitWidth(width) ==
          PRIMITIVE_TYPE_INVALID) {
    return absl::UnimplementedError(absl::StrCat(
        "rng-bit-generator: no bits of type ", ShapeUtil::HumanString(shape)));
  }
  return absl::OkStatus();
}

// Returns (key, counter + counts), with the carry into a third element.
Hlo NextState(HloBuilder& emit, Hlo state, Hlo low, int64_t counts) {
  Hlo next_low = emit.Plus(low, emit.Integer(U64, counts));
  std::vector<Hlo> parts = {emit.SliceDim(state, 0, 0, 1),
                            emit.Reshape(next_low, {1})};
  if (state->shape().dimensions(0) == 3) {
    Hlo carry = emit.Convert(
        emit.Compare(ComparisonDirection::kLt, next_low, low), U64);
    parts.push_back(emit.Reshape(emit.Plus(emit.At(state, 2), carry), {1}));
  }
  return emit.Concatenate(parts, 0);
}

absl::Status Expand(Hlo hlo) {
  const bool is_philox =
      hlo->attrs<RngBitGeneratorAttrs>().algorithm != RNG_THREE_FRY;
  TF_RETURN_IF_ERROR(CheckTypes(*hlo, is_philox));
  const Shape& shape = hlo->shape().tuple_shapes(1);
  const Dims sizes(shape.dimensions().begin(), shape.dimensions().end());
  const int64_t n = ShapeUtil::ElementsIn(shape);
  const bool is_64_bit = primitive_util::BitWidth(shape.element_type()) == 64;
  HloBuilder emit(hlo);
  Hlo state = hlo->mutable_operand(0);
  if (n == 0) {
    Hlo nothing = emit.Splat(emit.Zero(shape.element_type()), sizes);
    return emit.ReplaceSource(emit.Tuple({state, nothing}));
  }
  Hlo key = emit.At(state, 0);
  Hlo low = emit.At(state, 1);
  Words result;
  if (is_philox) {
    // Without an upper half of the counter, the key is used for it.
    Hlo high = state->shape().dimensions(0) == 3 ? emit.At(state, 2) : key;
    const int64_t per_count = is_64_bit ? 2 : 4;
    Hlo words = is_64_bit ? EmitPhiloxWords64(emit, n, low, high, key)
                          : EmitPhiloxWords32(emit, n, low, high, key);
    result = {emit.Reshape(words, sizes), CeilOfRatio(n, per_count)};
  } else if (is_64_bit) {
    result = ThreeFry64(emit, low, key, sizes, n);
  } else {
    result = ThreeFry32(emit, low, key, sizes);
  }
  Hlo next = NextState(emit, state, low, result.counts);
  return emit.ReplaceSource(
      emit.Tuple({next, LowBits(emit, result.words, shape.element_type())}));
}

}  // namespace

absl::StatusOr<bool> RngBitGeneratorExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kRngBitGenerator ||
          hlo->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(Expand(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
