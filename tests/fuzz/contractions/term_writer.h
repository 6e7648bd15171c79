// Writes a program of contractions beside a reference, which says what each
// value is in exact arithmetic and by how much the program's may differ.
#ifndef TESTS_FUZZ_CONTRACTIONS_TERM_WRITER_H_
#define TESTS_FUZZ_CONTRACTIONS_TERM_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tests/fuzz/program_values.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::fuzz {

using Sizes = std::vector<int64_t>;

struct Term {
  XlaOp op;  // in the program
  // In the reference: integers in their own type, other numbers in F64 or C128.
  XlaOp exact;
  // In the reference, F64: the most by which an element of `op` may differ from
  // `exact`. None: `op` is exact.
  std::optional<XlaOp> error;
  PrimitiveType type = F32;
  Sizes sizes;
  // Elements are integers of at most this magnitude; 0 if nothing is known.
  double integers_to = 0;
};

// What the elements of an argument are.
enum class Numbers {
  kSmallIntegers,  // sums of products are exact
  kReal,           // from -1 to 1
  kPositive,       // from 0 to 1
  kWide,           // of magnitudes from 2^-8 to 2^8
  kSparse,         // mostly zeros, else small integers
  kSpecial,        // real, and a few infinities and NaNs
  kAny,            // of an integer type: all its values
};

struct ConvolutionWindow {
  Sizes strides, base_dilation, window_dilation;
  std::vector<std::pair<int64_t, int64_t>> padding;
  std::vector<bool> reversal;
  ConvolutionDimensionNumbers numbers;
  int64_t feature_groups = 1, batch_groups = 1;
};

struct ContractionProgram {
  std::unique_ptr<HloModule> module;
  std::vector<Literal> arguments;
  PrimitiveType type;  // of the result
  // Returns (exact, error), or the exact result alone if `type` is an integer
  // type.
  std::unique_ptr<HloModule> reference;
  std::vector<Literal> reference_arguments;
  std::string aim;  // what the generator drew it for
};

class TermWriter {
 public:
  explicit TermWriter(uint64_t seed)
      : random_(seed),
        program_(absl::StrCat("contraction_", seed)),
        reference_("reference") {}

  Random& random() { return random_; }

  // A constant of the program has the same elements as an argument would.
  Term Argument(PrimitiveType type, const Sizes& sizes, Numbers numbers,
                bool constant = false);
  // `value` must be one of the type.
  Term Splat(PrimitiveType type, double value, const Sizes& sizes);

  Term Dot(const Term& a, const Term& b, const DotDimensionNumbers& numbers,
           PrimitiveType type);
  Term Convolution(const Term& a, const Term& b,
                   const ConvolutionWindow& window, PrimitiveType type);

  Term Transpose(const Term& a, const Sizes& permutation);
  Term Reshape(const Term& a, const Sizes& sizes);
  Term Broadcast(const Term& a, const Sizes& sizes, const Sizes& dimensions);
  Term Convert(const Term& a, PrimitiveType type);

  // Of operands of the same type and sizes.
  Term Add(const Term& a, const Term& b);
  Term Subtract(const Term& a, const Term& b);
  Term Multiply(const Term& a, const Term& b);
  Term Divide(const Term& a, const Term& b);
  Term Maximum(const Term& a, const Term& b);
  Term Minimum(const Term& a, const Term& b);

  Term Negate(const Term& a);
  // Of real numbers.
  Term Tanh(const Term& a);
  Term Logistic(const Term& a);
  Term Erf(const Term& a);
  Term Exp(const Term& a);
  // Leaves elements whose number in the last dimension is at least that in the
  // one before it, minus `before`, and at most that plus `after`. The others
  // become `other`, a value of the type.
  Term Band(const Term& a, int64_t before, int64_t after, double other);
  // Over the last dimension, which `sizes` then lacks.
  Term RowMaximum(const Term& a);
  Term RowSum(const Term& a);

  // Errors are bugs of the generator.
  absl::StatusOr<ContractionProgram> Build(const Term& result);

 private:
  using Product = absl::FunctionRef<XlaOp(XlaOp, XlaOp, PrimitiveType)>;

  Term Contract(const Term& a, const Term& b, PrimitiveType type, double terms,
                Product product);
  // A term like `a` whose op and exact value are given.
  static Term Like(const Term& a, XlaOp op, XlaOp exact);
  XlaOp Number(double value) { return ConstantR0<double>(&reference_, value); }
  XlaOp Wide(const Term& a);       // its exact value in F64 or C128
  XlaOp Magnitude(const Term& a);  // F64
  XlaOp Error(const Term& a);      // zeros if it has none
  // Adds to the error what `roundings` roundings to the type of `a` do.
  void Round(Term& a, double roundings);
  // Sets the error of an exact value that is rounded once.
  void RoundExactly(Term& a);
  Term Movement(const Term& a, absl::FunctionRef<XlaOp(XlaOp)> move);
  // A function whose derivative is at most `slope`.
  Term Function(const Term& a, XlaOp (*function)(XlaOp), double slope);

  Random random_;
  XlaBuilder program_, reference_;
  std::vector<Literal> arguments_, reference_arguments_;
};

// What adjacent sums in the type of a product's sums may be off, in units of
// half its epsilon times the sum of the products' magnitudes. A proof would
// give `terms`; roundings of both signs give its root.
double SumRoundings(double terms);

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONTRACTIONS_TERM_WRITER_H_
