// Parses HLO text to modules, and the text of single attributes to their
// values. Accepts everything that XLA prints losslessly, and what people write
// by hand. The verifier, not the parser, checks the meaning.
#ifndef XLA_HLO_PARSER_HLO_PARSER_H_
#define XLA_HLO_PARSER_HLO_PARSER_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_config.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/sharding/replica_group.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloParserOptions {
 public:
  // Whether arrays that state no layout get the default one. True by default.
  HloParserOptions& set_fill_missing_layouts(bool value) {
    fill_missing_layouts_ = value;
    return *this;
  }
  bool fill_missing_layouts() const { return fill_missing_layouts_; }
  // Whether those of entry_computation_layout stay without one anyway. False by
  // default.
  HloParserOptions& set_keep_module_auto_layouts(bool value) {
    keep_module_auto_layouts_ = value;
    return *this;
  }
  bool keep_module_auto_layouts() const { return keep_module_auto_layouts_; }

 private:
  bool fill_missing_layouts_ = true;
  bool keep_module_auto_layouts_ = false;
};

// Returns the module that `str` describes: a module with its `HloModule` line,
// computations without it, or one instruction whose operands, which state their
// shapes, become the parameters.
//
// Beyond XLA's own parser: instructions and computations may be used before
// they are defined, and an instruction whose name another computation also uses
// is renamed. `config` supplies what the text does not say. Errors:
// InvalidArgument that begins with line and column and shows the line; also for
// constants abridged to {...}.
absl::StatusOr<std::unique_ptr<HloModule>> ParseAndReturnUnverifiedModule(
    absl::string_view str, const HloModuleConfig& config = HloModuleConfig(),
    const HloParserOptions& options = HloParserOptions());

// Each parses all of `str`; errors as above. shape_text.h has shapes and
// layouts.

// {devices=[2,1]<=[2]}, {{replicated}, {manual}}. Errors: also those of
// HloSharding::FromProto.
absl::StatusOr<HloSharding> ParseSharding(absl::string_view str);
// {a="b",c={"d":1}}.
absl::StatusOr<FrontendAttributes> ParseFrontendAttributes(
    absl::string_view str);
// {visualizing_index=0,flops=2.5}.
absl::StatusOr<StatisticsViz> ParseStatisticsViz(absl::string_view str);
// {true,false}.
absl::StatusOr<std::vector<bool>> ParseParameterReplication(
    absl::string_view str);
// size=3x3 stride=2x2 pad=0_1x0_1, in braces or not.
absl::StatusOr<Window> ParseWindow(absl::string_view str);
// b01f_01io->b01f.
absl::StatusOr<ConvolutionDimensionNumbers> ParseConvolutionDimensionNumbers(
    absl::string_view str);
// 0_1x2_3_1.
absl::StatusOr<PaddingConfig> ParsePaddingConfig(absl::string_view str);
// {{0,1},{2,3}} or [2,2]<=[4].
absl::StatusOr<std::vector<ReplicaGroup>> ParseReplicaGroupsOnly(
    absl::string_view str);
// The same, of which an iota stays one.
absl::StatusOr<CollectiveDeviceList> ParseCollectiveDeviceListOnly(
    absl::string_view str);

}  // namespace xla

#endif  // XLA_HLO_PARSER_HLO_PARSER_H_
