// Reads artifacts of all versions, as jaxlib writes them, and invalid ones.
#include "xla/stablehlo/bytecode/bytecode_reader.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/stablehlo/bytecode/op_table.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/tree_text.h"

namespace xla::stablehlo {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::filesystem::path Folder() {
  const char* source = std::getenv("TESSERA_SRC");
  return std::filesystem::path(source ? source : ".") / "tests" / "stablehlo" /
         "artifacts";
}

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file),
          std::istreambuf_iterator<char>()};
}

std::string Artifact(const std::string& name) {
  return ReadFile(Folder() / (name + ".mlirbc"));
}

std::string Tree(const std::string& bytes) {
  auto module = ReadBytecode(bytes);
  return module.ok() ? TreeToString(**module)
                     : std::string(module.status().message());
}

std::string ErrorOf(const std::string& bytes) {
  auto module = ReadBytecode(bytes);
  return module.ok() ? "" : std::string(module.status().message());
}

// Collects all ops of the module, outer ones first.
void Collect(const Op& op, std::vector<const Op*>& ops) {
  ops.push_back(&op);
  for (const Region& region : op.regions) {
    for (const Block* block : region.blocks) {
      for (const Op* inner : block->ops) Collect(*inner, ops);
    }
  }
}

std::vector<const Op*> OpsOf(const Module& module) {
  std::vector<const Op*> ops;
  Collect(*module.root, ops);
  return ops;
}

TEST(BytecodeReaderTest, AllVersionsGiveTheSameTree) {
  std::map<std::string, std::map<std::string, std::string>> programs;
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    if (entry.path().extension() != ".mlirbc") continue;
    const std::string name = entry.path().stem();
    programs[name.substr(0, name.find('-'))][name] =
        Tree(ReadFile(entry.path()));
  }
  EXPECT_GE(programs.size(), 8);
  for (const auto& [program, trees] : programs) {
    const std::string& tree = trees.begin()->second;
    EXPECT_TRUE(absl::StartsWith(tree, "\"builtin.module\"")) << tree;
    for (const auto& [name, other] : trees) EXPECT_EQ(other, tree) << name;
  }
}

// Compares the program itself, apart from attributes that text omits.
TEST(BytecodeReaderTest, TextGivesTheSameTree) {
  TreeTextOptions options;
  options.defaults = false;
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    if (entry.path().extension() != ".mlir") continue;
    const std::string name = entry.path().stem();
    // The text reader ignores sharding rules, and meshes of the newest
    // collectives.
    if (name == "sharding_rule" || name == "newest") continue;
    auto text = ReadText(ReadFile(entry.path()));
    ASSERT_TRUE(text.ok()) << name << ": " << text.status();
    auto artifact = ReadBytecode(Artifact(name + "-1.17.0"));
    ASSERT_TRUE(artifact.ok()) << name << ": " << artifact.status();
    EXPECT_EQ(TreeToString(**text, options), TreeToString(**artifact, options))
        << name;
    ++count;
  }
  EXPECT_GE(count, 7);
}

// Programs that are no portable artifacts: JAX's custom_partitioning sends
// these.
TEST(BytecodeReaderTest, PlainBytecodeGivesTheTreeOfTheText) {
  TreeTextOptions options;
  options.defaults = false;
  const std::filesystem::path programs =
      Folder().parent_path() / "text" / "programs";
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(Folder() / "plain")) {
    const std::string name = entry.path().stem().string() + ".mlir";
    std::string source = ReadFile(Folder() / name);
    if (source.empty()) source = ReadFile(programs / name);
    auto text = ReadText(source);
    ASSERT_TRUE(text.ok()) << name << ": " << text.status();
    auto plain = ReadBytecode(ReadFile(entry.path()));
    ASSERT_TRUE(plain.ok()) << name << ": " << plain.status();
    EXPECT_EQ(TreeToString(**plain, options), TreeToString(**text, options))
        << name;
    ++count;
  }
  EXPECT_GE(count, 6);
}

TEST(BytecodeReaderTest, FieldsOfStructsAreAttributes) {
  const std::string tree = Tree(Artifact("basic-0.9.0"));
  EXPECT_THAT(tree, HasSubstr("offset_dims = [1], operand_batching_dims = []"));
  EXPECT_THAT(tree, HasSubstr("kernel_output_feature_dimension = 3"));
  EXPECT_THAT(tree, HasSubstr("padding = dense<0x0100000000000000020000000000"
                              "000000000000000000000100000000000000> : "
                              "tensor<2x2xi64>"));
  EXPECT_THAT(tree, HasSubstr("channel_id = 5, channel_type = 3"));
  EXPECT_THAT(tree, HasSubstr("\"func.call\"(%1) {callee = @callee}"));
  EXPECT_THAT(tree, HasSubstr("called_computations = [@callee]"));
  EXPECT_THAT(tree, HasSubstr("mhlo.frontend_attributes = {a = \"b\"}"));
  EXPECT_THAT(tree, HasSubstr("api_version = API_VERSION_STATUS_RETURNING, "
                              "backend_config = \"text\""));
  EXPECT_THAT(tree, HasSubstr("transpose_a = ADJOINT"));
}

TEST(BytecodeReaderTest, ConstantsAreAsLiteralsHoldThem) {
  auto module = ReadBytecode(Artifact("basic-1.17.0"));
  ASSERT_TRUE(module.ok()) << module.status();
  std::map<std::string, const Attribute*> values;
  for (const Op* op : OpsOf(**module)) {
    if (op->name == "stablehlo.constant") {
      values[op->results[0].type->ToString()] = op->Find("value");
    }
  }
  EXPECT_EQ(values["tensor<4xf32>"]->data.size(), 16);
  EXPECT_TRUE(values["tensor<2x3xi64>"]->splat);
  EXPECT_EQ(values["tensor<2x3xi64>"]->data.size(), 8);
  EXPECT_TRUE(values["tensor<10xi1>"]->splat);
  EXPECT_EQ(values["tensor<10xi1>"]->data, "\1");
  EXPECT_EQ(values["tensor<3xi4>"]->data, "\x01\x0e\x07");
  EXPECT_THAT(values["tensor<0xf32>"]->data, IsEmpty());
  EXPECT_EQ(values["tensor<2xcomplex<f32>>"]->data.size(), 16);
  EXPECT_EQ(values["tensor<2xf8E4M3FN>"]->data, "\x3c");
}

TEST(BytecodeReaderTest, PackedBooleansHaveAByteEach) {
  EXPECT_THAT(Tree(Artifact("basic-0.9.0")),
              HasSubstr("{value = [1, 0, 1, 1, 0, 1, 1, 1, 1, 0]}"));
}

TEST(BytecodeReaderTest, TypesHaveBoundsAndScales) {
  EXPECT_THAT(Tree(Artifact("dynamic-1.17.0")),
              HasSubstr("tensor<?x4xf32, bounds<9, ?>>"));
  EXPECT_THAT(Tree(Artifact("quantized-1.17.0")),
              HasSubstr("!quant.uniform<ui8<0:100>:f32, 2:7>"));
  EXPECT_THAT(Tree(Artifact("per_axis-1.17.0")),
              HasSubstr("!quant.uniform<i8<-128:127>:f32:0, 0.5:3, 1.5:-4>"));
  EXPECT_THAT(Tree(Artifact("newest-1.17.0")), HasSubstr("tensor<2xf4E2M1FN>"));
}

TEST(BytecodeReaderTest, CastsAreTheirOperands) {
  const std::string tree = Tree(Artifact("sharded-1.17.0"));
  EXPECT_THAT(tree, Not(HasSubstr("unrealized")));
  EXPECT_THAT(tree, HasSubstr("%2 = \"sdy.manual_computation\"(%0)"));
}

TEST(BytecodeReaderTest, ShardingsAreDictionaries) {
  EXPECT_THAT(
      Tree(Artifact("sharded-1.17.0")),
      HasSubstr("{dims = [{axes = [{name = \"x\"}], closed = false, priority = "
                "1}, {axes = [{name = \"y\", pre_size = 2, size = 2}], closed "
                "= true}], mesh = @mesh, replicated = [], unreduced = []}"));
  EXPECT_THAT(Tree(Artifact("newest-1.17.0")),
              HasSubstr("replica_groups = {axes = [{name = \"x\", pre_size = "
                        "1, size = 2}], mesh = {axes = [{name = \"x\", size = "
                        "4}], device_ids = [3, 1, 2, 0]}}"));
}

TEST(BytecodeReaderTest, ShardingRulesAreFactors) {
  EXPECT_THAT(Tree(Artifact("sharding_rule-1.17.0")),
              HasSubstr("factor_sizes = [4, 4], is_custom_rule = false, "
                        "need_replication_factors = [], operand_mappings = "
                        "[[[0], [1]]], permutation_factors = []"));
}

TEST(BytecodeReaderTest, OpsKnowTheirPlace) {
  auto module = ReadBytecode(Artifact("quantized-1.17.0"));
  ASSERT_TRUE(module.ok());
  const std::vector<const Op*> ops = OpsOf(**module);
  for (size_t i = 0; i < ops.size(); ++i) {
    EXPECT_EQ(ops[i]->location.op_index, i);
    EXPECT_FALSE(ops[i]->location.text);
    if (i > 0) {
      EXPECT_GT(ops[i]->location.byte_offset, ops[i - 1]->location.byte_offset);
    }
  }
}

TEST(BytecodeReaderTest, ValueNumbersAreDense) {
  auto module = ReadBytecode(Artifact("basic-1.17.0"));
  ASSERT_TRUE(module.ok());
  std::vector<int> seen((*module)->num_values, 0);
  for (const Op* op : OpsOf(**module)) {
    for (const Value& value : op->results) ++seen[value.id];
    for (const Region& region : op->regions) {
      for (const Block* block : region.blocks) {
        for (const Value& value : block->arguments) ++seen[value.id];
      }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), seen.size());
}

TEST(BytecodeReaderTest, RefusesWhatIsNoBytecode) {
  EXPECT_FALSE(IsBytecode("module {}"));
  EXPECT_TRUE(IsBytecode(Artifact("newest-1.17.0")));
  EXPECT_THAT(ErrorOf("module {}"), HasSubstr("not MLIR bytecode"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("not MLIR bytecode"));
  EXPECT_THAT(ErrorOf("ML\xEFR\x0f"), HasSubstr("version 7"));
}

TEST(BytecodeReaderTest, RefusesOtherVersions) {
  const auto newer = ReadBytecode(absl::StrReplaceAll(
      Artifact("newest-1.17.0"), {{"StableHLO_v1.17", "StableHLO_v1.18"}}));
  EXPECT_EQ(newer.status().code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(newer.status().message()),
              testing::AllOf(HasSubstr("1.18.0"), HasSubstr("1.17.0"),
                             HasSubstr("target version")));
  EXPECT_THAT(ErrorOf(absl::StrReplaceAll(Artifact("basic-0.9.0"),
                                          {{"_v0.9.0", "_v0.8.0"}})),
              testing::AllOf(HasSubstr("0.8.0"), HasSubstr("0.9.0")));
}

TEST(BytecodeReaderTest, NamesUnknownOps) {
  const std::string error = ErrorOf(absl::StrReplaceAll(
      Artifact("basic-1.17.0"), {{"atan2_v1", "atan3_v1"}}));
  EXPECT_THAT(error, HasSubstr("unknown op vhlo.atan3_v1"));
  EXPECT_THAT(error, testing::StartsWith("op 8 at byte "));
}

TEST(BytecodeReaderTest, AnyEndIsAnError) {
  for (const char* name :
       {"quantized-0.9.0", "sharded-1.17.0", "collectives-1.17.0"}) {
    const std::string bytes = Artifact(name);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(ReadBytecode(bytes.substr(0, size)).ok()) << size;
    }
  }
}

// Nothing may crash; accepted artifacts must print.
TEST(BytecodeReaderTest, AnyByteMayBeWrong) {
  for (const char* name :
       {"quantized-0.9.0", "sharded-1.17.0", "newest-1.17.0"}) {
    const std::string bytes = Artifact(name);
    for (size_t i = 0; i < bytes.size(); ++i) {
      for (int value : {0, 1, 2, 3, 0x10, 0x40, 0x7f, 0xfe, 0xff}) {
        std::string wrong = bytes;
        wrong[i] = static_cast<char>(value);
        Tree(wrong);
      }
    }
  }
}

TEST(BytecodeReaderTest, AnyByteOfPlainBytecodeMayBeWrong) {
  for (const char* name : {"basic", "collectives"}) {
    const std::string bytes =
        ReadFile(Folder() / "plain" / (std::string(name) + ".mlirbc"));
    ASSERT_FALSE(bytes.empty());
    for (size_t i = 0; i < bytes.size(); ++i) {
      EXPECT_NE(ErrorOf(bytes.substr(0, i)), "") << name << " to " << i;
      for (int value : {0, 1, 0x40, 0xff}) {
        std::string wrong = bytes;
        wrong[i] = static_cast<char>(value);
        Tree(wrong);
      }
    }
  }
}

TEST(OpTableTest, PropertiesAreInOrder) {
  EXPECT_GE(AllOpNames().size(), 160);
  for (const std::string& name : AllOpNames()) {
    const size_t dot = name.find('.');
    const OpRow* row = FindOpRow(name.substr(0, dot), name.substr(dot + 1));
    ASSERT_NE(row, nullptr);
    EXPECT_TRUE(std::is_sorted(row->properties.begin(), row->properties.end(),
                               [](const PropertyRow& a, const PropertyRow& b) {
                                 return a.name < b.name;
                               }))
        << name;
  }
  EXPECT_EQ(FindOpRow("vhlo", "add_v9"), nullptr);
}

}  // namespace
}  // namespace xla::stablehlo
