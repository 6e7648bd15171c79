// Passes do not change what a module computes: every pass, and the pipeline of
// them all, on the cases of tests/ops and on the modules of the lit files here,
// against the evaluator.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/ops/op_cases.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/fusion/cpu_fusion_backend.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::test {
namespace {

// The passes in the order in which a backend would run them.
constexpr absl::string_view kPipeline[] = {
    "known-call-expander",
    "layout-normalization",
    "bitcast-expander",
    "domain-remover",
    "async-to-sync",
    "fusion-inliner",
    "call-inliner",
    "dynamic-dimension-inference",
    "reducer-type-converter",
    "tuple-simplifier",
    "conditional-simplifier",
    "sparse-convolution-expander",
    "dynamic-padder",
    "collective-permute-expander",
    "batch-norm-expander",
    "complex-order-expander",
    "topk-decomposer",
    "ragged-dot-expander",
    "scaled-dot-expander",
    "stochastic-convert-decomposer",
    "scan-expander",
    "mulhi-expander",
    "dynamic-index-splitter",
    "rng-bit-generator-expander",
    "erfc-raising",
    "while-loop-unroller",
    "convolution-canonicalizer",
    "dot-result-order",
    "dot-canonicalizer",
    "transpose-mover",
    "select-and-scatter-expander",
    "tuple-simplifier",
    "constant-folding",
    "while-simplifier",
    "while-loop-invariant-code-motion",
    "while-loop-dot-hoisting",
    "while-loop-dot-sinking",
    "while-loop-unpack-sinking",
    "sort-simplifier",
    "cse",
    "dce",
    "dot-transpose-folding",
    "while-loop-trip-count-annotator",
    "flatten-call-graph",
    "while-loop-double-buffering",
};

// Formulas may round differently from the evaluator, which computes some ops in
// f64.
constexpr double kTolerance = 1e-5;

absl::Status RunPass(absl::string_view name, HloModule* module) {
  const cpu::CpuFusionBackend fusion(cpu::HostTarget());
  const cpu::CpuAliasInfo alias_info;
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloPassInterface> pass,
                      MakePass(name, {&fusion, &alias_info}));
  const std::string before = module->ToString(HloPrintOptions::Lossless());
  TF_ASSIGN_OR_RETURN(bool changed, pass->Run(module));
  TF_RETURN_IF_ERROR(
      HloVerifier({.allow_entry_buffers = true}).Verify(*module));
  const std::string after = module->ToString(HloPrintOptions::Lossless());
  if (!changed && before != after) {
    return absl::InternalError(absl::StrCat(
        name, " says that it changed nothing\n", before, "\n", after));
  }
  return absl::OkStatus();
}

absl::Status RunPipeline(HloModule* module) {
  for (absl::string_view name : kPipeline) {
    absl::Status status = RunPass(name, module);
    if (!status.ok()) {
      return absl::Status(status.code(),
                          absl::StrCat(name, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

// Returns whether a pass, or the pipeline, turns it into a custom call that
// only the backend implements.
bool AsksForASeed(const OpCase& op_case) {
  return absl::StrContains(op_case.text, "GetRngSeed");
}

std::vector<OpCase> ValueCases() {
  std::vector<OpCase> all;
  for (const auto& [stem, contents] : OpFiles()) {
    auto cases = ParseOpCases(stem, contents);
    CHECK(cases.ok()) << cases.status().message();
    for (OpCase& op_case : *cases) {
      if (!op_case.error.empty()) continue;
      op_case.tolerance = std::max(op_case.tolerance, kTolerance);
      all.push_back(std::move(op_case));
    }
  }
  return all;
}

// Returns the results of the module that `change` makes of the text.
template <typename Change>
absl::Status RunChanged(const OpCase& op_case, const Change& change) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseAndReturnUnverifiedModule(op_case.text));
  module->mutable_config().set_replica_count(op_case.replicas);
  module->mutable_config().set_num_partitions(op_case.partitions);
  // The other passes require shapes that declare what is dynamic.
  TF_RETURN_IF_ERROR(RunPass("dynamic-dimension-inference", module.get()));
  TF_RETURN_IF_ERROR(change(module.get()));
  // If the entry is tiled, its arrays are now buffers, and the module is no
  // program to compile: ops_test runs such modules from the start.
  if (!HloVerifier().Verify(*module).ok()) return absl::OkStatus();
  const std::string text = module->ToString();
  absl::Status status = RunOpCase(op_case, std::move(module));
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), "\n", text));
}

TEST(OpsAfterPasses, HaveTheirValues) {
  for (const OpCase& op_case : ValueCases()) {
    for (const PassEntry& entry : RegisteredPasses()) {
      // Only the backend implements its custom call.
      if (entry.name == "rng-expander") continue;
      if (entry.name == "known-call-expander" && AsksForASeed(op_case))
        continue;
      const absl::Status status = RunChanged(op_case, [&](HloModule* module) {
        return RunPass(entry.name, module);
      });
      if (absl::IsUnimplemented(status)) continue;
      EXPECT_TRUE(status.ok()) << entry.name << " of " << op_case.name << ": "
                               << status.message() << "\n"
                               << op_case.text;
    }
  }
}

TEST(OpsAfterPasses, HaveTheirValuesAfterAll) {
  for (const OpCase& op_case : ValueCases()) {
    if (AsksForASeed(op_case)) continue;
    const absl::Status status = RunChanged(op_case, RunPipeline);
    if (absl::IsUnimplemented(status)) {
      std::cout << op_case.name << ": " << status.message() << "\n";
      continue;
    }
    EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                             << op_case.text;
  }
}

// A second run of the pipeline gets a module that it accepts.
TEST(OpsAfterPasses, MayBeTransformedAgain) {
  for (const OpCase& op_case : ValueCases()) {
    if (AsksForASeed(op_case)) continue;
    const absl::Status status = RunChanged(op_case, [&](HloModule* module) {
      TF_RETURN_IF_ERROR(RunPipeline(module));
      return RunPipeline(module);
    });
    if (absl::IsUnimplemented(status)) continue;
    EXPECT_TRUE(status.ok()) << op_case.name << ": " << status.message() << "\n"
                             << op_case.text;
  }
}

// Random numbers keep their bits for a seed --------------------------------

absl::StatusOr<Literal> RunWithKeys(const HloModule& module) {
  HloEvaluator evaluator;
  evaluator.set_seed(5);
  DeviceContext device(5);
  evaluator.set_custom_call_handler(
      [&](const HloInstruction* call,
          absl::Span<const Literal*>) -> absl::StatusOr<Literal> {
        return LiteralUtil::CreateR0<uint64_t>(device.NextRandomBits());
      });
  return evaluator.Evaluate(module, absl::Span<const Literal* const>());
}

class RngValues : public testing::TestWithParam<const char*> {};

TEST_P(RngValues, StayForASeed) {
  const std::string text =
      absl::StrCat("HloModule m\nENTRY e {\n", GetParam(), "\n}\n");
  auto before = ParseAndReturnUnverifiedModule(text);
  ASSERT_TRUE(before.ok()) << before.status().message();
  auto after = (*before)->Clone();
  const absl::Status status = RunPass("rng-expander", after.get());
  ASSERT_TRUE(status.ok()) << status.message();
  auto expected = RunWithKeys(**before);
  auto actual = RunWithKeys(*after);
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  const absl::Status same = literal_comparison::Equal(*expected, *actual);
  EXPECT_TRUE(same.ok()) << same.message();
}

INSTANTIATE_TEST_SUITE_P(
    All, RngValues,
    testing::Values("a = f32[] constant(-2)\n b = f32[] constant(3)\n"
                    "r = f32[3,5] rng(a, b), distribution=rng_uniform\n"
                    "s = f32[7] rng(a, b), distribution=rng_normal\n"
                    "ROOT t = (f32[3,5], f32[7]) tuple(r, s)",
                    "a = bf16[] constant(0)\n b = bf16[] constant(0.01)\n"
                    "ROOT r = bf16[300] rng(a, b), distribution=rng_uniform",
                    "a = s8[] constant(-3)\n b = s8[] constant(100)\n"
                    "ROOT r = s8[31] rng(a, b), distribution=rng_uniform",
                    "a = u64[] constant(3)\n b = u64[] constant(3)\n"
                    "ROOT r = u64[3] rng(a, b), distribution=rng_uniform",
                    "a = pred[] constant(false)\n b = pred[] constant(true)\n"
                    "ROOT r = pred[9] rng(a, b), distribution=rng_uniform",
                    "a = f64[] constant(1)\n b = f64[] constant(2)\n"
                    "ROOT r = f64[] rng(a, b), distribution=rng_normal"));

// The modules of the lit files ----------------------------------------------

Literal RandomLiteral(const Shape& shape, std::mt19937& random) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& part : shape.tuple_shapes()) {
      elements.push_back(RandomLiteral(part, random));
    }
    return LiteralUtil::MakeTupleOwned(std::move(elements));
  }
  if (!shape.IsArray()) return LiteralUtil::CreateToken();
  // Small integers are exact in all types, and so are sums of them.
  Literal numbers(ShapeUtil::MakeShape(S32, shape.dimensions()));
  const bool is_signed =
      !primitive_util::IsUnsignedIntegralType(shape.element_type()) &&
      shape.element_type() != PRED;
  for (int32_t& number : numbers.data<int32_t>()) {
    number = static_cast<int32_t>(random() % 5) - (is_signed ? 2 : 0);
    if (shape.element_type() == PRED) number &= 1;
  }
  Literal converted = *numbers.Convert(shape.element_type());
  Shape with_layout = shape;
  with_layout.clear_dynamic_dimensions();
  if (!with_layout.has_layout()) LayoutUtil::SetToDefaultLayout(&with_layout);
  Literal result = converted.Relayout(with_layout);
  if (shape.is_static()) return result;
  Literal dynamic(shape);
  std::copy_n(static_cast<const char*>(result.untyped_data()),
              result.size_bytes(), static_cast<char*>(dynamic.untyped_data()));
  for (int d = 0; d < shape.rank(); ++d) {
    if (!shape.is_dynamic_dimension(d)) continue;
    dynamic.SetDynamicSize(
        d, static_cast<int32_t>(random() % (shape.dimensions(d) + 1)));
  }
  return dynamic;
}

absl::Status CompareValues(const HloModule& before, const HloModule& after,
                           int* compared) {
  std::mt19937 random(1);
  for (int round = 0; round < 4; ++round) {
    std::vector<Literal> arguments;
    for (const HloInstruction* parameter :
         before.entry_computation()->parameter_instructions()) {
      arguments.push_back(RandomLiteral(parameter->shape(), random));
    }
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    HloEvaluator evaluator(/*max_loop_iterations=*/1000);
    // Modules that need other devices, the host or a seed are not compared.
    absl::StatusOr<Literal> expected = evaluator.Evaluate(before, pointers);
    if (!expected.ok()) return absl::OkStatus();
    ++*compared;
    TF_ASSIGN_OR_RETURN(Literal actual, evaluator.Evaluate(after, pointers));
    TF_RETURN_IF_ERROR(literal_comparison::Near(
        *expected, actual, ErrorSpec(kTolerance, kTolerance)));
  }
  return absl::OkStatus();
}

TEST(LitModules, KeepTheirValues) {
  const char* root = std::getenv("TESSERA_SRC");
  const std::filesystem::path folder =
      std::filesystem::path(root != nullptr ? root : ".") / "tests" / "hlo" /
      "transforms";
  int modules = 0, compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hlo") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string contents(std::istreambuf_iterator<char>(file), {});
    const size_t at = contents.find("tessera opt --passes=");
    if (at == std::string::npos) continue;
    const size_t from = at + sizeof("tessera opt --passes=") - 1;
    const std::string passes =
        contents.substr(from, contents.find(' ', from) - from);
    if (passes == "rng-expander") continue;  // see RngValues
    for (absl::string_view text : absl::StrSplit(contents, "\n// -----")) {
      auto before = ParseAndReturnUnverifiedModule(text);
      if (!before.ok()) continue;
      auto after = (*before)->Clone();
      // The evaluator and other passes require shapes that declare what is
      // dynamic.
      absl::Status status =
          RunPass("dynamic-dimension-inference", before->get());
      for (absl::string_view pass : absl::StrSplit(passes, ',')) {
        status.Update(RunPass(pass, after.get()));
      }
      if (absl::IsNotFound(status) || absl::IsUnimplemented(status)) continue;
      status.Update(CompareValues(**before, *after, &compared));
      EXPECT_TRUE(status.ok()) << entry.path() << ", " << (*before)->name()
                               << ": " << status.message() << "\n"
                               << after->ToString();
      ++modules;
    }
  }
  EXPECT_GT(modules, 0);
  EXPECT_GT(compared, 2 * modules);
}

}  // namespace
}  // namespace xla::test
