// A tool that reports what the ops of a program cost, written as for XLA: sums
// by opcode, the dearest instructions, and how much arithmetic there is for
// each byte.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/hlo/ir/dfs_hlo_visitor_with_default.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_opcode.h"
#include "xla/hlo/testlib/hlo_hardware_independent_test_base.h"
#include "xla/service/hlo_cost_analysis.h"
#include "xla/shape.h"
#include "xla/shape_util.h"
#include "xla/tsl/platform/errors.h"
#include "xla/tsl/platform/statusor.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::string_view kMatrixFlopsKey = "matrix flops";

// Rounds buffers up to lines of a cache, and tells the work of matrix units
// from that of vector units.
class AcceleratorCosts : public HloCostAnalysis {
 public:
  explicit AcceleratorCosts(const Options& options)
      : HloCostAnalysis(options) {}

  static Options Hardware() {
    Options options;
    options.shape_size = [](const Shape& shape) -> int64_t {
      return (HloCostAnalysis::DefaultShapeSize(shape) + 63) / 64 * 64;
    };
    options.set_flops_per_second(1e9);
    options.set_transcendentals_per_second(1e8);
    options.set_bytes_per_second(4e9);
    options.set_flops_min_latency_second(1e-6);
    options.set_bytes_min_latency_second(2e-6);
    options.per_second_rates[kMatrixFlopsKey] = 64e9;
    return options;
  }

  absl::Status HandleDot(const HloInstruction* dot) override {
    TF_RETURN_IF_ERROR(HloCostAnalysis::HandleDot(dot));
    current_properties_[kMatrixFlopsKey] = current_properties_[kFlopsKey];
    current_properties_[kFlopsKey] = 0;
    return absl::OkStatus();
  }

  absl::Status HandleCustomCall(const HloInstruction* call) override {
    if (call->custom_call_target() != "attention") {
      return HloCostAnalysis::HandleCustomCall(call);
    }
    const Shape& keys = call->operand(1)->shape();
    current_properties_[kMatrixFlopsKey] =
        2 * kFmaFlops * ShapeUtil::ElementsIn(keys) * keys.dimensions(0);
    return absl::OkStatus();
  }

 protected:
  std::unique_ptr<HloCostAnalysis> CreateNestedCostAnalysis() override {
    return std::make_unique<AcceleratorCosts>(options_);
  }
};

struct Row {
  std::string name;
  float seconds = 0;
  double flops = 0;
  double bytes = 0;
  double Intensity() const { return bytes == 0 ? 0 : flops / bytes; }
};

// Collects a row for each instruction of a computation that takes time.
class RowCollector : public ConstDfsHloVisitorWithDefault {
 public:
  explicit RowCollector(const HloCostAnalysis& costs) : costs_(costs) {}

  absl::Status DefaultAction(const HloInstruction* hlo) override {
    const float seconds = costs_.optimal_seconds(*hlo);
    if (seconds <= 0) return absl::OkStatus();
    HloCostAnalysis::Properties all = costs_.properties(*hlo);
    Row row = {std::string(hlo->name()), seconds,
               all[HloCostAnalysis::kFlopsKey] + all[kMatrixFlopsKey]};
    row.bytes = costs_.output_bytes_accessed(*hlo);
    for (int64_t i = 0; i < hlo->operand_count(); ++i) {
      row.bytes += costs_.operand_bytes_accessed(*hlo, i);
    }
    Row& sum = by_opcode_[std::string(HloOpcodeString(hlo->opcode()))];
    sum.seconds += row.seconds;
    sum.flops += row.flops;
    sum.bytes += row.bytes;
    rows_.push_back(std::move(row));
    return absl::OkStatus();
  }

  std::vector<Row> Dearest(size_t count) const {
    std::vector<Row> rows = rows_;
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
      return a.seconds > b.seconds;
    });
    rows.resize(std::min(rows.size(), count));
    return rows;
  }
  const std::map<std::string, Row>& by_opcode() const { return by_opcode_; }

 private:
  const HloCostAnalysis& costs_;
  std::vector<Row> rows_;
  std::map<std::string, Row> by_opcode_;
};

absl::StatusOr<std::string> CostReport(const HloModule& module, size_t count) {
  AcceleratorCosts costs(AcceleratorCosts::Hardware());
  TF_RETURN_IF_ERROR(module.entry_computation()->Accept(&costs));
  RowCollector rows(costs);
  TF_RETURN_IF_ERROR(module.entry_computation()->Accept(&rows));
  std::string report = absl::StrFormat(
      "%s: %.0f flops, %.0f on matrix units, %.0f transcendentals, %.0f bytes, "
      "%.2f us\n",
      module.name(), costs.flop_count(), costs.property(kMatrixFlopsKey),
      costs.transcendental_count(), costs.bytes_accessed(),
      costs.optimal_seconds() * 1e6);
  for (const auto& [opcode, row] : rows.by_opcode()) {
    absl::StrAppendFormat(&report, "%s: %.2f us, %.2f flops/byte\n", opcode,
                          row.seconds * 1e6, row.Intensity());
  }
  for (const Row& row : rows.Dearest(count)) {
    absl::StrAppendFormat(&report, "  %s %.2f us\n", row.name,
                          row.seconds * 1e6);
  }
  return report;
}

constexpr char kBlock[] = R"(
HloModule block
add {
  p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT s = f32[] add(p, q)
}
gelu {
  x = f32[64,256] parameter(0)
  t = f32[64,256] tanh(x)
  ROOT y = f32[64,256] multiply(x, t)
}
ENTRY e {
  x = f32[64,64] parameter(0)
  w = f32[64,256] parameter(1)
  v = f32[256,64] parameter(2)
  attended = f32[64,64] custom-call(x, x, x), custom_call_target="attention"
  up = f32[64,256] dot(attended, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  active = f32[64,256] fusion(up), kind=kLoop, calls=gelu
  down = f32[64,64] dot(active, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  norm = f32[64] reduce(down, zero), dimensions={1}, to_apply=add
  ROOT result = (f32[64,64], f32[64]) tuple(down, norm)
})";

class CostReportTest : public HloHardwareIndependentTestBase {};

TEST_F(CostReportTest, SumsRanksAndIntensities) {
  auto module = ParseAndReturnVerifiedModule(kBlock).value();
  TF_ASSERT_OK_AND_ASSIGN(const std::string report, CostReport(*module, 3));
  // The fusion multiplies 64 * 256 numbers, the reduction adds 64 * 63.
  EXPECT_THAT(report, HasSubstr("block: 20416 flops, 5242880 on matrix units, "
                                "16384 transcendentals, "));
  // Either dot moves 147456 bytes, which takes longer than its arithmetic; the
  // fusion is bound by its transcendentals, the tuple by the latency of memory.
  EXPECT_THAT(report, HasSubstr("dot: 73.73 us, 14.22 flops/byte\n"));
  EXPECT_THAT(report, HasSubstr("fusion: 163.84 us, 0.12 flops/byte\n"));
  EXPECT_THAT(report, HasSubstr("  active 163.84 us\n  up 36.86 us\n"));
  EXPECT_THAT(report, HasSubstr("tuple: 2.00 us"));
}

TEST_F(CostReportTest, DearestInstructionsComeFirst) {
  auto module = ParseAndReturnVerifiedModule(kBlock).value();
  AcceleratorCosts costs(AcceleratorCosts::Hardware());
  ASSERT_TRUE(module->entry_computation()->Accept(&costs).ok());
  RowCollector rows(costs);
  ASSERT_TRUE(module->entry_computation()->Accept(&rows).ok());
  std::vector<std::string> names;
  for (const Row& row : rows.Dearest(10)) names.push_back(row.name);
  EXPECT_THAT(
      names, ElementsAre("active", "up", "down", "attended", "norm", "result"));
}

TEST_F(CostReportTest, LoopsAreVisitedWithTheSubclass) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule loop
body {
  p = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[8,8] get-tuple-element(p), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[8,8] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT t = (s32[], f32[8,8]) tuple(next, y)
}
condition {
  p = (s32[], f32[8,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  ten = s32[] constant(10)
  ROOT c = pred[] compare(i, ten), direction=LT
}
ENTRY e {
  p = (s32[], f32[8,8]) parameter(0)
  ROOT w = (s32[], f32[8,8]) while(p), condition=condition, body=body
})")
                    .value();
  AcceleratorCosts costs(AcceleratorCosts::Hardware());
  ASSERT_TRUE(module->entry_computation()->Accept(&costs).ok());
  const HloInstruction* loop = module->entry_computation()->root_instruction();
  HloCostAnalysis::Properties of_loop = costs.properties(*loop);
  EXPECT_EQ(of_loop[kMatrixFlopsKey], 2 * 8 * 8 * 8);
  EXPECT_EQ(costs.flop_count(*loop), 2);
  const HloInstruction* dot = loop->while_body()->GetInstructionWithName("y");
  EXPECT_EQ(costs.bytes_accessed(*dot), 3 * 256);
  EXPECT_EQ(costs.GetBytesRead(*dot), 2 * 256);
  EXPECT_EQ(costs.GetBytesWritten(*dot), 256);
  // A line for each of three scalars.
  const HloInstruction* next =
      loop->while_body()->GetInstructionWithName("next");
  EXPECT_EQ(costs.bytes_accessed(*next), 3 * 64);
}

TEST_F(CostReportTest, OtherCustomCallsAreUnknown) {
  auto module = ParseAndReturnVerifiedModule(R"(
HloModule unknown
ENTRY e {
  x = f32[8] parameter(0)
  ROOT y = f32[8] custom-call(x), custom_call_target="other"
})")
                    .value();
  AcceleratorCosts costs(AcceleratorCosts::Hardware());
  ASSERT_TRUE(module->entry_computation()->Accept(&costs).ok());
  const HloInstruction* call = module->entry_computation()->root_instruction();
  EXPECT_EQ(costs.flop_count(*call), -1);
  EXPECT_EQ(costs.operand_bytes_accessed(*call, 0), -1);
  EXPECT_EQ(costs.optimal_seconds(*call), -1);
}

}  // namespace
}  // namespace xla
