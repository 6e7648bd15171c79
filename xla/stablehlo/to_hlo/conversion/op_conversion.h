// OpConversion: the interface through which a rule reads the op that it
// converts and adds instructions. rules.h has the tables of rules, one file for
// each op family.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_OP_CONVERSION_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_OP_CONVERSION_H_

#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

class ModuleConversion;

// The shapes of the HLO operands are authoritative. Where a type has "?", the
// operands may know more (sizes come from constants or from the caller), so
// rules infer such results instead of reading the type.
class OpConversion {
 public:
  OpConversion(ModuleConversion& module, HloComputation& computation,
               const Op& op, absl::Span<HloInstruction* const> operands)
      : module_(module),
        computation_(computation),
        op_(op),
        operands_(operands) {}

  const Op& op() const { return op_; }
  ModuleConversion& module() const { return module_; }
  HloComputation& computation() { return computation_; }

  absl::Span<HloInstruction* const> operands() const { return operands_; }
  int64_t operand_count() const { return operands_.size(); }
  HloInstruction* operand(int64_t i) const { return operands_[i]; }
  int64_t result_count() const { return op_.results.size(); }
  const Type& result_type(int64_t i = 0) const { return *op_.results[i].type; }

  // Errors: InvalidArgument unless the op has that many operands (results).
  absl::Status ExpectOperands(int64_t count) const;
  absl::Status ExpectResults(int64_t count) const;

  // Returns the HLO shape of a result's type: bounded dimensions are dynamic
  // ones, quantized elements have their storage type. Errors: InvalidArgument
  // for unbounded dynamic dimensions and types without a shape.
  absl::StatusOr<Shape> ResultShape(int64_t i = 0) const;
  // Returns the shape of a single result, or the tuple of several.
  absl::StatusOr<Shape> ResultsShape() const;

  // Adds an instruction of that shape.
  HloInstruction* Add(HloOpcode opcode, Shape shape,
                      absl::Span<HloInstruction* const> operands,
                      Attrs attrs = {},
                      absl::Span<HloComputation* const> computations = {});
  // Like Add, with the shape of HLO's own rules, whose errors it returns.
  absl::StatusOr<HloInstruction*> Infer(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {});
  HloInstruction* AddConstant(Literal literal);

  // Converts the whole op to one HLO op, with the shape of the results if their
  // types are static, else inferred; then calls SetResults.
  absl::Status Emit(HloOpcode opcode,
                    absl::Span<HloInstruction* const> operands,
                    Attrs attrs = {},
                    absl::Span<HloComputation* const> computations = {});

  // Sets the result: the instruction of the only one or, for several (or none),
  // a tuple whose elements are the results. The instruction gets the op's
  // sharding and frontend attributes.
  void SetResults(HloInstruction* instruction);
  // Like SetResults, with an instruction for each result.
  void SetEachResult(absl::Span<HloInstruction* const> instructions);

  // Returns the attribute or null, and marks it as read.
  const Attribute* Find(absl::string_view name) const;
  // Errors: InvalidArgument for an attribute that was not read, unless its name
  // begins with a dialect's: those are not the op's own.
  absl::Status CheckAllRead() const;
  // Marks the attributes that the conversion of a variant of the op, with the
  // same list of attributes, has read as read here.
  void AddRead(const OpConversion& variant) { read_ |= variant.read_; }

  // These read attributes by name. Errors: InvalidArgument if a required one is
  // missing or of another kind. The tree's forms of lists are equivalent:
  // array<i64>, dense<> of i64 (or i1), [1, 2].
  absl::StatusOr<int64_t> Integer(absl::string_view name) const;
  absl::StatusOr<int64_t> IntegerOr(absl::string_view name,
                                    int64_t missing) const;
  absl::StatusOr<bool> BoolOr(absl::string_view name, bool missing) const;
  absl::StatusOr<double> Float(absl::string_view name) const;
  absl::StatusOr<std::string> String(absl::string_view name) const;
  absl::StatusOr<std::string> StringOr(absl::string_view name,
                                       absl::string_view missing) const;
  // Returns the enumerator's name, or `missing` without the attribute.
  absl::StatusOr<absl::string_view> EnumOr(absl::string_view name,
                                           absl::string_view missing) const;
  absl::StatusOr<std::vector<int64_t>> Integers(absl::string_view name) const;
  // Returns an empty list without the attribute.
  absl::StatusOr<std::vector<int64_t>> IntegersOrEmpty(
      absl::string_view name) const;
  // Returns `missing` repeated `size` times without the attribute, which must
  // otherwise have that size.
  absl::StatusOr<std::vector<int64_t>> IntegersOr(absl::string_view name,
                                                  int64_t size,
                                                  int64_t missing) const;
  // Reads padding, a matrix [n, 2] of i64; zeros without the attribute.
  absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PairsOrZeros(
      absl::string_view name, int64_t count) const;
  // Reads a dense attribute as a literal.
  absl::StatusOr<Literal> Elements(absl::string_view name) const;

  // Converts the region to a computation: its parameters are the block's
  // arguments and its root what the block returns (a tuple of several values).
  // Outer values must be constants, which are copied into it. Errors:
  // InvalidArgument for other captures and for regions of several blocks.
  absl::StatusOr<HloComputation*> Region(int64_t region);

  // Returns the value of an operand that follows from constants (and from sizes
  // of other operands). Errors: InvalidArgument if it does not.
  absl::StatusOr<Literal> ConstantOperand(int64_t i);
  absl::StatusOr<std::vector<int64_t>> ConstantIntegers(int64_t i);

  // Returns "stablehlo.add at line 3, column 5: <message>".
  absl::Status Error(absl::string_view message) const;
  absl::Status Unimplemented(absl::string_view message) const;
  // Adds the same place to the message of another Status.
  absl::Status Annotate(const absl::Status& status) const;

 private:
  ModuleConversion& module_;
  HloComputation& computation_;
  const Op& op_;
  absl::Span<HloInstruction* const> operands_;
  mutable std::bitset<64> read_;  // of op_.attributes
};

// Returns the shape of a type, as in OpConversion::ResultShape.
absl::StatusOr<Shape> ShapeOfType(const Type& type);

// Reads a list of integers in any of the tree's forms. Errors: InvalidArgument
// without a subject: "is not a list of integers".
absl::StatusOr<std::vector<int64_t>> IntegersOfAttribute(
    const Attribute& attribute);

// Returns the literal of a kElements attribute.
absl::StatusOr<Literal> LiteralOfElements(const Attribute& attribute);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_OP_CONVERSION_H_
