// Uses every name of xla/shape.h.
#include "xla/shape.h"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Shape Array(absl::Span<const int64_t> sizes,
            absl::Span<const int64_t> minor_to_major) {
  Shape shape(F32, sizes);
  *shape.mutable_layout() = Layout(minor_to_major);
  return shape;
}

Shape Buffer(const Shape& array) {
  return ShapeUtil::MakeValidatedBufferShape(array).value();
}

TEST(ShapeNamesTest, Kinds) {
  const Shape invalid, token(TOKEN), opaque(OPAQUE_TYPE), empty(BUFFER);
  const Shape array(S32, {2, 3});
  const Shape tuple(std::vector<Shape>{array, token});
  const Shape buffer = Buffer(array);
  EXPECT_EQ(invalid.element_type(), PRIMITIVE_TYPE_INVALID);
  EXPECT_TRUE(token.IsToken() && !token.IsOpaque() && !token.IsArray());
  EXPECT_TRUE(opaque.IsOpaque() && !opaque.IsToken());
  EXPECT_TRUE(array.IsArray() && array.IsArrayExcludingBuffer());
  EXPECT_TRUE(tuple.IsTuple() && !tuple.IsArray());
  EXPECT_TRUE(buffer.IsBuffer() && buffer.IsArray() && empty.IsBuffer());
  EXPECT_FALSE(buffer.IsArrayExcludingBuffer() || buffer.IsTuple());
  EXPECT_FALSE(array.IsBuffer() || array.IsTuple() || invalid.IsArray());
  EXPECT_TRUE(array.AreAllLeavesIntegers());
  EXPECT_FALSE(tuple.AreAllLeavesIntegers());
  EXPECT_TRUE(Shape(std::vector<Shape>{array}).AreAllLeavesIntegers());
  EXPECT_FALSE(Shape(PRED, {}).AreAllLeavesIntegers());
}

// A buffer has what the array in it has.
TEST(ShapeNamesTest, Buffers) {
  const Shape array = Array({2, 3}, {0, 1});
  Shape buffer = Buffer(array);
  EXPECT_EQ(buffer.element_type_including_buffer(), BUFFER);
  EXPECT_EQ(buffer.element_type(), F32);
  EXPECT_EQ(array.element_type_including_buffer(), F32);
  EXPECT_EQ(buffer.buffer_shape(), array);
  EXPECT_EQ(buffer.layout(), array.layout());
  EXPECT_EQ(buffer.ToString(true), "b(f32[2,3]{0,1})");
  EXPECT_NE(buffer, array);
  EXPECT_TRUE(Shape::Equal().IgnoreBuffer()(buffer, array));
  EXPECT_FALSE(Shape::Equal().IgnoreBuffer(false)(buffer, array));
  EXPECT_FALSE(Shape::Equal().IgnoreBuffer()(buffer, Array({2, 3}, {1, 0})));
  EXPECT_EQ(Shape::FromProto(buffer.ToProto()).value(), buffer);
  buffer.set_dynamic_dimension(1, true);
  EXPECT_TRUE(buffer.is_dynamic() && buffer.is_bounded_dynamic());
  EXPECT_THAT(buffer.dynamic_dimensions(), ElementsAre(false, true));
  buffer.clear_dynamic_dimensions();
  buffer.set_dimensions(0, 7);
  buffer.DeleteDimension(1);
  EXPECT_THAT(buffer.dimensions(), ElementsAre(7));
  buffer.clear_layout();
  EXPECT_FALSE(buffer.has_layout());
  EXPECT_EQ(absl::Hash<Shape>()(buffer),
            absl::Hash<Shape>()(Buffer(Shape(F32, {7}))));
}

TEST(ShapeNamesTest, Dimensions) {
  EXPECT_TRUE(Shape::IsValidDimensionSize(0, /*is_dynamic=*/false));
  EXPECT_FALSE(Shape::IsValidDimensionSize(-1, /*is_dynamic=*/true));
  EXPECT_TRUE(Shape::IsValidDimensionSize(Shape::kUnboundedSize, true));
  EXPECT_FALSE(Shape::IsValidDimensionSize(Shape::kUnboundedSize, false));
  Shape shape(F32, {2, 3}, {false, true});
  EXPECT_EQ(shape.dimensions_size(), 2);
  EXPECT_EQ(shape.dimensions(1), 3);
  EXPECT_TRUE(shape.is_dynamic_dimension(1) && shape.is_static_dimension(0));
  EXPECT_TRUE(shape.is_bounded_dynamic_dimension(1));
  EXPECT_FALSE(shape.is_unbounded_dynamic_dimension(1));
  EXPECT_FALSE(shape.is_static());
  shape.set_unbounded_dynamic_dimension(0);
  EXPECT_TRUE(shape.is_unbounded_dynamic_dimension(0));
  EXPECT_TRUE(shape.is_unbounded_dynamic() && shape.is_bounded_dynamic());
  EXPECT_EQ(shape.dimensions(0), Shape::kUnboundedSize);
  shape.set_dimensions(0, 5, /*is_dynamic=*/false);
  shape.set_dimensions(1, 4);
  EXPECT_EQ(shape.ToString(), "f32[5,<=4]");
  shape.set_dynamic_dimension(1, false);
  EXPECT_TRUE(shape.is_static());
  EXPECT_FALSE(shape.is_dynamic() || shape.is_bounded_dynamic());
  *shape.mutable_layout() = Layout({0, 1});
  EXPECT_EQ(shape.dimensions_minor(0), 5);
  shape.set_dimensions_minor(0, 6, true);
  EXPECT_EQ(shape.ToString(true), "f32[<=6,4]{0,1}");
  shape.add_dimensions(8);
  shape.add_dimensions(9, /*is_dynamic=*/true);
  EXPECT_THAT(shape.dimensions(), ElementsAre(6, 4, 8, 9));
  EXPECT_THAT(shape.dynamic_dimensions(),
              ElementsAre(true, false, false, true));
  shape.clear_dimensions();
  EXPECT_THAT(shape.dimensions(), IsEmpty());
  EXPECT_THAT(shape.dynamic_dimensions(), IsEmpty());
}

TEST(ShapeNamesTest, DeletedDimensions) {
  Shape shape = Array({2, 3, 5, 7}, {1, 3, 0, 2});
  shape.DeleteDimension(0);
  EXPECT_EQ(shape.ToString(true), "f32[3,5,7]{0,2,1}");
  shape.DeleteDimensions({2, 0});
  EXPECT_EQ(shape.ToString(true), "f32[5]{0}");
}

TEST(ShapeNamesTest, ClearsDynamicDimensionsOfParts) {
  Shape part(F32, {4}, {true});
  part.mutable_layout()->add_minor_to_major(0);
  part.mutable_layout()->set_dynamic_shape_metadata_prefix_bytes(8);
  Shape tuple(std::vector<Shape>{part});
  tuple.clear_dynamic_dimensions();
  EXPECT_TRUE(tuple.is_static());
  const Layout& layout = tuple.tuple_shapes(0).layout();
  EXPECT_EQ(layout.dynamic_shape_metadata_prefix_bytes(), 0);
}

TEST(ShapeNamesTest, ElementTypes) {
  Shape shape = Array({2}, {0});
  shape.set_element_type(BF16);  // an array stays as it is
  EXPECT_EQ(shape.ToString(true), "bf16[2]{0}");
  shape.set_element_type(TUPLE);  // another kind starts empty
  EXPECT_EQ(shape.ToString(), "()");
  shape.set_element_type(TOKEN);
  EXPECT_EQ(shape, Shape(TOKEN));
  shape.Clear();
  EXPECT_EQ(shape, Shape());
}

TEST(ShapeNamesTest, Tuples) {
  Shape tuple(std::vector<Shape>{});
  EXPECT_EQ(tuple.tuple_shapes_size(), 0);
  *tuple.add_tuple_shapes() = Shape(F32, {2});
  *tuple.add_tuple_shapes() = Shape(TOKEN);
  EXPECT_EQ(tuple.tuple_shapes().size(), 2u);
  EXPECT_EQ(tuple.tuple_shapes(1), Shape(TOKEN));
  tuple.mutable_tuple_shapes(0)->set_element_type(S8);
  tuple.mutable_tuple_shapes()->push_back(Shape(PRED, {}));
  EXPECT_EQ(tuple.ToString(), "(s8[2], token[], pred[])");
  tuple.clear_tuple_shapes();
  EXPECT_TRUE(tuple.IsTuple() && tuple.tuple_shapes().empty());
}

TEST(ShapeNamesTest, Layouts) {
  Shape shape(F32, {2, 3});
  EXPECT_FALSE(shape.has_layout());
  EXPECT_THAT(shape.mutable_layout()->minor_to_major(), IsEmpty());
  *shape.mutable_layout() = Layout({0, 1});
  EXPECT_TRUE(shape.has_layout());
  EXPECT_THAT(shape.layout().minor_to_major(), ElementsAre(0, 1));
  shape.clear_layout();
  EXPECT_FALSE(shape.has_layout());
  EXPECT_FALSE(Shape(TOKEN).has_layout());
}

// Each setter makes one pair of different shapes the same.
TEST(ShapeNamesTest, Equal) {
  const Shape a = Array({2, 3}, {1, 0});
  const auto changed = [&](auto change) {
    Shape b = a;
    change(b);
    return b;
  };
  const auto laid_out = [&](auto change) {
    Shape b = a;
    change(*b.mutable_layout());
    return b;
  };
  using E = Shape::Equal;
  EXPECT_TRUE(E()(a, a));
  EXPECT_TRUE(E().IgnoreLayout()(a, Array({2, 3}, {0, 1})));
  EXPECT_FALSE(E().IgnoreLayout(false)(a, Array({2, 3}, {0, 1})));
  EXPECT_FALSE(E().MinorToMajorOnlyInLayout()(a, Array({2, 3}, {0, 1})));
  const std::vector<std::pair<E, Shape>> same = {
      {E().IgnoreTilesInLayout(),
       laid_out([](Layout& l) { *l.add_tiles() = Tile({2}); })},
      {E().IgnoreElementSizeInLayout(),
       laid_out([](Layout& l) { l.set_element_size_in_bits(16); })},
      {E().IgnoreMemorySpaceInLayout(),
       laid_out([](Layout& l) { l.set_memory_space(5); })},
      {E().IgnoreTailPaddingAlignmentInElements(), laid_out([](Layout& l) {
         l.set_tail_padding_alignment_in_elements(8);
       })},
      {E().IgnoreSplitConfigInLayout(),
       laid_out([](Layout& l) { l.add_split_configs(SplitConfig(0, {1})); })},
      {E().MinorToMajorOnlyInLayout(), laid_out([](Layout& l) {
         l.set_memory_space(1).set_element_size_in_bits(64);
       })},
      {E().IgnoreElementType(),
       changed([](Shape& s) { s.set_element_type(S8); })},
      {E().IgnoreFpPrecision(),
       changed([](Shape& s) { s.set_element_type(F64); })},
      {E().IgnoreDynamicDimension(),
       changed([](Shape& s) { s.set_dynamic_dimension(0, true); })},
      {E().IgnoreDynamicDimension(),
       changed([](Shape& s) { s.set_unbounded_dynamic_dimension(1); })},
      {E().IgnoreDimensions(),
       changed([](Shape& s) { s.set_dimensions(0, 9); })},
  };
  for (auto [equal, b] : same) {
    EXPECT_NE(a, b);
    EXPECT_TRUE(equal(a, b)) << b;
    EXPECT_TRUE(
        equal(Shape(std::vector<Shape>{a}), Shape(std::vector<Shape>{b})))
        << b;
  }
  EXPECT_FALSE(E().IgnoreFpPrecision()(
      a, changed([](Shape& s) { s.set_element_type(S32); })));
  // The number of dimensions counts.
  EXPECT_FALSE(E().IgnoreDimensions().IgnoreLayout()(a, Shape(F32, {2})));
  EXPECT_TRUE(E()(Shape(TOKEN), Shape(TOKEN)));
  EXPECT_FALSE(E()(Shape(TOKEN), Shape(OPAQUE_TYPE)));
}

struct WithoutLayout {
  Shape shape;
  template <typename H>
  friend H AbslHashValue(H h, const WithoutLayout& w) {
    return Shape::Hash<H, /*kIsLayoutSensitive=*/false>(std::move(h), w.shape);
  }
};

TEST(ShapeNamesTest, Hashes) {
  const Shape a = Array({2, 3}, {1, 0}), b = Array({2, 3}, {0, 1});
  EXPECT_NE(absl::Hash<Shape>()(a), absl::Hash<Shape>()(b));
  EXPECT_EQ(absl::Hash<Shape>()(a), absl::Hash<Shape>()(Shape(a)));
  EXPECT_EQ(absl::Hash<WithoutLayout>()({a}), absl::Hash<WithoutLayout>()({b}));
}

TEST(ShapeNamesTest, TextAndProtos) {
  const Shape shape = Array({2, 3}, {0, 1});
  EXPECT_EQ(shape.ToString(), "f32[2,3]");
  EXPECT_EQ(shape.ToString(/*print_layout=*/true), "f32[2,3]{0,1}");
  StringPrinter printer;
  shape.Print(&printer);
  printer.Append(" ");
  shape.Print(&printer, /*print_layout=*/true);
  EXPECT_EQ(std::move(printer).ToString(), "f32[2,3] f32[2,3]{0,1}");
  std::ostringstream stream;
  stream << shape;
  EXPECT_EQ(stream.str(), "f32[2,3]{0,1}");
  ShapeProto proto;
  proto.set_element_type(TUPLE);
  proto.add_tuple_shapes();
  shape.ToProto(proto);  // clears it first
  EXPECT_EQ(proto.SerializeAsString(), shape.ToProto().SerializeAsString());
  EXPECT_EQ(Shape::FromProto(proto).value(), shape);
  proto.set_dimensions(0, -3);
  EXPECT_FALSE(Shape::FromProto(proto).ok());
}

TEST(ShapeNamesTest, CopiesAndMoves) {
  static_assert(std::is_nothrow_move_constructible_v<Shape>);
  Shape a(std::vector<Shape>{Array({2}, {0})});
  Shape b(a), c, d;
  c = b;
  EXPECT_EQ(b, a);
  d = std::move(b);
  const Shape e(std::move(c));
  EXPECT_EQ(d, a);
  EXPECT_EQ(e, a);
}

TEST(ShapeNamesTest, ProgramShapes) {
  ProgramShape program;
  EXPECT_EQ(program.parameters_size(), 0);
  EXPECT_EQ(program.result(), Shape());
  program.AddParameter(Shape(F32, {2}), "x");
  program.AddParameter(Shape(S32, {}), "y");
  *program.mutable_result() = Shape(F32, {2});
  EXPECT_EQ(program.ToString(), "(x: f32[2], y: s32[]) -> f32[2]");
  EXPECT_EQ(program.parameters_size(), 2);
  EXPECT_EQ(program.parameters(1), Shape(S32, {}));
  EXPECT_EQ(program.parameters().size(), 2u);
  EXPECT_EQ(program.parameter_names(0), "x");
  program.set_parameter_names(0, "z");
  program.mutable_parameters(1)->set_element_type(U8);
  EXPECT_THAT(program.parameter_names(), ElementsAre("z", "y"));
  StringPrinter printer;
  program.Print(&printer);
  EXPECT_EQ(std::move(printer).ToString(), "(z: f32[2], y: u8[]) -> f32[2]");
  std::ostringstream stream;
  stream << program;
  EXPECT_EQ(stream.str(), "(z: f32[2], y: u8[]) -> f32[2]\n");
  ProgramShapeProto proto;
  proto.add_parameter_names("other");
  program.ToProto(proto);
  EXPECT_EQ(proto.parameter_names_size(), 2);
  EXPECT_EQ(program.ToProto().SerializeAsString(), proto.SerializeAsString());
  EXPECT_EQ(ProgramShape::FromProto(proto)->ToString(), program.ToString());
  ProgramShape copy(program), moved;
  moved = std::move(copy);
  copy = moved;
  EXPECT_EQ(copy.ToString(), program.ToString());
  program.clear_parameter_names();
  EXPECT_THAT(program.parameter_names(), ElementsAre("", ""));
  EXPECT_EQ(program.ToString(),
            "((unknown): f32[2], (unknown): u8[]) -> f32[2]");
  program.clear_parameters();
  EXPECT_EQ(program.ToString(), "() -> f32[2]");
}

}  // namespace
}  // namespace xla
