// Worked examples of the operation semantics: ops in which several replicas
// take part, built with XlaBuilder and run on all of them.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/hlo/builder/lib/arithmetic.h"

namespace xla::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Returns the replica's row of `table`.
XlaOp OfReplica(XlaBuilder& b, absl::string_view table) {
  const XlaOp rows = Constant(b, table);
  const int64_t columns = b.GetShape(rows)->dimensions(1);
  const XlaOp row = DynamicSlice(
      rows, {ReplicaId(&b), ConstantR0<uint32_t>(&b, 0)}, {1, columns});
  return Reshape(row, {columns});
}

constexpr absl::string_view kTwo = "f32[2,2] {{1, 2.5}, {3, 5.25}}";
constexpr absl::string_view kFour =
    "f32[4,2] {{1, 2}, {11, 12}, {21, 22}, {31, 32}}";

TEST(AllGatherTest, TwoReplicas) {
  XlaBuilder b("all_gather");
  AllGather(OfReplica(b, kTwo), /*all_gather_dimension=*/0, /*shard_count=*/2);
  const std::string both = Text("f32[4] {1, 2.5, 3, 5.25}");
  EXPECT_THAT(RunOnReplicas(b, 2), ElementsAre(both, both));
}

TEST(AllGatherTest, Groups) {
  XlaBuilder b("all_gather");
  AllGather(OfReplica(b, kFour), 0, 2, Groups({{0, 2}, {1, 3}}));
  const std::string even = Text("f32[4] {1, 2, 21, 22}");
  const std::string odd = Text("f32[4] {11, 12, 31, 32}");
  EXPECT_THAT(RunOnReplicas(b, 4), ElementsAre(even, odd, even, odd));
}

TEST(AllReduceTest, TwoReplicas) {
  XlaBuilder b("all_reduce");
  AllReduce(OfReplica(b, kTwo), CreateScalarAddComputation(F32, &b));
  const std::string sum = Text("f32[2] {4, 7.75}");
  EXPECT_THAT(RunOnReplicas(b, 2), ElementsAre(sum, sum));
}

TEST(AllReduceTest, Groups) {
  XlaBuilder b("all_reduce");
  AllReduce(OfReplica(b, kFour), CreateScalarAddComputation(F32, &b),
            Groups({{0, 2}, {1, 3}}));
  const std::string even = Text("f32[2] {22, 24}");
  const std::string odd = Text("f32[2] {42, 44}");
  EXPECT_THAT(RunOnReplicas(b, 4), ElementsAre(even, odd, even, odd));
}

// "If the operand is a tuple, the all-reduce is done on each element."
TEST(AllReduceTest, TupleOfArrays) {
  XlaBuilder b("all_reduce");
  const XlaOp x = OfReplica(b, kTwo);
  AllReduce(Tuple(&b, {x, Neg(x)}), CreateScalarAddComputation(F32, &b));
  const std::string sums = Text("(f32[2], f32[2]) ({4, 7.75}, {-4, -7.75})");
  EXPECT_THAT(RunOnReplicas(b, 2), ElementsAre(sums, sums));
}

TEST(CrossReplicaSumTest, IsAllReduceWithASum) {
  XlaBuilder b("sum");
  CrossReplicaSum(OfReplica(b, kTwo));
  const std::string sum = Text("f32[2] {4, 7.75}");
  EXPECT_THAT(RunOnReplicas(b, 2), ElementsAre(sum, sum));
}

// Splits f32[4,16] along dimension 1 in 4 and joins along dimension 0. The
// document's prose swaps the two.
TEST(AllToAllTest, FourCores) {
  XlaBuilder b("alltoall");
  const XlaOp x = Add(
      ConstantLiteral(&b, Counting({4, 16})),
      Mul(ConvertElementType(ReplicaId(&b), F32), ConstantR0<float>(&b, 1000)));
  const XlaOp all = AllToAll(x, /*split_dimension=*/1, /*concat_dimension=*/0,
                             /*split_count=*/4);
  EXPECT_EQ(b.GetShape(all)->ToString(), "f32[16,4]");
  std::vector<std::string> expected;
  for (int64_t core = 0; core < 4; ++core) {
    // Rows 4 s to 4 s + 3 come from core s: columns 4 core to 4 core + 3.
    expected.push_back(Filled({16, 4}, [&](absl::Span<const int64_t> i) {
                         return i[0] / 4 * 1000 + i[0] % 4 * 16 + core * 4 +
                                i[1];
                       }).ToStringOneline());
  }
  EXPECT_EQ(RunOnReplicas(b, 4), expected);
}

// With groups {1,2,3} and {4,5,0}, blocks come in the order of the group.
TEST(AllToAllTest, Groups) {
  XlaBuilder b("alltoall");
  AllToAll(OfReplica(b,
                     "s32[6,3] {{0, 1, 2}, {10, 11, 12}, {20, 21, 22}, "
                     "{30, 31, 32}, {40, 41, 42}, {50, 51, 52}}"),
           0, 0, 3, Groups({{1, 2, 3}, {4, 5, 0}}));
  EXPECT_THAT(
      RunOnReplicas(b, 6),
      ElementsAre(Text("s32[3] {42, 52, 2}"), Text("s32[3] {10, 20, 30}"),
                  Text("s32[3] {11, 21, 31}"), Text("s32[3] {12, 22, 32}"),
                  Text("s32[3] {40, 50, 0}"), Text("s32[3] {41, 51, 1}")));
}

TEST(AllToAllTest, SplitCountDivides) {
  XlaBuilder b("alltoall");
  AllToAll(ConstantLiteral(&b, Counting({4, 15})), 1, 0, 4);
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(all_to_all_"));
}

// A replica that is no target gets zeros.
TEST(CollectivePermuteTest, SourceTargetPairs) {
  XlaBuilder b("permute");
  CollectivePermute(OfReplica(b, kFour), {{0, 1}, {1, 2}});
  EXPECT_THAT(RunOnReplicas(b, 4),
              ElementsAre(Text("f32[2] {0, 0}"), Text("f32[2] {1, 2}"),
                          Text("f32[2] {11, 12}"), Text("f32[2] {0, 0}")));
}

TEST(CollectivePermuteTest, PairsDiffer) {
  for (const auto& pairs :
       {std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {0, 2}},
        std::vector<std::pair<int64_t, int64_t>>{{0, 2}, {1, 2}}}) {
    XlaBuilder b("permute");
    CollectivePermute(OfReplica(b, kFour), pairs);
    EXPECT_THAT(RunOnReplicas(b, 4)[0], HasSubstr("(collective_permute_c"));
  }
}

TEST(ReduceScatterTest, TwoReplicas) {
  XlaBuilder b("reduce_scatter");
  ReduceScatter(OfReplica(b, "f32[2,2] {{1, 2.25}, {3, 5.25}}"),
                CreateScalarAddComputation(F32, &b), /*scatter_dimension=*/0,
                /*shard_count=*/2);
  EXPECT_THAT(RunOnReplicas(b, 2),
              ElementsAre(Text("f32[1] {4}"), Text("f32[1] {7.5}")));
}

TEST(ReduceScatterTest, Groups) {
  XlaBuilder b("reduce_scatter");
  ReduceScatter(OfReplica(b, kFour), CreateScalarAddComputation(F32, &b), 0, 2,
                Groups({{0, 2}, {1, 3}}));
  EXPECT_THAT(RunOnReplicas(b, 4),
              ElementsAre(Text("f32[1] {22}"), Text("f32[1] {42}"),
                          Text("f32[1] {24}"), Text("f32[1] {44}")));
}

TEST(ReplicaIdTest, DiffersOnEach) {
  XlaBuilder b("id");
  ReplicaId(&b);
  EXPECT_THAT(RunOnReplicas(b, 3),
              ElementsAre("u32[] 0", "u32[] 1", "u32[] 2"));
}

ChannelHandle Channel(int64_t handle) {
  ChannelHandle channel;
  channel.set_handle(handle);
  channel.set_type(ChannelHandle::DEVICE_TO_DEVICE);
  return channel;
}

TEST(SendRecvTest, DataOfTheSameChannel) {
  XlaBuilder b("send");
  Send(Constant(b, "f32[2] {1, 2}"), Channel(1));
  Recv(&b, ShapeUtil::MakeShape(F32, {2}), Channel(1));
  EXPECT_EQ(BuildAndRun(b), Text("f32[2] {1, 2}"));
}

TEST(AfterAllTest, JoinsTokens) {
  XlaBuilder b("after_all");
  const XlaOp join = AfterAll(&b, {CreateToken(&b), CreateToken(&b)});
  EXPECT_EQ(b.GetShape(join)->ToString(), "token[]");
  SendWithToken(ConstantR0<float>(&b, 3), join, Channel(1));
  GetTupleElement(
      RecvWithToken(join, ShapeUtil::MakeShape(F32, {}), Channel(1)), 0);
  EXPECT_EQ(BuildAndRun(b), "f32[] 3");
}

}  // namespace
}  // namespace xla::spec
