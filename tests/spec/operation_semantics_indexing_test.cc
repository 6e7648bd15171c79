// Worked examples of the operation semantics: slices at positions known at run
// time. Compares Gather and Scatter with the document's formal definitions.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"

namespace xla::spec {
namespace {

using Dims = std::vector<int64_t>;

TEST(DynamicSliceTest, OneDimension) {
  XlaBuilder b("slice");
  DynamicSlice(Constant(b, "f32[5] {0, 1, 2, 3, 4}"), Constant(b, "s32[1] {2}"),
               {2});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2] {2, 3}"));
}

TEST(DynamicSliceTest, TwoDimensions) {
  XlaBuilder b("slice");
  DynamicSlice(Constant(b, kRows),
               {ConstantR0<int32_t>(&b, 2), ConstantR0<int32_t>(&b, 1)},
               {2, 2});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{7, 8}, {10, 11}}"));
}

// start = clamp(start, 0, dimension_size - size_index) in all dimensions.
TEST(DynamicSliceTest, StartIndicesAreClamped) {
  XlaBuilder b("slice");
  DynamicSlice(Constant(b, kRows),
               {ConstantR0<int32_t>(&b, 9), ConstantR0<int32_t>(&b, -4)},
               {2, 2});
  EXPECT_EQ(BuildAndRun(b), Text("f32[2,2] {{6, 7}, {9, 10}}"));
}

TEST(DynamicUpdateSliceTest, OneDimension) {
  XlaBuilder b("update");
  DynamicUpdateSlice(Constant(b, "f32[5] {0, 1, 2, 3, 4}"),
                     Constant(b, "f32[2] {5, 6}"), Constant(b, "s32[1] {2}"));
  EXPECT_EQ(BuildAndRun(b), Text("f32[5] {0, 1, 5, 6, 4}"));
}

TEST(DynamicUpdateSliceTest, TwoDimensions) {
  XlaBuilder b("update");
  DynamicUpdateSlice(Constant(b, kRows),
                     Constant(b, "f32[3,2] {{12, 13}, {14, 15}, {16, 17}}"),
                     Constant(b, "s32[2] {1, 1}"));
  EXPECT_EQ(BuildAndRun(b),
            Text("f32[4,3] {{0, 1, 2}, {3, 12, 13}, {6, 14, 15}, "
                 "{9, 16, 17}}"));
}

// What the sections Gather and Scatter share: how an index of the output or of
// the updates becomes an index of the operand.
struct Mapping {
  Dims window_dims;     // offset_dims, update_window_dims
  Dims collapsed_dims;  // collapsed_slice_dims, inserted_window_dims
  Dims index_map;       // start_index_map, scatter_dims_to_operand_dims
  int64_t index_vector_dim;

  static bool Has(const Dims& dims, int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  }

  Dims OperandIndex(const Dims& out, const Literal& indices,
                    int64_t operand_rank) const {
    Dims g;
    for (size_t d = 0; d < out.size(); ++d) {
      if (!Has(window_dims, d)) g.push_back(out[d]);
    }
    Dims in(operand_rank, 0);
    for (size_t k = 0; k < index_map.size(); ++k) {
      Dims at = g;
      if (index_vector_dim < indices.shape().rank()) {
        at.insert(at.begin() + index_vector_dim, k);
      }
      in[index_map[k]] += static_cast<int64_t>(indices.Get<float>(at));
    }
    size_t k = 0;
    for (int64_t d = 0; d < operand_rank; ++d) {
      if (!Has(collapsed_dims, d)) in[d] += out[window_dims[k++]];
    }
    return in;
  }
};

// Gathers from 0, 1, 2, ... and compares each element. Start indices must be in
// bounds.
void ExpectGather(const Dims& operand_sizes, const Literal& start_indices,
                  const Mapping& mapping, const Dims& slice_sizes,
                  const Dims& result_sizes) {
  const Literal operand = Counting(operand_sizes);
  GatherDimensionNumbers numbers;
  for (int64_t d : mapping.window_dims) numbers.add_offset_dims(d);
  for (int64_t d : mapping.collapsed_dims) numbers.add_collapsed_slice_dims(d);
  for (int64_t d : mapping.index_map) numbers.add_start_index_map(d);
  numbers.set_index_vector_dim(mapping.index_vector_dim);
  XlaBuilder b("gather");
  Gather(ConstantLiteral(&b, operand),
         ConvertElementType(ConstantLiteral(&b, start_indices), S64), numbers,
         slice_sizes);
  const Literal result = RunToLiteral(b);
  ASSERT_EQ(Dims(result.shape().dimensions().begin(),
                 result.shape().dimensions().end()),
            result_sizes);
  for (const Dims& out : Indices(result_sizes)) {
    ASSERT_EQ(result.Get<float>(out),
              operand.Get<float>(mapping.OperandIndex(out, start_indices,
                                                      operand_sizes.size())));
  }
}

// Returns distinct positions below `bounds` in the last dimension.
Literal Positions(const Dims& sizes, const Dims& bounds) {
  return Filled(sizes, [&, n = 0](absl::Span<const int64_t> i) mutable {
    return 7 * n++ % bounds[bounds.size() == 1 ? 0 : i.back()];
  });
}

// [G,O0,O1] -> [X + O0, Y + O1].
TEST(GatherTest, FiveSlices) {
  ExpectGather({16, 11}, Positions({5, 2}, {9, 6}), {{1, 2}, {}, {0, 1}, 1},
               {8, 6}, {5, 8, 6});
}

// [G0,G1,O0,O1]: indices [4,5,2].
TEST(GatherTest, IndicesOfTwoDimensions) {
  ExpectGather({16, 11}, Positions({4, 5, 2}, {9, 6}), {{2, 3}, {}, {0, 1}, 2},
               {8, 6}, {4, 5, 8, 6});
}

// tf.gather_nd, [G0,G1,O0] -> [X, O0]: each index takes a whole row.
TEST(GatherTest, GatherNd) {
  ExpectGather({16, 11}, Positions({4, 5, 1}, {16}), {{2}, {0}, {0}, 2},
               {1, 11}, {4, 5, 11});
}

// Offset dimensions of the output may be anywhere.
TEST(GatherTest, OffsetDimensionsFirst) {
  ExpectGather({16, 11}, Positions({5, 2}, {9, 6}), {{0, 2}, {}, {0, 1}, 1},
               {8, 6}, {8, 5, 6});
}

// offset_dims.size 4, operand.rank 6, collapsed_slice_dims {0, 2}:
// remapped_offset_dims is {0->1, 1->3, 2->4, 3->5}.
TEST(GatherTest, RemappedOffsetDims) {
  ExpectGather({2, 3, 2, 3, 2, 4}, Positions({5, 2}, {2, 2}),
               {{1, 2, 3, 4}, {0, 2}, {0, 2}, 1}, {1, 3, 1, 3, 2, 4},
               {5, 3, 3, 2, 4});
}

// index_vector_dim = rank: indices [6,7] are [6,7,1].
TEST(GatherTest, ImplicitIndexVectorDimension) {
  ExpectGather({16, 11}, Positions({6, 7}, {16}), {{2}, {0}, {0}, 2}, {1, 11},
               {6, 7, 11});
}

TEST(GatherTest, IndexVectorDimensionFirst) {
  const Literal last = Positions({5, 2}, {4, 11});
  const Literal first = Filled({2, 5}, [&](absl::Span<const int64_t> i) {
    return last.Get<float>({i[1], i[0]});
  });
  ExpectGather({16, 11}, first, {{1, 2}, {}, {1, 0}, 0}, {6, 8}, {5, 6, 8});
}

// output[O] = f(output[O], updates[U]) with an f that does not commute.
void ExpectScatter(const Dims& operand_sizes, const Literal& indices,
                   const Mapping& mapping, const Dims& update_sizes) {
  const Literal operand = Counting(operand_sizes);
  const Literal updates = Counting(update_sizes, 1000);
  ScatterDimensionNumbers numbers;
  for (int64_t d : mapping.window_dims) numbers.add_update_window_dims(d);
  for (int64_t d : mapping.collapsed_dims) numbers.add_inserted_window_dims(d);
  for (int64_t d : mapping.index_map) {
    numbers.add_scatter_dims_to_operand_dims(d);
  }
  numbers.set_index_vector_dim(mapping.index_vector_dim);
  XlaBuilder b("scatter");
  const std::unique_ptr<XlaBuilder> f = b.CreateSubBuilder("f");
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  Sub(Parameter(f.get(), 0, scalar, "current"),
      Parameter(f.get(), 1, scalar, "update"));
  Scatter(ConstantLiteral(&b, operand),
          ConvertElementType(ConstantLiteral(&b, indices), S64),
          ConstantLiteral(&b, updates), *f->Build(), numbers);
  const Literal result = RunToLiteral(b);
  Literal expected = operand.Clone();
  for (const Dims& u : Indices(update_sizes)) {
    const Dims o = mapping.OperandIndex(u, indices, operand_sizes.size());
    expected.Set<float>(o, expected.Get<float>(o) - updates.Get<float>(u));
  }
  EXPECT_EQ(result, expected) << result.ToString() << expected.ToString();
}

// The inverse of GatherTest.FiveSlices; windows overlap.
TEST(ScatterTest, FiveWindows) {
  ExpectScatter({16, 11}, Positions({5, 2}, {9, 6}), {{1, 2}, {}, {0, 1}, 1},
                {5, 8, 6});
}

TEST(ScatterTest, IndicesOfTwoDimensions) {
  ExpectScatter({16, 11}, Positions({2, 3, 2}, {9, 6}), {{2, 3}, {}, {0, 1}, 2},
                {2, 3, 8, 6});
}

TEST(ScatterTest, WholeRows) {
  ExpectScatter({16, 11}, Positions({4, 5, 1}, {16}), {{2}, {0}, {0}, 2},
                {4, 5, 11});
}

// update_window_dims.size 4, operand.rank 6, inserted_window_dims {0, 2}.
TEST(ScatterTest, WindowDimsToOperandDims) {
  ExpectScatter({2, 3, 2, 3, 2, 4}, Positions({5, 2}, {2, 2}),
                {{1, 2, 3, 4}, {0, 2}, {0, 2}, 1}, {5, 3, 3, 2, 4});
}

TEST(ScatterTest, ImplicitIndexVectorDimension) {
  ExpectScatter({16, 11}, Positions({3, 4}, {16}), {{2}, {0}, {0}, 2},
                {3, 4, 11});
}

// Scatter updates the elements that Gather reads.
TEST(ScatterTest, InvertsGather) {
  const Literal operand = Counting({16, 11}, 1);
  XlaBuilder b("both");
  const XlaOp indices = Constant(b, "s32[3,2] {{0, 0}, {4, 7}, {12, 2}}");
  GatherDimensionNumbers gather;
  ScatterDimensionNumbers scatter;
  for (int64_t d : {0, 1}) {
    gather.add_offset_dims(d + 1);
    gather.add_start_index_map(d);
    scatter.add_update_window_dims(d + 1);
    scatter.add_scatter_dims_to_operand_dims(d);
  }
  gather.set_index_vector_dim(1);
  scatter.set_index_vector_dim(1);
  const std::unique_ptr<XlaBuilder> second = b.CreateSubBuilder("second");
  const Shape scalar = ShapeUtil::MakeShape(F32, {});
  Parameter(second.get(), 0, scalar, "current");
  Parameter(second.get(), 1, scalar, "update");
  const XlaComputation replace = *second->Build();
  const XlaOp slices =
      Gather(ConstantLiteral(&b, operand), indices, gather, {4, 4});
  Scatter(ConstantR2FromArray2D<float>(&b, Array2D<float>(16, 11, 0.0f)),
          indices, slices, replace, scatter);
  const Literal result = RunToLiteral(b);
  for (const Dims& i : Indices({16, 11})) {
    const auto in = [&](int64_t y, int64_t x) {
      return i[0] >= y && i[0] < y + 4 && i[1] >= x && i[1] < x + 4;
    };
    EXPECT_EQ(result.Get<float>(i),
              in(0, 0) || in(4, 7) || in(12, 2) ? operand.Get<float>(i) : 0);
  }
}

}  // namespace
}  // namespace xla::spec
