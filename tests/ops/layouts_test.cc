// Every op gives the same result for any layouts of its program's arguments and
// results: runs the cases of tests/ops with other orders of dimensions, tiles
// and padding at the entry, on both backends. Source: the tiled layout
// document.
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/ops/op_cases.h"
#include "xla/client/compilers.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

using ::testing::ElementsAre;

// Small tiles, so that arrays of a few elements have several tiles and padding.
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

// Gives each array of `shape` some layout.
void ChangeLayouts(std::mt19937& random, Shape* shape) {
  ShapeUtil::ForEachMutableLeafShape(
      shape, [&](Shape* leaf, const ShapeIndex&) {
        if (!leaf->IsArray()) return;
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
        const int bits = primitive_util::BitWidth(leaf->element_type());
        if (bits < 8 && leaf->element_type() != PRED && leaf->is_static() &&
            random() % 2 == 0) {
          layout.set_element_size_in_bits(bits);
        }
        *leaf->mutable_layout() = layout;
      });
}

// The module of a case with other layouts; null for cases with several devices,
// with errors, and with aliases, whose two sides must have equal sizes.
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
  ProgramShape changed =
      (*module)->entry_computation_layout().ComputeProgramShape();
  for (int i = 0; i < changed.parameters_size(); ++i) {
    ChangeLayouts(random, changed.mutable_parameters(i));
  }
  ChangeLayouts(random, changed.mutable_result());
  (*module)->mutable_config().SetComputationLayoutIfExists(changed);
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
  for (const ShapeLayout& parameter :
       module.entry_computation_layout().parameter_layouts()) {
    look(parameter.shape());
  }
  look(module.entry_computation_layout().result_shape());
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

// Runs only the first two cases of each op, since compiling takes long.
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

// Negates rows 0 and 1 of three as bytes, and returns what is known of the
// sizes.
std::string DynamicProgram(absl::string_view in, absl::string_view out) {
  return absl::StrCat("HloModule m, entry_computation_layout={(s8[<=3,<=5]", in,
                      ", s32[])->(s8[<=3,<=5]", out, ", s32[])}\n", R"(ENTRY e {
  p = s8[<=3,<=5]{1,0} parameter(0)
  n = s32[] parameter(1)
  d = s8[<=3,<=5]{1,0} set-dimension-size(p, n), dimensions={0}
  r = s8[<=3,<=5]{1,0} negate(d)
  h = s32[] get-dimension-size(p), dimensions={0}
  w = s32[] get-dimension-size(d), dimensions={1}
  q = s32[] subtract(h, w)
  ROOT t = (s8[<=3,<=5]{1,0}, s32[]) tuple(r, q)
})");
}

std::unique_ptr<Executable> CompileFor(absl::string_view backend,
                                       const std::string& text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  auto compiler = MakeCompiler(backend);
  EXPECT_TRUE(compiler.ok()) << compiler.status();
  auto executable = (*compiler)->Compile(*std::move(module));
  EXPECT_TRUE(executable.ok()) << executable.status() << "\n" << text;
  return executable.ok() ? *std::move(executable) : nullptr;
}

TEST(DynamicLayoutsTest, AllPairs) {
  Literal argument(ShapeUtil::MakeShape(S8, {3, 5}, {true, true}));
  argument.SetDynamicSize(1, 4);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) argument.Set<int8_t>({i, j}, 10 * i + j);
  }
  const Literal rows = LiteralUtil::CreateR0<int32_t>(2);
  const char* layouts[] = {"{1,0}",
                           "{0,1}",
                           "{1,0:T(2,2)}",
                           "{0,1:T(2,2)L(8)}",
                           "{1,0:T(*,3)}",
                           "{1,0:T(4)(3)S(1)}",
                           "{1,0:T(8,128)(2,1)}",
                           "{0,1:PD(5,7)}"};
  for (const char* backend : {"evaluator", "cpu"}) {
    for (const char* in : layouts) {
      for (const char* out : layouts) {
        auto executable = CompileFor(backend, DynamicProgram(in, out));
        ASSERT_NE(executable, nullptr);
        auto results = executable->Execute({{{&argument, &rows}}}, {});
        ASSERT_TRUE(results.ok()) << results.status();
        EXPECT_EQ(LiteralSlice((*results)[0], {0}).ToStringOneline(),
                  "s8[<=3,<=5](2,4) { { 0, -1, -2, -3 }, { -10, -11, -12, -13 "
                  "} }")
            << backend << " from " << in << " to " << out;
        EXPECT_EQ(LiteralSlice((*results)[0], {1}).Get<int32_t>({}), -1);
      }
    }
  }
}

// Tiles come first, at the bounds, then an s32 for each dimension.
TEST(DynamicLayoutsTest, Bytes) {
  // Tiles of 2x2 elements, padded to 4x6.
  const int8_t input[24 + 8] = {0,  1,  10, 11, 2,  3,  12, 13, 4,  99, 14,
                                99, 20, 21, 99, 99, 22, 23, 99, 99, 24, 99,
                                99, 99, 3,  0,  0,  0,  4,  0,  0,  0};
  const int32_t rows = 2;
  for (const char* backend : {"evaluator", "cpu"}) {
    auto executable =
        CompileFor(backend, DynamicProgram("{1,0:T(2,2)}", "{0,1:T(3,2)}"));
    ASSERT_NE(executable, nullptr);
    const ComputationLayout& layout =
        executable->module().entry_computation_layout();
    alignas(64) int8_t array[24 + 8] = {};
    alignas(64) int32_t number = 0;
    const Executable::Input inputs[] = {
        {&layout.parameter_shape(0), reinterpret_cast<const char*>(input)},
        {&layout.parameter_shape(1), reinterpret_cast<const char*>(&rows)}};
    const Executable::Output outputs[] = {
        {&layout.result_shape().tuple_shapes(0),
         reinterpret_cast<char*>(array)},
        {&layout.result_shape().tuple_shapes(1),
         reinterpret_cast<char*>(&number)}};
    const Executable::DeviceBuffers device = {inputs, outputs};
    ASSERT_TRUE(executable->ExecuteBuffers({device}, {}).ok());
    // Columns first, in tiles of three columns by two rows; of the second pair
    // of rows and the second three columns, only what is within the sizes.
    EXPECT_THAT(absl::MakeSpan(array, 6),
                ElementsAre(0, -10, -1, -11, -2, -12));
    EXPECT_THAT(absl::MakeSpan(array + 12, 2), ElementsAre(-3, -13));
    EXPECT_THAT(absl::MakeSpan(array + 24, 8),
                ElementsAre(2, 0, 0, 0, 4, 0, 0, 0));
    EXPECT_EQ(number, -1);
  }
}

}  // namespace
}  // namespace xla::test
