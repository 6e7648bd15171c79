// The devices of collectives in the form that programs give them, through text,
// protos and copies.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "xla/hlo/ir/collective_op_group_mode.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/hlo/ir/mesh_and_axis.h"
#include "xla/hlo/ir/replica_group.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The forms as XLA prints them, and their groups.
struct Form {
  std::shared_ptr<const CollectiveDeviceListBase> list;
  std::string text;
  std::string groups;
  CollectiveDeviceListVersion version;
};

std::vector<Form> Forms() {
  const std::vector<std::vector<int64_t>> groups = {{0, 2}, {1, 3}};
  const Mesh mesh({2, 2}, {"x", "y"});
  return {
      {std::make_shared<CollectiveDeviceList>(groups), "{{0,2},{1,3}}",
       "{{0,2},{1,3}}", CollectiveDeviceListVersion::kListOfLists},
      {std::make_shared<CollectiveDeviceList>(), "{}", "{}",
       CollectiveDeviceListVersion::kListOfLists},
      {std::make_shared<IotaReplicaGroupList>(2, 2, std::vector<int64_t>{2, 2},
                                              std::vector<int>{1, 0}),
       "[2,2]<=[2,2]T(1,0)", "{{0,2},{1,3}}",
       CollectiveDeviceListVersion::kIota},
      {std::make_shared<MeshAxesReplicaGroupList>(
           mesh, std::vector<AxisRef>{AxisRef(0)}),
       "mesh['x'=2,'y'=2] {'x'}", "{{0,2},{1,3}}",
       CollectiveDeviceListVersion::kMeshAxes},
  };
}

// A module with each collective of these devices, one after the other.
std::unique_ptr<HloModule> ModuleOf(const CollectiveDeviceListBase& list) {
  auto module = std::make_unique<HloModule>("m", HloModuleConfig());
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  HloComputation::Builder add("add");
  HloInstruction* a =
      add.AddInstruction(HloInstruction::CreateParameter(0, scalar, "a"));
  HloInstruction* b =
      add.AddInstruction(HloInstruction::CreateParameter(1, scalar, "b"));
  add.AddInstruction(
      HloInstruction::CreateBinary(scalar, HloOpcode::kAdd, a, b));
  HloComputation* sum = module->AddEmbeddedComputation(add.Build());

  HloComputation::Builder entry("e");
  HloInstruction* x =
      entry.AddInstruction(HloInstruction::CreateParameter(0, shape, "x"));
  const auto next = [&](std::unique_ptr<HloInstruction> made) {
    return entry.AddInstruction(std::move(made));
  };
  next(HloInstruction::CreateAllGather(ShapeUtil::MakeShape(F32, {8}), {x}, 0,
                                       list, false, std::nullopt, false));
  next(HloInstruction::CreateAllGatherStart(
      ShapeUtil::MakeTupleShape({shape, ShapeUtil::MakeShape(F32, {8})}), {x},
      0, list, false, std::nullopt, false));
  next(HloInstruction::CreateAllReduceStart(shape, {x}, sum, list, false,
                                            std::nullopt, false));
  next(HloInstruction::CreateReduceScatter(ShapeUtil::MakeShape(F32, {2}), {x},
                                           sum, list, false, std::nullopt,
                                           false, 0));
  next(
      HloInstruction::CreateAllToAll(shape, {x}, list, false, std::nullopt, 0));
  next(HloInstruction::CreateCollectiveBroadcast(shape, {x}, list, false,
                                                 std::nullopt));
  HloInstruction* offsets = next(HloInstruction::CreateParameter(
      1, ShapeUtil::MakeShape(S64, {2}), "offsets"));
  next(HloInstruction::CreateRaggedAllToAll(
      shape, {x, x, offsets, offsets, offsets, offsets}, list, std::nullopt));
  next(HloInstruction::CreateAllReduce(shape, {x}, sum, list, false,
                                       std::nullopt, false));
  module->AddEntryComputation(entry.Build());
  return module;
}

std::vector<const HloInstruction*> CollectivesOf(const HloModule& module) {
  std::vector<const HloInstruction*> found;
  for (const HloInstruction* hlo : module.entry_computation()->instructions()) {
    if (hlo->opcode() != HloOpcode::kParameter) found.push_back(hlo);
  }
  return found;
}

void ExpectForm(const HloModule& module, const Form& form) {
  const std::vector<const HloInstruction*> collectives = CollectivesOf(module);
  EXPECT_EQ(collectives.size(), 8);
  for (const HloInstruction* hlo : collectives) {
    EXPECT_TRUE(hlo->device_list() == *form.list) << hlo->ToString();
    EXPECT_EQ(hlo->device_list().version(), form.version);
    // The last attribute of some ops.
    const auto text = [&](const HloPrintOptions& options) {
      return hlo->ToString(options) + ",";
    };
    EXPECT_THAT(text({}), HasSubstr("replica_groups=" + form.text + ","));
    EXPECT_THAT(text(HloPrintOptions().set_print_full_replica_group_list(true)),
                HasSubstr("replica_groups=" + form.groups + ","));
    EXPECT_EQ(hlo->has_replica_groups(), form.text != "{}");
    EXPECT_EQ(ReplicaGroupsToString(hlo->replica_groups()), form.groups);
    // The groups live as long as the instruction.
    EXPECT_EQ(&hlo->replica_groups(), &hlo->device_list().replica_groups());
  }
}

TEST(DeviceListTest, FormsStayAsTheyAre) {
  for (const Form& form : Forms()) {
    const std::unique_ptr<HloModule> module = ModuleOf(*form.list);
    ExpectForm(*module, form);
    ExpectForm(*module->Clone(""), form);
    const auto parsed = ParseAndReturnUnverifiedModule(module->ToString());
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ExpectForm(**parsed, form);
    const auto read =
        HloModule::CreateFromProto(module->ToProto(), HloModuleConfig());
    ASSERT_TRUE(read.ok()) << read.status();
    ExpectForm(**read, form);
  }
}

TEST(DeviceListTest, ProtosHaveOneForm) {
  const std::vector<Form> forms = Forms();
  const auto proto_of = [](const Form& form) {
    const std::unique_ptr<HloModule> module = ModuleOf(*form.list);
    return CollectivesOf(*module)[0]->ToProto();
  };
  EXPECT_EQ(proto_of(forms[0]).collective_device_list().replica_groups_size(),
            2);
  EXPECT_TRUE(proto_of(forms[1]).has_collective_device_list());
  const HloInstructionProto iota = proto_of(forms[2]);
  EXPECT_FALSE(iota.has_collective_device_list());
  EXPECT_THAT(iota.iota_collective_device_list().iota_reshape_dims(),
              ElementsAre(2, 2));
  const HloInstructionProto axes = proto_of(forms[3]);
  EXPECT_FALSE(axes.has_collective_device_list());
  EXPECT_EQ(axes.mesh_axes_replica_group_list().mesh().axes(1).name(), "y");
}

TEST(DeviceListTest, ListsOfAnIotaBecomeOne) {
  const CollectiveDeviceList list(IotaReplicaGroupList(2, 2));
  const std::unique_ptr<HloModule> module = ModuleOf(list);
  const HloInstruction* reduce =
      module->entry_computation()->root_instruction();
  EXPECT_TRUE(reduce->device_list() == list);
  EXPECT_THAT(reduce->ToString(), HasSubstr("replica_groups=[2,2]<=[4],"));
  const auto read =
      HloModule::CreateFromProto(module->ToProto(), HloModuleConfig());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE((*read)->entry_computation()->root_instruction()->device_list() ==
              IotaReplicaGroupList(2, 2));
}

TEST(DeviceListTest, GroupsOneByOneAreAList) {
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  const auto x = HloInstruction::CreateParameter(0, shape, "x");
  const std::vector<ReplicaGroup> groups =
      CollectiveDeviceList(IotaReplicaGroupList(2, 2)).replica_groups();
  const auto gather = HloInstruction::CreateAllGather(
      shape, {x.get()}, 0, groups, false, std::nullopt, false);
  EXPECT_EQ(gather->device_list().ToString(), "{{0,1},{2,3}}");
  const auto all = HloInstruction::CreateAllToAll(
      shape, {x.get()}, /*replica_groups=*/{}, false, std::nullopt, 0);
  EXPECT_FALSE(all->has_replica_groups());
  EXPECT_THAT(all->replica_groups(), IsEmpty());
}

TEST(DeviceListTest, TextsTakeTheirLeastForm) {
  const auto text = [](const std::string& groups) {
    const auto module = ParseAndReturnUnverifiedModule(
        "HloModule m, replica_count=8\nENTRY e {\n  x = f32[4] parameter(0)\n"
        "  ROOT a = f32[4] all-to-all(x), dimensions={0}, replica_groups=" +
        groups + "\n}");
    if (!module.ok()) return std::string(module.status().message());
    return (*module)
        ->entry_computation()
        ->root_instruction()
        ->device_list()
        .ToString();
  };
  EXPECT_EQ(text("[2,4]<=[2,2,2]T(0,1,2)"), "[2,4]<=[8]");
  EXPECT_EQ(text("[8,1]<=[8]"), "[8,1]<=[8]");
  EXPECT_EQ(text("{{}}"), "{{}}");
  EXPECT_EQ(text("mesh['x'=2,'y'=4], device_ids=([8]) {'y'}"),
            "mesh['x'=2,'y'=4] {'y'}");
  EXPECT_EQ(text("mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,0,1) {'y','x'}"),
            "mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,0,1) {'y','x'}");
  EXPECT_EQ(text("mesh['x'=2,'y'=4]{'y':(2)2,'y':(1)2}"),
            "mesh['x'=2,'y'=4] {'y':(2)2,'y':(1)2}");

  EXPECT_THAT(text("[2,4]<=[4]"), HasSubstr("[groups,devices]"));
  EXPECT_THAT(text("[8]<=[8]"), HasSubstr("[groups,devices]"));
  EXPECT_THAT(text("[2,4]<=[4,2]T(1,1)"), HasSubstr("no transposed iota"));
  EXPECT_THAT(text("[2,4]<=[4,2]T(4294967297,0)"),
              HasSubstr("no transposed iota"));
  EXPECT_THAT(text("[2,4]<=[4294967296,4294967296]"),
              HasSubstr("no transposed iota"));
  EXPECT_THAT(text("mesh['x'=2,'y'=4] {}"), HasSubstr("more than one device"));
  EXPECT_THAT(text("mesh['x'=1,'y'=8] {'x'}"),
              HasSubstr("more than one device"));
  EXPECT_THAT(text("mesh['x'=2,'y'=4] {'y':(1)2,'y':(2)2}"),
              HasSubstr("one part of an axis"));
  EXPECT_THAT(text("mesh['x'=2,'y'=4] {'y':(1)3}"), HasSubstr("no part"));
  EXPECT_THAT(text("mesh['x'=2,'y'=4] {'y','y':(1)2}"), HasSubstr("overlap"));
}

TEST(DeviceListTest, ListsAreReadAlone) {
  const auto text = [](const std::string& groups) {
    const auto list = ParseCollectiveDeviceListOnly(groups);
    return list.ok() ? list->ToString() : std::string(list.status().message());
  };
  EXPECT_EQ(text("{{0,2},{1,3}}"), "{{0,2},{1,3}}");
  EXPECT_EQ(text("[2,2]<=[2,2]T(1,0)"), "[2,2]<=[2,2]T(1,0)");
  EXPECT_EQ(text("mesh['x'=2,'y'=2] {'x'}"), "{{0,2},{1,3}}");
  EXPECT_THAT(text("[2,2]<=[2]"), HasSubstr("[groups,devices]"));
  EXPECT_THAT(text("{{0}} {"), HasSubstr("expected"));
}

TEST(DeviceListTest, FormsTellInstructionsApart) {
  const std::vector<Form> forms = Forms();
  const std::unique_ptr<HloModule> list = ModuleOf(*forms[0].list);
  const std::unique_ptr<HloModule> same = ModuleOf(*forms[0].list);
  const std::unique_ptr<HloModule> iota = ModuleOf(*forms[2].list);
  const auto attrs = [](const HloModule& module) -> const Attrs& {
    return module.entry_computation()->root_instruction()->raw_attrs();
  };
  EXPECT_TRUE(attrs(*list) == attrs(*same));
  EXPECT_FALSE(attrs(*list) == attrs(*iota));
}

TEST(CollectiveOpGroupModeTest, ModesHaveNames) {
  const struct {
    bool has_channel;
    std::optional<bool> global_ids;
    const char* name;
  } rows[] = {
      {false, std::nullopt, "cross_replica"},
      {false, false, "cross_replica"},
      {true, std::nullopt, "cross_partition"},
      {true, false, "cross_replica_and_partition"},
      {true, true, "flattened_id"},
  };
  for (const auto& row : rows) {
    const auto mode = GetCollectiveOpGroupMode(row.has_channel, row.global_ids);
    ASSERT_TRUE(mode.ok());
    EXPECT_EQ(CollectiveOpGroupModeToString(*mode), row.name);
    EXPECT_EQ(*StringToCollectiveOpGroupMode(row.name), *mode);
  }
  EXPECT_FALSE(GetCollectiveOpGroupMode(false, true).ok());
  EXPECT_THAT(StringToCollectiveOpGroupMode("unknown").status().message(),
              HasSubstr("no group mode 'unknown'"));
}

}  // namespace
}  // namespace xla
