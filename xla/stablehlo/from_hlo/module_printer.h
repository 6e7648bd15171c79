// ModulePrinter: the state of printing an HloModule as StableHLO. Tuples are
// taken apart: an instruction has the names of its leaves, so that tuple and
// get-tuple-element print nothing.
#ifndef XLA_STABLEHLO_FROM_HLO_MODULE_PRINTER_H_
#define XLA_STABLEHLO_FROM_HLO_MODULE_PRINTER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/from_hlo/location_printer.h"
#include "xla/stablehlo/from_hlo/print_module.h"

namespace xla::stablehlo {

// Names of values, "%3" or "%3#1"; "" for a leaf that has no value here, such
// as the context of an asynchronous op.
using Names = std::vector<std::string>;

class ModulePrinter {
 public:
  ModulePrinter(const HloModule& module, const PrintOptions& options)
      : module_(module), options_(options), locations_(module) {}

  // To be called once.
  absl::StatusOr<std::string> Print();

 private:
  // The instructions of one computation that have names.
  struct Frame {
    absl::flat_hash_map<const HloInstruction*, Names> names;
    // The names of the values that the done of an asynchronous start returns.
    absl::flat_hash_map<const HloInstruction*, Names> results;
  };
  // A computation printed as the region of an op: its parameters become
  // arguments of the block, or are bound to `captured` names.
  struct RegionText {
    const HloComputation* computation;
    bool has_arguments = true;
    std::vector<Names> captured;
    // The element types of arguments and results, if they are converted to and
    // from the computation's; if empty, the computation's own.
    std::vector<PrimitiveType> argument_types = {};
    std::vector<PrimitiveType> result_types = {};
  };
  // A result that the op returns as `shape` and whose uses expect an array of
  // `type`.
  struct ConvertedResult {
    size_t number;
    Shape shape;
    PrimitiveType type;
  };
  struct OpText {
    std::string name;
    Names operands;
    std::vector<std::string> operand_types;
    std::vector<std::string> result_types;
    std::vector<std::string> attributes;  // "name = value"
    std::vector<RegionText> regions;
    std::vector<ConvertedResult> converted_results;
    bool generic = true;
    // Follows the operands in the pretty form: ", dims = [0]".
    std::string suffix;
    // Whether the pretty form may print a single type if all are alike.
    bool short_types = false;
  };
  // print_module.cc
  absl::Status PrintEntry();
  absl::Status PrintFunction(const HloComputation& computation,
                             absl::string_view name);
  absl::StatusOr<std::string> EntryArguments(const HloComputation& entry,
                                             std::vector<Names>* parameters);
  std::string EntryArgumentAttributes(int64_t parameter) const;
  absl::StatusOr<std::string> EntryResultTypes(const Shape& root) const;
  std::string ModuleAttributes() const;
  // Returns the name of a computation's function, which is printed later.
  std::string FunctionName(const HloComputation* computation);

  // computation_printer.cc
  // Prints the instructions; returns the names of the root's leaves.
  absl::StatusOr<Names> PrintComputation(const HloComputation& computation,
                                         std::vector<Names> parameters);
  absl::Status PrintInstruction(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintRegion(const RegionText& region);
  // Converts a value to an array of another element type.
  absl::StatusOr<std::string> Convert(const std::string& name, Shape shape,
                                      PrimitiveType type);
  void PrintReturn(absl::string_view op, const Names& names,
                   absl::Span<const std::string> types);
  // Returns the names of an instruction's leaves. Errors: InvalidArgument if it
  // has none yet.
  absl::StatusOr<Names> NamesOf(const HloInstruction& hlo,
                                const Frame& frame) const;
  // Prints the op and converts of its results; returns the names of these.
  absl::StatusOr<Names> Write(const OpText& op);
  // Prints the op behind the names of its results.
  absl::Status WriteOp(const OpText& op, absl::string_view attributes);
  // Makes the op of that name on all operands, with the results of `hlo`.
  absl::StatusOr<OpText> Start(const HloInstruction& hlo, const Frame& frame,
                               absl::string_view name) const;
  absl::Status Finish(const HloInstruction& hlo, Frame& frame,
                      const OpText& op);
  // Start and Finish, for a pretty form with all types.
  absl::Status Pretty(const HloInstruction& hlo, Frame& frame,
                      absl::string_view name, std::string suffix = "");
  absl::Status Alias(const HloInstruction& hlo, Frame& frame);
  absl::Status Unsupported(const HloInstruction& hlo,
                           absl::string_view why) const;

  // tuples.cc
  absl::StatusOr<std::string> MakeTuple(const Shape& shape, const Names& names,
                                        size_t* next);
  absl::StatusOr<Names> TakeApart(const std::string& name, const Shape& shape);
  absl::Status PrintGetTupleElement(const HloInstruction& hlo, Frame& frame);

  // elementwise_ops.cc
  absl::Status PrintElementwise(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintBitcastConvert(const HloInstruction& hlo, Frame& frame,
                                   OpText op);
  // If floating-point types mix, as HLO allows, converts operands to a type
  // that holds them and the result, and the result to its declared type.
  absl::Status ConvertMixedTypes(const HloInstruction& hlo, OpText& op);
  // Converts operand `i`, an array, if it has another element type.
  absl::Status ConvertOperand(const HloInstruction& hlo, int64_t i,
                              PrimitiveType type, OpText& op);
  absl::Status PrintTupleSelect(const HloInstruction& hlo, Frame& frame,
                                const OpText& op);
  absl::Status PrintCompare(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintConstant(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintRng(const HloInstruction& hlo, Frame& frame);

  // movement_ops.cc
  absl::Status PrintMovement(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintDimensionSize(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintPad(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintSlice(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintBitcast(const HloInstruction& hlo, Frame& frame);
  absl::StatusOr<OpText> SplitIndices(const HloInstruction& hlo, int64_t first,
                                      OpText op);
  absl::Status PrintDynamicSlice(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintDynamicReshape(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintGather(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintScatter(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintTopK(const HloInstruction& hlo, Frame& frame);

  // reduction_ops.cc
  // Gives `op` the computation that reduces elements of its operands, except
  // operand `indices`, into `count` accumulators, the i-th into number i %
  // count. The region's accumulators have types that hold every value of the
  // operands, the computation's own and the result; the op returns these, and
  // they are converted to those of `result`.
  absl::Status AddReduction(const HloInstruction& hlo,
                            const HloComputation* computation, size_t count,
                            const Shape& result, OpText& op,
                            std::optional<int64_t> indices = std::nullopt);
  absl::Status PrintReduction(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintWindowReduction(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintScan(const HloInstruction& hlo, Frame& frame);

  // linear_ops.cc
  absl::Status PrintLinear(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintDot(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintRaggedDot(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintConvolution(const HloInstruction& hlo, Frame& frame);

  // control_ops.cc
  absl::Status PrintWhile(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintConditional(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintCall(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintInlined(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintCustomCall(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintBarrier(const HloInstruction& hlo, Frame& frame);

  // device_ops.cc
  absl::Status PrintCollective(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintAllToAll(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintEachOperand(const HloInstruction& hlo, Frame& frame,
                                const OpText& op);
  absl::Status PrintStart(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintDone(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintTransfer(const HloInstruction& hlo, Frame& frame);
  absl::Status PrintChannelOp(const HloInstruction& hlo, Frame& frame);

  // What follows an argument, and the op of the instruction that is printed:
  // " loc(...)", or "".
  std::string ArgumentLocation(const HloInstruction& parameter) const;
  std::string OpLocation();

  const HloModule& module_;
  const PrintOptions options_;
  LocationPrinter locations_;
  const HloInstruction* current_ = nullptr;  // whose ops are printed
  std::string out_;
  int indent_ = 0;
  int depth_ = 0;        // of nested computations
  int64_t next_ = 0;     // number of the next name
  int64_t printed_ = 0;  // ops so far
  absl::flat_hash_map<const HloComputation*, std::string> functions_;
  std::vector<const HloComputation*> pending_;
};

// Returns a type that holds every value of both, which are equal or
// floating-point.
PrimitiveType HoldingType(PrimitiveType a, PrimitiveType b);

// Returns the leaves of a shape, arrays and tokens, in order.
std::vector<const Shape*> LeavesOf(const Shape& shape);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_FROM_HLO_MODULE_PRINTER_H_
