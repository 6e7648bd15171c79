// ModuleConversion: the state of one conversion from StableHLO to HLO, and the
// conversion of functions, regions and blocks.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_MODULE_CONVERSION_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_MODULE_CONVERSION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/shape.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/ir/ir.h"
#include "xla/stablehlo/to_hlo/conversion/location_exporter.h"
#include "xla/stablehlo/to_hlo/conversion/sharding_reader.h"
#include "xla/stablehlo/to_hlo/conversion/work_budget.h"

namespace xla::stablehlo {

// The instructions of several values, one each.
using Instructions = std::vector<HloInstruction*>;

// How a region becomes a computation.
struct RegionForm {
  // The outer values that the computation gets as parameters after the block's
  // arguments; other outer values must be constants.
  absl::Span<const Value* const> captures;
  // The shapes of the parameters, captures included. If empty: those of the
  // block's types, without captures.
  absl::Span<const Shape> parameter_shapes;
  // Whether there is a single parameter, a tuple unless it has exactly one
  // value, as while and conditional require.
  bool tuple_parameter = false;
  // Whether the root also returns the captures.
  bool return_captures = false;
};

class ModuleConversion {
 public:
  explicit ModuleConversion(const Module& source);

  // To be called once.
  absl::StatusOr<std::unique_ptr<HloModule>> Run();

  HloModule& target() const { return *target_; }

  // Returns the instruction of a value, null before it has one.
  HloInstruction* value(const Value& value) const { return values_[value.id]; }
  void set_value(const Value& value, HloInstruction* instruction) {
    values_[value.id] = instruction;
  }

  // Returns the instructions of several values. Errors: InvalidArgument for a
  // value that is not defined before `user`.
  absl::StatusOr<Instructions> ValuesOf(absl::Span<const Value* const> values,
                                        const Op& user) const;

  // Adds the ops of a block to the computation; returns its results. The
  // block's arguments must have instructions.
  absl::StatusOr<Instructions> ConvertBlock(const Block& block,
                                            HloComputation& computation);

  // Makes a new computation of the module from a region with one block. Errors:
  // InvalidArgument, naming `parent`.
  absl::StatusOr<HloComputation*> ConvertRegion(const Op& parent,
                                                int64_t region,
                                                const RegionForm& form);

  // Returns the outer values that ops of these regions use, each once, in order
  // of use, without small constants, which regions copy.
  std::vector<const Value*> Captures(absl::Span<const Region> regions) const;

  // Calls a function: its computation, or its ops inlined if its sizes follow
  // from the operands. Errors: InvalidArgument for an unknown function, a
  // recursive call, operands that do not fit. With `inlined`, the ops are
  // inlined in any case.
  absl::StatusOr<Instructions> Call(const Op& call, absl::string_view function,
                                    absl::Span<HloInstruction* const> operands,
                                    HloComputation& computation,
                                    bool inlined = false);
  // Returns a function as a computation of its own. Errors: InvalidArgument if
  // it is unknown, has no body, or has types that depend on its caller.
  absl::StatusOr<HloComputation*> FunctionAsComputation(absl::string_view name,
                                                        const Op& user);
  // Returns null if there is none.
  const Op* FindFunction(absl::string_view name) const;

  // Returns the only public function "main", or the only public one.
  absl::StatusOr<const Op*> EntryFunction() const;

  // Errors: ResourceExhausted; see WorkBudget.
  absl::Status Charge(int64_t work) { return budget_.Charge(work); }

  // Returns whether a set_dimension_size has been converted: from then on
  // arrays may have dynamic sizes, whatever their HLO shapes say.
  bool sets_sizes() const { return sets_sizes_; }
  void set_sets_sizes() { sets_sizes_ = true; }

  int64_t partitions() const { return target_->config().num_partitions(); }
  // Returns whether the program has several partitions. Shardings mean nothing
  // to one that has not.
  bool is_partitioned() const { return partitions() > 1; }
  ShardingReader& sharding_reader() { return sharding_reader_; }
  // Returns the axes and device_ids of a mesh that is given, or named by a
  // symbol.
  absl::StatusOr<const Attribute*> MeshDefinition(const Attribute& mesh) const;

 private:
  struct Function {
    const Op* op;
    HloComputation* computation = nullptr;  // once converted
    bool active = false;                    // being converted or inlined
    bool is_static = false;  // all types in it and in its callees
  };

  absl::Status CollectSymbols();
  absl::Status ConvertEntry(const Op& function);
  // Adds the entry's parameters, with the shardings that the program states.
  absl::Status AddEntryParameters(const Op& function, HloComputation& entry);
  // Replaces each result for which the program states a sharding by a call that
  // has it.
  absl::Status ConstrainResults(const Op& function, HloComputation& entry,
                                Instructions& results);
  absl::Status ConvertOp(const Op& op, HloComputation& computation);
  // Gives the instructions of an op's results the shardings that it states.
  absl::Status AnnotateShardings(const Op& op, const Instructions& operands,
                                 HloComputation& computation);
  // Gives the metadata of the op's location to the instructions behind `last`
  // (all if it is null), but for constants, which nothing is said about, and
  // those that have metadata.
  absl::Status AnnotateMetadata(const Op& op, const HloInstruction* last,
                                HloComputation& computation);
  // Gives parameter `i` of a block the name that its location has.
  absl::Status AnnotateParameter(const Block& block, size_t i,
                                 HloInstruction& parameter);
  absl::Status ChargeOp(const Op& op, const Instructions& operands);
  // Charges the work of a sharding, which may list all devices.
  absl::Status ChargeSharding();
  // Sets `is_static` of all functions.
  void FindStaticFunctions();
  HloComputation* NewComputation(absl::string_view name);
  absl::StatusOr<HloComputation*> FunctionComputation(Function& function);

  const Module& source_;
  std::unique_ptr<HloModule> target_;
  std::vector<HloInstruction*> values_;
  absl::flat_hash_map<absl::string_view, Function> functions_;
  absl::flat_hash_map<absl::string_view, const Op*> meshes_;
  ShardingReader sharding_reader_;
  WorkBudget budget_;
  LocationExporter locations_{budget_};
  int depth_ = 0;  // of calls and regions
  bool sets_sizes_ = false;
};

// Combines the instructions: returns the only one, or a tuple of them.
HloInstruction* AsOne(const Instructions& values, HloComputation& computation);

// Adds the place of an op to an error, unless it already names one.
absl::Status AtOp(const Op& op, const absl::Status& status);
absl::Status ErrorAt(const Op& op, absl::string_view message);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_MODULE_CONVERSION_H_
