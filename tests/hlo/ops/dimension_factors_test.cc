// The factors of each op's dimensions: as text, and by doing the op in halves.
#include "xla/hlo/ops/dimension_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace {

using Index = std::vector<int64_t>;
// The sizes of factors by their names.
using Sizes = std::map<char, int64_t>;

// One op, its parameters p0, p1, ...; "$ij" is the product of the sizes of the
// factors i and j.
struct OpCase {
  std::vector<std::string> parameters;
  std::string op;
  // As DimensionFactors::ToString prints them, without the sizes.
  std::string factors;
};

std::string Expand(absl::string_view text, const Sizes& sizes) {
  std::string expanded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      expanded += text[i];
      continue;
    }
    int64_t product = 1;
    while (i + 1 < text.size() && sizes.contains(text[i + 1])) {
      product *= sizes.at(text[++i]);
    }
    absl::StrAppend(&expanded, product);
  }
  return expanded;
}

// Returns the index in the whole array that corresponds to element `index` of
// the array with half `half` of a factor.
Index WholeIndex(const DimensionFactors& whole,
                 const DimensionFactors::Array& dimensions, int32_t factor,
                 int64_t half, absl::Span<const int64_t> index) {
  Index found;
  for (size_t d = 0; d < dimensions.size(); ++d) {
    int64_t rest = index[d];
    int64_t place = 0;
    int64_t scale = 1;
    for (size_t i = dimensions[d].size(); i-- > 0;) {
      const int32_t digit = dimensions[d][i];
      const int64_t size = whole.factors[digit].size;
      const int64_t part = digit == factor ? size / 2 : size;
      place += (rest % part + (digit == factor ? half * part : 0)) * scale;
      rest /= part;
      scale *= size;
    }
    // Dimensions of one element and those with a permuted factor keep their
    // index.
    found.push_back(dimensions[d].empty() ? index[d] : place + rest * scale);
  }
  return found;
}

Literal Part(const Literal& whole, const Shape& shape, absl::string_view what,
             const std::function<Index(absl::Span<const int64_t>)>& where) {
  Literal part(shape);
  ShapeUtil::ForEachIndexNoStatus(shape, [&](absl::Span<const int64_t> index) {
    const Index from = where(index);
    for (size_t d = 0; d < from.size(); ++d) {
      if (from[d] >= whole.shape().dimensions(static_cast<int>(d))) {
        ADD_FAILURE() << what << " has no element "
                      << ::testing::PrintToString(from);
        return false;
      }
    }
    EXPECT_TRUE(part.CopyElementFrom(whole, from, index).ok());
    return true;
  });
  return part;
}

class DimensionFactorsTest : public ::testing::Test {
 protected:
  // Checks the op's factors, and for several choices of sizes that computing
  // the op in halves of each factor that is passed through or summed gives the
  // same result.
  void Check(const OpCase& op) {
    SCOPED_TRACE(op.op);
    for (int round = 0; round < 4; ++round) {
      std::vector<int64_t> sizes = {2, 4, 6, 8, 10, 12};
      std::shuffle(sizes.begin(), sizes.end(), random_);
      Sizes named;
      for (int i = 0; i < 6; ++i) named[static_cast<char>('i' + i)] = sizes[i];
      CheckSizes(op, named);
      if (HasFailure()) return;
    }
  }

 private:
  struct Program {
    std::unique_ptr<HloModule> module;
    const HloInstruction* root = nullptr;
    const Shape& parameter(int64_t i) const {
      return module->entry_computation()->parameter_instruction(i)->shape();
    }
  };

  static Program Make(const OpCase& op, const Sizes& sizes) {
    std::string text =
        "HloModule m\nadd { x = s32[] parameter(0)\n y = s32[] parameter(1)\n"
        " ROOT s = s32[] add(x, y) }\n"
        "less { x = s32[] parameter(0)\n y = s32[] parameter(1)\n"
        " ROOT l = pred[] compare(x, y), direction=LT }\nENTRY e {\n";
    for (size_t i = 0; i < op.parameters.size(); ++i) {
      absl::StrAppend(&text, "  p", i, " = ", Expand(op.parameters[i], sizes),
                      " parameter(", i, ")\n");
    }
    absl::StrAppend(&text, "  ROOT r = ", Expand(op.op, sizes), "\n}");
    Program program;
    program.module = ParseModule(text);
    if (program.module == nullptr) return program;
    program.root = program.module->entry_computation()->root_instruction();
    return program;
  }

  Literal RandomArray(const Shape& shape) {
    Literal literal(shape);
    // Init values are 0, which does not change sums.
    const bool scalar = shape.dimensions().empty();
    std::uniform_int_distribution<int32_t> numbers(scalar ? 0 : -9,
                                                   scalar ? 0 : 9);
    auto fill = [&](auto zero) {
      using T = decltype(zero);
      EXPECT_TRUE(literal
                      .Populate<T>([&](absl::Span<const int64_t>) {
                        return static_cast<T>(numbers(random_));
                      })
                      .ok());
    };
    switch (shape.element_type()) {
      case S32:
        fill(int32_t{0});
        break;
      case F32:
        fill(float{0});
        break;
      case C64:
        fill(complex64{0});
        break;
      default:
        ADD_FAILURE() << "no values of " << ShapeUtil::HumanString(shape);
    }
    return literal;
  }

  static std::vector<Literal> Evaluate(const Program& program,
                                       absl::Span<const Literal> arguments) {
    absl::StatusOr<Literal> result =
        HloEvaluator().Evaluate(*program.module, arguments);
    if (!result.ok()) {
      ADD_FAILURE() << result.status();
      return {};
    }
    std::vector<Literal> results;
    if (result->shape().IsTuple()) return result->DecomposeTuple();
    results.push_back(*std::move(result));
    return results;
  }

  void CheckSizes(const OpCase& op, const Sizes& sizes) {
    const Program program = Make(op, sizes);
    ASSERT_NE(program.root, nullptr);
    const auto factors = DimensionFactorsOf(*program.root);
    ASSERT_TRUE(factors.has_value());
    std::string text = factors->ToString();
    const size_t begin = text.find(" {");
    text.erase(begin, text.find('}', begin) + 1 - begin);
    ASSERT_EQ(text, op.factors);
    std::vector<Literal> arguments;
    for (size_t i = 0; i < op.parameters.size(); ++i) {
      arguments.push_back(RandomArray(program.parameter(i)));
    }
    const std::vector<Literal> whole = Evaluate(program, arguments);
    for (size_t f = 0; f < factors->factors.size(); ++f) {
      const DimensionFactor& factor = factors->factors[f];
      if (factor.kind > FactorKind::kSummed || factor.size == 0) continue;
      ASSERT_EQ(factor.size, sizes.at(static_cast<char>('i' + f)));
      SCOPED_TRACE(absl::StrCat("factor ", f));
      Sizes halves = sizes;
      halves[static_cast<char>('i' + f)] /= 2;
      CheckHalves(Make(op, halves), *factors, static_cast<int32_t>(f),
                  arguments, whole);
    }
  }

  void CheckHalves(const Program& program, const DimensionFactors& factors,
                   int32_t factor, absl::Span<const Literal> arguments,
                   absl::Span<const Literal> whole) {
    ASSERT_NE(program.root, nullptr);
    std::vector<std::vector<Literal>> results;
    for (int64_t half = 0; half < 2; ++half) {
      std::vector<Literal> parts;
      for (size_t i = 0; i < arguments.size(); ++i) {
        parts.push_back(Part(arguments[i], program.parameter(i), "an operand",
                             [&](absl::Span<const int64_t> index) {
                               return WholeIndex(factors, factors.operands[i],
                                                 factor, half, index);
                             }));
      }
      results.push_back(Evaluate(program, parts));
      ASSERT_EQ(results.back().size(), whole.size());
    }
    for (size_t i = 0; i < whole.size(); ++i) {
      if (factors.factors[factor].kind == FactorKind::kSummed) {
        CheckSum(results[0][i], results[1][i], whole[i]);
        continue;
      }
      for (int64_t half = 0; half < 2; ++half) {
        const Shape& shape = results[half][i].shape();
        EXPECT_EQ(results[half][i], Part(whole[i], shape, "a result",
                                         [&](absl::Span<const int64_t> index) {
                                           return WholeIndex(
                                               factors, factors.results[i],
                                               factor, half, index);
                                         }));
      }
    }
  }

  static void CheckSum(const Literal& a, const Literal& b,
                       const Literal& whole) {
    const auto at = [](const Literal& x, absl::Span<const int64_t> index) {
      return x.shape().element_type() == F32 ? x.Get<float>(index)
                                             : x.Get<int32_t>(index);
    };
    ShapeUtil::ForEachIndexNoStatus(
        whole.shape(), [&](absl::Span<const int64_t> index) {
          EXPECT_EQ(at(a, index) + at(b, index), at(whole, index));
          return true;
        });
  }

  std::mt19937 random_{11};
};

TEST_F(DimensionFactorsTest, Elementwise) {
  Check({{"s32[$i,$j]", "s32[$i,$j]"},
         "s32[$i,$j] add(p0, p1)",
         "([i, j], [i, j])->([i, j])"});
  Check({{"s32[]", "s32[$i,1]", "s32[]"},
         "s32[$i,1] clamp(p0, p1, p2)",
         "([], [i, 1], [])->([i, 1])"});
}

TEST_F(DimensionFactorsTest, Broadcast) {
  Check({{"s32[$j]"},
         "s32[$i,$j,$k] broadcast(p0), dimensions={1}",
         "([j])->([i, j, k])"});
}

TEST_F(DimensionFactorsTest, Reshape) {
  Check({{"s32[$ij,$k]"}, "s32[$i,$jk] reshape(p0)", "([ij, k])->([i, jk])"});
  Check({{"s32[$i,1,$jkl]"},
         "s32[$ij,$k,$l] reshape(p0)",
         "([i, 1, jkl])->([ij, k, l])"});
  Check({{"s32[0,4]"},
         "s32[4,0] reshape(p0)",
         "([i, j])->([k, l]) whole={i, j, k, l}"});
}

// A common divisor is a factor, and so is what follows where both shapes have
// come equally far, which may be inside of a dimension.
TEST(ReshapeFactorsTest, DimensionsThatShareADivisor) {
  const auto factors_of = [](std::vector<int64_t> from,
                             std::vector<int64_t> to) {
    const Shape operand = ShapeUtil::MakeShape(F32, from);
    const Shape result = ShapeUtil::MakeShape(F32, to);
    const Shape* operands[] = {&operand};
    return ReshapeFactors({operands, result}, {}).ToString();
  };
  EXPECT_EQ(factors_of({6, 4, 5}, {4, 6, 5}),
            "([ij, m, n])->([ik, l, n]) {i=2, j=3, k=2, l=6, m=4, n=5} "
            "whole={j, k, l, m}");
  EXPECT_EQ(factors_of({3, 4, 1}, {4, 3}),
            "([i, k, 1])->([j, l]) {i=3, j=4, k=4, l=3} whole={i, j, k, l}");
  EXPECT_EQ(factors_of({2, 3, 4}, {4, 3, 2}),
            "([i, j, mn])->([ik, l, n]) {i=2, j=3, k=2, l=3, m=2, n=2} "
            "whole={j, k, l, m}");
  EXPECT_EQ(factors_of({20, 3}, {6, 10}),
            "([ij, m])->([ik, l]) {i=2, j=10, k=3, l=10, m=3} "
            "whole={j, k, l, m}");
}

TEST_F(DimensionFactorsTest, TransposeAndReverse) {
  Check({{"s32[$j,$k,$i]"},
         "s32[$i,$j,$k] transpose(p0), dimensions={2,0,1}",
         "([j, k, i])->([i, j, k])"});
  Check({{"s32[$i,$j]"},
         "s32[$i,$j] reverse(p0), dimensions={1}",
         "([i, j])->([i, j]) permuted={j}"});
}

TEST_F(DimensionFactorsTest, SlicesAndPads) {
  Check({{"s32[$i,99]"},
         "s32[$i,$j] slice(p0), slice={[0:$i], [0:$j]}",
         "([i, j])->([i, j]) permuted={j}"});
  Check({{"s32[$i,$j]", "s32[]"},
         "s32[$i,$j] pad(p0, p1), padding=0_0x1_-1",
         "([i, j], [])->([i, j]) permuted={j}"});
  Check({{"s32[$i,3]", "s32[$i,4]"},
         "s32[$i,7] concatenate(p0, p1), dimensions={1}",
         "([i, j], [i, j])->([i, j]) permuted={j}"});
}

TEST_F(DimensionFactorsTest, Reduce) {
  Check({{"s32[$k,$i,$l,$j]", "s32[]"},
         "s32[$i,$j] reduce(p0, p1), dimensions={0,2}, to_apply=add",
         "([k, i, l, j], [])->([i, j]) summed={k, l}"});
}

TEST_F(DimensionFactorsTest, Windows) {
  Check({{"s32[$i,$j]", "s32[]"},
         "s32[$i,$j] reduce-window(p0, p1), window={size=1x3 pad=0_0x1_1}, "
         "to_apply=add",
         "([i, j], [])->([i, j]) permuted={j}"});
  // A window of all elements is a reduction.
  Check({{"s32[$i,$j]", "s32[]"},
         "s32[$i,1] reduce-window(p0, p1), window={size=1x$j}, to_apply=add",
         "([i, j], [])->([i, 1]) summed={j}"});
}

TEST_F(DimensionFactorsTest, Dot) {
  Check({{"s32[$i,$j,$l]", "s32[$l,$k,$i]"},
         "s32[$i,$j,$k] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={2}, "
         "lhs_contracting_dims={2}, rhs_contracting_dims={0}",
         "([i, j, l], [l, k, i])->([i, j, k]) summed={l}"});
}

TEST_F(DimensionFactorsTest, RaggedDot) {
  Check({{"s32[9,$j]", "s32[3,$j,$l]", "s32[3]"},
         "s32[9,$l] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}",
         "([k, j], [i, j, l], [i])->([k, l]) summed={j} whole={i, k}"});
  // Sizes of groups for each element of two dimensions.
  Check({{"s32[$j,$l,9,$k]", "s32[$n,$j,3,$k]", "s32[$j,$l,3]"},
         "s32[$j,$l,9,$n] ragged-dot(p0, p1, p2), lhs_batch_dims={0}, "
         "lhs_contracting_dims={3}, rhs_batch_dims={1}, "
         "rhs_contracting_dims={3}, lhs_ragged_dims={2}, rhs_group_dims={2}",
         "([j, l, m, k], [n, j, i, k], [j, l, i])->([j, l, m, n]) summed={k} "
         "whole={i, m}"});
  Check({{"s32[$k,9]", "s32[9,$l]", "s32[3]"},
         "s32[3,$k,$l] ragged-dot(p0, p1, p2), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}, lhs_ragged_dims={1}",
         "([k, j], [j, l], [i])->([i, k, l]) whole={i, j}"});
}

TEST_F(DimensionFactorsTest, ScaledDot) {
  Check({{"f32[$k,$ij]", "f32[$ij,$l]", "f32[$k,$i]", "f32[1,$l]"},
         "f32[$k,$l] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}",
         "([k, ij], [ij, l], [k, i], [1, l])->([k, l]) summed={i, j}"});
  // Blocks of both sides, and a side without scales.
  Check({{"f32[$l,$ijk]", "f32[$ijk,$m]", "f32[1,$ij]", "f32[$i,1]"},
         "f32[$l,$m] scaled-dot(p0, p1, p2, p3), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}",
         "([l, ijk], [ijk, m], [1, ij], [i, 1])->([l, m]) summed={i, j, k}"});
  Check({{"f32[$i,$k,$j]", "f32[$i,$j,$l]", "f32[$i,$k,1]", "f32[]"},
         "f32[$i,$k,$l] scaled-dot(p0, p1, p2, p3), lhs_batch_dims={0}, "
         "lhs_contracting_dims={2}, rhs_batch_dims={0}, "
         "rhs_contracting_dims={1}",
         "([i, k, j], [i, j, l], [i, k, 1], [])->([i, k, l]) summed={j}"});
}

TEST_F(DimensionFactorsTest, Convolution) {
  Check({{"s32[$i,$j,$l]", "s32[2,$l,$k]"},
         "s32[$i,$j,$k] convolution(p0, p1), window={size=2 pad=1_0}, "
         "dim_labels=b0f_0io->b0f",
         "([i, j, l], [m, l, k])->([i, j, k]) summed={l} permuted={j} "
         "whole={m}"});
  // The gradient of a kernel.
  Check({{"s32[$l,40,$j]", "s32[$l,40,$k]"},
         "s32[3,$j,$k] convolution(p0, p1), window={size=40 pad=1_1}, "
         "dim_labels=f0b_i0o->0bf",
         "([l, m, j], [l, m, k])->([i, j, k]) summed={l} permuted={m} "
         "whole={i}"});
  // k groups of features.
  Check({{"s32[$i,5,$km]", "s32[3,$m,$kl]"},
         "s32[$i,5,$kl] convolution(p0, p1), window={size=3 pad=1_1}, "
         "dim_labels=b0f_0io->b0f, feature_group_count=$k",
         "([i, j, km], [n, m, kl])->([i, j, kl]) summed={m} permuted={j} "
         "whole={n}"});
  // k groups of batches.
  Check({{"s32[$ki,5,$m]", "s32[3,$m,$kl]"},
         "s32[$i,5,$kl] convolution(p0, p1), window={size=3 pad=1_1}, "
         "dim_labels=b0f_0io->b0f, batch_group_count=$k",
         "([ki, j, m], [n, m, kl])->([i, j, kl]) summed={m} permuted={j} "
         "whole={n}"});
}

TEST_F(DimensionFactorsTest, Gather) {
  Check({{"s32[9,$j]", "s32[$i,1]"},
         "s32[$i,$j] gather(p0, p1), offset_dims={1}, "
         "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
         "slice_sizes={1,$j}",
         "([k, j], [i, 1])->([i, j]) whole={k}"});
  // Batching dimensions, and starts as vectors.
  Check({{"s32[$j,9,8]", "s32[$i,2,$j]"},
         "s32[$i,$j] gather(p0, p1), offset_dims={}, "
         "collapsed_slice_dims={1,2}, start_index_map={2,1}, "
         "index_vector_dim=1, slice_sizes={1,1,1}, "
         "operand_batching_dims={0}, start_indices_batching_dims={2}",
         "([j, k, l], [i, m, j])->([i, j]) whole={k, l, m}"});
}

TEST_F(DimensionFactorsTest, DynamicSlices) {
  Check({{"s32[$i,9]", "s32[]", "s32[]"},
         "s32[$i,4] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={$i,4}",
         "([i, k], [], [])->([i, j]) whole={j, k}"});
  Check({{"s32[$i,9]", "s32[$i,4]", "s32[]", "s32[]"},
         "s32[$i,9] dynamic-update-slice(p0, p1, p2, p3)",
         "([i, j], [i, k], [], [])->([i, j]) whole={j, k}"});
}

TEST_F(DimensionFactorsTest, Scatters) {
  Check({{"s32[9,$k]", "s32[$i,1]", "s32[$i,$k]"},
         "s32[9,$k] scatter(p0, p1, p2), update_window_dims={1}, "
         "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
         "index_vector_dim=1, to_apply=add",
         "([j, k], [i, 1], [i, k])->([j, k]) whole={i, j}"});
  Check({{"s32[$j,9]", "s32[2,1,$j]", "s32[2,$j,5]"},
         "s32[$j,9] scatter(p0, p1, p2), update_window_dims={2}, "
         "inserted_window_dims={}, scatter_dims_to_operand_dims={1}, "
         "input_batching_dims={0}, scatter_indices_batching_dims={2}, "
         "index_vector_dim=1, to_apply=add",
         "([j, k], [i, 1, j], [i, j, l])->([j, k]) whole={i, k, l}"});
  Check({{"s32[$i,8]", "s32[$i,4]", "s32[]"},
         "s32[$i,8] select-and-scatter(p0, p1, p2), "
         "window={size=1x2 stride=1x2}, select=less, scatter=add",
         "([i, j], [i, j], [])->([i, j]) permuted={j}"});
}

TEST_F(DimensionFactorsTest, OpsOfWholeRows) {
  Check({{"s32[$i,$j]"},
         "s32[$i,$j] sort(p0), dimensions={1}, to_apply=less",
         "([i, j])->([i, j]) whole={j}"});
  Check({{"f32[$i,7]"},
         "(f32[$i,3], s32[$i,3]) topk(p0), k=3, largest=true",
         "([i, k])->([i, j], [i, j]) whole={j, k}"});
  Check({{"c64[$i,8]"},
         "c64[$i,8] fft(p0), fft_type=FFT, fft_length={8}",
         "([i, j])->([i, j]) whole={j}"});
  Check({{"f32[$i,8]"},
         "c64[$i,5] fft(p0), fft_type=RFFT, fft_length={8}",
         "([i, k])->([i, j]) whole={j, k}"});
  Check({{"f32[$i,3,3]"},
         "f32[$i,3,3] cholesky(p0), lower=true",
         "([i, j, k])->([i, j, k]) whole={j, k}"});
  Check({{"f32[$i,3,3]", "f32[$i,3,$k]"},
         "f32[$i,3,$k] triangular-solve(p0, p1), left_side=true, lower=true, "
         "unit_diagonal=true, transpose_a=NO_TRANSPOSE",
         "([i, l, m], [i, j, k])->([i, j, k]) whole={j, l, m}"});
}

TEST_F(DimensionFactorsTest, BatchNorms) {
  Check({{"f32[$i,$j]", "f32[$j]", "f32[$j]"},
         "(f32[$i,$j], f32[$j], f32[$j]) batch-norm-training(p0, p1, p2), "
         "epsilon=1, feature_index=1",
         "([i, j], [j], [j])->([i, j], [j], [j]) whole={i}"});
  Check({{"f32[$i,$j]", "f32[$j]", "f32[$j]", "f32[$j]", "f32[$j]"},
         "f32[$i,$j] batch-norm-inference(p0, p1, p2, p3, p4), epsilon=1, "
         "feature_index=1",
         "([i, j], [j], [j], [j], [j])->([i, j])"});
}

TEST_F(DimensionFactorsTest, ByPlace) {
  Check(
      {{}, "s32[$i,$j] iota(), iota_dimension=1", "()->([i, j]) permuted={j}"});
  Check({{"s32[$i,$j]"},
         "s16[$i,$j,2] bitcast-convert(p0)",
         "([i, j])->([i, j, k]) whole={k}"});
}

TEST_F(DimensionFactorsTest, EmptyDimensions) {
  Check({{"s32[0,$k]", "s32[$k,$j]"},
         "s32[0,$j] dot(p0, p1), lhs_contracting_dims={1}, "
         "rhs_contracting_dims={0}",
         "([i, k], [k, j])->([i, j]) summed={k}"});
}

}  // namespace
}  // namespace xla
