// Rules of slice.
#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

using Ranges = std::vector<SliceRange>;

const Ranges& RangesOf(const HloInstruction* hlo) {
  return hlo->attrs<SliceAttrs>().slice;
}

bool IsWhole(const Ranges& ranges, const Shape& shape) {
  for (size_t d = 0; d < ranges.size(); ++d) {
    if (ranges[d].start != 0 || ranges[d].stride != 1 ||
        ranges[d].limit != shape.dimensions(d)) {
      return false;
    }
  }
  return true;
}

Result MakeSlice(RuleContext& context, HloInstruction* x, Ranges ranges) {
  if (IsWhole(ranges, x->shape())) return x;
  SliceAttrs attrs;
  attrs.slice = std::move(ranges);
  return context.Infer(HloOpcode::kSlice, {x}, attrs);
}

// Returns the last index of dimension `d` that is read.
int64_t LastOf(const HloInstruction* hlo, int64_t d) {
  const SliceRange& range = RangesOf(hlo)[d];
  return range.start + (hlo->shape().dimensions(d) - 1) * range.stride;
}

// slice(x) => x, where it takes all of x
Result SliceOfAll(HloInstruction* hlo, RuleContext&) {
  return IsWhole(RangesOf(hlo), Lhs(hlo)->shape()) ? Lhs(hlo) : nullptr;
}

// slice(slice(x)) => slice(x)
Result SliceTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kSlice);
  if (x == nullptr) return nullptr;
  Ranges ranges = RangesOf(hlo);
  for (size_t d = 0; d < ranges.size(); ++d) {
    const SliceRange& inner = RangesOf(Lhs(hlo))[d];
    ranges[d].start = inner.start + ranges[d].start * inner.stride;
    ranges[d].limit = inner.start + LastOf(hlo, d) * inner.stride + 1;
    // A single element may have any stride; the product might overflow.
    ranges[d].stride =
        hlo->shape().dimensions(d) == 1 ? 1 : ranges[d].stride * inner.stride;
  }
  return MakeSlice(context, x, std::move(ranges));
}

// slice(pad(x, v)) => slice(x), or broadcast(v), where it reads only one of
// them
Result SliceOfPad(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kPad);
  if (x == nullptr) return nullptr;
  Ranges ranges = RangesOf(hlo);
  const PaddingConfig& padding = Lhs(hlo)->attrs<PadAttrs>().padding;
  bool inside = true;
  for (size_t d = 0; d < ranges.size(); ++d) {
    const auto& p = padding.dimensions(d);
    if (p.interior_padding() != 0 || p.edge_padding_high() < 0) return nullptr;
    const int64_t low = p.edge_padding_low();
    const int64_t high = low + x->shape().dimensions(d);
    if (LastOf(hlo, d) < low || ranges[d].start >= high) {
      return context.Splat(hlo->shape(), Rhs(Lhs(hlo)));
    }
    inside &= ranges[d].start >= low && LastOf(hlo, d) < high;
    ranges[d].start -= low;
    ranges[d].limit = LastOf(hlo, d) + 1 - low;
  }
  if (!inside) return nullptr;
  return MakeSlice(context, x, std::move(ranges));
}

// slice(concatenate(.., x, ..)) => slice(x), where it reads only x
Result SliceOfConcatenate(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* concatenate = Lhs(hlo);
  if (!Is(concatenate, HloOpcode::kConcatenate)) return nullptr;
  const int64_t dim = concatenate->attrs<ConcatenateAttrs>().dimensions[0];
  Ranges ranges = RangesOf(hlo);
  int64_t offset = 0;
  for (HloInstruction* x : concatenate->operands()) {
    const int64_t end = offset + x->shape().dimensions(dim);
    if (ranges[dim].start >= offset && LastOf(hlo, dim) < end) {
      ranges[dim].limit = LastOf(hlo, dim) + 1 - offset;
      ranges[dim].start -= offset;
      return MakeSlice(context, x, std::move(ranges));
    }
    offset = end;
  }
  return nullptr;
}

// slice(concatenate(w, x, y, z)) => slice(concatenate(x, y)), of the operands
// that it reads
Result SliceOfSomeOperands(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* concatenate = Lhs(hlo);
  if (!Is(concatenate, HloOpcode::kConcatenate) || !OneUse(concatenate)) {
    return nullptr;
  }
  const int64_t dim = concatenate->attrs<ConcatenateAttrs>().dimensions[0];
  Ranges ranges = RangesOf(hlo);
  std::vector<HloInstruction*> read;
  int64_t offset = 0, skipped = 0;
  for (HloInstruction* x : concatenate->operands()) {
    const int64_t end = offset + x->shape().dimensions(dim);
    if (end <= ranges[dim].start) {
      skipped = end;
    } else if (offset <= LastOf(hlo, dim)) {
      read.push_back(x);
    }
    offset = end;
  }
  if (read.empty() ||
      static_cast<int64_t>(read.size()) == concatenate->operand_count()) {
    return nullptr;
  }
  ranges[dim].limit = LastOf(hlo, dim) + 1 - skipped;
  ranges[dim].start -= skipped;
  TF_ASSIGN_OR_RETURN(
      HloInstruction * joined,
      context.Infer(HloOpcode::kConcatenate, read, concatenate->raw_attrs()));
  return MakeSlice(context, joined, std::move(ranges));
}

// slice(broadcast(x)) => broadcast(slice(x))
Result SliceOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (x == nullptr) return nullptr;
  Ranges ranges;
  for (int64_t d : Lhs(hlo)->attrs<BroadcastAttrs>().dimensions) {
    ranges.push_back(RangesOf(hlo)[d]);
  }
  TF_ASSIGN_OR_RETURN(HloInstruction * part,
                      MakeSlice(context, x, std::move(ranges)));
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {part},
                      Lhs(hlo)->raw_attrs());
}

// slice(reverse(x)) => reverse(slice(x))
Result SliceOfReverse(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* reverse = Lhs(hlo);
  if (!Is(reverse, HloOpcode::kReverse) || !OneUse(reverse)) return nullptr;
  Ranges ranges = RangesOf(hlo);
  for (int64_t d : reverse->attrs<ReverseAttrs>().dimensions) {
    const int64_t end = reverse->shape().dimensions(d);
    const int64_t start = ranges[d].start;
    ranges[d].start = end - 1 - LastOf(hlo, d);
    ranges[d].limit = end - start;
  }
  TF_ASSIGN_OR_RETURN(HloInstruction * part,
                      MakeSlice(context, Lhs(reverse), std::move(ranges)));
  return context.Make(HloOpcode::kReverse, hlo->shape(), {part},
                      reverse->raw_attrs());
}

// slice(iota) => iota, where it starts at 0 along the iota dimension
Result SliceOfIota(HloInstruction* hlo, RuleContext& context) {
  if (!Is(Lhs(hlo), HloOpcode::kIota)) return nullptr;
  const int64_t dim = Lhs(hlo)->attrs<IotaAttrs>().iota_dimension;
  if (RangesOf(hlo)[dim].start != 0 || RangesOf(hlo)[dim].stride != 1) {
    return nullptr;
  }
  return context.Make(HloOpcode::kIota, hlo->shape(), {},
                      Lhs(hlo)->raw_attrs());
}

// slice(dynamic-update-slice(x, u, c)) => slice(u) or slice(x), where only one
// of them is read
Result SliceOfUpdate(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* update = Lhs(hlo);
  if (!Is(update, HloOpcode::kDynamicUpdateSlice)) return nullptr;
  HloInstruction* u = Rhs(update);
  const auto starts = ConstantStarts(update, 2, update->shape().dimensions(),
                                     u->shape().dimensions());
  if (!starts.has_value()) return nullptr;
  Ranges ranges = RangesOf(hlo);
  bool inside = true;
  for (size_t d = 0; d < ranges.size(); ++d) {
    const int64_t low = (*starts)[d];
    const int64_t high = low + u->shape().dimensions(d);
    if (LastOf(hlo, d) < low || ranges[d].start >= high) {
      return MakeSlice(context, Lhs(update), RangesOf(hlo));
    }
    inside &= ranges[d].start >= low && LastOf(hlo, d) < high;
    ranges[d].start -= low;
    ranges[d].limit = LastOf(hlo, d) + 1 - low;
  }
  if (!inside) return nullptr;
  return MakeSlice(context, u, std::move(ranges));
}

// slice(reshape(bitcast-convert(x))) => reshape(bitcast-convert(slice(x))),
// where rows are taken whole
Result SliceOfParts(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = WholeOfParts(Lhs(hlo));
  Ranges ranges = RangesOf(hlo);
  if (x == nullptr || hlo->shape().dimensions().back() == 0 ||
      hlo->shape().dimensions().back() !=
          Lhs(hlo)->shape().dimensions().back()) {
    return nullptr;
  }
  ranges.back().limit = x->shape().dimensions().back();
  TF_ASSIGN_OR_RETURN(HloInstruction * slice,
                      MakeSlice(context, x, std::move(ranges)));
  return PartsOf(slice, hlo->shape(), context);
}

constexpr Rule kSlice[] = {
    SliceOfAll,          SliceTwice,       SliceOfPad,     SliceOfConcatenate,
    SliceOfSomeOperands, SliceOfBroadcast, SliceOfReverse, SliceOfIota,
    SliceOfUpdate,       SliceOfParts,
};

}  // namespace

Rules SliceRules() { return kSlice; }

}  // namespace xla::algebra
