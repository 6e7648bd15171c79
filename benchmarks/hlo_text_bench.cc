// Times reading and printing HLO text on one core.
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

// A module of `count` instructions, of four kinds in turn, with layouts and
// metadata as in JAX programs.
std::string Program(int count) {
  std::string text =
      "HloModule bench\n\nENTRY %main (p: f32[128,256], q: f32[256]) -> "
      "f32[128,256] {\n  %x.0 = f32[128,256]{1,0} parameter(0)\n"
      "  %q = f32[256]{0} parameter(1)\n";
  for (int i = 1; i <= count; ++i) {
    absl::StrAppend(&text, i == count ? "  ROOT %x." : "  %x.", i, " = ");
    switch (i % 4) {
      case 0:
        absl::StrAppend(&text, "f32[128,256]{1,0} add(%x.", i - 1, ", %x.",
                        i / 2, ")");
        break;
      case 1:
        absl::StrAppend(&text,
                        "f32[128,256]{1,0} broadcast(%q), dimensions={1}");
        break;
      case 2:
        absl::StrAppend(&text, "f32[128,256]{1,0} multiply(%x.", i - 1, ", %x.",
                        i - 2, ")");
        break;
      case 3:
        absl::StrAppend(&text, "f32[128,256]{1,0} tanh(%x.", i - 1, ")");
        break;
    }
    absl::StrAppend(&text, ", metadata={op_name=\"jit(step)/layer_", i % 97,
                    "/op\" source_file=\"model.py\" source_line=", i % 1000,
                    "}\n");
  }
  return text + "}\n";
}

void BM_Parse(benchmark::State& state) {
  const std::string text = Program(state.range(0));
  for (auto _ : state) {
    auto module = ParseAndReturnUnverifiedModule(text);
    if (!module.ok()) {
      state.SkipWithError(std::string(module.status().message()).c_str());
      return;
    }
    benchmark::DoNotOptimize(module);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Parse)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

void BM_Print(benchmark::State& state) {
  auto module = ParseAndReturnUnverifiedModule(Program(state.range(0)));
  for (auto _ : state) {
    std::string text = (*module)->ToString(HloPrintOptions::Lossless());
    benchmark::DoNotOptimize(text);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_Print)->Arg(1000)->Arg(100000)->Unit(benchmark::kMillisecond);

// This time must stay below a second.
void BM_ParseAndPrint(benchmark::State& state) {
  const std::string text = Program(state.range(0));
  for (auto _ : state) {
    auto module = ParseAndReturnUnverifiedModule(text);
    std::string again = (*module)->ToString(HloPrintOptions::Lossless());
    benchmark::DoNotOptimize(again);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ParseAndPrint)->Arg(100000)->Unit(benchmark::kMillisecond);

void BM_ProtoRoundTrip(benchmark::State& state) {
  auto module = ParseAndReturnUnverifiedModule(Program(state.range(0)));
  for (auto _ : state) {
    auto copy = HloModule::CreateFromProto((*module)->ToProto());
    benchmark::DoNotOptimize(copy);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ProtoRoundTrip)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xla
