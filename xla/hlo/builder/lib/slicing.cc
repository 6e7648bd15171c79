// Slicing helpers in terms of Slice, DynamicSlice, Gather and Scatter.
#include "xla/hlo/builder/lib/slicing.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

// Returns the number of dimensions of `x` before the last `count`.
absl::StatusOr<int64_t> MajorDims(const Shape& shape, size_t count) {
  if (!shape.IsArray() || static_cast<int64_t>(count) > shape.rank()) {
    // minor_dims_c1: the array has that many dimensions.
    return RuleError("minor_dims_c1",
                     absl::StrCat(count, " minor dimensions of ",
                                  ShapeUtil::HumanString(shape)));
  }
  return shape.rank() - static_cast<int64_t>(count);
}

// torch_c1: `index` has the rank of the input, and `dim` is a dimension.
absl::Status CheckTorch(const Shape& input, const Shape& index, int64_t dim) {
  if (input.IsArray() && index.rank() == input.rank() && dim >= 0 &&
      dim < input.rank() && index.IsInteger()) {
    return absl::OkStatus();
  }
  return RuleError(
      "torch_c1", absl::StrCat("input ", ShapeUtil::HumanString(input),
                               ", index ", ShapeUtil::HumanString(index),
                               " and dimension ", dim, " do not fit together"));
}

// [i0..in] -> [i0..in, n + 1]: returns the position of each element of `index`,
// with its value as coordinate `dim`.
XlaOp Positions(XlaOp index, const Shape& shape, int64_t dim) {
  XlaBuilder* builder = index.builder();
  std::vector<int64_t> sizes(shape.dimensions().begin(),
                             shape.dimensions().end());
  const Shape whole = ShapeUtil::MakeShape(shape.element_type(), sizes);
  sizes.push_back(1);
  std::vector<XlaOp> coordinates;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    XlaOp coordinate = i == dim ? index : Iota(builder, whole, i);
    coordinates.push_back(Reshape(coordinate, sizes));
  }
  return ConcatInDim(builder, coordinates, shape.rank());
}

// Converts the index to a type that holds the sizes of all dimensions.
XlaOp WideIndex(XlaOp index, Shape& shape) {
  if (primitive_util::BitWidth(shape.element_type()) >= 32) return index;
  shape.set_element_type(
      primitive_util::IsSignedIntegralType(shape.element_type()) ? S32 : U32);
  return ConvertElementType(index, shape.element_type());
}

}  // namespace

XlaOp DynamicStridedSlice(XlaOp input, absl::Span<const XlaOp> base_indices,
                          absl::Span<const int64_t> window_sizes,
                          absl::Span<const int64_t> strides) {
  XlaOp window = DynamicSlice(input, base_indices, window_sizes);
  for (int64_t stride : strides) {
    if (stride == 1) continue;
    const std::vector<int64_t> zeros(window_sizes.size(), 0);
    return Slice(window, zeros, window_sizes, strides);
  }
  return window;
}

XlaOp UpdateSlice(XlaOp x, XlaOp update, absl::Span<const int64_t> start) {
  XlaBuilder* builder = x.builder();
  std::vector<XlaOp> starts;
  for (int64_t i : start) {
    starts.push_back(ConstantR0<int64_t>(builder, i));
  }
  return DynamicUpdateSlice(x, update, starts);
}

XlaOp SliceInMinorDims(XlaOp x, absl::Span<const int64_t> start,
                       absl::Span<const int64_t> end) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    TF_ASSIGN_OR_RETURN(const int64_t major, MajorDims(shape, start.size()));
    std::vector<int64_t> starts(major, 0);
    starts.insert(starts.end(), start.begin(), start.end());
    std::vector<int64_t> limits(shape.dimensions().begin(),
                                shape.dimensions().begin() + major);
    limits.insert(limits.end(), end.begin(), end.end());
    return Slice(x, starts, limits, std::vector<int64_t>(shape.rank(), 1));
  });
}

XlaOp UpdateSliceInMinorDims(XlaOp x, XlaOp update,
                             absl::Span<const int64_t> start) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    TF_ASSIGN_OR_RETURN(const int64_t major, MajorDims(shape, start.size()));
    std::vector<int64_t> starts(major, 0);
    starts.insert(starts.end(), start.begin(), start.end());
    return UpdateSlice(x, update, starts);
  });
}

namespace {

// Returns scalar zeros of the type of `starts` for the major dimensions, then
// `starts`.
absl::StatusOr<std::vector<XlaOp>> WholeStarts(XlaOp x,
                                               absl::Span<const XlaOp> starts,
                                               int64_t major) {
  XlaOp zero = starts.empty() ? ConstantR0<int32_t>(x.builder(), 0)
                              : ScalarLike(starts[0], 0);
  std::vector<XlaOp> result(major, zero);
  result.insert(result.end(), starts.begin(), starts.end());
  return result;
}

}  // namespace

XlaOp DynamicSliceInMinorDims(XlaOp x, absl::Span<const XlaOp> starts,
                              absl::Span<const int64_t> sizes) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    TF_ASSIGN_OR_RETURN(const int64_t major, MajorDims(shape, starts.size()));
    TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> all,
                        WholeStarts(x, starts, major));
    std::vector<int64_t> all_sizes(shape.dimensions().begin(),
                                   shape.dimensions().begin() + major);
    all_sizes.insert(all_sizes.end(), sizes.begin(), sizes.end());
    return DynamicSlice(x, all, all_sizes);
  });
}

XlaOp DynamicUpdateSliceInMinorDims(XlaOp x, XlaOp update,
                                    absl::Span<const XlaOp> starts) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    TF_ASSIGN_OR_RETURN(const int64_t major, MajorDims(shape, starts.size()));
    TF_ASSIGN_OR_RETURN(const std::vector<XlaOp> all,
                        WholeStarts(x, starts, major));
    return DynamicUpdateSlice(x, update, all);
  });
}

namespace {

struct TorchOperands {
  Shape shape;      // of the input
  XlaOp positions;  // in the input, where each index points
};

// Errors: torch_c1.
absl::StatusOr<TorchOperands> ReadTorch(XlaOp input, XlaOp index, int64_t dim) {
  XlaBuilder* builder = input.builder();
  TF_ASSIGN_OR_RETURN(Shape shape, builder->GetShape(input));
  TF_ASSIGN_OR_RETURN(Shape index_shape, builder->GetShape(index));
  TF_RETURN_IF_ERROR(CheckTorch(shape, index_shape, dim));
  const XlaOp wide = WideIndex(index, index_shape);
  return TorchOperands{std::move(shape), Positions(wide, index_shape, dim)};
}

}  // namespace

XlaOp TorchGather(XlaOp input, XlaOp index, int64_t dim, bool sparse) {
  static_cast<void>(sparse);
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const TorchOperands torch,
                        ReadTorch(input, index, dim));
    const int64_t rank = torch.shape.rank();
    GatherDimensionNumbers numbers;
    numbers.set_index_vector_dim(rank);
    for (int64_t i = 0; i < rank; ++i) {
      numbers.add_collapsed_slice_dims(i);
      numbers.add_start_index_map(i);
    }
    return Gather(input, torch.positions, numbers,
                  std::vector<int64_t>(rank, 1));
  });
}

XlaOp TorchScatterDense(XlaOp input, XlaOp index, XlaOp src, int64_t dim,
                        const std::function<XlaOp(XlaOp, XlaOp)>& combiner) {
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const TorchOperands torch,
                        ReadTorch(input, index, dim));
    const int64_t rank = torch.shape.rank();
    ScatterDimensionNumbers numbers;
    numbers.set_index_vector_dim(rank);
    for (int64_t i = 0; i < rank; ++i) {
      numbers.add_inserted_window_dims(i);
      numbers.add_scatter_dims_to_operand_dims(i);
    }
    return Scatter(
        input, torch.positions, src,
        CreateScalarComputation("combiner", torch.shape.element_type(), builder,
                                combiner),
        numbers);
  });
}

XlaOp TorchIndexSelect(XlaOp input, XlaOp index, int64_t dim,
                       int64_t batch_dims) {
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(input));
    TF_ASSIGN_OR_RETURN(const Shape index_shape, builder->GetShape(index));
    if (!shape.IsArray() || !index_shape.IsInteger() || batch_dims < 0 ||
        dim < batch_dims || dim >= shape.rank() ||
        batch_dims > index_shape.rank()) {
      return RuleError(
          "torch_c1",
          absl::StrCat("cannot select from ", ShapeUtil::HumanString(shape),
                       " along dimension ", dim, " by ",
                       ShapeUtil::HumanString(index_shape), " with ",
                       batch_dims, " batch dimensions"));
    }
    if (ShapeUtil::IsZeroElementArray(shape)) {
      // There is nothing to gather, however many indices there are.
      std::vector<int64_t> sizes(shape.dimensions().begin(),
                                 shape.dimensions().begin() + dim);
      sizes.insert(sizes.end(), index_shape.dimensions().begin() + batch_dims,
                   index_shape.dimensions().end());
      sizes.insert(sizes.end(), shape.dimensions().begin() + dim + 1,
                   shape.dimensions().end());
      return Zeros(builder, ShapeUtil::MakeShape(shape.element_type(), sizes));
    }
    GatherDimensionNumbers numbers;
    std::vector<int64_t> slice_sizes(shape.dimensions().begin(),
                                     shape.dimensions().end());
    for (int64_t i = 0; i < batch_dims; ++i) {
      numbers.add_operand_batching_dims(i);
      numbers.add_start_indices_batching_dims(i);
      slice_sizes[i] = 1;
    }
    slice_sizes[dim] = 1;
    numbers.add_collapsed_slice_dims(dim);
    numbers.add_start_index_map(dim);
    numbers.set_index_vector_dim(index_shape.rank());
    // The indices' own dimensions replace `dim`.
    const int64_t own = index_shape.rank() - batch_dims;
    for (int64_t i = batch_dims; i < shape.rank(); ++i) {
      if (i == dim) continue;
      numbers.add_offset_dims(i < dim ? i : i - 1 + own);
    }
    return Gather(input, index, numbers, slice_sizes);
  });
}

}  // namespace xla
