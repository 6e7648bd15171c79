// Programs of short rows, few columns and small arrays, whose code depends on
// their sizes, agree with the evaluator at each level of instruction sets.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"
#include "gtest/gtest.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/base/cpu_isa.h"
#include "xla/core/literal/comparison/error_spec.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

// Arguments of f32 parameters: multiples of 1/8 from -2 to 2.
std::vector<Literal> ArgumentsOf(const HloModule& module) {
  std::vector<Literal> arguments;
  uint32_t seed = 1;
  for (const HloInstruction* parameter :
       module.entry_computation()->parameter_instructions()) {
    Literal literal(parameter->shape());
    for (float& x : literal.data<float>()) {
      seed = seed * 1664525 + 1013904223;
      x = static_cast<float>(seed >> 27) / 8 - 2;
    }
    arguments.push_back(std::move(literal));
  }
  return arguments;
}

// Runs `text` at each level.
void Compare(const std::string& text) {
  SCOPED_TRACE(text);
  const auto module = ParseAndReturnUnverifiedModule(text);
  ASSERT_TRUE(module.ok()) << module.status();
  const std::vector<Literal> arguments = ArgumentsOf(**module);
  std::vector<const Literal*> pointers;
  for (const Literal& argument : arguments) pointers.push_back(&argument);
  const auto expected = HloEvaluator().Evaluate(**module, pointers);
  ASSERT_TRUE(expected.ok()) << expected.status();
  ThreadPool pool(2);
  CpuCompiler compiler({.runner = &pool, .pool = &pool});
  for (const CpuIsa isa : CpuIsasOfHost()) {
    auto same = *ParseAndReturnUnverifiedModule(text);
    same->mutable_config().mutable_debug_options().set_xla_cpu_max_isa(
        std::string(CpuIsaName(isa)));
    const auto executable = compiler.Compile(std::move(same));
    ASSERT_TRUE(executable.ok()) << executable.status();
    const auto results = (*executable)->Execute({pointers}, {});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_TRUE(literal_comparison::Near(*expected, (*results)[0],
                                         ErrorSpec(1e-4, 1e-4))
                    .ok())
        << CpuIsaName(isa);
  }
}

// Columns made of each other, one of which is a part of an operand; a further
// output has their shape. `outer` is the text of dimensions before the rows.
std::string Stacked(const std::string& outer, const std::string& outer_slice,
                    int64_t rows, int columns, const std::string& type) {
  const std::string shape = absl::StrCat(type, "[", outer, rows, ",");
  std::string text = absl::Substitute(
      R"(HloModule m
ENTRY e {
  p = f32[$0$1,3] parameter(0)
  x = $2$3] convert(p)
  c0 = $21] slice(x), slice={$4[0:$1], [1:2]}
  c1 = $21] slice(x), slice={$4[0:$1], [2:3]}
)",
      outer, rows, shape, 3, outer_slice);
  std::vector<std::string> names = {"c0", "c1"};
  for (int c = 2; c < columns; ++c) {
    names.push_back(absl::StrCat("c", c));
    absl::StrAppend(&text, "  c", c, " = ", shape, "1] ",
                    c % 3 == 0 ? "maximum" : "multiply", "(c", c - 1, ", c",
                    c - 2, ")\n");
  }
  absl::StrAppend(
      &text, "  s = ", shape, columns, "] concatenate(",
      absl::StrJoin(names, ", "), "), dimensions={", outer.empty() ? 1 : 2,
      "}\n  n = ", shape, columns, "] minimum(s, s)\n  r = f32[", outer, rows,
      ",", columns, "] convert(s)\n  q = pred[", outer, rows, ",", columns,
      "] compare(s, n), direction=GE\n  ROOT t = (f32[", outer, rows, ",",
      columns, "], pred[", outer, rows, ",", columns, "]) tuple(r, q)\n}\n");
  return text;
}

TEST(SmallShapesTest, StackedColumns) {
  for (const int columns : {2, 3, 4, 9, 25, 32}) {
    for (const int64_t rows : {64, 71}) {
      Compare(Stacked("", "", rows, columns, "f32"));
    }
  }
  for (const int columns : {3, 9}) {
    Compare(Stacked("3,", "[0:3], ", 67, columns, "f32"));
    Compare(Stacked("", "", 200, columns, "f64"));
    Compare(Stacked("", "", 70, columns, "bf16"));
    Compare(Stacked("", "", 70, columns, "s8"));
  }
}

TEST(SmallShapesTest, StackedColumnsInLoops) {
  Compare(R"(HloModule m
body {
  s = (s32[], f32[75,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[75,3] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  a = f32[75,1] slice(x), slice={[0:75], [0:1]}
  b = f32[75,1] slice(x), slice={[0:75], [1:2]}
  c = f32[75,1] slice(x), slice={[0:75], [2:3]}
  d = f32[75,1] subtract(a, b)
  h = f32[] constant(0.25)
  hb = f32[75,1] broadcast(h), dimensions={}
  e = f32[75,1] multiply(d, hb)
  y = f32[75,3] concatenate(b, c, e), dimensions={1}
  ROOT r = (s32[], f32[75,3]) tuple(next, y)
}
test {
  s = (s32[], f32[75,3]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(5)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
  x = f32[75,3] parameter(0)
  s = (s32[], f32[75,3]) tuple(zero, x)
  w = (s32[], f32[75,3]) while(s), condition=test, body=body
  ROOT r = f32[75,3] get-tuple-element(w), index=1
})");
}

// Rows of every `step`-th element; the last one of the array is the last that
// is read.
TEST(SmallShapesTest, StridedSlices) {
  for (const int64_t step : {2, 3, 5, 8, 9, 10, 17}) {
    for (const int64_t count : {1, 3, 7, 16, 33, 100}) {
      for (const char* type : {"f32", "f64", "s8", "c64"}) {
        Compare(absl::Substitute(R"(HloModule m
ENTRY e {
  p = f32[2,$0] parameter(0)
  x = $1[2,$0] convert(p)
  y = $1[2,$2] slice(x), slice={[0:2], [0:$0:$3]}
  ROOT r = $1[2,$2] add(y, y)
})",
                                 (count - 1) * step + 1, type, count, step));
      }
    }
  }
}

// What depends on an outer index alone, in rows that vectors cross.
TEST(SmallShapesTest, CrossedRows) {
  for (const char* sizes : {"7,10,10,4", "3,5,2,1", "66,3,2,2", "1,9,3,5"}) {
    const std::vector<std::string> size = absl::StrSplit(sizes, ',');
    Compare(absl::Substitute(R"(HloModule m
ENTRY e {
  x = f32[$0] parameter(0)
  o = f32[$1] parameter(1)
  m = f32[$2] parameter(2)
  ob = f32[$0] broadcast(o), dimensions={0}
  mb = f32[$0] broadcast(m), dimensions={2}
  i = s32[$0] iota(), iota_dimension=1
  f = f32[$0] convert(i)
  a = f32[$0] multiply(x, ob)
  b = f32[$0] add(f, mb)
  ROOT r = f32[$0] add(a, b)
})",
                             sizes, size[0], size[2]));
  }
}

// Arrays of a few elements in a loop: dots, reductions, parts that change
// places.
TEST(SmallShapesTest, SmallStates) {
  for (const int n : {2, 3, 4, 5, 8, 10, 13, 16, 19, 32, 37}) {
    Compare(absl::Substitute(R"(HloModule m
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
body {
  s = (s32[], f32[$0], f32[$0,$0], f32[$0,$0]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  q = f32[$0] get-tuple-element(s), index=1
  k = f32[$0,$0] get-tuple-element(s), index=2
  g = f32[$0,$0] get-tuple-element(s), index=3
  one = s32[] constant(1)
  next = s32[] add(i, one)
  p = f32[$0] dot(k, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = f32[] constant(0)
  squares = f32[$0] multiply(p, p)
  norm2 = f32[] reduce(squares, zero), dimensions={0}, to_apply=sum
  norm = f32[] sqrt(norm2)
  normb = f32[$0] broadcast(norm), dimensions={}
  u = f32[$0] divide(p, normb)
  a = f32[$1] slice(u), slice={[1:$0]}
  b = f32[1] slice(u), slice={[0:1]}
  turned = f32[$0] concatenate(a, b), dimensions={0}
  kg = f32[$0,$0] dot(k, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  t = f32[$0,$0] tanh(kg)
  ROOT r = (s32[], f32[$0], f32[$0,$0], f32[$0,$0]) tuple(next, turned, k, t)
}
test {
  s = (s32[], f32[$0], f32[$0,$0], f32[$0,$0]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
  q = f32[$0] parameter(0)
  k = f32[$0,$0] parameter(1)
  g = f32[$0,$0] parameter(2)
  s = (s32[], f32[$0], f32[$0,$0], f32[$0,$0]) tuple(zero, q, k, g)
  w = (s32[], f32[$0], f32[$0,$0], f32[$0,$0]) while(s), condition=test, body=body
  qr = f32[$0] get-tuple-element(w), index=1
  gr = f32[$0,$0] get-tuple-element(w), index=3
  ROOT r = (f32[$0], f32[$0,$0]) tuple(qr, gr)
})",
                             n, n - 1));
  }
}

// Rows along the contracting dimension of either operand, with batches, and
// with rests of vectors in both directions.
TEST(SmallShapesTest, DotsOfRows) {
  for (const char* type : {"f32", "f64", "s32", "bf16"}) {
    for (const auto& [m, k] :
         std::vector<std::pair<int, int>>{{3, 17}, {12, 40}, {33, 31}}) {
      Compare(absl::Substitute(R"(HloModule m
ENTRY e {
  p0 = f32[$1,$2] parameter(0)
  p1 = f32[$2] parameter(1)
  p2 = f32[$2,1] parameter(2)
  p3 = f32[3,$1,$2] parameter(3)
  p4 = f32[3,$2] parameter(4)
  x = $0[$1,$2] convert(p0)
  v = $0[$2] convert(p1)
  w = $0[$2,1] convert(p2)
  y = $0[3,$1,$2] convert(p3)
  z = $0[3,$2] convert(p4)
  a = $0[$1] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  b = $0[$1] dot(v, x), lhs_contracting_dims={0}, rhs_contracting_dims={1}
  c = $0[$1,1] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  d = $0[3,$1] dot(y, z), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  ROOT r = ($0[$1], $0[$1], $0[$1,1], $0[3,$1]) tuple(a, b, c, d)
})",
                               type, m, k));
    }
  }
}

// Many rows times matrices that fit into registers, or hardly do not.
TEST(SmallShapesTest, NarrowDots) {
  for (const char* type : {"f32", "f64"}) {
    for (const auto& [k, n] : std::vector<std::pair<int, int>>{{9, 5},
                                                               {15, 7},
                                                               {3, 3},
                                                               {4, 4},
                                                               {16, 2},
                                                               {8, 16},
                                                               {16, 9},
                                                               {5, 1}}) {
      Compare(absl::Substitute(R"(HloModule m
ENTRY e {
  p0 = f32[600,$1] parameter(0)
  p1 = f32[$1,$2] parameter(1)
  x = $0[600,$1] convert(p0)
  y = $0[$1,$2] convert(p1)
  ROOT r = $0[600,$2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
                               type, k, n));
    }
  }
}

}  // namespace
}  // namespace xla::cpu
