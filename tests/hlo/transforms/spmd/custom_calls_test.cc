// Custom calls in parts: by sharding rules and by frameworks' partitioners;
// calls that tell the sharding of an array.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"
#include "xla/hlo/transforms/sharding/sharding_propagation.h"
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTarget[] = "CustomSPMDPartitioning";

// The calls of these tests: "cumulate" adds to each element those before it in
// the last dimension; the call with a partitioner adds up the first dimension
// of f32[16,8].
absl::StatusOr<Literal> RunCall(const HloInstruction* call,
                                absl::Span<const Literal*> operands) {
  const Literal& x = *operands[0];
  const absl::Span<const float> from = x.data<float>();
  if (call->attrs<CustomCallAttrs>().custom_call_target == kTarget) {
    Literal sum(call->shape());
    for (int64_t i = 0; i < sum.element_count(); ++i) {
      sum.data<float>()[i] = 0;
    }
    for (size_t i = 0; i < from.size(); ++i) {
      sum.data<float>()[i % sum.element_count()] += from[i];
    }
    return sum;
  }
  Literal result = x.Clone();
  const int64_t row = x.shape().dimensions().back();
  for (size_t i = 0; i < from.size(); ++i) {
    if (i % row != 0) result.data<float>()[i] += result.data<float>()[i - 1];
  }
  if (!call->shape().IsTuple()) return result;
  std::vector<Literal> both;
  both.push_back(result.Clone());
  both.push_back(std::move(result));
  return Literal::MoveIntoTuple(absl::MakeSpan(both));
}

SpmdRunOptions WithCalls() {
  SpmdRunOptions options;
  options.custom_call_handler = RunCall;
  return options;
}

// Returns the first error of propagation and partitioning.
absl::Status PartitionText(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) return module.status();
  absl::Status status = ShardingPropagation().Run(module->get()).status();
  if (status.ok()) status = SpmdPartitioner().Run(module->get()).status();
  return status;
}

TEST(SpmdCustomCallTest, BatchDimensionsAreDivided) {
  for (const int rows : {8, 7, 3}) {
    const std::string parts =
        ExpectPartsOfWhole(absl::StrReplaceAll(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[ROWS,4,6] parameter(0), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  y = f32[ROWS,4,6] negate(x)
  c = (f32[ROWS,4,6], f32[ROWS,4,6]) custom-call(y), custom_call_target="cumulate", frontend_attributes={num_batch_dims="1"}
  c0 = f32[ROWS,4,6] get-tuple-element(c), index=0
  c1 = f32[ROWS,4,6] get-tuple-element(c), index=1
  ROOT r = f32[ROWS,4,6] add(c0, c1), sharding={mesh['a'=4], [{'a'}, {}, {}]}
})",
                                               {{"ROWS", absl::StrCat(rows)}}),
                           WithCalls());
    EXPECT_EQ(CountCollectives(parts), 0) << parts;
  }
}

TEST(SpmdCustomCallTest, WholeDimensionsMoveToTheBatch) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[64,4,64] parameter(0), sharding={mesh['a'=4], [{}, {}, {'a'}]}
  ROOT c = f32[64,4,64] custom-call(x), custom_call_target="cumulate", frontend_attributes={num_batch_dims="1"}, sharding={mesh['a'=4], [{}, {}, {'a'}]}
})",
                                               WithCalls());
  EXPECT_EQ(CountOf(parts, "all-to-all"), 2) << parts;
  EXPECT_EQ(CountCollectives(parts), 2) << parts;
}

TEST(SpmdCustomCallTest, RulesDivideWhatTheyPassThrough) {
  const std::string parts = ExpectPartsOfWhole(R"(HloModule m, num_partitions=8
ENTRY e {
  x = f32[8,6,8] parameter(0), sharding={mesh['a'=2,'b'=4], [{'b'}, {'a'}, {}]}
  ROOT c = f32[8,6,8] custom-call(x), custom_call_target="cumulate", frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i, j, k])->([i, j, l]) {i=8, j=6, k=8, l=8} need_replication={k, l} blocked_propagation={j}, custom>"}, sharding={mesh['a'=2,'b'=4], [{'b'}, {'a'}, {}]}
})",
                                               WithCalls());
  EXPECT_EQ(CountCollectives(parts), 0) << parts;
}

// A rule's reduction does not say that results of parts add up.
TEST(SpmdCustomCallTest, ReductionsOfRulesStayWhole) {
  const std::unique_ptr<HloModule> module =
      Partitioned(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[8,16] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  ROOT c = f32[8] custom-call(x), custom_call_target="norm", frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=16} reduction={j}>"}, sharding={mesh['a'=4], replicated}
})");
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(CountOf(module->ToString(), "all-reduce"), 0);
}

TEST(SpmdCustomCallTest, AttributesFitTheParts) {
  const std::unique_ptr<HloModule> module =
      Partitioned(R"(HloModule m, num_partitions=4
ENTRY e {
  a = f32[8,3,3]{1,2,0} parameter(0), sharding={mesh['a'=4], [{'a'}, {}, {}]}
  ROOT c = (f32[8,3,3]{1,2,0}, s32[8]{0}) custom-call(a), custom_call_target="factor", api_version=API_VERSION_TYPED_FFI, operand_layout_constraints={f32[8,3,3]{1,2,0}}, output_to_operand_aliasing={{0}: (0, {})}, frontend_attributes={num_batch_dims="1"}, sharding={{mesh['a'=4], [{'a'}, {}, {}]}, {mesh['a'=4], [{'a'}]}}
})");
  ASSERT_NE(module, nullptr);
  const std::string text = module->ToString();
  EXPECT_THAT(text,
              HasSubstr("operand_layout_constraints={f32[2,3,3]{1,2,0}}"));
  EXPECT_THAT(text, HasSubstr("(f32[2,3,3]{1,2,0}, s32[2]{0}) custom-call"));
  EXPECT_THAT(text, HasSubstr("output_to_operand_aliasing={{0}: (0, {})}"));
  EXPECT_EQ(CountCollectives(text), 0) << text;
}

// A result in the operand's buffer has the operand's part: here the rule would
// divide one and not the other.
TEST(SpmdCustomCallTest, SharedBuffersAreDividedAlike) {
  const std::unique_ptr<HloModule> module =
      Partitioned(R"(HloModule m, num_partitions=4
ENTRY e {
  a = f32[8] parameter(0), sharding={mesh['a'=4], [{'a'}]}
  ROOT c = f32[8] custom-call(a), custom_call_target="f", output_to_operand_aliasing={{}: (0, {})}, frontend_attributes={xla.sdy.sharding_rule="#sdy.op_sharding_rule<([i])->([j]) {i=8, j=8}>"}, sharding={mesh['a'=4], replicated}
})");
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(module->ToString(), HasSubstr("f32[8]{0} custom-call"));
}

// Divides the sum of f32[16,8] over axis 'a' of four devices, whatever it is
// asked for; the program's channel is one that the module has too.
class SumPartitioner : public CustomPartitioner {
 public:
  explicit SumPartitioner(std::string program) : program_(std::move(program)) {}

  absl::StatusOr<Division> Divide(const HloInstruction& call,
                                  absl::Span<const OpSharding> operands,
                                  const OpSharding& result) const override {
    Division division;
    auto program = ParseAndReturnUnverifiedModule(program_);
    if (!program.ok()) return program.status();
    division.program = *std::move(program);
    OpSharding rows;
    rows.set_type(OpSharding::OTHER);
    for (const int size : {4, 1}) {
      rows.add_tile_assignment_dimensions(size);
    }
    rows.add_iota_reshape_dims(4);
    rows.add_iota_transpose_perm(0);
    division.operands = {rows};
    division.result.set_type(OpSharding::REPLICATED);
    return division;
  }

  // The result's last dimension is divided as the operand's first one.
  absl::StatusOr<std::optional<OpSharding>> InferResult(
      const HloInstruction& call,
      absl::Span<const OpSharding> operands) const override {
    if (operands[0].tile_assignment_dimensions_size() == 0) return std::nullopt;
    OpSharding result;
    result.set_type(OpSharding::OTHER);
    result.add_tile_assignment_dimensions(
        operands[0].tile_assignment_dimensions(0));
    result.add_iota_reshape_dims(4);
    result.add_iota_transpose_perm(0);
    return result;
  }

 private:
  const std::string program_;
};

constexpr char kSumOfPart[] = R"(HloModule part
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}
ENTRY e {
  x = f32[4,8] parameter(0)
  zero = f32[] constant(0)
  s = f32[8] reduce(x, zero), dimensions={0}, to_apply=add
  ROOT r = f32[8] all-reduce(s), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, to_apply=add
})";

constexpr char kSumProgram[] = R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[16,8] parameter(0), sharding={mesh['a'=4], [{}, {'a'}]}
  y = f32[16,8] negate(x)
  s = f32[8] custom-call(y), custom_call_target="CustomSPMDPartitioning", sharding={mesh['a'=4], [{'a'}]}
  t = f32[8] custom-call(x), custom_call_target="CustomSPMDPartitioning", sharding={mesh['a'=4], [{'a'}]}
  ROOT r = f32[8] add(s, t), sharding={mesh['a'=4], [{'a'}]}
})";

void UsePartitioner(absl::string_view program) {
  RegisterCustomPartitioner(
      kTarget, std::make_shared<SumPartitioner>(std::string(program)));
}

TEST(SpmdPartitionerOfFrameworkTest, ItsProgramRunsOnParts) {
  UsePartitioner(kSumOfPart);
  const std::string parts = ExpectPartsOfWhole(kSumProgram, WithCalls());
  EXPECT_EQ(CountOf(parts, "all-reduce"), 2) << parts;
  EXPECT_EQ(CountOf(parts, "all-to-all"), 2) << parts;
  // Each collective has a channel of its own.
  for (int channel = 1; channel <= 4; ++channel) {
    const std::string text = absl::StrCat("channel_id=", channel, ",");
    const size_t first = parts.find(text);
    EXPECT_NE(first, std::string::npos) << text << "\n" << parts;
    EXPECT_EQ(parts.find(text, first + 1), std::string::npos) << parts;
  }
}

TEST(SpmdPartitionerOfFrameworkTest, ItIsAskedWhereNothingIsDivided) {
  UsePartitioner(kSumOfPart);
  const std::string parts = ExpectPartsOfWhole(
      R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[16,8] parameter(0)
  ROOT s = f32[8] custom-call(x), custom_call_target="CustomSPMDPartitioning"
})",
      WithCalls());
  EXPECT_EQ(CountOf(parts, "all-reduce"), 1) << parts;
}

TEST(SpmdPartitionerOfFrameworkTest, ProgramsThatDoNotFitAreErrors) {
  UsePartitioner(absl::StrReplaceAll(kSumOfPart, {{"f32[4,8]", "f32[5,8]"}}));
  EXPECT_THAT(PartitionText(kSumProgram).message(),
              HasSubstr("mismatch in operand shapes: the partitioner's program "
                        "has f32[5,8], its shardings give f32[4,8]"));
  UsePartitioner(R"(HloModule part
ENTRY e {
  x = f32[4,8] parameter(0)
  ROOT n = f32[2] iota(), iota_dimension=0
})");
  EXPECT_THAT(PartitionText(kSumProgram).message(),
              HasSubstr("mismatch in result shapes: the partitioner's program "
                        "has f32[2], its shardings give f32[8]"));
  UsePartitioner(R"(HloModule part
ENTRY e {
  ROOT n = f32[8] iota(), iota_dimension=0
})");
  EXPECT_THAT(PartitionText(kSumProgram).message(),
              HasSubstr("another number of arrays"));
  UsePartitioner(absl::StrReplaceAll(kSumOfPart, {{"{0,1,2,3}", "{0,1,2,9}"}}));
  EXPECT_THAT(PartitionText(kSumProgram).message(),
              HasSubstr("the partitioner's program breaks a rule"));
  UsePartitioner("no program");
  EXPECT_FALSE(PartitionText(kSumProgram).ok());
}

TEST(SpmdPartitionerOfFrameworkTest, UnknownOnesAreErrors) {
  RegisterCustomPartitioner(kTarget, nullptr);
  EXPECT_THAT(PartitionText(kSumProgram).message(),
              HasSubstr("no partitioner is registered for "
                        "CustomSPMDPartitioning"));
}

// Programs with tiles ask for the results' shardings, those with named
// shardings have rules.
TEST(SpmdPartitionerOfFrameworkTest, ItInfersResultsOfTiles) {
  UsePartitioner(kSumOfPart);
  constexpr absl::string_view kProgram = R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[16,8] parameter(0), sharding=SHARDING
  s = f32[8] custom-call(x), custom_call_target="CustomSPMDPartitioning"
  ROOT r = f32[8] negate(s)
})";
  const std::string inferred = ExpectPartsOfWhole(
      absl::StrReplaceAll(kProgram, {{"SHARDING", "{devices=[4,1]<=[4]}"}}),
      WithCalls());
  EXPECT_THAT(inferred, HasSubstr("f32[2]{0} negate")) << inferred;
  const std::string named = ExpectPartsOfWhole(
      absl::StrReplaceAll(kProgram,
                          {{"SHARDING", "{mesh['a'=4], [{'a'}, {}]}"}}),
      WithCalls());
  EXPECT_THAT(named, HasSubstr("f32[8]{0} negate")) << named;
}

std::vector<std::string>& Seen() {
  static auto* const seen = new std::vector<std::string>;
  return *seen;
}

absl::Status Note(absl::string_view config, const OpSharding& sharding) {
  if (config == "fails") return absl::InternalError("as it should");
  std::string tiles = absl::StrCat(config, ":");
  for (const int64_t size : sharding.tile_assignment_dimensions()) {
    absl::StrAppend(&tiles, " ", size);
  }
  Seen().push_back(tiles);
  return absl::OkStatus();
}

TEST(InspectShardingTest, TellsTheFinalShardingOnce) {
  SetShardingInspector(Note);
  Seen().clear();
  const std::unique_ptr<HloModule> module =
      Partitioned(R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[16,8] parameter(0), sharding={mesh['a'=2,'b'=2], [{'a'}, {'b'}]}
  i = f32[16,8] custom-call(x), custom_call_target="InspectSharding", backend_config="x", custom_call_has_side_effect=true
  y = f32[8,16] transpose(x), dimensions={1,0}
  z = f32[8,16] negate(y)
  j = f32[8,16] custom-call(z), custom_call_target="InspectSharding", backend_config="z", custom_call_has_side_effect=true
  w = f32[4] constant({1,2,3,4})
  k = f32[4] custom-call(w), custom_call_target="InspectSharding", backend_config="w", custom_call_has_side_effect=true
  ROOT r = f32[8,16] negate(z)
})");
  SetShardingInspector(nullptr);
  ASSERT_NE(module, nullptr);
  EXPECT_THAT(module->ToString(), Not(HasSubstr("custom-call")));
  EXPECT_THAT(Seen(),
              ::testing::UnorderedElementsAre("x: 2 2", "z: 2 2", "w:"));
}

TEST(InspectShardingTest, ItsErrorsAreTheProgramsErrors) {
  constexpr absl::string_view kProgram = R"(HloModule m, num_partitions=4
ENTRY e {
  x = f32[16,8] parameter(0), sharding={mesh['a'=4], [{'a'}, {}]}
  ROOT i = f32[16,8] custom-call(x), custom_call_target="InspectSharding", backend_config="fails"
})";
  SetShardingInspector(Note);
  EXPECT_THAT(PartitionText(kProgram).message(), HasSubstr("as it should"));
  SetShardingInspector(nullptr);
  EXPECT_TRUE(PartitionText(kProgram).ok());
}

}  // namespace
}  // namespace xla
