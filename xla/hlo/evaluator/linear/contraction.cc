// Evaluates dot, ragged-dot and scaled-dot on packed matrices.
#include "xla/hlo/evaluator/linear/contraction.h"

#include <cstring>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/linear/matrix.h"
#include "xla/hlo/ops/linear/contraction.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;
using DimSpan = absl::Span<const int64_t>;

// Returns the dimensions of `shape` that are in none of the lists.
Dims Rest(const Shape& shape, DimSpan a, DimSpan b, DimSpan c = {}) {
  Dims rest;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    if (!absl::c_linear_search(a, d) && !absl::c_linear_search(b, d) &&
        !absl::c_linear_search(c, d)) {
      rest.push_back(d);
    }
  }
  return rest;
}

Dims Join(std::initializer_list<DimSpan> lists) {
  Dims all;
  for (DimSpan list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// The sizes of a dot: b batches of [m,k] x [k,n].
struct DotSizes {
  Dims lhs_free, rhs_free;
  int64_t b, m, k, n;

  DotSizes(const Shape& lhs, const Shape& rhs, const DotDimensionNumbers& dnums,
           DimSpan group_dims = {})
      : lhs_free(Rest(lhs, dnums.lhs_batch_dimensions(),
                      dnums.lhs_contracting_dimensions())),
        rhs_free(Rest(rhs, dnums.rhs_batch_dimensions(),
                      dnums.rhs_contracting_dimensions(), group_dims)),
        b(Product(lhs.dimensions(), dnums.lhs_batch_dimensions())),
        m(Product(lhs.dimensions(), lhs_free)),
        k(Product(lhs.dimensions(), dnums.lhs_contracting_dimensions())),
        n(Product(rhs.dimensions(), rhs_free)) {}
};

// Sets the sizes of the result's dynamic dimensions from the operands'; the
// first `leading` result dimensions come from neither operand.
void SetDotSizes(Operands operands, const DotDimensionNumbers& dnums,
                 const DotSizes& sizes, int leading, Literal& result) {
  if (result.shape().is_static()) return;
  int64_t d = leading;
  for (int64_t from : dnums.lhs_batch_dimensions()) {
    SetCurrentSize(result, d++, CurrentSize(*operands[0], from));
  }
  for (int64_t from : sizes.lhs_free) {
    SetCurrentSize(result, d++, CurrentSize(*operands[0], from));
  }
  for (int64_t from : sizes.rhs_free) {
    SetCurrentSize(result, d++, CurrentSize(*operands[1], from));
  }
}

char* At(Literal& array, int64_t element) {
  return static_cast<char*>(array.untyped_data()) +
         element * LiteralElementBytes(array.shape().element_type());
}

absl::StatusOr<Literal> MakeSums(PrimitiveType type, const Shape& shape) {
  return Literal::Make(ShapeUtil::MakeShape(type, shape.dimensions()));
}

absl::StatusOr<Literal> Dot(const HloInstruction& hlo, Operands operands,
                            const DotDimensionNumbers& dnums,
                            PrecisionConfig::Algorithm algorithm) {
  const Literal& lhs = *operands[0];
  const Literal& rhs = *operands[1];
  const DotSizes sizes(lhs.shape(), rhs.shape(), dnums);
  const PrimitiveType type =
      ProductType(lhs.shape().element_type(), rhs.shape().element_type(),
                  hlo.shape().element_type());
  TF_ASSIGN_OR_RETURN(
      Literal a, PackMatrix(lhs,
                            Join({dnums.lhs_batch_dimensions(), sizes.lhs_free,
                                  dnums.lhs_contracting_dimensions()}),
                            type, algorithm));
  TF_ASSIGN_OR_RETURN(
      Literal b,
      PackMatrix(rhs,
                 Join({dnums.rhs_batch_dimensions(),
                       dnums.rhs_contracting_dimensions(), sizes.rhs_free}),
                 type, algorithm));
  TF_ASSIGN_OR_RETURN(Literal sums, MakeSums(type, hlo.shape()));
  for (int64_t i = 0; i < sizes.b; ++i) {
    MultiplyAdd(type, sizes.m, sizes.k, sizes.n, At(a, i * sizes.m * sizes.k),
                At(b, i * sizes.k * sizes.n), At(sums, i * sizes.m * sizes.n));
  }
  if (algorithm == PrecisionConfig::ALG_DOT_BF16_BF16_BF16 && type == F32) {
    TF_ASSIGN_OR_RETURN(sums, sums.Convert(BF16));
  } else if (algorithm == PrecisionConfig::ALG_DOT_F16_F16_F16 && type == F32) {
    TF_ASSIGN_OR_RETURN(sums, sums.Convert(F16));
  }
  TF_ASSIGN_OR_RETURN(Literal result,
                      FromProductType(std::move(sums), hlo.shape()));
  SetDotSizes(operands, dnums, sizes, 0, result);
  return result;
}

// Maps positions along the ragged dimension to groups.
class RaggedGroups {
 public:
  // `dims` are the flattened dimensions, one of which is the ragged one.
  RaggedGroups(const Literal& group_sizes, const Shape& lhs, DimSpan dims,
               int64_t ragged)
      : groups_(group_sizes.shape().dimensions().back()),
        one_for_all_(group_sizes.shape().rank() == 1),
        size_(lhs.dimensions(ragged)) {
    bool behind = false;
    for (int64_t d : dims) {
      if (behind) inner_ *= lhs.dimensions(d);
      if (!behind && d != ragged) outer_ *= lhs.dimensions(d);
      behind = behind || d == ragged;
    }
    const std::vector<int64_t> values = IntegerValues(group_sizes);
    // The sizes are arbitrary numbers, so their sum may wrap around.
    uint64_t end = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (groups_ != 0 && i % groups_ == 0) end = 0;
      starts_.push_back(static_cast<int64_t>(end));
      end += static_cast<uint64_t>(values[i]);
      ends_.push_back(static_cast<int64_t>(end));
    }
  }

  int64_t groups() const { return groups_; }
  // Returns whether position `i` of the flattened dimensions of batch `b` is in
  // `g`.
  bool Contains(int64_t b, int64_t i, int64_t g) const {
    const int64_t position = i / inner_ % size_;
    const int64_t prefix = one_for_all_ ? 0 : b * outer_ + i / inner_ / size_;
    const int64_t entry = prefix * groups_ + g;
    return starts_[entry] <= position && position < ends_[entry];
  }

 private:
  int64_t groups_;
  bool one_for_all_;
  int64_t size_, inner_ = 1, outer_ = 1;
  std::vector<int64_t> starts_, ends_;
};

absl::StatusOr<Literal> RaggedFreeSums(const HloInstruction& hlo,
                                       Operands operands,
                                       const RaggedDotDimensionNumbers& ragged,
                                       const DotSizes& s, PrimitiveType type) {
  const DotDimensionNumbers& dnums = ragged.dot_dimension_numbers();
  const RaggedGroups groups(*operands[2], operands[0]->shape(), s.lhs_free,
                            ragged.lhs_ragged_dimensions(0));
  TF_ASSIGN_OR_RETURN(Literal a,
                      PackMatrix(*operands[0],
                                 Join({dnums.lhs_batch_dimensions(), s.lhs_free,
                                       dnums.lhs_contracting_dimensions()}),
                                 type));
  TF_ASSIGN_OR_RETURN(
      Literal b,
      PackMatrix(
          *operands[1],
          Join({ragged.rhs_group_dimensions(), dnums.rhs_batch_dimensions(),
                dnums.rhs_contracting_dimensions(), s.rhs_free}),
          type));
  TF_ASSIGN_OR_RETURN(Literal sums, MakeSums(type, hlo.shape()));
  for (int64_t i = 0; i < s.b; ++i) {
    for (int64_t row = 0; row < s.m; ++row) {
      for (int64_t g = 0; g < groups.groups(); ++g) {
        if (!groups.Contains(i, row, g)) continue;
        MultiplyAdd(type, 1, s.k, s.n, At(a, (i * s.m + row) * s.k),
                    At(b, (g * s.b + i) * s.k * s.n),
                    At(sums, (i * s.m + row) * s.n));
      }
    }
  }
  return sums;
}

absl::StatusOr<Literal> RaggedContractingSums(
    const HloInstruction& hlo, Operands operands,
    const RaggedDotDimensionNumbers& ragged, const DotSizes& s,
    PrimitiveType type) {
  const DotDimensionNumbers& dnums = ragged.dot_dimension_numbers();
  const RaggedGroups groups(*operands[2], operands[0]->shape(),
                            dnums.lhs_contracting_dimensions(),
                            ragged.lhs_ragged_dimensions(0));
  TF_ASSIGN_OR_RETURN(
      Literal a,
      PackMatrix(*operands[0],
                 Join({dnums.lhs_batch_dimensions(),
                       dnums.lhs_contracting_dimensions(), s.lhs_free}),
                 type));
  TF_ASSIGN_OR_RETURN(
      Literal b,
      PackMatrix(*operands[1],
                 Join({dnums.rhs_batch_dimensions(),
                       dnums.rhs_contracting_dimensions(), s.rhs_free}),
                 type));
  TF_ASSIGN_OR_RETURN(Literal sums, MakeSums(type, hlo.shape()));
  for (int64_t g = 0; g < groups.groups(); ++g) {
    for (int64_t i = 0; i < s.b; ++i) {
      for (int64_t l = 0; l < s.k; ++l) {
        if (!groups.Contains(i, l, g)) continue;
        MultiplyAdd(type, s.m, 1, s.n, At(a, (i * s.k + l) * s.m),
                    At(b, (i * s.k + l) * s.n),
                    At(sums, (g * s.b + i) * s.m * s.n));
      }
    }
  }
  return sums;
}

// Returns `operand` times its scale, in F32 or, if either is F64, in F64.
absl::StatusOr<Literal> ApplyScale(const Literal& operand,
                                   const Literal& scale) {
  const Shape& shape = operand.shape();
  const PrimitiveType type =
      ProductType(shape.element_type(), scale.shape().element_type(), F32);
  const Dims order = Rest(shape, {}, {});
  TF_ASSIGN_OR_RETURN(Literal values, PackMatrix(operand, order, type));
  TF_ASSIGN_OR_RETURN(Literal scales,
                      PackMatrix(scale, Rest(scale.shape(), {}, {}), type));
  const std::vector<int64_t> strides =
      RowMajorStrides(scales.shape().dimensions());
  std::vector<int64_t> index(shape.rank(), 0);
  for (int64_t i = 0; i < values.element_count(); ++i) {
    int64_t at = 0;
    for (int64_t d = 0; d < scales.shape().rank(); ++d) {
      const int64_t block = shape.dimensions(d) / scales.shape().dimensions(d);
      at += index[d] / block * strides[d];
    }
    if (type == F64) {
      values.data<double>()[i] *= scales.data<double>()[at];
    } else {
      values.data<float>()[i] *= scales.data<float>()[at];
    }
    NextIndex(shape.dimensions(), absl::MakeSpan(index));
  }
  return values;
}

}  // namespace

absl::StatusOr<Literal> EvaluateDot(const HloInstruction& hlo,
                                    Operands operands) {
  const DotAttrs& attrs = hlo.attrs<DotAttrs>();
  return Dot(hlo, operands, attrs.dot_dimension_numbers,
             attrs.precision_config.algorithm());
}

absl::StatusOr<Literal> EvaluateRaggedDot(const HloInstruction& hlo,
                                          Operands operands) {
  const RaggedDotDimensionNumbers& ragged =
      hlo.attrs<RaggedDotAttrs>().ragged_dot_dimension_numbers;
  const DotDimensionNumbers& dnums = ragged.dot_dimension_numbers();
  const int64_t d = ragged.lhs_ragged_dimensions(0);
  if (absl::c_linear_search(dnums.lhs_batch_dimensions(), d)) {
    return Dot(hlo, operands, dnums, PrecisionConfig::ALG_UNSET);
  }
  const Shape& lhs = operands[0]->shape();
  const Shape& rhs = operands[1]->shape();
  const DotSizes sizes(lhs, rhs, dnums, ragged.rhs_group_dimensions());
  const PrimitiveType type = ProductType(lhs.element_type(), rhs.element_type(),
                                         hlo.shape().element_type());
  const bool contracting =
      absl::c_linear_search(dnums.lhs_contracting_dimensions(), d);
  TF_ASSIGN_OR_RETURN(
      Literal sums,
      contracting ? RaggedContractingSums(hlo, operands, ragged, sizes, type)
                  : RaggedFreeSums(hlo, operands, ragged, sizes, type));
  TF_ASSIGN_OR_RETURN(Literal result,
                      FromProductType(std::move(sums), hlo.shape()));
  SetDotSizes(operands, dnums, sizes, contracting ? 1 : 0, result);
  return result;
}

absl::StatusOr<Literal> EvaluateScaledDot(const HloInstruction& hlo,
                                          Operands operands) {
  const ScaledDotAttrs& attrs = hlo.attrs<ScaledDotAttrs>();
  TF_ASSIGN_OR_RETURN(Literal lhs, ApplyScale(*operands[0], *operands[2]));
  TF_ASSIGN_OR_RETURN(Literal rhs, ApplyScale(*operands[1], *operands[3]));
  const Literal* scaled[] = {&lhs, &rhs};
  return Dot(hlo, scaled, attrs.dot_dimension_numbers,
             attrs.precision_config.algorithm());
}

}  // namespace xla
