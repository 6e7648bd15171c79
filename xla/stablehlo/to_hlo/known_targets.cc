// Rules for custom calls that HLO has as ops of their own, or that do nothing.
#include "xla/stablehlo/to_hlo/known_targets.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/hlo_opcode.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/devices/device_groups.h"

namespace xla::stablehlo {
namespace {

// Returns the dictionary that configures the call, or null.
const Attribute* ConfigOf(const OpConversion& conversion) {
  for (absl::string_view name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute* config = conversion.Find(name);
    if (config != nullptr && config->kind == Attribute::Kind::kDictionary) {
      return config;
    }
  }
  return nullptr;
}

// Allocates memory whose contents do not matter.
absl::Status ConvertAllocateBuffer(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape());
  if (!shape.IsArray()) return conversion.Error("its result must be an array");
  HloInstruction* zero =
      conversion.AddConstant(LiteralUtil::Zero(shape.element_type()));
  conversion.SetResults(conversion.computation().AddInstruction(
      HloInstruction::CreateBroadcast(std::move(shape), zero, {})));
  return absl::OkStatus();
}

// Frameworks assert facts about sizes, with a message for when they are false.
absl::Status ConvertShapeAssertion(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectResults(0));
  if (conversion.operand_count() < 1) {
    return conversion.Error("needs the asserted condition");
  }
  TF_ASSIGN_OR_RETURN(const Literal holds, conversion.ConstantOperand(0));
  if (!holds.shape().IsArray() || holds.shape().element_type() != PRED ||
      holds.element_count() != 1) {
    return conversion.Error("the asserted condition must be a pred[]");
  }
  if (holds.IsAll(1)) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(std::string message,
                      conversion.StringOr("error_message", "shape assertion"));
  for (int64_t i = 1; i < conversion.operand_count(); ++i) {
    TF_ASSIGN_OR_RETURN(const std::vector<int64_t> value,
                        conversion.ConstantIntegers(i));
    absl::StrAppend(&message, i == 1 ? " (with values " : ", ",
                    value.empty() ? 0 : value[0]);
  }
  if (conversion.operand_count() > 1) message += ")";
  return conversion.Error(message);
}

// Makes the op of that name; the configuration has its groups and channel.
absl::Status ConvertRaggedAllToAll(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(6));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  const Attribute* config = ConfigOf(conversion);
  RaggedAllToAllAttrs attrs;
  if (config != nullptr) {
    if (const Attribute* channel = config->Field("channel_id")) {
      if (channel->integer > 0) attrs.channel_id = channel->integer;
    }
    if (const Attribute* groups = config->Field("replica_groups")) {
      TF_ASSIGN_OR_RETURN(auto rows,
                          GroupsOf(*groups, "replica_groups", conversion));
      attrs.replica_groups = ReplicaGroups(std::move(rows));
    }
  }
  return conversion.Emit(HloOpcode::kRaggedAllToAll, conversion.operands(),
                         std::move(attrs));
}

// Finds the k greatest (or least, as the comparator says) along a dimension,
// exactly, by sorting. Without aggregation the result is longer than k and may
// hold any elements that include these.
absl::Status ConvertApproxTopK(OpConversion& conversion) {
  const int64_t arrays = conversion.result_count();
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2 * arrays));
  const Attribute* config = ConfigOf(conversion);
  const Attribute* dimension =
      config == nullptr ? nullptr : config->Field("reduction_dim");
  const Attribute* called = conversion.Find("called_computations");
  if (dimension == nullptr || called == nullptr ||
      called->elements.size() != 1) {
    return conversion.Error("needs reduction_dim and one called computation");
  }
  TF_ASSIGN_OR_RETURN(HloComputation * comparator,
                      conversion.module().FunctionAsComputation(
                          called->elements[0]->text, conversion.op()));
  const absl::Span<HloInstruction* const> inputs =
      conversion.operands().subspan(0, arrays);
  TF_ASSIGN_OR_RETURN(
      HloInstruction * sorted,
      conversion.Infer(
          HloOpcode::kSort, inputs,
          SortAttrs{.dimensions = {dimension->integer}, .is_stable = true},
          {comparator}));
  std::vector<HloInstruction*> results;
  for (int64_t i = 0; i < arrays; ++i) {
    TF_ASSIGN_OR_RETURN(Shape shape, conversion.ResultShape(i));
    HloInstruction* array =
        arrays == 1 ? sorted
                    : conversion.computation().AddInstruction(
                          HloInstruction::CreateGetTupleElement(sorted, i));
    SliceAttrs slice;
    for (int64_t size : shape.dimensions()) {
      slice.slice.push_back({0, size, 1});
    }
    results.push_back(conversion.Add(HloOpcode::kSlice, std::move(shape),
                                     {array}, std::move(slice)));
  }
  conversion.SetEachResult(results);
  return absl::OkStatus();
}

constexpr Rule kKnownTargets[] = {
    {"AllocateBuffer", ConvertAllocateBuffer},
    {"ApproxTopK", ConvertApproxTopK},
    {"ragged_all_to_all", ConvertRaggedAllToAll},
    {"shape_assertion", ConvertShapeAssertion},
};

}  // namespace

const Rule* FindKnownTarget(absl::string_view target) {
  for (const Rule& row : kKnownTargets) {
    if (row.name == target) return &row;
  }
  return nullptr;
}

}  // namespace xla::stablehlo
