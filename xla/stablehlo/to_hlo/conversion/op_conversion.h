// OpConversion: what a rule sees of the op that it converts, and what it needs
// to do so. Rules are rows of tables in rules.h, one file for each op family.
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

// Shapes: those of the HLO operands are the truth. Where a type says "?" the
// operands may know more (sizes come from constants or from the caller), so
// that rules infer such results instead of reading the type.
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

  // The HLO shape of a result's type: bounded dimensions are dynamic ones,
  // quantized elements have their storage type. Errors: InvalidArgument for
  // unbounded dynamic dimensions and types without a shape.
  absl::StatusOr<Shape> ResultShape(int64_t i = 0) const;
  // Of one result its shape, of others the tuple of them.
  absl::StatusOr<Shape> ResultsShape() const;

  // Adds an instruction of that shape.
  HloInstruction* Add(HloOpcode opcode, Shape shape,
                      absl::Span<HloInstruction* const> operands,
                      Attrs attrs = {},
                      absl::Span<HloComputation* const> computations = {});
  // The same with the shape of HLO's own rules, whose errors it returns.
  absl::StatusOr<HloInstruction*> Infer(
      HloOpcode opcode, absl::Span<HloInstruction* const> operands,
      Attrs attrs = {}, absl::Span<HloComputation* const> computations = {});
  HloInstruction* AddConstant(Literal literal);

  // One HLO op for the whole op: with the shape of the results if their types
  // are static, else inferred; then SetResults.
  absl::Status Emit(HloOpcode opcode,
                    absl::Span<HloInstruction* const> operands,
                    Attrs attrs = {},
                    absl::Span<HloComputation* const> computations = {});

  // What the op gives: the instruction of its only result; or, for several
  // (also for none), a tuple whose elements are the results. Sharding and
  // frontend attributes of the op go to the instruction.
  void SetResults(HloInstruction* instruction);
  // The same with an instruction for each result.
  void SetEachResult(absl::Span<HloInstruction* const> instructions);

  // The attribute or null, from then on as read.
  const Attribute* Find(absl::string_view name) const;
  // Errors: InvalidArgument for an attribute that nobody has read, unless its
  // name begins with that of a dialect: those are not the op's own.
  absl::Status CheckAllRead() const;
  // What the conversion of a variant of the op has read, with the same list of
  // attributes, counts as read here.
  void AddRead(const OpConversion& variant) { read_ |= variant.read_; }

  // Attributes by name. Errors: InvalidArgument where a required one is
  // missing or of another kind. The tree's own forms for lists count alike:
  // array<i64>, dense<> of i64 (or i1), [1, 2].
  absl::StatusOr<int64_t> Integer(absl::string_view name) const;
  absl::StatusOr<int64_t> IntegerOr(absl::string_view name,
                                    int64_t missing) const;
  absl::StatusOr<bool> BoolOr(absl::string_view name, bool missing) const;
  absl::StatusOr<double> Float(absl::string_view name) const;
  absl::StatusOr<std::string> String(absl::string_view name) const;
  absl::StatusOr<std::string> StringOr(absl::string_view name,
                                       absl::string_view missing) const;
  // The enumerator's name; `missing` where the attribute is.
  absl::StatusOr<absl::string_view> EnumOr(absl::string_view name,
                                           absl::string_view missing) const;
  absl::StatusOr<std::vector<int64_t>> Integers(absl::string_view name) const;
  // Empty where the attribute is missing.
  absl::StatusOr<std::vector<int64_t>> IntegersOrEmpty(
      absl::string_view name) const;
  // `missing` repeated `size` times where the attribute is missing; else it
  // must have that size.
  absl::StatusOr<std::vector<int64_t>> IntegersOr(absl::string_view name,
                                                  int64_t size,
                                                  int64_t missing) const;
  // A matrix [n, 2] of i64 or one of zeros where it is missing: padding.
  absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> PairsOrZeros(
      absl::string_view name, int64_t count) const;
  // A dense attribute as literal.
  absl::StatusOr<Literal> Elements(absl::string_view name) const;

  // The region as a computation: block arguments are its parameters, what it
  // returns its root (several: a tuple). Values from outside the region may
  // only be constants, which are copied into it. Errors: InvalidArgument for
  // other captures and for regions of several blocks.
  absl::StatusOr<HloComputation*> Region(int64_t region);

  // The value of an operand that follows from constants (and from sizes of
  // other operands). Errors: InvalidArgument where it does not.
  absl::StatusOr<Literal> ConstantOperand(int64_t i);
  absl::StatusOr<std::vector<int64_t>> ConstantIntegers(int64_t i);

  // "stablehlo.add at line 3, column 5: <message>".
  absl::Status Error(absl::string_view message) const;
  absl::Status Unimplemented(absl::string_view message) const;
  // The same place in front of the message of another Status.
  absl::Status Annotate(const absl::Status& status) const;

 private:
  ModuleConversion& module_;
  HloComputation& computation_;
  const Op& op_;
  absl::Span<HloInstruction* const> operands_;
  mutable std::bitset<64> read_;  // of op_.attributes
};

// The shape of a type, as OpConversion::ResultShape has it.
absl::StatusOr<Shape> ShapeOfType(const Type& type);

// A list of integers in any of the tree's forms. Errors: InvalidArgument
// without a subject: "is not a list of integers".
absl::StatusOr<std::vector<int64_t>> IntegersOfAttribute(
    const Attribute& attribute);

// The literal of a kElements attribute.
absl::StatusOr<Literal> LiteralOfElements(const Attribute& attribute);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_OP_CONVERSION_H_
