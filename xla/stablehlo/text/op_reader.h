// OpReader: reads ops with their regions, in MLIR's generic form and in the
// pretty forms of StableHLO, CHLO, func and sdy.
#ifndef XLA_STABLEHLO_TEXT_OP_READER_H_
#define XLA_STABLEHLO_TEXT_OP_READER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/ir/ir.h"
#include "xla/stablehlo/text/attribute_reader.h"
#include "xla/stablehlo/text/lexer.h"
#include "xla/stablehlo/text/value_scope.h"

namespace xla::stablehlo {

// Reads `module.source` into `module`.
class OpReader {
 public:
  explicit OpReader(Module& module)
      : module_(module),
        lexer_(module.source),
        attributes_(lexer_, module.arena) {}

  // op_reader.cc: the whole text.
  absl::Status ReadSource();

 private:
  // A partially read op.
  struct Draft {
    absl::string_view name;
    size_t offset = 0;
    size_t num_named_results = 0;  // from "%0:2 = "
    std::vector<const Value*> operands;
    std::vector<const Type*> result_types;
    std::vector<NamedAttribute> attributes;
    std::vector<Region> regions;
    AttributeReader::TrailingLocation location;
    // Ops in the regions that have the location of this one.
    std::vector<Op*> implied_ops;
  };
  // "%0, %1:2 ="
  struct ResultName {
    absl::string_view name;
    size_t count;
    size_t offset;
  };
  // A block argument.
  struct Argument {
    absl::string_view name;
    const Type* type = nullptr;
    size_t offset = 0;
    AttributeReader::TrailingLocation location = {};
  };
  // A location of a node that may be defined later.
  struct PendingLocation {
    const LocationAttr** location;
    AttributeReader::TrailingLocation trailing;
  };
  using Form = absl::Status (OpReader::*)(Draft* draft);

  // op_reader.cc
  absl::StatusOr<const Op*> ReadOp();
  absl::Status ReadResultNames(std::vector<ResultName>* names);
  absl::Status ReadGenericForm(Draft* draft);
  absl::StatusOr<const Op*> Finish(Draft draft,
                                   absl::Span<const ResultName> names);
  absl::Status CheckResultNames(const Draft& draft,
                                absl::Span<const ResultName> names) const;
  absl::Status ReadTopLevel(std::vector<Op*>* ops);
  absl::Status SkipFileMetadata();
  // Sets the locations of `pending_locations_`.
  absl::Status ResolveLocations();
  const Op* NewModule(absl::Span<Op* const> ops);

  // regions.cc
  // Reads "{ ops }" or "{ ^bb0(%a: T): ops }". If `entry` is given, the
  // region's first block has these arguments and no label.
  absl::Status ReadRegion(const std::vector<Argument>* entry, bool isolated,
                          Region* region);
  absl::Status ReadBlocks(const std::vector<Argument>* entry, Region* region);
  absl::StatusOr<Block*> ReadBlock(const std::vector<Argument>* entry);
  // "(%a: T, %b: U)"
  absl::Status ReadArguments(std::vector<Argument>* arguments);
  absl::Status DefineArguments(absl::Span<const Argument> arguments,
                               Block* block);
  // "%a" or "%a#1"
  absl::StatusOr<const Value*> ReadOperand();
  // Reads "%a, %b" up to `close`, which is consumed.
  absl::Status ReadOperandsUntil(char close,
                                 std::vector<const Value*>* operands);
  absl::Span<Value> NewValues(absl::Span<const Type* const> types);
  // Reads "(T, U) -> V" and checks it against the operands.
  absl::Status ReadFunctionalType(Draft* draft);
  absl::Status CheckOperandTypes(const Draft& draft,
                                 absl::Span<const Type* const> types,
                                 size_t offset) const;

  // pretty_form.cc: operands, "key = value", dictionary, types, in any order.
  absl::Status ReadPrettyForm(Draft* draft);
  absl::StatusOr<bool> ReadPrettyItem(Draft* draft);
  absl::Status ReadPrettyWord(Draft* draft);
  absl::Status ReadPrettyBracket(Draft* draft);
  absl::Status ReadKeyValue(absl::string_view key, Draft* draft);
  absl::Status ReadParenthesized(Draft* draft);
  absl::Status ReadSliceBounds(Draft* draft);
  absl::Status ReadFormat(Draft* draft);
  absl::Status ReadPrettyTypes(Draft* draft);
  absl::Status TakeTypes(std::vector<const Type*> types, size_t offset,
                         Draft* draft);

  // special_forms.cc: forms that the universal form does not cover.
  static Form SpecialForm(absl::string_view name);
  absl::Status ReadModuleForm(Draft* draft);
  absl::Status ReadConstantForm(Draft* draft);
  absl::Status ReadConvolutionForm(Draft* draft);
  absl::Status ReadWindow(Draft* draft);
  absl::Status ReadCastForm(Draft* draft);
  absl::Status ReadMeshForm(Draft* draft);
  absl::Status ReadManualComputationForm(Draft* draft);

  // region_forms.cc
  absl::Status ReadWhileForm(Draft* draft);
  absl::Status ReadScanForm(Draft* draft);
  absl::Status ReadReduceForm(Draft* draft);
  absl::Status ReadReducer(Draft* draft);
  absl::Status BuildReducer(absl::string_view op_name, size_t offset,
                            Draft* draft);

  // function_form.cc
  absl::Status ReadFunctionForm(Draft* draft);
  absl::Status ReadParameters(std::vector<Argument>* arguments, bool* named,
                              std::vector<const Attribute*>* attributes);
  absl::Status ReadFunctionResults(std::vector<const Type*>* types,
                                   std::vector<const Attribute*>* attributes);

  Module& module_;
  Lexer lexer_;
  AttributeReader attributes_;
  ValueScope scope_;
  std::vector<PendingLocation> pending_locations_;
};

// Returns whether types of the tree are the same.
bool SameType(const Type& a, const Type& b);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_OP_READER_H_
