// Shape rules of convolution.
#include "xla/hlo/ops/linear/convolution.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/reduction/window_shape.h"

namespace xla {
namespace {

bool IsUnbounded(int64_t size) { return size == Shape::kUnboundedSize; }

// convolution_c2: batch, feature and spatial dimensions are all dimensions of
// their array, each once.
absl::Status CheckDims(absl::string_view what, int64_t rank, int64_t a,
                       int64_t b, absl::Span<const int64_t> spatial) {
  std::vector<int64_t> dims(spatial.begin(), spatial.end());
  dims.push_back(a);
  dims.push_back(b);
  absl::c_sort(dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == static_cast<int64_t>(i)) continue;
    return RuleError(
        "convolution_c2",
        absl::StrCat("dimension numbers of the ", what, " must be 0 to ",
                     dims.size() - 1, ", each once; got {",
                     absl::StrJoin(dims, ","), "}"));
  }
  if (rank == static_cast<int64_t>(dims.size())) return absl::OkStatus();
  return RuleError("convolution_c2",
                   absl::StrCat("the ", what, " must have rank ", dims.size(),
                                ", got ", rank));
}

absl::Status CheckNumbers(const Shape& lhs, const Shape& rhs,
                          const ConvolutionDimensionNumbers& dnums) {
  TF_RETURN_IF_ERROR(CheckDims(
      "input", lhs.rank(), dnums.input_batch_dimension(),
      dnums.input_feature_dimension(), dnums.input_spatial_dimensions()));
  TF_RETURN_IF_ERROR(CheckDims("kernel", rhs.rank(),
                               dnums.kernel_input_feature_dimension(),
                               dnums.kernel_output_feature_dimension(),
                               dnums.kernel_spatial_dimensions()));
  // The output has no shape yet: its rank is that of the input.
  return CheckDims("output", lhs.rank(), dnums.output_batch_dimension(),
                   dnums.output_feature_dimension(),
                   dnums.output_spatial_dimensions());
}

// `a` is a multiple of `b`, or not known yet.
absl::Status CheckMultiple(absl::string_view rule, absl::string_view what,
                           int64_t a, int64_t b) {
  if (IsUnbounded(a) || a % b == 0) return absl::OkStatus();
  return RuleError(rule, absl::StrCat("the size ", a, " of the ", what,
                                      " must be a multiple of the number of "
                                      "groups, ",
                                      b));
}

absl::Status CheckGroups(int64_t batch, int64_t in_features, int64_t kernel_in,
                         int64_t kernel_out, int64_t feature_groups,
                         int64_t batch_groups) {
  // convolution_c3: group counts are positive.
  if (feature_groups <= 0 || batch_groups <= 0) {
    return RuleError(
        "convolution_c3",
        absl::StrCat("group counts must be positive, got "
                     "feature_group_count=",
                     feature_groups, ", batch_group_count=", batch_groups));
  }
  // convolution_c4: not both group counts are greater than 1.
  if (feature_groups > 1 && batch_groups > 1) {
    return RuleError("convolution_c4",
                     absl::StrCat("feature_group_count=", feature_groups,
                                  " and batch_group_count=", batch_groups,
                                  " exclude each other"));
  }
  // convolution_c5: input features are the kernel's times the feature groups.
  TF_RETURN_IF_ERROR(CheckMultiple("convolution_c5", "input features",
                                   in_features, feature_groups));
  if (!IsUnbounded(in_features) && !IsUnbounded(kernel_in) &&
      in_features / feature_groups != kernel_in) {
    return RuleError(
        "convolution_c5",
        absl::StrCat("a kernel for ", in_features / feature_groups,
                     " input features expected (", in_features, " in ",
                     feature_groups, " groups), got one for ", kernel_in));
  }
  // convolution_c6: output features divide into the feature groups.
  TF_RETURN_IF_ERROR(CheckMultiple("convolution_c6", "output features",
                                   kernel_out, feature_groups));
  // convolution_c7: output features divide into the batch groups.
  TF_RETURN_IF_ERROR(CheckMultiple("convolution_c7", "output features",
                                   kernel_out, batch_groups));
  // convolution_c8: the batch divides into the batch groups.
  return CheckMultiple("convolution_c8", "batch", batch, batch_groups);
}

// convolution_c9: the window has the kernel's spatial sizes.
absl::Status CheckWindow(const Shape& rhs, const ConvolutionAttrs& attrs) {
  const auto& spatial =
      attrs.convolution_dimension_numbers.kernel_spatial_dimensions();
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const int64_t size = rhs.dimensions(spatial[i]);
    if (IsUnbounded(size) || size == attrs.window.dimensions(i).size()) {
      continue;
    }
    return RuleError(
        "convolution_c9",
        absl::StrCat("window size ", attrs.window.dimensions(i).size(),
                     " of spatial dimension ", i,
                     " differs from that of the kernel ", rhs.ToString()));
  }
  return absl::OkStatus();
}

absl::Status CheckOperands(const InferArgs& args, const Shape& kernel,
                           const ConvolutionAttrs& attrs) {
  // convolution_c1: operands and result are arrays.
  for (const Shape* shape : {args.operands[0], &kernel, args.declared}) {
    if (!shape->IsArray()) {
      return RuleError("convolution_c1",
                       absl::StrCat("operands and result must be arrays, got ",
                                    shape->ToString()));
    }
  }
  // convolution_c10: one precision for each operand, or none.
  const int precisions = attrs.precision_config.operand_precision_size();
  if (precisions != 0 && precisions != 2) {
    return RuleError(
        "convolution_c10",
        absl::StrCat("expected 2 operand precisions, got ", precisions));
  }
  // convolution_c11: all three have as many spatial dimensions.
  const auto& dnums = attrs.convolution_dimension_numbers;
  const int n = dnums.input_spatial_dimensions_size();
  if (dnums.kernel_spatial_dimensions_size() != n ||
      dnums.output_spatial_dimensions_size() != n) {
    return RuleError(
        "convolution_c11",
        absl::StrCat("numbers of spatial dimensions of input, "
                     "kernel and output differ: ",
                     n, ", ", dnums.kernel_spatial_dimensions_size(), ", ",
                     dnums.output_spatial_dimensions_size()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Shape> DenseKernelShape(const Shape& rhs,
                                       const ConvolutionAttrs& attrs) {
  const SparsityConfig& config = attrs.sparsity_config;
  if (!config.has_lhs() && !config.has_rhs()) return rhs;
  if (config.has_lhs()) {
    return absl::UnimplementedError(
        "convolution: a sparse input is not implemented, only a sparse kernel");
  }
  const auto& sparsity = config.rhs();
  // convolution_c12: of each block, one element is not zero.
  if (sparsity.num_non_zero() != 1 || sparsity.block_size() < 1) {
    return RuleError(
        "convolution_c12",
        absl::StrCat("the sparsity must be one of N, got ",
                     sparsity.num_non_zero(), "x", sparsity.block_size()));
  }
  // convolution_c13: a sparse kernel is (values, places), arrays of the same
  // sizes, the places integers.
  if (!rhs.IsTuple() || rhs.tuple_shapes_size() != 2 ||
      !rhs.tuple_shapes(0).IsArray() || !rhs.tuple_shapes(1).IsInteger() ||
      !ShapeUtil::SameDimensions(rhs.tuple_shapes(0), rhs.tuple_shapes(1))) {
    return RuleError("convolution_c13",
                     absl::StrCat("a sparse kernel must be a tuple of values "
                                  "and as many integers, got ",
                                  rhs.ToString()));
  }
  Shape dense = rhs.tuple_shapes(0);
  const int64_t dim = sparsity.dimension();
  // convolution_c14: blocks lie along the kernel's input features.
  if (dim != attrs.convolution_dimension_numbers
                 .kernel_input_feature_dimension() ||
      dim < 0 || dim >= dense.rank() || !dense.is_static()) {
    return RuleError(
        "convolution_c14",
        absl::StrCat("blocks must lie along the input features of a static ",
                     "kernel, got dimension ", dim, " of ", dense.ToString()));
  }
  // convolution_c15: blocks are whole, without a stride.
  if (sparsity.stride() != 0 && sparsity.stride() != 1) {
    return RuleError("convolution_c15",
                     absl::StrCat("the stride of a sparse kernel must be 0 or "
                                  "1, got ",
                                  sparsity.stride()));
  }
  std::vector<int64_t> sizes(dense.dimensions().begin(),
                             dense.dimensions().end());
  const auto size = CheckedMultiply(sizes[dim], sparsity.block_size());
  if (!size.has_value()) {
    return RuleError("convolution_c14", "the dense kernel is too large");
  }
  sizes[dim] = *size;
  return MakeResultShape(dense.element_type(), sizes,
                         dense.dynamic_dimensions(), "convolution_c14");
}

absl::StatusOr<Shape> InferConvolution(const InferArgs& args,
                                       const ConvolutionAttrs& attrs) {
  TF_ASSIGN_OR_RETURN(const Shape rhs,
                      DenseKernelShape(args.operand(1), attrs));
  TF_RETURN_IF_ERROR(CheckOperands(args, rhs, attrs));
  const Shape& lhs = args.operand(0);
  const auto& dnums = attrs.convolution_dimension_numbers;
  TF_RETURN_IF_ERROR(CheckNumbers(lhs, rhs, dnums));
  std::vector<int64_t> base;
  for (int64_t d : dnums.input_spatial_dimensions()) {
    base.push_back(lhs.dimensions(d));
  }
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> spatial,
                      WindowOutputSizes(base, attrs.window));
  TF_RETURN_IF_ERROR(CheckWindow(rhs, attrs));
  const int64_t batch = lhs.dimensions(dnums.input_batch_dimension());
  const int64_t out_features =
      rhs.dimensions(dnums.kernel_output_feature_dimension());
  const int64_t batch_groups = attrs.batch_group_count;
  TF_RETURN_IF_ERROR(
      CheckGroups(batch, lhs.dimensions(dnums.input_feature_dimension()),
                  rhs.dimensions(dnums.kernel_input_feature_dimension()),
                  out_features, attrs.feature_group_count, batch_groups));

  std::vector<int64_t> sizes(lhs.rank());
  absl::InlinedVector<bool, 8> dynamic(lhs.rank(), false);
  const int64_t b = dnums.output_batch_dimension();
  sizes[b] = IsUnbounded(batch) ? batch : batch / batch_groups;
  dynamic[b] = lhs.is_dynamic_dimension(dnums.input_batch_dimension());
  const int64_t f = dnums.output_feature_dimension();
  sizes[f] = out_features;
  dynamic[f] =
      rhs.is_dynamic_dimension(dnums.kernel_output_feature_dimension());
  for (size_t i = 0; i < spatial.size(); ++i) {
    const int64_t d = dnums.output_spatial_dimensions(i);
    sizes[d] = spatial[i];
    dynamic[d] = lhs.is_dynamic_dimension(dnums.input_spatial_dimensions(i));
  }
  return MakeResultShape(args.declared->element_type(), sizes, dynamic,
                         "window_c3");
}

}  // namespace xla
