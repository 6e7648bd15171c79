// Rules of the in-place collective-permute.
#include "xla/hlo/ops/device/permuted_slices.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

// The arrays of `shape`, itself or the elements of a tuple; none if it is
// neither.
std::vector<const Shape*> ArraysOf(const Shape& shape) {
  if (shape.IsArray()) return {&shape};
  std::vector<const Shape*> arrays;
  if (!shape.IsTuple()) return arrays;
  for (const Shape& part : shape.tuple_shapes()) {
    if (!part.IsArray()) return {};
    arrays.push_back(&part);
  }
  return arrays;
}

bool IsStart(const Shape& shape, int64_t rank) {
  if (!shape.IsTuple() || shape.tuple_shapes_size() != rank) return false;
  for (const Shape& index : shape.tuple_shapes()) {
    if (!ShapeUtil::IsScalar(index) || !ShapeUtil::ElementIsIntegral(index) ||
        !ShapeUtil::SameElementType(index, shape.tuple_shapes(0))) {
      return false;
    }
  }
  return true;
}

// The number of slices of an array of dimension number `rank` that start at
// `starts`; 0 if these are no start indices.
int64_t StartCount(const Shape& starts, int64_t rank) {
  if (IsStart(starts, rank)) return 1;
  if (!starts.IsTuple()) return 0;
  for (const Shape& start : starts.tuple_shapes()) {
    if (!IsStart(start, rank)) return 0;
  }
  return starts.tuple_shapes_size();
}

// Operands 2 and 3: start indices for all arrays of operands 0 and 1. Sets
// `count` to the number of slices of each array.
absl::Status CheckStarts(const InferArgs& args, int64_t* count) {
  *count = 0;
  for (int side = 0; side < 2; ++side) {
    const Shape& starts = args.operand(2 + side);
    const std::vector<const Shape*> arrays = ArraysOf(args.operand(side));
    const bool in_tuple = args.operand(side).IsTuple();
    bool fits = !in_tuple ||
                (starts.IsTuple() && starts.tuple_shapes_size() ==
                                         static_cast<int64_t>(arrays.size()));
    for (size_t i = 0; fits && i < arrays.size(); ++i) {
      const Shape& own = in_tuple ? starts.tuple_shapes(i) : starts;
      const int64_t slices = StartCount(own, arrays[i]->rank());
      fits = slices > 0;
      // collective_permute_c8: every array has as many slices.
      if (fits && *count != 0 && slices != *count) {
        return Broken("collective_permute_c8", "operand ", 2 + side,
                      " has start indices for ", slices, " slices of ",
                      Text(*arrays[i]), ", but there are ", *count,
                      " slices of the first array");
      }
      *count = slices;
    }
    // collective_permute_c7: for each array there is a tuple of integer scalars
    // of one type, one for each dimension, or a tuple of such tuples.
    if (!fits) {
      return Broken("collective_permute_c7", "operand ", 2 + side,
                    " must have an integer scalar for each dimension of each "
                    "slice of ",
                    Text(args.operand(side)), ", got ", Text(starts));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckArraysInPlace(const InferArgs& args) {
  // collective_permute_c5: with slice_sizes there are four operands.
  if (args.operands.size() != 4) {
    return Broken("collective_permute_c5",
                  "slice_sizes are those of four operands: input, output and "
                  "the start indices of both; got ",
                  args.operands.size());
  }
  const std::vector<const Shape*> inputs = ArraysOf(args.operand(0));
  const std::vector<const Shape*> outputs = ArraysOf(args.operand(1));
  bool alike = args.operand(0).IsTuple() == args.operand(1).IsTuple() &&
               !inputs.empty() && inputs.size() == outputs.size();
  for (size_t i = 0; alike && i < inputs.size(); ++i) {
    alike = ShapeUtil::SameElementType(*inputs[i], *outputs[i]) &&
            inputs[i]->rank() == outputs[i]->rank() && inputs[i]->rank() > 0;
  }
  // collective_permute_c6: input and output are arrays of one type and number
  // of dimensions, at least one, or tuples of such arrays.
  if (!alike) {
    return Broken("collective_permute_c6",
                  "input and output must be arrays, or tuples of arrays, that "
                  "agree in type and number of dimensions, got ",
                  Text(args.operand(0)), " and ", Text(args.operand(1)));
  }
  return absl::OkStatus();
}

// The slice is within an array of shape `array`.
absl::Status CheckSizes(const std::vector<int64_t>& sizes, const Shape& array) {
  bool within = static_cast<int64_t>(sizes.size()) == array.rank();
  for (size_t d = 0; within && d < sizes.size(); ++d) {
    within = sizes[d] >= 0 && sizes[d] <= array.dimensions(d);
  }
  if (within) return absl::OkStatus();
  // collective_permute_c9: slices are within input and output.
  return Broken("collective_permute_c9", "a slice of sizes {",
                absl::StrJoin(sizes, ","), "} is not within ", Text(array));
}

}  // namespace

PermutedSlices::PermutedSlices(const CollectivePermuteAttrs& attrs,
                               const Shape& input)
    : attrs_(attrs),
      array_count_(input.IsTuple() ? input.tuple_shapes_size() : 1),
      slice_count_(attrs.slice_sizes.size() / array_count_) {}

SourceTargetPairs PermutedSlices::pairs(int64_t slice) const {
  const SourceTargetPairs& all = attrs_.source_target_pairs;
  const int64_t n = all.size() / slice_count_;
  return {all.begin() + slice * n, all.begin() + (slice + 1) * n};
}

absl::Status CheckPairs(const SourceTargetPairs& pairs) {
  absl::flat_hash_set<int64_t> sources;
  absl::flat_hash_set<int64_t> targets;
  for (const auto& [source, target] : pairs) {
    // collective_permute_c1: device numbers are not negative.
    if (source < 0 || target < 0) {
      return RuleError(
          "collective_permute_c1",
          absl::StrCat("negative device in {", source, ",", target, "}"));
    }
    // collective_permute_c2: no device is twice a source.
    if (!sources.insert(source).second) {
      return RuleError("collective_permute_c2",
                       absl::StrCat("device ", source, " is twice a source"));
    }
    // collective_permute_c3: no device is twice a target.
    if (!targets.insert(target).second) {
      return RuleError("collective_permute_c3",
                       absl::StrCat("device ", target, " is twice a target"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Shape> InferInPlacePermute(const InferArgs& args,
                                          const CollectivePermuteAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckArraysInPlace(args));
  int64_t count = 0;
  TF_RETURN_IF_ERROR(CheckStarts(args, &count));
  const std::vector<const Shape*> inputs = ArraysOf(args.operand(0));
  const std::vector<const Shape*> outputs = ArraysOf(args.operand(1));
  // collective_permute_c8: slice_sizes has an entry for every slice.
  if (attrs.slice_sizes.size() != count * inputs.size()) {
    return Broken("collective_permute_c8", "slice_sizes has ",
                  attrs.slice_sizes.size(), " entries for ", count,
                  " slices of each of ", inputs.size(), " arrays");
  }
  // collective_permute_c10: there are as many pairs for each slice.
  if (attrs.source_target_pairs.size() % count != 0) {
    return Broken("collective_permute_c10", attrs.source_target_pairs.size(),
                  " source-target pairs cannot be those of ", count,
                  " slices in equal parts");
  }
  const PermutedSlices slices(attrs, args.operand(0));
  for (int64_t slice = 0; slice < count; ++slice) {
    TF_RETURN_IF_ERROR(CheckPairs(slices.pairs(slice)));
    for (size_t i = 0; i < inputs.size(); ++i) {
      TF_RETURN_IF_ERROR(CheckSizes(slices.sizes(i, slice), *inputs[i]));
      TF_RETURN_IF_ERROR(CheckSizes(slices.sizes(i, slice), *outputs[i]));
    }
  }
  return args.operand(1);
}

}  // namespace xla
