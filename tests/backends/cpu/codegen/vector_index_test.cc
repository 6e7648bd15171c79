// Tests that positions can be taken apart and reassembled.
#include "xla/backends/cpu/codegen/elemental/vector_index.h"

#include <vector>

#include "gtest/gtest.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace xla::cpu {
namespace {

constexpr int kLanes = 8;

class VectorIndexTest : public testing::Test {
 protected:
  VectorIndexTest() : module_("m", context_), b_(context_) {
    auto* function = llvm::Function::Create(
        llvm::FunctionType::get(b_.getVoidTy(), {b_.getInt64Ty()}, false),
        llvm::Function::ExternalLinkage, "f", module_);
    b_.SetInsertPoint(llvm::BasicBlock::Create(context_, "", function));
    position_ = function->getArg(0);
  }

  // The index of consecutive positions in an array of `dimensions`.
  VectorIndex Terms(const std::vector<int64_t>& dimensions) {
    int64_t elements = 1;
    for (const int64_t d : dimensions) elements *= d;
    VectorIndex index{.lanes = kLanes};
    index.linear = AffineIndex{
        .base = position_, .step = 1, .min = 0, .max = elements - 1};
    index.MakeTerms(b_, dimensions);
    index.linear.reset();
    return index;
  }
  bool IsPosition(const AffineIndex& term) const {
    return term.affine() && term.base == position_ && term.step == 1;
  }

  llvm::LLVMContext context_;
  llvm::Module module_;
  llvm::IRBuilder<> b_;
  llvm::Value* position_ = nullptr;
};

TEST_F(VectorIndexTest, PartsAreOnePositionAgain) {
  const VectorIndex index = Terms({20, 5, 3});
  EXPECT_FALSE(index.terms[2].affine());
  const AffineIndex linear = index.Linear(b_, {20, 5, 3});
  EXPECT_TRUE(IsPosition(linear));
  EXPECT_EQ(linear.min, 0);
  EXPECT_EQ(linear.max, 299);
}

TEST_F(VectorIndexTest, AlsoAsTheInnerDimensionsOfAnotherArray) {
  VectorIndex index{.lanes = kLanes};
  const AffineIndexBuilder t(b_, kLanes);
  index.terms = {t.Constant(2)};
  for (const AffineIndex& term : Terms({20, 1, 3}).terms) {
    index.terms.push_back(term);
  }
  const AffineIndex linear = index.Linear(b_, {4, 20, 1, 3});
  EXPECT_TRUE(linear.affine());
  EXPECT_EQ(linear.step, 1);
  EXPECT_EQ(linear.min, 120);
  EXPECT_EQ(linear.max, 179);
}

TEST_F(VectorIndexTest, NotPartsInAnotherOrderOrOfAnotherArray) {
  VectorIndex index = Terms({5, 3});
  EXPECT_FALSE(index.Linear(b_, {5, 4}).affine());
  std::swap(index.terms[0], index.terms[1]);
  EXPECT_FALSE(index.Linear(b_, {3, 5}).affine());
  VectorIndex mixed = Terms({5, 3});
  mixed.terms[0] = Terms({5, 3}).terms[0];
  EXPECT_FALSE(mixed.Linear(b_, {5, 3}).affine());
  VectorIndex shifted = Terms({5, 3});
  shifted.terms[1] = AffineIndexBuilder(b_, kLanes).Add(shifted.terms[1], 1);
  EXPECT_FALSE(shifted.Linear(b_, {5, 4}).affine());
}

TEST_F(VectorIndexTest, ThePartOfTheOutermostDimensionMayBeShifted) {
  VectorIndex index = Terms({20, 3});
  const AffineIndexBuilder t(b_, kLanes);
  index.terms[0] = t.Add(t.Add(index.terms[0], 9), -2);
  const AffineIndex linear = index.Linear(b_, {30, 3});
  EXPECT_TRUE(linear.affine());
  EXPECT_EQ(linear.step, 1);
  EXPECT_EQ(linear.min, 21);
  EXPECT_EQ(linear.max, 80);
}

TEST_F(VectorIndexTest, LanesOfWholeBlocksAreConstantDistancesApart) {
  constexpr int kWholeLanes = 6;
  const AffineIndexBuilder t(b_, kWholeLanes);
  const AffineIndex position = {
      .base = position_, .step = 1, .min = 0, .max = 59, .divisor = 6};
  const AffineIndex pixel = t.Divide(position, 3);
  const AffineIndex channel = t.Remainder(position, 3);
  ASSERT_NE(pixel.offsets, nullptr);
  ASSERT_NE(channel.offsets, nullptr);
  EXPECT_EQ(*pixel.offsets, (std::vector<int64_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(*channel.offsets, (std::vector<int64_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(pixel.divisor, 2);
  // Of pairs of pixels, and of pixels in reverse.
  EXPECT_TRUE(t.Divide(pixel, 2).uniform());
  const AffineIndex reversed =
      t.Add(t.Multiply(t.SubtractFrom(19, pixel), 3), channel);
  ASSERT_NE(reversed.offsets, nullptr);
  EXPECT_EQ(*reversed.offsets, (std::vector<int64_t>{0, 1, 2, -3, -2, -1}));
  const AffineIndex again = t.Add(t.Multiply(pixel, 3), channel);
  EXPECT_TRUE(again.affine());
  EXPECT_EQ(again.step, 1);
}

}  // namespace
}  // namespace xla::cpu
