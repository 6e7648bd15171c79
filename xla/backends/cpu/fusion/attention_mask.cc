// Interval arithmetic over the indices of a block of rows.
#include "xla/backends/cpu/fusion/attention_mask.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/core/literal/literal.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/indexing/interval.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/reduction/reduction.h"

namespace xla::cpu {
namespace {

// A range of indices for each dimension.
using Box = std::vector<Interval>;

// Values that are looked at for one select, so that shared values do not take
// exponential time.
constexpr int kMostValues = 200;
// Elements of a constant that are looked at.
constexpr int64_t kMostElements = 1 << 16;

// Returns the integers that `type` has, all of them in a row.
std::optional<Interval> IntegersOf(PrimitiveType type) {
  if (type == PRED) return Interval{0, 1};
  if (primitive_util::IsIntegralType(type)) {
    const int bits = primitive_util::BitWidth(type);
    if (bits > 63) {
      return Interval{primitive_util::IsSignedIntegralType(type)
                          ? std::numeric_limits<int64_t>::min()
                          : 0,
                      std::numeric_limits<int64_t>::max()};
    }
    const bool is_signed = primitive_util::IsSignedIntegralType(type);
    const int64_t most = (int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
    return Interval{is_signed ? -most - 1 : 0, most};
  }
  switch (type) {
    case F64:
      return Interval{-(int64_t{1} << 53), int64_t{1} << 53};
    case F32:
      return Interval{-(1 << 24), 1 << 24};
    case F16:
      return Interval{-(1 << 11), 1 << 11};
    case BF16:
      return Interval{-(1 << 8), 1 << 8};
    default:
      return std::nullopt;
  }
}

// The dimensions of `to` for those of `from`, which differ in dimensions of
// size 1 alone; nullopt if they differ otherwise.
std::optional<Box> MapSqueezed(const Shape& from, const Box& box,
                               const Shape& to) {
  Box mapped;
  int64_t next = 0;
  const auto skip_ones = [&] {
    while (next < from.rank() && from.dimensions(next) == 1) ++next;
  };
  for (const int64_t size : to.dimensions()) {
    if (size == 1) {
      mapped.push_back({0, 0});
      continue;
    }
    skip_ones();
    if (next == from.rank() || from.dimensions(next) != size) {
      return std::nullopt;
    }
    mapped.push_back(box[next++]);
  }
  skip_ones();
  if (next != from.rank()) return std::nullopt;
  return mapped;
}

// Finds ranges of values that are integers, whatever their type.
class RangeFinder {
 public:
  // `calls` are the fusions in which values are, the outer ones first: their
  // parameters are looked at outside.
  explicit RangeFinder(absl::Span<const HloInstruction* const> calls)
      : calls_(calls.begin(), calls.end()) {}

  // Returns the range of the elements of `hlo` at indices in `box`; nullopt if
  // nothing is known, or if some are no integers that all operations keep.
  std::optional<Interval> RangeOf(const HloInstruction& hlo, const Box& box) {
    if (++seen_ > kMostValues) return std::nullopt;
    const std::optional<Interval> range = Unlimited(hlo, box);
    const std::optional<Interval> limits =
        hlo.shape().IsArray() ? IntegersOf(hlo.shape().element_type())
                              : std::nullopt;
    if (!range.has_value() || !limits.has_value() ||
        range->lower < limits->lower || range->upper > limits->upper) {
      return std::nullopt;
    }
    return range;
  }

 private:
  std::optional<Interval> Unlimited(const HloInstruction& hlo, const Box& box) {
    switch (hlo.opcode()) {
      case HloOpcode::kConstant:
        return OfConstant(hlo, box);
      case HloOpcode::kParameter: {
        if (calls_.empty()) return std::nullopt;
        const HloInstruction* call = calls_.back();
        calls_.pop_back();
        const auto range = RangeOf(*call->operand(hlo.parameter_number()), box);
        calls_.push_back(call);
        return range;
      }
      case HloOpcode::kFusion: {
        if (hlo.attrs<FusionAttrs>().kind != FusionKind::kLoop) {
          return std::nullopt;
        }
        calls_.push_back(&hlo);
        const auto range = RangeOf(
            *hlo.fused_instructions_computation()->root_instruction(), box);
        calls_.pop_back();
        return range;
      }
      case HloOpcode::kIota:
        return box[hlo.attrs<IotaAttrs>().iota_dimension];
      case HloOpcode::kBroadcast: {
        Box inner;
        for (const int64_t d : hlo.attrs<BroadcastAttrs>().dimensions) {
          inner.push_back(box[d]);
        }
        return RangeOf(*hlo.operand(0), inner);
      }
      case HloOpcode::kTranspose: {
        const auto& order = hlo.attrs<TransposeAttrs>().dimensions;
        Box inner(order.size());
        for (size_t i = 0; i < order.size(); ++i) inner[order[i]] = box[i];
        return RangeOf(*hlo.operand(0), inner);
      }
      case HloOpcode::kReshape:
      case HloOpcode::kBitcast: {
        if (hlo.shape().element_type() !=
            hlo.operand(0)->shape().element_type()) {
          return std::nullopt;
        }
        const auto inner =
            MapSqueezed(hlo.shape(), box, hlo.operand(0)->shape());
        if (!inner.has_value()) return std::nullopt;
        return RangeOf(*hlo.operand(0), *inner);
      }
      case HloOpcode::kConvert:
      case HloOpcode::kCopy:
        return hlo.shape().element_type() == PRED
                   ? std::nullopt
                   : RangeOf(*hlo.operand(0), box);
      case HloOpcode::kNot:
        return OfNot(hlo, box);
      case HloOpcode::kSelect:
        return OfSelect(hlo, box);
      case HloOpcode::kCompare:
      case HloOpcode::kAnd:
      case HloOpcode::kOr:
      case HloOpcode::kAdd:
      case HloOpcode::kSubtract:
      case HloOpcode::kMaximum:
      case HloOpcode::kMinimum:
        return OfBinary(hlo, box);
      default:
        return std::nullopt;
    }
  }

  // The least and the greatest element of those at `box`.
  static std::optional<Interval> OfConstant(const HloInstruction& hlo,
                                            const Box& box) {
    if (!hlo.shape().IsArray()) return std::nullopt;
    int64_t elements = 1;
    std::vector<int64_t> index;
    for (const Interval& range : box) {
      index.push_back(range.lower);
      elements *= range.upper - range.lower + 1;
      if (elements > kMostElements) return std::nullopt;
    }
    std::optional<Interval> all;
    for (int64_t i = 0; i < elements; ++i) {
      const std::optional<int64_t> value = IntegerAt(hlo.literal(), index);
      if (!value.has_value()) return std::nullopt;
      if (!all.has_value()) all = Interval::Point(*value);
      all->lower = std::min(all->lower, *value);
      all->upper = std::max(all->upper, *value);
      for (size_t d = box.size(); d-- > 0;) {
        if (++index[d] <= box[d].upper) break;
        index[d] = box[d].lower;
      }
    }
    return all;
  }

  static std::optional<int64_t> IntegerAt(const Literal& literal,
                                          absl::Span<const int64_t> index) {
    const std::optional<int64_t> integer = literal.GetIntegralAsS64(index);
    if (integer.has_value()) return integer;
    const std::optional<double> number = literal.GetAsDouble(index);
    if (!number.has_value() || !(*number >= -0x1p53 && *number <= 0x1p53) ||
        *number != static_cast<double>(static_cast<int64_t>(*number))) {
      return std::nullopt;
    }
    return static_cast<int64_t>(*number);
  }

  std::optional<Interval> OfNot(const HloInstruction& hlo, const Box& box) {
    if (hlo.shape().element_type() != PRED) return std::nullopt;
    const auto x = RangeOf(*hlo.operand(0), box);
    if (!x.has_value()) return std::nullopt;
    return Interval{1 - x->upper, 1 - x->lower};
  }

  std::optional<Interval> OfSelect(const HloInstruction& hlo, const Box& box) {
    const HloInstruction& pred = *hlo.operand(0);
    const std::optional<Interval> which = ShapeUtil::IsScalar(pred.shape())
                                              ? RangeOf(pred, {})
                                              : RangeOf(pred, box);
    if (which.has_value() && which->lower == 1) {
      return RangeOf(*hlo.operand(1), box);
    }
    if (which.has_value() && which->upper == 0) {
      return RangeOf(*hlo.operand(2), box);
    }
    const auto x = RangeOf(*hlo.operand(1), box);
    const auto y = RangeOf(*hlo.operand(2), box);
    if (!x.has_value() || !y.has_value()) return std::nullopt;
    return Interval{std::min(x->lower, y->lower), std::max(x->upper, y->upper)};
  }

  std::optional<Interval> OfBinary(const HloInstruction& hlo, const Box& box) {
    const auto x = RangeOf(*hlo.operand(0), box);
    const auto y = RangeOf(*hlo.operand(1), box);
    const bool is_pred = hlo.shape().element_type() == PRED;
    const auto is = [](const std::optional<Interval>& range, int64_t value) {
      return range.has_value() && range->lower == value &&
             range->upper == value;
    };
    // One operand may be enough.
    if (hlo.opcode() == HloOpcode::kAnd && is_pred && (is(x, 0) || is(y, 0))) {
      return Interval{0, 0};
    }
    if (hlo.opcode() == HloOpcode::kOr && is_pred && (is(x, 1) || is(y, 1))) {
      return Interval{1, 1};
    }
    if (!x.has_value() || !y.has_value()) return std::nullopt;
    switch (hlo.opcode()) {
      case HloOpcode::kCompare:
        // Which tells zeros apart.
        if (hlo.attrs<CompareAttrs>().type ==
            Comparison::Type::kFloatTotalOrder) {
          return std::nullopt;
        }
        return OfCompare(hlo.attrs<CompareAttrs>().direction, *x, *y);
      case HloOpcode::kAnd:
      case HloOpcode::kMinimum:
        if (hlo.opcode() == HloOpcode::kAnd && !is_pred) return std::nullopt;
        return Interval{std::min(x->lower, y->lower),
                        std::min(x->upper, y->upper)};
      case HloOpcode::kOr:
      case HloOpcode::kMaximum:
        if (hlo.opcode() == HloOpcode::kOr && !is_pred) return std::nullopt;
        return Interval{std::max(x->lower, y->lower),
                        std::max(x->upper, y->upper)};
      case HloOpcode::kAdd:
        return Sum(*x, *y);
      default:
        if (y->lower == std::numeric_limits<int64_t>::min())
          return std::nullopt;
        return Sum(*x, {-y->upper, -y->lower});
    }
  }

  static std::optional<Interval> Sum(Interval x, Interval y) {
    Interval sum;
    if (__builtin_add_overflow(x.lower, y.lower, &sum.lower) ||
        __builtin_add_overflow(x.upper, y.upper, &sum.upper)) {
      return std::nullopt;
    }
    return sum;
  }

  static Interval OfCompare(ComparisonDirection direction, Interval x,
                            Interval y) {
    const auto known = [](bool always, bool never) {
      return always ? Interval{1, 1} : never ? Interval{0, 0} : Interval{0, 1};
    };
    const bool equal =
        x.lower == x.upper && y.lower == y.upper && x.lower == y.lower;
    const bool apart = x.upper < y.lower || y.upper < x.lower;
    switch (direction) {
      case ComparisonDirection::kEq:
        return known(equal, apart);
      case ComparisonDirection::kNe:
        return known(apart, equal);
      case ComparisonDirection::kLt:
        return known(x.upper < y.lower, x.lower >= y.upper);
      case ComparisonDirection::kLe:
        return known(x.upper <= y.lower, x.lower > y.upper);
      case ComparisonDirection::kGt:
        return known(x.lower > y.upper, x.upper <= y.lower);
      case ComparisonDirection::kGe:
        return known(x.lower >= y.upper, x.upper < y.lower);
    }
    return {0, 1};
  }

  std::vector<const HloInstruction*> calls_;
  int seen_ = 0;
};

// Skips ops that leave each element in its place and as it is.
const HloInstruction& Unmoved(const HloInstruction& hlo) {
  const HloInstruction* at = &hlo;
  while (at->opcode() == HloOpcode::kBitcast ||
         at->opcode() == HloOpcode::kReshape) {
    at = at->operand(0);
  }
  return *at;
}

// The number of which all elements are; nullopt if there is no such constant.
std::optional<double> SplatOf(const HloInstruction& hlo) {
  const HloInstruction* at = &Unmoved(hlo);
  while (at->opcode() == HloOpcode::kBroadcast ||
         at->opcode() == HloOpcode::kConvert) {
    at = &Unmoved(*at->operand(0));
  }
  if (at->opcode() != HloOpcode::kConstant ||
      !ShapeUtil::IsScalar(at->shape())) {
    return std::nullopt;
  }
  const std::optional<int64_t> integer = at->literal().GetIntegralAsS64({});
  if (integer.has_value()) return static_cast<double>(*integer);
  return at->literal().GetAsDouble({});
}

// The operand of a reduction by `opcode` of the last dimension of F32, of which
// `hlo` is what broadcasts make; null if it is no such reduction.
const HloInstruction* ReducedBy(HloOpcode opcode, const HloInstruction& hlo) {
  const HloInstruction* at = &Unmoved(hlo);
  while (at->opcode() == HloOpcode::kBroadcast) {
    at = &Unmoved(*at->operand(0));
  }
  // The maximum of nothing, as JAX writes it.
  if (opcode == HloOpcode::kMaximum && at->opcode() == opcode) {
    const HloInstruction* other = nullptr;
    for (int i = 0; i < 2; ++i) {
      const std::optional<double> number = SplatOf(*at->operand(i));
      if (number.has_value() && std::isinf(*number) && *number < 0) {
        other = &Unmoved(*at->operand(1 - i));
      }
    }
    if (other == nullptr) return nullptr;
    at = other;
  }
  if (at->opcode() != HloOpcode::kReduce || at->operand_count() != 2 ||
      at->shape().element_type() != F32 ||
      at->to_apply()->root_instruction()->opcode() != opcode ||
      at->to_apply()->instruction_count() != 3) {
    return nullptr;
  }
  const Shape& operand = at->operand(0)->shape();
  const auto& dimensions = at->attrs<ReduceAttrs>().dimensions;
  const std::optional<double> initial = SplatOf(*at->operand(1));
  const bool is_neutral =
      initial.has_value() &&
      (opcode == HloOpcode::kAdd ? *initial == 0
                                 : std::isinf(*initial) && *initial < 0);
  if (!is_neutral || dimensions.size() != 1 ||
      dimensions[0] != operand.rank() - 1) {
    return nullptr;
  }
  return &Unmoved(*at->operand(0));
}

// Whether `root` is exp(x - max(x)) / sum(exp(x - max(x))) by rows in F32,
// perhaps rounded at the end.
bool IsSoftmax(const HloInstruction& root, const HloInstruction& x) {
  const HloInstruction* quotient = &Unmoved(root);
  const PrimitiveType type = root.shape().element_type();
  if (type != F32 && type != BF16 && type != F16) return false;
  if (quotient->opcode() == HloOpcode::kConvert) {
    quotient = &Unmoved(*quotient->operand(0));
  }
  if (quotient->opcode() != HloOpcode::kDivide ||
      quotient->shape().element_type() != F32) {
    return false;
  }
  const HloInstruction& exp = Unmoved(*quotient->operand(0));
  if (exp.opcode() != HloOpcode::kExp ||
      ReducedBy(HloOpcode::kAdd, *quotient->operand(1)) != &exp) {
    return false;
  }
  const HloInstruction& difference = Unmoved(*exp.operand(0));
  return difference.opcode() == HloOpcode::kSubtract &&
         &Unmoved(*difference.operand(0)) == &x &&
         ReducedBy(HloOpcode::kMaximum, *difference.operand(1)) == &x;
}

// Returns the indices of rows [row, row + count) of any item of `rows` rows,
// for the dimensions of `shape` but the last.
Box RowBox(const Shape& shape, int64_t rows, int64_t row, int64_t count) {
  Box box(shape.rank());
  int64_t first = row, last = row + count - 1;
  int64_t inside = 1;  // the rows that the dimensions so far count
  bool exact = true;
  for (int64_t d = shape.rank() - 2; d >= 0; --d) {
    const int64_t size = shape.dimensions(d);
    if (inside == rows || inside * size > rows) {
      // A dimension of items; unless it is one of rows, too: then minor ones
      // know nothing, either.
      exact &= inside == rows || size == 1;
      inside = rows;
      box[d] = {0, size - 1};
      continue;
    }
    inside *= size;
    box[d] = first / size == last / size ? Interval{first % size, last % size}
                                         : Interval{0, size - 1};
    first /= size;
    last /= size;
  }
  if (exact) return box;
  for (int64_t d = 0; d < shape.rank() - 1; ++d) {
    box[d] = {0, shape.dimensions(d) - 1};
  }
  return box;
}

}  // namespace

AttentionMask::AttentionMask(const HloInstruction& fusion, int64_t operand,
                             int64_t rows, const HloInstruction* caller)
    : calls_({&fusion}),
      shape_(fusion.fused_instructions_computation()
                 ->parameter_instruction(operand)
                 ->shape()),
      rows_(rows),
      columns_(shape_.rank() == 0 ? 0 : shape_.dimensions(shape_.rank() - 1)) {
  if (caller != nullptr) calls_.insert(calls_.begin(), caller);
  if (rows <= 0 || columns_ == 0 ||
      !FindSelects(
          *fusion.fused_instructions_computation()->parameter_instruction(
              operand))) {
    selects_.clear();
  }
}

// Adds the selects through which `value` is read, which has the elements of the
// operand in their places; false if it is read in other ways.
bool AttentionMask::FindSelects(const HloInstruction& value) {
  // Nothing is masked out of what is needed as it is.
  constexpr size_t kMostSelects = 8;
  if (value.IsRoot() || value.users().empty()) return false;
  for (const HloInstruction* user : value.users()) {
    const Box all(shape_.rank());
    if (!user->shape().IsArray() ||
        !MapSqueezed(shape_, all, user->shape()).has_value()) {
      return false;
    }
    if (user->opcode() == HloOpcode::kSelect &&
        user->operand(0)->shape().rank() == user->shape().rank()) {
      const bool on_true = user->operand(1) == &value;
      const bool on_false = user->operand(2) == &value;
      if (on_true != on_false && user->operand(0) != &value) {
        selects_.push_back({user, on_true});
        if (selects_.size() > kMostSelects) return false;
        continue;
      }
    }
    const bool keeps_places = user->IsElementwiseOp() ||
                              user->opcode() == HloOpcode::kBitcast ||
                              user->opcode() == HloOpcode::kReshape;
    if (!keeps_places || user->opcode() == HloOpcode::kMap ||
        !FindSelects(*user)) {
      return false;
    }
  }
  return true;
}

bool AttentionMask::IsMaskedOut(int64_t row, int64_t rows, int64_t begin,
                                int64_t end) const {
  if (begin >= end) return true;
  Box box = RowBox(shape_, rows_, row, rows);
  box.back() = {begin, end - 1};
  return std::all_of(
      selects_.begin(), selects_.end(), [&](const MaskSelect& mask) {
        const auto at = MapSqueezed(shape_, box, mask.select->shape());
        const auto range =
            RangeFinder(calls_).RangeOf(*mask.select->operand(0), *at);
        return range.has_value() &&
               (mask.wanted ? range->upper == 0 : range->lower == 1);
      });
}

absl::string_view AttentionMask::WhyNoZeros() const {
  if (selects_.empty()) return "no select masks scores";
  if (selects_.size() > 1) {
    return "there are several masks; combine them into one";
  }
  const HloInstruction& root =
      *calls_.back()->fused_instructions_computation()->root_instruction();
  const MaskSelect& mask = selects_[0];
  const HloInstruction& low = *mask.select->operand(mask.wanted ? 2 : 1);
  const std::optional<double> number = SplatOf(low);
  // The distance between numbers of this size is at least 64, and exp(-128) is
  // 0, as is exp(-512) where f16 has less than exp(-64).
  const double most = root.shape().element_type() == F16 ? -0x1p32 : -0x1p29;
  if (!number.has_value()) {
    return "what takes the place of masked scores is no constant";
  }
  if (!(*number <= most)) {
    return "the number that takes the place of masked scores is not far enough "
           "below others; -1e10 is";
  }
  if (mask.select->shape().element_type() != F32) {
    return "the masked scores are not f32; convert them before the mask";
  }
  return IsSoftmax(root, *mask.select)
             ? ""
             : "what follows the mask is no plain softmax in f32 of the masked "
               "scores; scale and add before the mask";
}

std::pair<int64_t, int64_t> AttentionMask::ColumnsRead(int64_t row,
                                                       int64_t rows) const {
  if (!has_selects()) return {0, columns_};
  // Whatever is masked out of a range is masked out of each part of it.
  const auto most = [&](auto is_masked_out) {
    int64_t good = 0, bad = columns_ + 1;
    while (bad - good > 1) {
      const int64_t middle = good + (bad - good) / 2;
      (is_masked_out(middle) ? good : bad) = middle;
    }
    return good;
  };
  const int64_t first =
      most([&](int64_t columns) { return IsMaskedOut(row, rows, 0, columns); });
  if (first == columns_) return {0, 0};
  const int64_t last = most([&](int64_t columns) {
    return IsMaskedOut(row, rows, columns_ - columns, columns_);
  });
  return {first, columns_ - last};
}

}  // namespace xla::cpu
