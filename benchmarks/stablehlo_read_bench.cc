// Times reading StableHLO artifacts on one core.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "benchmark/benchmark.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"

namespace xla::stablehlo {
namespace {

std::string Number(uint64_t value) {
  if (value < 128) return std::string(1, static_cast<char>(value << 1 | 1));
  const uint64_t bits = value << 3 | 4;  // below 2^21
  return {static_cast<char>(bits & 0xff), static_cast<char>(bits >> 8 & 0xff),
          static_cast<char>(bits >> 16)};
}

std::string Numbers(const std::vector<uint64_t>& values) {
  std::string bytes;
  for (uint64_t value : values) bytes += Number(value);
  return bytes;
}

std::string Section(int id, const std::string& content) {
  return static_cast<char>(id) + Number(content.size()) + content;
}

std::string StringSection(const std::vector<std::string>& strings) {
  std::string sizes, texts;
  for (const std::string& text : strings) {
    sizes = Number(text.size() + 1) + sizes;
    texts += text + '\0';
  }
  return Section(0, Number(strings.size()) + sizes + texts);
}

// An artifact of `count` ops, of four kinds in turn, with locations and a
// discardable attribute on every fourth op, as in JAX programs.
std::string Artifact(int count) {
  const std::string strings = StringSection(
      {"builtin", "module", "vhlo", "add_v1", "broadcast_in_dim_v1",
       "multiply_v1", "tanh_v2", "mhlo.frontend_attributes"});
  const std::string dialects =
      Section(1, Numbers({2, 0 << 1, 2 << 1, 5, 0, 1, 1 << 1 | 1, 1, 4,
                          3 << 1 | 1, 4 << 1 | 1, 5 << 1 | 1, 6 << 1 | 1}));
  // Attributes: a unit for the location, dense<1>, the default accuracy and
  // its mode, a dictionary, its name and value. Types: f32, i64, tensors.
  const std::vector<std::string> builtin = {Number(7), Numbers({2, 7}),
                                            Numbers({1, 1, 1, 6})};
  const std::vector<std::string> vhlo = {
      Numbers({15, 2, 8}) + std::string("\1\0\0\0\0\0\0\0", 8),
      Numbers({19, 0}), Numbers({20, 0, 0, 0, 4}), Numbers({14, 7})};
  const std::vector<std::string> types = {
      Number(4), Number(14), Numbers({20, 1, 2, 1}), Numbers({20, 1, 64, 0}),
      Numbers({20, 2, 64, 64, 0})};
  std::string entries,
      offsets = Numbers({builtin.size() + vhlo.size(), types.size()});
  const auto add = [&](int dialect, const std::vector<std::string>& list) {
    offsets += Numbers({static_cast<uint64_t>(dialect), list.size()});
    for (const std::string& entry : list) {
      offsets += Number(entry.size() << 1 | 1);
      entries += entry;
    }
  };
  add(0, builtin);
  add(1, vhlo);
  add(1, types);
  const std::string properties = Section(8, Numbers({3, 2, 0, 0, 1, 3, 1, 5}));
  std::string ops;
  for (uint64_t i = 0; i < static_cast<uint64_t>(count); ++i) {
    const uint64_t a = i + 1, b = i / 2;
    switch (i % 4) {
      case 0:
        absl::StrAppend(&ops, Number(1), "\x07",
                        Numbers({0, 2, 1, 4, 2, a, b}));
        break;
      case 1:
        absl::StrAppend(&ops, Number(2), "\x46", Numbers({0, 1, 1, 4, 1, 0}));
        break;
      case 2:
        absl::StrAppend(&ops, Number(3), "\x06",
                        Numbers({0, 1, 4, 2, a, a - 1}));
        break;
      case 3:
        absl::StrAppend(&ops, Number(4), "\x46", Numbers({0, 2, 1, 4, 1, a}));
        break;
    }
  }
  const uint64_t values = count + 2;
  const std::string body =
      Numbers({1, values, static_cast<uint64_t>(count) << 1 | 1, 2, 3 << 1,
               4 << 1}) +
      std::string(1, '\0') + ops;
  const std::string ir =
      Section(4, Numbers({1 << 1, 0}) + "\x50" + Numbers({0, 0, 1 << 1 | 1}) +
                     Section(4, body));
  return absl::StrCat("ML\xEFR", Number(6),
                      absl::string_view("StableHLO_v1.17.0\0", 18), strings,
                      dialects, Section(2, entries), Section(3, offsets), ir,
                      properties);
}

// 2,000 ops must take less than half a millisecond.
void BM_ReadBytecode(benchmark::State& state) {
  const std::string bytes = Artifact(state.range(0));
  for (auto _ : state) {
    auto module = ReadBytecode(bytes);
    if (!module.ok()) {
      state.SkipWithError(std::string(module.status().message()).c_str());
      return;
    }
    benchmark::DoNotOptimize(module);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_ReadBytecode)
    ->Arg(2000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace xla::stablehlo
