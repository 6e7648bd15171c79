// Shape rules of dot, ragged-dot and scaled-dot.
#include "xla/hlo/ops/linear/contraction.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

using DimSpan = absl::Span<const int64_t>;

std::string Shapes(const Shape& lhs, const Shape& rhs) {
  return absl::StrCat(" of ", lhs.ToString(), " and ", rhs.ToString());
}

// dot_c2: batch and contracting dimensions of an operand are its own, and
// each appears once.
absl::Status CheckDims(const Shape& shape, DimSpan batch, DimSpan contracting,
                       absl::string_view side) {
  std::vector<bool> seen(shape.rank(), false);
  for (DimSpan dims : {batch, contracting}) {
    for (int64_t d : dims) {
      if (d < 0 || d >= shape.rank() || seen[d]) {
        return RuleError(
            "dot_c2",
            absl::StrCat(side, " dimension ", d,
                         " is out of range or appears twice in batch {",
                         absl::StrJoin(batch, ","), "} and contracting {",
                         absl::StrJoin(contracting, ","), "} dimensions of ",
                         shape.ToString()));
      }
      seen[d] = true;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckPairs(const Shape& lhs, const Shape& rhs, DimSpan lhs_dims,
                        DimSpan rhs_dims, absl::string_view kind,
                        absl::string_view rule) {
  if (lhs_dims.size() != rhs_dims.size()) {
    return RuleError(
        rule, absl::StrCat("expected as many ", kind, " dimensions of lhs, ",
                           lhs_dims.size(), ", as of rhs, ", rhs_dims.size(),
                           Shapes(lhs, rhs)));
  }
  for (size_t i = 0; i < lhs_dims.size(); ++i) {
    if (!SizesFit(lhs.dimensions(lhs_dims[i]), rhs.dimensions(rhs_dims[i]))) {
      return RuleError(rule, absl::StrCat("sizes of ", kind,
                                          " dimensions differ: ", lhs_dims[i],
                                          " of ", lhs.ToString(), " and ",
                                          rhs_dims[i], " of ", rhs.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckArrays(const InferArgs& args, const Shape& declared) {
  for (const Shape* shape : args.operands) {
    // dot_c1: operands are arrays.
    if (!shape->IsArray()) {
      return RuleError("dot_c1", absl::StrCat("operands must be arrays, got ",
                                              shape->ToString()));
    }
  }
  // dot_c5: the declared result is an array.
  if (!declared.IsArray()) {
    return RuleError("dot_c5", absl::StrCat("the result must be an array, got ",
                                            declared.ToString()));
  }
  return absl::OkStatus();
}

absl::Status CheckPrecision(const PrecisionConfig& config) {
  // dot_c6: one precision for each operand, or none.
  const int n = config.operand_precision_size();
  if (n != 0 && n != 2) {
    return RuleError(
        "dot_c6", absl::StrCat("expected 2 operand precisions, ", "got ", n));
  }
  return absl::OkStatus();
}

// The dimensions of a result, added from left to right.
struct ResultDims {
  std::vector<int64_t> sizes;
  absl::InlinedVector<bool, 8> dynamic;

  void Add(const Shape& shape, int64_t d) {
    sizes.push_back(shape.dimensions(d));
    dynamic.push_back(shape.is_dynamic_dimension(d));
  }
  // All but the ones in `a`, `b` and `c`.
  void AddRest(const Shape& shape, DimSpan a, DimSpan b, DimSpan c = {}) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (absl::c_linear_search(a, d) || absl::c_linear_search(b, d) ||
          absl::c_linear_search(c, d)) {
        continue;
      }
      Add(shape, d);
    }
  }
  absl::StatusOr<Shape> Make(PrimitiveType type) const {
    // dot_c7: the size of the result fits 64 bits.
    return MakeResultShape(type, sizes, dynamic, "dot_c7");
  }
};

// The rules on dimension numbers that all three ops share.
absl::Status CheckDotDimensions(const Shape& lhs, const Shape& rhs,
                                const DotDimensionNumbers& dnums) {
  TF_RETURN_IF_ERROR(CheckDims(lhs, dnums.lhs_batch_dimensions(),
                               dnums.lhs_contracting_dimensions(), "lhs"));
  TF_RETURN_IF_ERROR(CheckDims(rhs, dnums.rhs_batch_dimensions(),
                               dnums.rhs_contracting_dimensions(), "rhs"));
  // dot_c3: contracting dimensions are as many, and as large, in both operands.
  TF_RETURN_IF_ERROR(CheckPairs(lhs, rhs, dnums.lhs_contracting_dimensions(),
                                dnums.rhs_contracting_dimensions(),
                                "contracting", "dot_c3"));
  // dot_c4: batch dimensions are as many, and as large, in both operands.
  return CheckPairs(lhs, rhs, dnums.lhs_batch_dimensions(),
                    dnums.rhs_batch_dimensions(), "batch", "dot_c4");
}

absl::StatusOr<Shape> DotShape(const Shape& lhs, const Shape& rhs,
                               const DotDimensionNumbers& dnums,
                               PrimitiveType type) {
  TF_RETURN_IF_ERROR(CheckDotDimensions(lhs, rhs, dnums));
  ResultDims dims;
  for (int i = 0; i < dnums.lhs_batch_dimensions_size(); ++i) {
    dims.Add(lhs, dnums.lhs_batch_dimensions(i));
  }
  dims.AddRest(lhs, dnums.lhs_batch_dimensions(),
               dnums.lhs_contracting_dimensions());
  dims.AddRest(rhs, dnums.rhs_batch_dimensions(),
               dnums.rhs_contracting_dimensions());
  return dims.Make(type);
}

// The sizes that must precede the groups in group_sizes unless it is a vector.
std::vector<int64_t> GroupSizesPrefix(const Shape& lhs,
                                      const DotDimensionNumbers& dnums,
                                      int64_t ragged) {
  const auto& batch = dnums.lhs_batch_dimensions();
  const auto& contracting = dnums.lhs_contracting_dimensions();
  std::vector<int64_t> dims;
  if (absl::c_linear_search(batch, ragged)) {
    for (int64_t d : batch) {
      if (d == ragged) break;
      dims.push_back(lhs.dimensions(d));
    }
    return dims;
  }
  for (int64_t d : batch) dims.push_back(lhs.dimensions(d));
  if (absl::c_linear_search(contracting, ragged)) {
    for (int64_t d : contracting) {
      if (d == ragged) break;
      dims.push_back(lhs.dimensions(d));
    }
    return dims;
  }
  for (int64_t d = 0; d < ragged; ++d) {
    if (absl::c_linear_search(batch, d)) continue;
    if (absl::c_linear_search(contracting, d)) continue;
    dims.push_back(lhs.dimensions(d));
  }
  return dims;
}

absl::Status CheckGroupSizes(const Shape& group_sizes,
                             const std::vector<int64_t>& prefix) {
  // ragged_dot_c3: group_sizes holds integers.
  if (!group_sizes.IsInteger()) {
    return RuleError("ragged_dot_c3",
                     absl::StrCat("group_sizes must be integers, got ",
                                  group_sizes.ToString()));
  }
  // ragged_dot_c4: group_sizes is [g], or [g] after the sizes of the batch
  // dimensions and of those of its kind before the ragged one.
  const auto dims = group_sizes.dimensions();
  const bool vector = dims.size() == 1;
  if (!vector &&
      (dims.size() != prefix.size() + 1 ||
       !std::equal(prefix.begin(), prefix.end(), dims.begin(), SizesFit))) {
    return RuleError("ragged_dot_c4",
                     absl::StrCat("group_sizes must have dimensions [g] or [",
                                  absl::StrJoin(prefix, ","), ",g], got ",
                                  group_sizes.ToString()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> InferDot(const InferArgs& args, const DotAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckArrays(args, *args.declared));
  TF_RETURN_IF_ERROR(CheckPrecision(attrs.precision_config));
  return DotShape(args.operand(0), args.operand(1), attrs.dot_dimension_numbers,
                  args.declared->element_type());
}

absl::StatusOr<Shape> InferRaggedDot(const InferArgs& args,
                                     const RaggedDotAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckArrays(args, *args.declared));
  TF_RETURN_IF_ERROR(CheckPrecision(attrs.precision_config));
  const Shape& lhs = args.operand(0);
  const Shape& rhs = args.operand(1);
  const RaggedDotDimensionNumbers& ragged = attrs.ragged_dot_dimension_numbers;
  const DotDimensionNumbers& dnums = ragged.dot_dimension_numbers();
  TF_RETURN_IF_ERROR(CheckDotDimensions(lhs, rhs, dnums));
  // ragged_dot_c1: there is one ragged dimension, of lhs.
  if (ragged.lhs_ragged_dimensions_size() != 1 ||
      ragged.lhs_ragged_dimensions(0) < 0 ||
      ragged.lhs_ragged_dimensions(0) >= lhs.rank()) {
    return RuleError(
        "ragged_dot_c1",
        absl::StrCat("expected one ragged dimension of ", lhs.ToString(),
                     ", got {",
                     absl::StrJoin(ragged.lhs_ragged_dimensions(), ","), "}"));
  }
  const int64_t d = ragged.lhs_ragged_dimensions(0);
  const bool is_batch = absl::c_linear_search(dnums.lhs_batch_dimensions(), d);
  const bool is_contracting =
      absl::c_linear_search(dnums.lhs_contracting_dimensions(), d);
  const bool is_free = !is_batch && !is_contracting;
  // ragged_dot_c2: rhs has one group dimension if the ragged one is free, else
  // none.
  if (ragged.rhs_group_dimensions_size() != (is_free ? 1 : 0)) {
    return RuleError("ragged_dot_c2",
                     absl::StrCat("expected ", is_free ? 1 : 0,
                                  " group dimensions of rhs, got ",
                                  ragged.rhs_group_dimensions_size()));
  }
  const Shape& group_sizes = args.operand(2);
  TF_RETURN_IF_ERROR(
      CheckGroupSizes(group_sizes, GroupSizesPrefix(lhs, dnums, d)));
  const int64_t groups = group_sizes.dimensions().back();
  if (is_free) {
    const int64_t g = ragged.rhs_group_dimensions(0);
    // ragged_dot_c5: the group dimension is one of rhs, free, with the size of
    // the groups.
    if (g < 0 || g >= rhs.rank() || !SizesFit(rhs.dimensions(g), groups) ||
        absl::c_linear_search(dnums.rhs_batch_dimensions(), g) ||
        absl::c_linear_search(dnums.rhs_contracting_dimensions(), g)) {
      return RuleError(
          "ragged_dot_c5",
          absl::StrCat("group dimension ", g, " must be a free dimension of ",
                       rhs.ToString(), " of size ", groups));
    }
  }
  ResultDims dims;
  if (is_contracting) dims.Add(group_sizes, group_sizes.rank() - 1);
  for (int64_t b : dnums.lhs_batch_dimensions()) dims.Add(lhs, b);
  dims.AddRest(lhs, dnums.lhs_batch_dimensions(),
               dnums.lhs_contracting_dimensions());
  dims.AddRest(rhs, dnums.rhs_batch_dimensions(),
               dnums.rhs_contracting_dimensions(),
               ragged.rhs_group_dimensions());
  return dims.Make(args.declared->element_type());
}

absl::StatusOr<Shape> InferScaledDot(const InferArgs& args,
                                     const ScaledDotAttrs& attrs) {
  TF_RETURN_IF_ERROR(CheckArrays(args, *args.declared));
  TF_RETURN_IF_ERROR(CheckPrecision(attrs.precision_config));
  for (int i = 0; i < 2; ++i) {
    const Shape& operand = args.operand(i);
    const Shape& scale = args.operand(i + 2);
    // scaled_dot_c1: operands and scales are floating point.
    if (!primitive_util::IsFloatingPointType(operand.element_type()) ||
        !primitive_util::IsFloatingPointType(scale.element_type())) {
      return RuleError(
          "scaled_dot_c1",
          absl::StrCat("operands and scales must be floating "
                       "point, got ",
                       operand.ToString(), " and ", scale.ToString()));
    }
    if (scale.rank() == 0) continue;
    // scaled_dot_c2: a scale is a scalar or has its operand's rank.
    if (scale.rank() != operand.rank()) {
      return RuleError(
          "scaled_dot_c2",
          absl::StrCat("a scale must be a scalar or have the "
                       "rank of its operand, got ",
                       scale.ToString(), " for ", operand.ToString()));
    }
    for (int64_t d = 0; d < scale.rank(); ++d) {
      // scaled_dot_c3: sizes of a scale divide those of its operand.
      const int64_t size = scale.dimensions(d);
      if (SizesFit(size, operand.dimensions(d))) continue;
      if (size > 0 && operand.dimensions(d) % size == 0) continue;
      return RuleError(
          "scaled_dot_c3",
          absl::StrCat("size ", size, " of dimension ", d,
                       " of a scale must divide that of ", operand.ToString()));
    }
  }
  return DotShape(args.operand(0), args.operand(1), attrs.dot_dimension_numbers,
                  args.declared->element_type());
}

}  // namespace xla
