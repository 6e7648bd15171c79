// Element types, operands and dots.
#ifndef TESTS_FUZZ_CONTRACTIONS_CONTRACTION_OPERANDS_H_
#define TESTS_FUZZ_CONTRACTIONS_CONTRACTION_OPERANDS_H_

#include "tests/fuzz/contractions/term_writer.h"

namespace xla::fuzz {

// What the element types of a product are.
struct ProductTypes {
  PrimitiveType lhs, rhs, result;
};
// Any types that a dot and a convolution may have, the usual ones more often.
ProductTypes DrawTypes(Random& random);

struct OperandStyle {
  bool constant_lhs = false, constant_rhs = false;
  // Dimensions may have any order.
  bool any_order = false;
  // Operands may be computed: transposed, converted, broadcast, negated.
  bool computed = false;
};

Numbers DrawNumbers(const ProductTypes& types, Random& random);
// What the right operand has if the left one has `numbers`: nothing that is
// infinite, since padding times infinity is for the backend to choose.
Numbers BesideOf(Numbers numbers);
// An argument or constant, or what is computed of one.
Term DrawOperand(TermWriter& w, PrimitiveType type, const Sizes& sizes,
                 Numbers numbers, bool constant, bool computed);

// A product of a batch of [rows, depth] x [depth, columns], each of them a list
// of dimensions.
struct DotSizesList {
  Sizes batch, rows, columns, depth;
};

Term DrawDot(TermWriter& w, const DotSizesList& sizes,
             const ProductTypes& types, const OperandStyle& style);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_CONTRACTION_OPERANDS_H_
