// Jacobi rotations of many pairs of columns at once, and the order that lets
// every pair meet.
#ifndef XLA_HLO_BUILDER_LINEAR_JACOBI_H_
#define XLA_HLO_BUILDER_LINEAR_JACOBI_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/builder/linear/matrices.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla::linear {

// For each of h pairs the matrix [[c, s], [-conj(t), conj(u)]] that columns
// (p, q) are multiplied by from the right: t = s u and u = c times a phase.
struct Rotations {
  XlaOp c;  // [..., h], real numbers in the type of the matrix, as s
  XlaOp s;
  XlaOp t;
  XlaOp u;
};

// Returns the rotations that make [[alpha, gamma], [conj(gamma), beta]]
// diagonal, alpha and beta real. [..., h] each. Source: Golub and Van Loan,
// section 8.5.2.
Rotations MakeRotations(XlaOp alpha, XlaOp beta, XlaOp gamma,
                        const MatrixShape& shape);

// Returns x J for x [..., m, 2h], whose column i is paired with column h + i.
XlaOp RotateColumns(XlaOp x, const Rotations& r, const MatrixShape& shape);
// Returns J^H x for x [..., 2h, n].
XlaOp RotateRows(XlaOp x, const Rotations& r, const MatrixShape& shape);

// Permutes the last or next to last dimension, of size 2h, so that other
// elements are paired: after 2h - 1 calls each has met every other, and the
// order is the initial one. Source: Brent and Luk, "The solution of
// singular-value and symmetric eigenvalue problems on multiprocessor arrays"
// (1985).
XlaOp NextPairs(XlaOp x, int64_t h, bool columns);

// One sweep over all pairs, given a matrix and its rotations so far. Returns
// whether another one is needed (pred[]), the matrix, the rotations.
using SweepFunction = std::function<absl::StatusOr<std::vector<XlaOp>>(
    XlaOp w, XlaOp v, XlaBuilder* builder)>;

// Repeats sweeps, at most `max_sweeps`, while the last one asked for another.
// Returns the matrix and the rotations. `name` names the loop.
absl::StatusOr<std::vector<XlaOp>> RepeatSweeps(XlaOp w, XlaOp v,
                                                int64_t max_sweeps,
                                                const SweepFunction& sweep,
                                                absl::string_view name);

// `a` [..., n, n], n > 0, divided by `scale` [...], the greatest absolute value
// in each matrix or 1 where that is 0, so that squares of its elements neither
// overflow nor underflow.
struct Scaled {
  XlaOp a;
  XlaOp scale;
};
Scaled ScaleToOne(XlaOp a, const MatrixShape& shape);

}  // namespace xla::linear

#endif  // XLA_HLO_BUILDER_LINEAR_JACOBI_H_
