// Compares the indexing maps of each op with the evaluator's results.
#include "xla/hlo/ops/op_indexing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"
#include "xla/core/index_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using Index = std::vector<int64_t>;

// How an element of the result follows from those to which the maps lead: it is
// a copy of one, their sum, or the sum of products of two operands' elements.
enum class Meaning { kMove, kSum, kProduct };

class OpIndexingTest : public ::testing::Test {
 protected:
  // `text` is one instruction whose operands are %p0, %p1, ...: arrays of s32,
  // "s32[4,5] p0" each. Parameters from `positions` on are small numbers.
  void Check(Meaning meaning, std::vector<std::string> parameters,
             const std::string& text, int positions = 99) {
    SCOPED_TRACE(text);
    std::string module_text =
        "HloModule m\nadd { x = s32[] parameter(0)\n y = s32[] parameter(1)\n"
        " ROOT s = s32[] add(x, y) }\nENTRY e {\n";
    for (size_t i = 0; i < parameters.size(); ++i) {
      absl::StrAppend(&module_text, "  p", i, " = ", parameters[i],
                      " parameter(", i, ")\n");
    }
    absl::StrAppend(&module_text, "  ROOT r = ", text, "\n}");
    module_ = ParseModule(module_text);
    ASSERT_NE(module_, nullptr);
    root_ = module_->entry_computation()->root_instruction();
    MakeArguments(positions);
    absl::StatusOr<Literal> result =
        HloEvaluator().Evaluate(*module_, absl::MakeConstSpan(arguments_));
    ASSERT_TRUE(result.ok()) << result.status();
    const std::optional<OpIndexing> indexing = IndexingOf(*root_);
    ASSERT_TRUE(indexing.has_value());
    EXPECT_EQ(root_->def().moves, meaning == Meaning::kMove);
    for (const OperandIndexing& read : indexing->reads) {
      ASSERT_EQ(read.map.results().size(),
                arguments_[read.operand].shape().dimensions().size());
    }
    ShapeUtil::ForEachIndexNoStatus(
        root_->shape(), [&](absl::Span<const int64_t> index) {
          EXPECT_EQ(Expected(meaning, *indexing, index),
                    result->Get<int32_t>(index))
              << Describe(*indexing);
          return !HasFailure();
        });
  }

 private:
  void MakeArguments(int positions) {
    std::mt19937 random(7);
    arguments_.clear();
    for (int i = 0; i < module_->entry_computation()->num_parameters(); ++i) {
      const bool small = i >= positions;
      std::uniform_int_distribution<int32_t> numbers(small ? -2 : -1000,
                                                     small ? 7 : 1000);
      Literal literal(
          module_->entry_computation()->parameter_instruction(i)->shape());
      ASSERT_TRUE(literal
                      .Populate<int32_t>([&](absl::Span<const int64_t>) {
                        return numbers(random);
                      })
                      .ok());
      arguments_.push_back(std::move(literal));
    }
  }

  static std::string Describe(const OpIndexing& indexing) {
    std::string text;
    for (const OperandIndexing& read : indexing.reads) {
      absl::StrAppend(&text, "operand ", read.operand, ": ",
                      read.map.ToString(), "\n");
    }
    return text;
  }

  // Returns the value of a runtime variable before it is clamped to its range.
  int64_t Read(const IndexingMap::Variable& variable, const Index& values) {
    Index at;
    for (const IndexExpr& e : variable.index) at.push_back(*e.Evaluate(values));
    return arguments_[variable.source].Get<int32_t>(at);
  }

  // Calls visit(values) for all values of the ranges at an index of the result.
  void ForEachValues(const IndexingMap& map, absl::Span<const int64_t> index,
                     const std::function<void(const Index&)>& visit) {
    Index values(index.begin(), index.end());
    std::function<void()> go = [&] {
      if (values.size() == map.variables().size()) return visit(values);
      const auto& variable = map.variables()[values.size()];
      values.push_back(0);
      if (variable.kind == IndexingMap::Kind::kRuntime) {
        const Index known(values.begin(), values.end() - 1);
        values.back() = std::clamp(Read(variable, known), variable.range.lower,
                                   variable.range.upper);
        go();
      } else {
        for (int64_t i = variable.range.lower; i <= variable.range.upper; ++i) {
          values.back() = i;
          go();
        }
      }
      values.pop_back();
    };
    go();
  }

  int64_t Expected(Meaning meaning, const OpIndexing& indexing,
                   absl::Span<const int64_t> index) {
    if (meaning == Meaning::kProduct) return SumOfProducts(indexing, index);
    int64_t sum = 0;
    for (const OperandIndexing& read : indexing.reads) {
      bool found = false;
      ForEachValues(read.map, index, [&](const Index& values) {
        const auto at = read.map.Evaluate(values);
        found |= at.has_value();
        if (at.has_value()) sum += arguments_[read.operand].Get<int32_t>(*at);
      });
      if (meaning == Meaning::kMove && found) return sum;
    }
    EXPECT_EQ(meaning, Meaning::kSum) << "no entry has an element";
    return sum;
  }

  int64_t SumOfProducts(const OpIndexing& indexing,
                        absl::Span<const int64_t> index) {
    const IndexingMap& lhs = indexing.reads[0].map;
    const IndexingMap& rhs = indexing.reads[1].map;
    int64_t sum = 0;
    ForEachValues(lhs, index, [&](const Index& values) {
      const auto a = lhs.Evaluate(values);
      const auto b = rhs.Evaluate(values);
      EXPECT_EQ(a.has_value(), b.has_value());
      if (a.has_value() && b.has_value()) {
        sum += static_cast<int64_t>(arguments_[0].Get<int32_t>(*a)) *
               arguments_[1].Get<int32_t>(*b);
      }
    });
    return static_cast<int32_t>(sum);
  }

  std::unique_ptr<HloModule> module_;
  const HloInstruction* root_ = nullptr;
  std::vector<Literal> arguments_;
};

TEST_F(OpIndexingTest, Elementwise) {
  Check(Meaning::kSum, {"s32[2,3]", "s32[2,3]"}, "s32[2,3] add(p0, p1)");
}

TEST_F(OpIndexingTest, Broadcast) {
  Check(Meaning::kMove, {"s32[3]"}, "s32[2,3,4] broadcast(p0), dimensions={1}");
  Check(Meaning::kMove, {"s32[]"}, "s32[2,3] broadcast(p0), dimensions={}");
  Check(Meaning::kMove, {"s32[2,3]"},
        "s32[3,2] broadcast(p0), dimensions={1,0}");
}

TEST_F(OpIndexingTest, Reshape) {
  Check(Meaning::kMove, {"s32[6,4,5]"}, "s32[3,8,5] reshape(p0)");
  Check(Meaning::kMove, {"s32[4,6]"}, "s32[6,1,4] reshape(p0)");
  Check(Meaning::kMove, {"s32[1,1]"}, "s32[] reshape(p0)");
  Check(Meaning::kMove, {"s32[0,3]"}, "s32[3,0,2] reshape(p0)");
  Check(Meaning::kMove, {"s32[4,6]{1,0}"}, "s32[24]{0} bitcast(p0)");
}

TEST_F(OpIndexingTest, BitcastConvert) {
  Check(Meaning::kSum, {"s32[2,3]"}, "s32[2,3] bitcast-convert(p0)");
}

TEST_F(OpIndexingTest, TransposeAndReverse) {
  Check(Meaning::kMove, {"s32[2,3,4]"},
        "s32[4,2,3] transpose(p0), dimensions={2,0,1}");
  Check(Meaning::kMove, {"s32[2,3,4]"},
        "s32[2,3,4] reverse(p0), dimensions={0,2}");
}

TEST_F(OpIndexingTest, Slice) {
  Check(Meaning::kMove, {"s32[9,5]"},
        "s32[3,2] slice(p0), slice={[2:9:3], [3:5]}");
}

TEST_F(OpIndexingTest, Pad) {
  Check(Meaning::kMove, {"s32[3,4]", "s32[]"},
        "s32[8,6] pad(p0, p1), padding=2_1_1x1_1");
  Check(Meaning::kMove, {"s32[5,4]", "s32[]"},
        "s32[6,2] pad(p0, p1), padding=-2_-1_1x-1_-1");
  Check(Meaning::kMove, {"s32[1]", "s32[]"},
        "s32[4] pad(p0, p1), padding=2_1_5");
  Check(Meaning::kMove, {"s32[0]", "s32[]"}, "s32[4] pad(p0, p1), padding=3_1");
}

TEST_F(OpIndexingTest, Concatenate) {
  Check(Meaning::kMove, {"s32[2,3]", "s32[2,0]", "s32[2,4]"},
        "s32[2,7] concatenate(p0, p1, p2), dimensions={1}");
}

TEST_F(OpIndexingTest, DynamicSlices) {
  Check(Meaning::kMove, {"s32[6,5]", "s32[]", "s32[]"},
        "s32[2,3] dynamic-slice(p0, p1, p2), dynamic_slice_sizes={2,3}", 1);
  Check(Meaning::kMove, {"s32[6,5]", "s32[2]"},
        "s32[2,3] dynamic-slice(p0, p1), dynamic_slice_sizes={2,3}", 1);
  Check(Meaning::kMove, {"s32[6,5]", "s32[2,3]", "s32[]", "s32[]"},
        "s32[6,5] dynamic-update-slice(p0, p1, p2, p3)", 2);
}

TEST_F(OpIndexingTest, Gather) {
  Check(Meaning::kMove, {"s32[6,5]", "s32[4,2]"},
        "s32[4,3] gather(p0, p1), offset_dims={1}, collapsed_slice_dims={0}, "
        "start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,3}",
        1);
  Check(Meaning::kMove, {"s32[6,5]", "s32[2,4]"},
        "s32[3,2,4] gather(p0, p1), offset_dims={0}, collapsed_slice_dims={1}, "
        "start_index_map={1}, index_vector_dim=2, slice_sizes={3,1}",
        1);
  Check(Meaning::kMove, {"s32[3,6,5]", "s32[2,3,4]"},
        "s32[3,4,2] gather(p0, p1), offset_dims={2}, collapsed_slice_dims={1}, "
        "start_index_map={2,1}, index_vector_dim=0, slice_sizes={1,1,2}, "
        "operand_batching_dims={0}, start_indices_batching_dims={1}",
        1);
}

TEST_F(OpIndexingTest, Reduce) {
  Check(Meaning::kSum, {"s32[3,4,5]", "s32[]"},
        "s32[4] reduce(p0, p1), dimensions={0,2}, to_apply=add");
}

TEST_F(OpIndexingTest, ReduceWindow) {
  Check(Meaning::kSum, {"s32[7,8]", "s32[]"},
        "s32[4,7] reduce-window(p0, p1), window={size=3x2 stride=2x1 "
        "pad=1_1x0_1 rhs_dilate=1x2}, to_apply=add");
  Check(Meaning::kSum, {"s32[4]", "s32[]"},
        "s32[9] reduce-window(p0, p1), window={size=2 pad=2_1 lhs_dilate=2}, "
        "to_apply=add");
}

TEST_F(OpIndexingTest, Dot) {
  Check(Meaning::kProduct, {"s32[3,2,4,5]", "s32[5,6,2,3]"},
        "s32[3,4,6] dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={3}, "
        "lhs_contracting_dims={1,3}, rhs_contracting_dims={2,0}");
}

TEST_F(OpIndexingTest, Convolution) {
  Check(Meaning::kProduct, {"s32[2,7,3]", "s32[3,3,4]"},
        "s32[2,4,4] convolution(p0, p1), window={size=3 stride=2 pad=1_1}, "
        "dim_labels=b0f_0io->b0f");
  Check(Meaning::kProduct, {"s32[2,5,3]", "s32[2,3,4]"},
        "s32[2,9,4] convolution(p0, p1), window={size=2 pad=2_1 lhs_dilate=2 "
        "rhs_dilate=3 rhs_reversal=1}, dim_labels=b0f_0io->b0f");
  Check(Meaning::kProduct, {"s32[6,4,5]", "s32[2,2,9]"},
        "s32[4,5,9] convolution(p0, p1), window={size=2 pad=0_1}, "
        "dim_labels=fb0_i0o->b0f, feature_group_count=3");
  Check(Meaning::kProduct, {"s32[6,4,5]", "s32[2,5,9]"},
        "s32[2,3,9] convolution(p0, p1), window={size=2}, "
        "dim_labels=b0f_0io->b0f, batch_group_count=3");
}

}  // namespace
}  // namespace xla
