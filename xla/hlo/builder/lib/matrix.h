// Batches of matrices [..., m, n]: diagonals, triangles, products and Einsum.
// The builder keeps errors of all functions; matrices are the last two
// dimensions (matrix_c1 if there are none). Defined in builder/linear/.
#ifndef XLA_HLO_BUILDER_LIB_MATRIX_H_
#define XLA_HLO_BUILDER_LIB_MATRIX_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns T[m, n] with ones on the diagonal.
XlaOp IdentityMatrix(XlaBuilder* builder, PrimitiveType type, int64_t m,
                     int64_t n);

// Diagonal k has the elements [..., i, i + k]. Returns pred[..., m, n]: whether
// an element is on that diagonal.
XlaOp GetDiagonalMask(XlaOp x, int diagonal = 0);
// Returns [..., min(m, n - k)] for k >= 0, [..., min(m + k, n)] for k < 0.
// A diagonal outside the matrix is empty.
XlaOp GetMatrixDiagonal(XlaOp x, int k = 0);
XlaOp GetMatrixDiagonalViaGather(XlaOp x, int k = 0);
// Returns the matrix with that diagonal replaced by `diag`, of the shape that
// GetMatrixDiagonal gives. Errors: diagonal_c1.
XlaOp SetMatrixDiagonal(XlaOp matrix, XlaOp diag, int k = 0);

// Returns pred[..., m, n]: true on the diagonal and below it.
XlaOp TriangleMask(XlaOp x, int diagonal);
// Return one triangle with the main diagonal, zeros elsewhere.
XlaOp Triangle(XlaOp x, bool lower);
XlaOp UpperTriangle(XlaOp x);
XlaOp LowerTriangle(XlaOp x);

// Returns the symmetric or Hermitian matrix that has the lower (if `lower`) or
// upper triangle of `x` [..., n, n]. Errors: matrix_c2 if it is not square.
XlaOp Symmetrize(XlaOp x, bool lower);

// Returns op(x) op(y) for each matrix of the batch; op optionally transposes.
// Batch dimensions of size 1, and missing ones, are repeated. The product
// carries the frontend attributes grad_x and grad_y, "true" or "false". Errors:
// einsum_c2.
XlaOp BatchDot(
    XlaOp x, XlaOp y,
    PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp BatchDot(
    XlaOp x, bool transpose_x, XlaOp y, bool transpose_y,
    PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt,
    bool grad_x = false, bool grad_y = false);

// Returns the numbers of the dimensions of x, y and the output of "ab,bc->ac":
// equal letters have equal numbers; "..." stands for as many dimensions as the
// ranks leave. Errors: einsum_c1.
absl::StatusOr<std::array<std::vector<int64_t>, 3>> ParseEinsumString(
    absl::string_view einsum_config, int64_t x_rank, int64_t y_rank);

// Returns the configuration with "->" and an output: the letters that occur
// once, in order, after "..." if there is one. Returns "" if it already has
// "->".
std::string NormalizeEinsumString(absl::string_view einsum_config);

// Returns sums of products: out[o...] is the sum over all letters that are not
// in the output of x[...] y[...]. A letter twice in an operand takes a
// diagonal; in the output, the values are on the diagonal and zeros elsewhere.
// Sizes of equal letters are equal, or 1 in one operand. Attributes as above.
// Errors: einsum_c1 for configurations, einsum_c2 for sizes.
XlaOp Einsum(XlaOp x, XlaOp y, absl::string_view einsum_config,
             PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT,
             std::optional<PrimitiveType> preferred_element_type = std::nullopt,
             bool grad_x = false, bool grad_y = false);
XlaOp Einsum(XlaOp x, absl::string_view einsum_config,
             PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT);
// Like the above, with numbers for letters.
XlaOp Einsum(XlaOp x, absl::Span<const int64_t> x_config, XlaOp y,
             absl::Span<const int64_t> y_config,
             absl::Span<const int64_t> output_config,
             PrecisionConfig::Precision precision = PrecisionConfig::DEFAULT,
             std::optional<PrimitiveType> preferred_element_type = std::nullopt,
             bool grad_x = false, bool grad_y = false);

// [..., m, n] -> [..., n, m].
XlaOp TransposeInMinorDims(XlaOp x);
XlaOp MaybeTransposeInMinorDims(XlaOp x, bool transpose);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_MATRIX_H_
