// Writes one computation of a random program: keeps the values that exist so
// far, and finds or makes operands for the ops that the families add.
#ifndef TESTS_FUZZ_PROGRAM_WRITER_H_
#define TESTS_FUZZ_PROGRAM_WRITER_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "tests/fuzz/program_values.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla::fuzz {

using Dims = std::vector<int64_t>;

struct Value {
  XlaOp op;
  PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  Dims dims;
  Knowledge known;

  int64_t rank() const { return dims.size(); }
  int64_t elements() const;
  Shape shape() const;
};

// The kind of program.
enum class Style {
  kMixed,  // all ops, arrays of all sizes
  // Nested loops and conditionals, many arrays of few sizes, thunks that end
  // sequences: these affect plans and the use of memory.
  kControl,
  // Arrays whose dimensions all have one size: transposed, reversed or
  // broadcast along another dimension, they keep their shape.
  kSquare,
};

class ProgramWriter {
 public:
  // For the entry computation; appends its arguments to `arguments`.
  ProgramWriter(XlaBuilder* builder, Random& random, Style style,
                std::vector<Literal>* arguments);
  // For a computation that is called in that of `outer`. It has only the
  // arguments that the caller makes; new values are constants.
  ProgramWriter(XlaBuilder* builder, ProgramWriter& outer);

  XlaBuilder* builder() const { return builder_; }
  Random& random() { return random_; }
  Style style() const { return style_; }
  // The number of computations around this one.
  int depth() const { return depth_; }
  // Computations at this depth call no others.
  int MostDepth() const { return style_ == Style::kControl ? 3 : 2; }
  std::vector<Literal>* arguments() const { return arguments_; }
  const std::vector<Value>& values() const { return values_; }
  const std::vector<Value>& results() const { return results_; }

  // Adds about `count` random ops.
  void AddOps(int count);

  // Adds a new value, an operand of later ops unless its error is relative.
  // Returns false if it does not fit its type.
  bool Put(XlaOp op, PrimitiveType type, const Dims& dims,
           const Knowledge& known);
  bool PutLike(const Value& value, XlaOp op, const Knowledge& known) {
    return Put(op, value.type, value.dims, known);
  }

  // A value for which `fits` holds; null if there is none.
  using Fits = std::function<bool(const Value&)>;
  const Value* Find(const Fits& fits);
  const Value* Any() {
    return Find([](const Value&) { return true; });
  }
  // Any value with this type and size, found or made.
  Value Partner(PrimitiveType type, const Dims& dims);
  // A value whose elements are the same in all correct programs.
  Value ExactPartner(PrimitiveType type, const Dims& dims);
  // A new value.
  Value Fresh(PrimitiveType type, const Dims& dims);
  Value Scalar(PrimitiveType type, double number);
  XlaOp Full(PrimitiveType type, const Dims& dims, double number);

  Dims RandomDims();
  PrimitiveType RandomType();

 private:
  Value Constant(const Literal& literal, const Knowledge& known);
  Value Argument(PrimitiveType type, const Dims& dims);
  Value Widened(const Value& value, const Dims& dims);

  XlaBuilder* builder_;
  Random& random_;
  const Style style_;
  const int depth_;
  std::vector<Dims> sizes_;  // of most arrays, except in mixed programs
  std::vector<Literal>* arguments_;
  std::vector<Value> values_;
  std::vector<Value> results_;  // not operands
};

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_PROGRAM_WRITER_H_
