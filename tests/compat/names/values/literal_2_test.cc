// Uses the public names of xla/literal.h that make, write, move and view
// literals.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/array.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/literal.h"
#include "xla/literal_util.h"
#include "xla/shape_tree.h"
#include "xla/shape_util.h"
#include "xla/tsl/lib/core/bitmap.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

using MutableLiteralNamesTest = testing::Test;

TEST_F(MutableLiteralNamesTest, Constructors) {
  EXPECT_TRUE(ShapeUtil::IsEmptyTuple(Literal().shape()));
  const Shape shape = ShapeUtil::MakeShape(S32, {2});
  Literal zeros(shape);
  EXPECT_NE(zeros.untyped_data(), nullptr);
  EXPECT_EQ(Literal(shape, /*allocate_arrays=*/false).untyped_data(), nullptr);
  EXPECT_NE(Literal(shape, /*allocate_arrays=*/true).untyped_data(), nullptr);
  EXPECT_EQ(Literal::Make(shape)->shape(), shape);
  EXPECT_EQ(Literal::Make(shape, false)->untyped_data(), nullptr);
  EXPECT_THAT(Literal::CreateFromShape(shape).data<int32_t>(),
              ElementsAre(0, 0));
  Literal moved(std::move(zeros));
  EXPECT_EQ(moved.shape(), shape);
  Literal assigned;
  assigned = std::move(moved);
  EXPECT_EQ(assigned.shape(), shape);
}

TEST_F(MutableLiteralNamesTest, ArraysWithoutValues) {
  const Shape array = ShapeUtil::MakeShape(F32, {2});
  const Shape shape = ShapeUtil::MakeTupleShape({array});
  const Literal unknown = Literal::CreateFromShapeWithUnknownLeafArrays(shape);
  EXPECT_FALSE(unknown.IsKnown());
  EXPECT_FALSE(unknown.IsKnown({0}));
  EXPECT_TRUE(unknown.IsDetermined());
  const Literal undetermined =
      Literal::CreateFromShapeWithUndeterminedLeafArrays(shape);
  EXPECT_FALSE(undetermined.IsKnown());
  EXPECT_FALSE(undetermined.IsDetermined({0}));
  const Literal known(shape);
  EXPECT_TRUE(known.IsKnown());
  EXPECT_TRUE(known.IsDetermined({0}));
}

TEST_F(MutableLiteralNamesTest, CopiesOfArraysWithoutValues) {
  const Literal row = LiteralUtil::CreateR1<float>({1, 2});
  const Literal unknown =
      Literal::CreateFromShapeWithUnknownLeafArrays(row.shape());
  EXPECT_FALSE(unknown.Clone().IsKnown());
  Literal tuple = LiteralUtil::MakeTuple({&unknown, &row});
  EXPECT_FALSE(tuple.IsKnown({0}));
  EXPECT_TRUE(tuple.IsKnown({1}));
  // What gets values has memory for them; a view cannot get any.
  Literal filled = unknown.Clone();
  EXPECT_FALSE(MutableBorrowingLiteral(&filled).CopyFrom(row).ok());
  EXPECT_TRUE(filled.CopyFrom(row).ok());
  EXPECT_TRUE(filled.IsKnown());
  EXPECT_EQ(filled, row);
}

TEST_F(MutableLiteralNamesTest, Elements) {
  Literal matrix(ShapeUtil::MakeShape(F32, {2, 2}));
  matrix.Set<float>({0, 1}, 5);
  matrix.data<float>()[2] = 6;
  static_cast<float*>(matrix.untyped_data())[3] = 7;
  EXPECT_EQ(matrix, LiteralUtil::CreateR2<float>({{0, 5}, {6, 7}}));
  Literal tuple = LiteralUtil::MakeTuple({&matrix});
  tuple.Set<float>({0, 0}, {0}, 4);
  tuple.data<float>({0})[1] = 8;
  EXPECT_EQ(tuple.Get<float>({0, 1}, {0}), 8);
  EXPECT_EQ(*static_cast<float*>(tuple.untyped_data({0})), 4);
  const MutableLiteralBase& constant = tuple;
  EXPECT_THAT(constant.data<float>({0}), ElementsAre(4, 8, 6, 7));
  EXPECT_TRUE(matrix.SetFromDouble({0, 0}, 0.5).ok());
  EXPECT_EQ(matrix.Get<float>({0, 0}), 0.5f);
  EXPECT_EQ(matrix.SetIntegralAsS64({0, 0}, 1).code(),
            absl::StatusCode::kFailedPrecondition);
  Literal byte(ShapeUtil::MakeShape(U8, {}));
  EXPECT_TRUE(byte.SetIntegralAsS64({}, 257).ok());
  EXPECT_EQ(byte.Get<uint8_t>({}), 1);
  EXPECT_EQ(byte.SetFromDouble({}, 1).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(MutableLiteralNamesTest, Copies) {
  const Literal source = LiteralUtil::CreateR2<float>({{1, 2}, {3, 4}});
  Literal target(source.shape());
  EXPECT_TRUE(target.CopyFrom(source).ok());
  EXPECT_EQ(target, source);
  Literal tuple(ShapeUtil::MakeTupleShape({source.shape(), source.shape()}));
  EXPECT_TRUE(tuple.CopyFrom(source, /*dest_shape_index=*/{1}).ok());
  EXPECT_TRUE(target.CopyFrom(tuple, {}, /*src_shape_index=*/{0}).ok());
  EXPECT_THAT(target.data<float>(), Each(0));
  EXPECT_TRUE(target.CopyFrom(tuple, {}, {1}).ok());
  EXPECT_EQ(target, source);
  EXPECT_FALSE(target.CopyFrom(LiteralUtil::CreateR0<float>(1)).ok());
  Literal bounded(ShapeUtil::MakeShape(F32, {2, 2}, {true, false}));
  bounded.SetDynamicSize(0, 1);
  EXPECT_TRUE(
      bounded.CopyFrom(source, {}, {}, /*only_dynamic_bound=*/true).ok());
  EXPECT_EQ(bounded.ToStatic(), LiteralUtil::CreateR2<float>({{1, 2}}));
  Literal row(ShapeUtil::MakeShape(F32, {1, 3}));
  EXPECT_TRUE(row.CopySliceFrom(source, {1, 0}, {0, 1}, {1, 2}).ok());
  row.CopyElementFrom(source, {0, 1}, {0, 0}).IgnoreError();
  EXPECT_EQ(row, LiteralUtil::CreateR2<float>({{2, 3, 4}}));
}

TEST_F(MutableLiteralNamesTest, DynamicSizes) {
  Literal row(ShapeUtil::MakeShape(F32, {4}));
  row.SetDynamicSize(0, 3);
  EXPECT_EQ(row.GetDynamicSize(0), 3);
  EXPECT_TRUE(row.shape().is_dynamic_dimension(0));
  Literal tuple(ShapeUtil::MakeTupleShape({row.shape()}));
  tuple.SetDynamicSize(0, {0}, 2);
  EXPECT_EQ(tuple.GetDynamicSize(0, {0}), 2);
  tuple.mutable_shape_do_not_use()
      ->mutable_tuple_shapes(0)
      ->set_dynamic_dimension(0, false);
  EXPECT_TRUE(tuple.shape().is_static());
}

TEST_F(MutableLiteralNamesTest, ValuesOfTheDynamicSizes) {
  Literal matrix(ShapeUtil::MakeShape(U32, {2, 3}, {false, true}));
  matrix.SetDynamicSize(1, 2);
  matrix.PopulateR2<uint32_t>({{1, 2}, {4, 5}});
  EXPECT_EQ(matrix.ToStatic(),
            LiteralUtil::CreateR2<uint32_t>({{1, 2}, {4, 5}}));
  matrix.PopulateR2<uint32_t>({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(matrix.ToStatic(),
            LiteralUtil::CreateR2<uint32_t>({{1, 2}, {4, 5}}));
  // A broadcast keeps the size, also where the shape says static.
  Literal row(ShapeUtil::MakeShape(U32, {3}, {true}));
  row.SetDynamicSize(0, 1);
  const Literal rows =
      row.Broadcast(ShapeUtil::MakeShape(U32, {2, 3}), {1}).value();
  EXPECT_EQ(rows.GetDynamicSize(1), 1);
}

TEST_F(MutableLiteralNamesTest, Values) {
  Literal row(ShapeUtil::MakeShape(F32, {3}));
  row.PopulateR1<float>({1, 2, 3});
  EXPECT_THAT(row.data<float>(), ElementsAre(1, 2, 3));
  row.PopulateWithValue<float>(9);
  EXPECT_THAT(row.data<float>(), Each(9));
  tsl::core::Bitmap bits(3);
  bits.set(1);
  Literal flags(ShapeUtil::MakeShape(PRED, {3}));
  flags.PopulateR1(bits);
  EXPECT_THAT(flags.data<bool>(), ElementsAre(false, true, false));
  Literal matrix(ShapeUtil::MakeShapeWithDenseLayout(S32, {2, 2}, {0, 1}));
  matrix.PopulateR2<int32_t>({{1, 2}, {3, 4}});
  EXPECT_THAT(matrix.data<int32_t>(), ElementsAre(1, 3, 2, 4));
  matrix.PopulateFromArray(Array<int32_t>({{5, 6}, {7, 8}}));
  EXPECT_EQ(matrix.Get<int32_t>({0, 1}), 6);
  matrix.PopulateR2FromArray2D(Array2D<int32_t>(2, 2, 1));
  EXPECT_THAT(matrix.data<int32_t>(), Each(1));
  Literal cube(ShapeUtil::MakeShape(S32, {1, 1, 2}));
  cube.PopulateR3FromArray3D(Array3D<int32_t>(1, 1, 2, 4));
  EXPECT_THAT(cube.data<int32_t>(), Each(4));
  Literal four(ShapeUtil::MakeShape(S32, {1, 1, 1, 2}));
  four.PopulateR4FromArray4D(Array4D<int32_t>(1, 1, 1, 2, 5));
  EXPECT_THAT(four.data<int32_t>(), Each(5));
}

TEST_F(MutableLiteralNamesTest, Generators) {
  Literal matrix(ShapeUtil::MakeShape(F32, {2, 2}));
  int calls = 0;
  EXPECT_TRUE(matrix
                  .Populate<float>([calls](absl::Span<const int64_t>) mutable {
                    return static_cast<float>(++calls);
                  })
                  .ok());
  EXPECT_THAT(matrix.data<float>(), ElementsAre(1, 2, 3, 4));
  const auto tens = [](absl::Span<const int64_t> at, int /*thread_id*/) {
    return static_cast<float>(10 * at[0] + at[1]);
  };
  EXPECT_TRUE(matrix.PopulateParallel<float>(tens).ok());
  EXPECT_THAT(matrix.data<float>(), ElementsAre(0, 1, 10, 11));
  const auto square = [](int64_t i) { return static_cast<float>(i * i); };
  EXPECT_TRUE(matrix.PopulateLinear<float>(square).ok());
  EXPECT_THAT(matrix.data<float>(), ElementsAre(0, 1, 4, 9));
  EXPECT_TRUE(matrix
                  .PopulateLinearParallel<float>(
                      [](int64_t i, int) { return i + 0.5f; })
                  .ok());
  EXPECT_THAT(matrix.data<float>(), ElementsAre(0.5, 1.5, 2.5, 3.5));
  EXPECT_FALSE(matrix.PopulateLinear<double>(square).ok());
  EXPECT_FALSE(Literal().PopulateLinear<float>(square).ok());
  matrix.MutableEachCell<float>(
      [](absl::Span<const int64_t> at, float value) { return value + at[0]; });
  EXPECT_THAT(matrix.data<float>(), ElementsAre(0.5, 1.5, 3.5, 4.5));
}

TEST_F(MutableLiteralNamesTest, Populators) {
  Literal row(ShapeUtil::MakeShape(U16, {3}));
  const auto put = [](void* dest, int64_t value) {
    *static_cast<uint16_t*>(dest) = static_cast<uint16_t>(value);
  };
  EXPECT_TRUE(
      row.PopulateInplace([&](void* dest, absl::Span<const int64_t> at) {
           put(dest, at[0]);
         })
          .ok());
  EXPECT_THAT(row.data<uint16_t>(), ElementsAre(0, 1, 2));
  EXPECT_TRUE(
      row.PopulateInplaceParallel([&](void* dest, absl::Span<const int64_t> at,
                                      int) { put(dest, at[0] + 5); })
          .ok());
  EXPECT_THAT(row.data<uint16_t>(), ElementsAre(5, 6, 7));
  EXPECT_TRUE(row.PopulateLinearInplace(
                     [&](void* dest, int64_t i) { put(dest, 2 * i); })
                  .ok());
  EXPECT_THAT(row.data<uint16_t>(), ElementsAre(0, 2, 4));
  EXPECT_TRUE(row.PopulateLinearInplaceParallel(
                     [&](void* dest, int64_t i, int) { put(dest, 3 * i); })
                  .ok());
  EXPECT_THAT(row.data<uint16_t>(), ElementsAre(0, 3, 6));
}

TEST_F(MutableLiteralNamesTest, Tuples) {
  std::vector<Literal> parts;
  parts.push_back(LiteralUtil::CreateR0<float>(1));
  parts.push_back(LiteralUtil::CreateR1<float>({2, 3}));
  const void* buffer = parts[1].untyped_data();
  Literal tuple = Literal::MoveIntoTuple(absl::MakeSpan(parts));
  EXPECT_TRUE(ShapeUtil::IsEmptyTuple(parts[0].shape()));
  EXPECT_EQ(tuple.untyped_data({1}), buffer);
  EXPECT_TRUE(tuple.MoveFrom(LiteralUtil::CreateR0<float>(9), {0}).ok());
  EXPECT_EQ(tuple.Get<float>({}, {0}), 9);
  EXPECT_FALSE(tuple.MoveFrom(LiteralUtil::CreateR0<int32_t>(9), {0}).ok());
  Literal target(tuple.shape());
  EXPECT_TRUE(target.MoveFrom(std::move(tuple)).ok());
  EXPECT_EQ(target.untyped_data({1}), buffer);
  Literal part = target.Clone().SubLiteral({1});
  EXPECT_EQ(part, LiteralUtil::CreateR1<float>({2, 3}));
  const std::vector<Literal> elements = target.DecomposeTuple();
  EXPECT_EQ(elements[1].untyped_data(), buffer);
  EXPECT_TRUE(ShapeUtil::IsEmptyTuple(target.shape()));
}

TEST_F(MutableLiteralNamesTest, Protos) {
  const Literal row = LiteralUtil::CreateR1<float>({2, 3});
  LiteralProto proto = row.ToProto();
  EXPECT_EQ(*Literal::CreateFromProto(proto), row);
  proto.clear_f32s();
  EXPECT_FALSE(Literal::CreateFromProto(proto).ok());
  EXPECT_EQ(
      MutableLiteralBase::CreateFromProto(proto, /*prohibit_empty_literal=*/
                                          false)
          ->shape(),
      row.shape());
}

TEST_F(MutableLiteralNamesTest, Slices) {
  const Literal row = LiteralUtil::CreateR1<float>({2, 3});
  const Literal tuple = LiteralUtil::MakeTuple({&row, &row});
  const LiteralSlice whole = tuple;
  EXPECT_EQ(whole, tuple);
  const LiteralSlice part(tuple, {1});
  EXPECT_EQ(part.untyped_data(), tuple.untyped_data({1}));
  EXPECT_EQ(part, row);
  LiteralSlice none;
  none = part;
  EXPECT_EQ(none.Get<float>({1}), 3);
}

TEST_F(MutableLiteralNamesTest, ForeignBuffers) {
  std::vector<float> values = {1, 2};
  const Shape shape = ShapeUtil::MakeShape(F32, {2});
  char* bytes = reinterpret_cast<char*>(values.data());
  const BorrowingLiteral borrowed(bytes, shape);
  EXPECT_THAT(borrowed.data<float>(), ElementsAre(1, 2));
  EXPECT_EQ(borrowed.untyped_data(), values.data());
  const Shape pair = ShapeUtil::MakeTupleShape({shape, shape});
  const std::vector<const char*> buffers = {bytes, bytes};
  EXPECT_EQ(BorrowingLiteral(buffers, pair).Get<float>({1}, {1}), 2);
  ShapeTree<const char*> tree(pair);
  *tree.mutable_element({0}) = *tree.mutable_element({1}) = bytes;
  EXPECT_EQ(BorrowingLiteral(tree).Get<float>({0}, {0}), 1);
  EXPECT_TRUE(ShapeUtil::IsEmptyTuple(BorrowingLiteral().shape()));
}

TEST_F(MutableLiteralNamesTest, ForeignBuffersThatAreWritten) {
  std::vector<float> values = {1, 2};
  const Shape shape = ShapeUtil::MakeShape(F32, {2});
  char* bytes = reinterpret_cast<char*>(values.data());
  MutableBorrowingLiteral writer(bytes, shape);
  writer.Set<float>({1}, 5);
  EXPECT_EQ(values[1], 5);
  const MutableBorrowingLiteral copy(writer);
  EXPECT_EQ(copy.untyped_data(), values.data());
  MutableBorrowingLiteral assigned;
  assigned = copy;
  assigned.Set<float>({0}, 6);
  EXPECT_EQ(values[0], 6);
  const Shape pair = ShapeUtil::MakeTupleShape({shape, shape});
  std::vector<char*> buffers = {bytes, bytes};
  MutableBorrowingLiteral two(absl::MakeSpan(buffers), pair);
  two.Set<float>({0}, {1}, 7);
  EXPECT_EQ(values[0], 7);
  ShapeTree<char*> tree(pair);
  *tree.mutable_element({0}) = *tree.mutable_element({1}) = bytes;
  MutableBorrowingLiteral from_tree(tree);
  EXPECT_EQ(from_tree.Get<float>({0}, {1}), 7);
  MutableBorrowingLiteral part(from_tree, {1});
  EXPECT_EQ(part.shape(), shape);
  Literal literal(shape);
  MutableBorrowingLiteral view = &literal;
  view.Set<float>({0}, 8);
  EXPECT_EQ(literal.Get<float>({0}), 8);
}

}  // namespace
}  // namespace xla
