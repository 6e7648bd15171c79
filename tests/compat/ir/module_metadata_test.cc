// The records of passes and the stack frames of modules.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_module_metadata.h"
#include "xla/hlo/ir/hlo_op_metadata.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass_pipeline.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A clock that ticks each time it is read.
struct Clock {
  uint64_t NowMicros() { return ++now; }
  uint64_t now = 100;
};

TEST(HloModuleMetadataTest, PassesNest) {
  Clock clock;
  HloModuleMetadata metadata(&clock);
  EXPECT_EQ(metadata.RecordPassEnd().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(metadata.set_current_pass_name("x").code(),
            absl::StatusCode::kNotFound);
  metadata.RecordPassStart();
  ASSERT_TRUE(metadata.set_current_pass_name("outer").ok());
  metadata.RecordPassStart();
  EXPECT_EQ(metadata.current_pass_id().value(), 2);
  ASSERT_TRUE(metadata.set_current_pass_name("inner").ok());
  ASSERT_TRUE(metadata.set_current_pass_module_changed(true).ok());
  ASSERT_TRUE(metadata.RecordPassEnd().ok());
  ASSERT_TRUE(metadata.set_current_pass_pipeline_name("pipe").ok());
  ASSERT_TRUE(metadata.RecordPassEnd().ok());

  ASSERT_EQ(metadata.proto().pass_metadata_size(), 2);
  const HloPassMetadata& outer = metadata.proto().pass_metadata(0);
  const HloPassMetadata& inner = metadata.proto().pass_metadata(1);
  EXPECT_EQ(outer.pass_name(), "outer");
  EXPECT_EQ(outer.pipeline_name(), "pipe");
  EXPECT_FALSE(outer.module_changed());
  EXPECT_EQ(outer.start_timestamp_usec(), 101);
  EXPECT_EQ(outer.end_timestamp_usec(), 104);
  EXPECT_EQ(inner.pass_name(), "inner");
  EXPECT_TRUE(inner.module_changed());
  EXPECT_EQ(inner.start_timestamp_usec(), 102);
  EXPECT_EQ(inner.end_timestamp_usec(), 103);
  metadata.ClearPassMetadata();
  EXPECT_EQ(metadata.proto().pass_metadata_size(), 0);
}

TEST(HloModuleMetadataTest, FieldsOfPassesAndModules) {
  HloModuleMetadata metadata;
  metadata.set_module_group_name("group");
  metadata.set_canonical_module_id(7);
  metadata.add_partitioned_module_id(8);
  metadata.add_partitioned_module_id(9);
  metadata.RecordPassStart();
  ASSERT_TRUE(metadata.add_current_pass_dump_filename("a.txt").ok());
  ASSERT_TRUE(metadata.set_current_pass_module_id(5).ok());
  ASSERT_TRUE(metadata.add_current_pass_module_group_module_id(6).ok());
  ASSERT_TRUE(metadata.set_key_value_metric("k", 1).ok());
  ASSERT_TRUE(metadata.set_key_value_metric("l", 2).ok());
  ASSERT_TRUE(metadata.set_key_value_metric("k", 3).ok());
  OpMetadata custom;
  custom.set_op_name("custom");
  ASSERT_TRUE(metadata.set_custom_metadata(custom).ok());

  const HloModuleMetadataProto& proto = metadata.proto();
  EXPECT_EQ(proto.module_group_name(), "group");
  EXPECT_EQ(proto.canonical_module_id(), 7);
  EXPECT_THAT(proto.partitioned_module_ids(), ElementsAre(8, 9));
  const HloPassMetadata& pass = proto.pass_metadata(0);
  EXPECT_THAT(pass.dump_filenames(), ElementsAre("a.txt"));
  EXPECT_EQ(pass.module_id(), 5);
  EXPECT_THAT(pass.module_group_module_ids(), ElementsAre(6));
  ASSERT_EQ(pass.kv_metrics_size(), 2);
  EXPECT_EQ(pass.kv_metrics(0).value(), 3);
  EXPECT_GT(pass.start_timestamp_usec(), int64_t{1} << 50);  // since 1970
  OpMetadata unpacked;
  ASSERT_TRUE(pass.custom_metadata().UnpackTo(&unpacked));
  EXPECT_EQ(unpacked.op_name(), "custom");
}

TEST(HloModuleMetadataTest, CopiesRecordByThemselves) {
  HloModuleMetadata metadata;
  metadata.RecordPassStart();
  HloModuleMetadata copy = metadata;
  ASSERT_TRUE(copy.set_current_pass_name("copy").ok());
  ASSERT_TRUE(copy.RecordPassEnd().ok());
  EXPECT_EQ(metadata.proto().pass_metadata(0).pass_name(), "");
  EXPECT_TRUE(metadata.set_current_pass_name("first").ok());
  EXPECT_EQ(copy.proto().pass_metadata(0).pass_name(), "copy");
}

TEST(HloModuleMetadataTest, PartsTakeOverPassesThatRun) {
  HloModuleMetadata whole;
  whole.set_canonical_module_id(3);
  whole.RecordPassStart();
  ASSERT_TRUE(whole.set_current_pass_name("done").ok());
  ASSERT_TRUE(whole.RecordPassEnd().ok());
  whole.RecordPassStart();
  ASSERT_TRUE(whole.set_current_pass_name("partitions").ok());

  HloModuleMetadata part;
  part.set_prepartitioning_metadata(whole);
  EXPECT_EQ(part.proto().original_module_id(), 3);
  ASSERT_EQ(part.prepartitioning_metadata()->pass_metadata_size(), 1);
  EXPECT_EQ(part.prepartitioning_metadata()->pass_metadata(0).pass_name(),
            "done");
  ASSERT_EQ(part.proto().pass_metadata_size(), 1);
  EXPECT_EQ(part.current_pass_id().value(), 2);
  EXPECT_TRUE(part.RecordPassEnd().ok());
  part.RecordPassStart();
  EXPECT_EQ(part.current_pass_id().value(), 3);
}

constexpr char kModule[] = R"(HloModule m

FileNames
1 "a.py"
2 "b.py"

FunctionNames
1 "main"
2 "f"

FileLocations
1 {file_name_id=1 function_name_id=1 line=7 end_line=7 column=4 end_column=46}
2 {file_name_id=2 function_name_id=2 line=30 end_line=31}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

ENTRY e {
  p = f32[] parameter(0)
  ROOT n = f32[] negate(p), metadata={op_name="x" source_line=3 stack_frame_id=2}
})";

std::unique_ptr<HloModule> ReadTraced() {
  auto module = ParseAndReturnUnverifiedModule(kModule);
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

TEST(StackFrameTest, FramesOfModules) {
  const auto module = ReadTraced();
  const HloModule::StackFrame frame = module->get_stack_frame(2);
  EXPECT_EQ(frame.file_name, "b.py");
  EXPECT_EQ(frame.function_name, "f");
  EXPECT_EQ(frame.line, 30);
  EXPECT_EQ(frame.column, 0);
  EXPECT_EQ(frame.parent_frame_id, 1);
  EXPECT_EQ(module->get_stack_frame(1).parent_frame_id, 0);
  EXPECT_EQ(module->get_stack_frame(1).ToString(), "a.py:7:4 [main]");
  EXPECT_EQ(frame.ToString(), "b.py:30 [f]");
  EXPECT_TRUE(module->get_stack_frame(0).empty());
  EXPECT_TRUE(module->get_stack_frame(3).empty());
  EXPECT_FALSE(HloModule("n").stack_frame_index().has_value());
  EXPECT_TRUE(HloModule("n").get_stack_frame(1).empty());
}

TEST(StackFrameTest, TracesOfInstructions) {
  const auto module = ReadTraced();
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_EQ(root->GetStackTraceStringFromMetadata(2),
            "  a.py:7:4 [main]\n  b.py:30 [f]");
  EXPECT_EQ(root->GetStackTraceFromMetadata().size(), 2u);
  HloInstruction* operand =
      module->entry_computation()->root_instruction()->mutable_operand(0);
  EXPECT_EQ(operand->GetStackTraceStringFromMetadata(1),
            " <no source information>");
  EXPECT_EQ(root->Clone()->GetStackTraceStringFromMetadata(),
            "<no source information>");
  OpMetadata metadata;
  metadata.set_stack_frame_id(77);  // There is none.
  metadata.set_source_file("c.py");
  metadata.set_source_line(8);
  operand->set_metadata(metadata);
  EXPECT_EQ(operand->GetStackTraceStringFromMetadata(3), "   c.py:8");
  EXPECT_EQ(OpMetadataToString(root->metadata()),
            "op_name=\"x\" source_line=3 stack_frame_id=2");
  EXPECT_EQ(OpMetadataToString(root->metadata(), /*only_op_name=*/true),
            "op_name=\"x\"");
  EXPECT_EQ(OpMetadataToString(OpMetadata()), "");
}

TEST(StackFrameTest, WrongTablesEnd) {
  const auto module = ReadTraced();
  StackFrameIndexProto index = *module->stack_frame_index();
  index.mutable_stack_frames(0)->set_parent_frame_id(2);  // a cycle
  module->set_stack_frame_index(index);
  const HloInstruction* root = module->entry_computation()->root_instruction();
  EXPECT_EQ(root->GetStackTraceFromMetadata().size(), 2u);
  index.mutable_file_locations(1)->set_file_name_id(99);
  index.mutable_file_locations(1)->set_function_name_id(-1);
  index.mutable_stack_frames(0)->set_file_location_id(99);
  module->set_stack_frame_index(index);
  EXPECT_EQ(root->GetStackTraceStringFromMetadata(), ":30");
}

// A pass that says that it changed the module, or fails.
class Says : public HloPassInterface {
 public:
  Says(std::string name, absl::StatusOr<bool> result)
      : name_(std::move(name)), result_(std::move(result)) {}
  absl::string_view name() const override { return name_; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override { return result_; }

 private:
  std::string name_;
  absl::StatusOr<bool> result_;
};

std::vector<std::string> Passes(const HloModule& module) {
  std::vector<std::string> passes;
  for (const auto& pass : module.metadata().proto().pass_metadata()) {
    EXPECT_EQ(pass.pass_id(), static_cast<int64_t>(passes.size()) + 1);
    EXPECT_LE(pass.start_timestamp_usec(), pass.end_timestamp_usec() == 0
                                               ? pass.start_timestamp_usec()
                                               : pass.end_timestamp_usec());
    passes.push_back(absl::StrCat(pass.pipeline_name(), "/", pass.pass_name(),
                                  pass.module_changed() ? "!" : "",
                                  pass.end_timestamp_usec() == 0 ? "?" : ""));
  }
  return passes;
}

TEST(PassMetadataTest, PipelinesRecordTheirPasses) {
  const auto module = ReadTraced();
  HloPassPipeline outer("outer");
  outer.AddPass<Says>("first", true);
  auto& inner = outer.AddPass<HloPassPipeline>("inner");
  inner.AddPass<Says>("second", false);
  inner.AddPass<Says>("third", true);
  ASSERT_TRUE(outer.Run(module.get()).value());
  EXPECT_THAT(
      Passes(*module),
      ElementsAre("outer/pipeline-start", "outer/first!", "outer/inner!",
                  "inner/pipeline-start", "inner/second", "inner/third!"));
  const HloModuleMetadataProto& proto = module->metadata()->proto();
  EXPECT_EQ(proto.canonical_module_id(), module->unique_id());
  EXPECT_EQ(proto.pass_metadata(1).module_id(), module->unique_id());
}

TEST(PassMetadataTest, PassesThatFailNeverEnd) {
  const auto module = ReadTraced();
  HloPassPipeline pipeline("p");
  pipeline.AddPass<Says>("fails", absl::InternalError("no"));
  pipeline.AddPass<Says>("never runs", true);
  EXPECT_FALSE(pipeline.Run(module.get()).ok());
  EXPECT_THAT(Passes(*module), ElementsAre("p/pipeline-start", "p/fails?"));
}

TEST(PassMetadataTest, ModulesHaveNumbersAndMoveTheirMetadata) {
  HloModule a("a"), b("b");
  EXPECT_NE(a.unique_id(), b.unique_id());
  a.metadata()->RecordPassStart();
  a.MoveMetadataToModule(&b);
  EXPECT_EQ(b.metadata()->proto().pass_metadata_size(), 1);
  EXPECT_TRUE(b.metadata()->RecordPassEnd().ok());
  EXPECT_EQ(a.metadata()->proto().pass_metadata_size(), 0);
  a.metadata()->RecordPassStart();
  EXPECT_TRUE(a.metadata()->RecordPassEnd().ok());
}

}  // namespace
}  // namespace xla
