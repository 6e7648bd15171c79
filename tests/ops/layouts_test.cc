// Every op gives the same result whatever layouts its program's arguments and
// results have: the cases of tests/ops with other orders of dimensions, tiles
// and padding at the entry, on both backends. Source: the tiled layout
// document.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/ops/op_cases.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

// Small, so that arrays of a few elements have several tiles and padding.
const std::vector<std::vector<Tile>>& TileLists() {
  static const auto* const kLists =
      new std::vector<std::vector<Tile>>{{},
                                         {Tile({4})},
                                         {Tile({2, 2})},
                                         {Tile({8, 128}), Tile({2, 1})},
                                         {Tile({2, 3}), Tile({2, 1})},
                                         {Tile({Tile::kCombineDimension, 3})},
                                         {Tile({4}), Tile({2, 1})}};
  return *kLists;
}

// Gives each static array of `shape` some layout.
void ChangeLayouts(std::mt19937& random, Shape* shape) {
  ShapeUtil::ForEachMutableLeafShape(
      shape, [&](Shape* leaf, const ShapeIndex&) {
        if (!leaf->IsArray() || leaf->is_dynamic()) return;
        std::vector<int64_t> order(leaf->rank());
        std::iota(order.begin(), order.end(), 0);
        // std::shuffle differs between libraries.
        for (size_t i = order.size(); i > 1; --i) {
          std::swap(order[i - 1], order[random() % i]);
        }
        const auto& tiles = TileLists()[random() % TileLists().size()];
        Layout layout(order, tiles);
        if (random() % 4 == 0) layout.set_tail_padding_alignment_in_elements(8);
        if (random() % 4 == 0 && leaf->rank() > 0) {
          std::vector<int64_t> widths(leaf->dimensions().begin(),
                                      leaf->dimensions().end());
          widths[random() % widths.size()] += 2;
          layout.set_padded_dimensions(widths);
        }
        layout.set_memory_space(random() % 2);
        *leaf->mutable_layout() = layout;
      });
}

// The module of a case with other layouts; null for cases of several devices,
// of errors, and of aliases, whose two sides must be equally large.
std::unique_ptr<HloModule> Relaid(const OpCase& op_case, int variant) {
  if (!op_case.error.empty() || op_case.replicas * op_case.partitions != 1) {
    return nullptr;
  }
  auto module = ParseAndReturnUnverifiedModule(op_case.text);
  if (!module.ok() || (*module)->input_output_alias().entries_size() > 0) {
    return nullptr;
  }
  std::seed_seq seed(op_case.name.begin(), op_case.name.end());
  std::mt19937 random(seed);
  random.discard(variant * 1000);
  ProgramShape& layout = (*module)->mutable_config().entry_computation_layout;
  for (int i = 0; i < layout.parameters_size(); ++i) {
    ChangeLayouts(random, layout.mutable_parameters(i));
  }
  ChangeLayouts(random, layout.mutable_result());
  return *std::move(module);
}

bool HasTiles(const HloModule& module) {
  bool tiled = false;
  const auto look = [&](const Shape& shape) {
    ShapeUtil::ForEachSubshape(
        shape, [&](const Shape& part, const ShapeIndex&) {
          tiled |= part.IsArray() && HasTilesOrPadding(part);
        });
  };
  for (const Shape& shape : module.entry_computation_layout().parameters()) {
    look(shape);
  }
  look(module.entry_computation_layout().result());
  return tiled;
}

void Check(const OpCase& op_case, int variant, absl::string_view backend,
           int* ran, int* tiled) {
  std::unique_ptr<HloModule> module = Relaid(op_case, variant);
  if (module == nullptr) return;
  ++*ran;
  *tiled += HasTiles(*module);
  const std::string text = module->ToString();
  const absl::Status status = RunOpCase(op_case, std::move(module), backend);
  EXPECT_TRUE(status.ok()) << op_case.name << " on " << backend << ": "
                           << status.message() << "\n"
                           << text;
}

TEST(LayoutsTest, DoNotChangeWhatTheEvaluatorComputes) {
  int ran = 0, tiled = 0;
  for (const auto& [stem, contents] : OpFiles()) {
    auto cases = ParseOpCases(stem, contents);
    ASSERT_TRUE(cases.ok()) << cases.status().message();
    for (const OpCase& op_case : *cases) {
      for (int variant = 0; variant < 4; ++variant) {
        Check(op_case, variant, "evaluator", &ran, &tiled);
      }
    }
  }
  EXPECT_GT(ran, 1000);
  EXPECT_GT(tiled, ran / 2);
}

// The first two cases of each op, since compiling takes its time.
TEST(LayoutsTest, DoNotChangeWhatNativeCodeComputes) {
  int ran = 0, tiled = 0;
  for (const auto& [stem, contents] : OpFiles()) {
    auto cases = ParseOpCases(stem, contents);
    ASSERT_TRUE(cases.ok()) << cases.status().message();
    int of_op = 0;
    for (const OpCase& op_case : *cases) {
      if (of_op >= 2) break;
      Check(op_case, of_op, "cpu", &of_op, &tiled);
    }
    ran += of_op;
  }
  EXPECT_GT(ran, 150);
  EXPECT_GT(tiled, ran / 2);
}

}  // namespace
}  // namespace xla::test
