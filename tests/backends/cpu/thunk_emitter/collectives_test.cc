// Compares collectives and transfers with the evaluator.
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunk_emitter/library_program.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

void AddFloats(char* const* a, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    reinterpret_cast<float*>(a[2])[i] =
        reinterpret_cast<float*>(a[0])[i] + reinterpret_cast<float*>(a[1])[i];
  }
}

// Device d gets numbers that start at 100 d.
std::vector<std::vector<Literal>> Arguments(int64_t devices,
                                            absl::Span<const Shape> shapes) {
  std::vector<std::vector<Literal>> arguments(devices);
  for (int64_t d = 0; d < devices; ++d) {
    for (const Shape& shape : shapes) {
      Literal wide(ShapeUtil::MakeShape(F64, shape.dimensions()));
      double next = 100.0 * d;
      for (double& value : wide.data<double>()) value = next++;
      arguments[d].push_back(*wide.Convert(shape.element_type()));
    }
  }
  return arguments;
}

std::vector<std::string> Collective(absl::string_view result,
                                    absl::string_view op,
                                    std::vector<Shape> operands,
                                    int64_t replicas, int64_t partitions = 1,
                                    absl::string_view type = "f32") {
  std::string text = absl::StrCat(
      "HloModule m\nadd {\n x = ", type, "[] parameter(0)\n y = ", type,
      "[] parameter(1)\n ROOT s = ", type, "[] add(x, y)\n}\nENTRY e {\n");
  for (size_t i = 0; i < operands.size(); ++i) {
    absl::StrAppend(&text, " p", i, " = ", operands[i].ToString(),
                    " parameter(", i, ")\n");
  }
  absl::StrAppend(&text, " ROOT r = ", result, " ", op, "\n}");
  LibraryOptions options;
  options.replicas = replicas;
  options.partitions = partitions;
  options.computation = AddFloats;
  return RunBoth(text, Arguments(replicas * partitions, operands), options);
}

const Shape kVector = ShapeUtil::MakeShape(F32, {4});
const Shape kMatrix = ShapeUtil::MakeShape(F32, {2, 4});

TEST(AllReduceTest, Groups) {
  EXPECT_THAT(
      Collective("f32[4]", "all-reduce(p0), to_apply=add", {kVector}, 3),
      ElementsAre("f32[4] {300, 303, 306, 309}", "f32[4] {300, 303, 306, 309}",
                  "f32[4] {300, 303, 306, 309}"));
  Collective("f32[4]",
             "all-reduce(p0), to_apply=add, replica_groups={{2,0},{1,3}}",
             {kVector}, 4);
  for (const char* mode :
       {"replica_groups={{0,1}}", "replica_groups={{1},{0}}, channel_id=1",
        "replica_groups={{0,3},{1,2}}, channel_id=1, "
        "use_global_device_ids=true"}) {
    Collective("f32[4]", absl::StrCat("all-reduce(p0), to_apply=add, ", mode),
               {kVector}, 2, 2);
  }
  Collective("(f32[4], f32[2,4])", "all-reduce(p0, p1), to_apply=add",
             {kVector, kMatrix}, 3);
}

TEST(AllReduceTest, SumsInTheTypeOfTheReducer) {
  Collective("bf16[4]", "all-reduce(p0), to_apply=add",
             {ShapeUtil::MakeShape(BF16, {4})}, 5);
}

TEST(AllReduceTest, DevicesOutsideOfAllGroups) {
  EXPECT_THAT(Collective("f32[4]",
                         "all-reduce(p0), to_apply=add, "
                         "replica_groups={{0}}",
                         {kVector}, 2),
              ElementsAre(HasSubstr("is in none of the replica groups")));
}

TEST(MoveCollectivesTest, AllOfThem) {
  Collective("f32[4,4]", "all-gather(p0), dimensions={0}", {kMatrix}, 2);
  Collective("f32[2,12]", "all-gather(p0), dimensions={1}", {kMatrix}, 3);
  Collective("f32[2,4]", "all-to-all(p0), dimensions={1}", {kMatrix}, 4);
  Collective("(f32[4], f32[4])", "all-to-all(p0, p1)", {kVector, kVector}, 2);
  Collective("f32[4]", "collective-broadcast(p0), replica_groups={{2,0}}",
             {kVector}, 4);
  Collective("f32[4]",
             "collective-permute(p0), source_target_pairs={{0,1},{1,3}}",
             {kVector}, 4);
  Collective("f32[4]",
             "collective-permute(p0), channel_id=1, "
             "source_target_pairs={{0,1},{1,0}}",
             {kVector}, 2, 2);
  Collective("f32[2,2]", "reduce-scatter(p0), dimensions={1}, to_apply=add",
             {kMatrix}, 2);
  Collective("f32[1,4]", "reduce-scatter(p0), dimensions={0}, to_apply=add",
             {kMatrix}, 2);
}

TEST(MoveCollectivesTest, RaggedAllToAll) {
  LibraryOptions options;
  options.replicas = 2;
  std::vector<std::vector<Literal>> arguments(2);
  for (int d = 0; d < 2; ++d) {
    arguments[d].push_back(
        LiteralUtil::CreateR1<float>({10.f * d, 10.f * d + 1, 10.f * d + 2}));
    arguments[d].push_back(LiteralUtil::CreateR1<float>({-1, -1, -1, -1}));
    arguments[d].push_back(LiteralUtil::CreateR1<int32_t>({0, 1}));
    arguments[d].push_back(LiteralUtil::CreateR1<int32_t>({1, 5}));
    arguments[d].push_back(LiteralUtil::CreateR1<int32_t>({2 * d, 2 * d}));
    arguments[d].push_back(LiteralUtil::CreateR1<int32_t>({1, 1}));
  }
  EXPECT_THAT(RunBoth(R"(HloModule m
ENTRY e {
  a = f32[3] parameter(0)
  o = f32[4] parameter(1)
  io = s32[2] parameter(2)
  ss = s32[2] parameter(3)
  oo = s32[2] parameter(4)
  rs = s32[2] parameter(5)
  ROOT r = f32[4] ragged-all-to-all(a, o, io, ss, oo, rs), replica_groups={{0,1}}
})",
                      arguments, options),
              ElementsAre("f32[4] {0, -1, 10, -1}", "f32[4] {1, 2, 11, 12}"));
}

// Starts come in another order than their dones.
TEST(AsyncCollectivesTest, StartAndDone) {
  LibraryOptions options;
  options.replicas = 2;
  options.computation = AddFloats;
  EXPECT_THAT(
      RunBoth(R"(HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT s = f32[] add(x, y)
}
gather {
  p = f32[4] parameter(0)
  ROOT g = f32[8] all-gather(p), dimensions={0}
}
sum {
  p = f32[4] parameter(0)
  q = f32[4] parameter(1)
  ROOT r = (f32[4], f32[4]) all-reduce(p, q), to_apply=add
}
scatter {
  p = f32[4] parameter(0)
  ROOT r = f32[2] reduce-scatter(p), dimensions={0}, replica_groups={{0,1}}, to_apply=add
}
permute {
  p = f32[4] parameter(0)
  ROOT r = f32[4] collective-permute(p), source_target_pairs={{0,1}}
}
ENTRY e {
  a = f32[4] parameter(0)
  gs = ((f32[4]), f32[8], u32[]) async-start(a), calls=gather
  rs = ((f32[4], f32[4]), (f32[4], f32[4]), u32[]) async-start(a, a), calls=sum
  ps = ((f32[4]), f32[4], u32[]) async-start(a), calls=permute
  r = (f32[4], f32[4]) async-done(rs)
  r1 = f32[4] get-tuple-element(r), index=1
  ss = ((f32[4]), f32[2], u32[]) async-start(r1), calls=scatter
  p = f32[4] async-done(ps)
  g = f32[8] async-done(gs)
  s = f32[2] async-done(ss)
  ROOT t = (f32[8], f32[4], f32[4], f32[2]) tuple(g, r1, p, s)
})",
              Arguments(2, {kVector}), options),
      ElementsAre(::testing::_,
                  "( f32[8] {0, 1, 2, 3, 100, 101, 102, 103}, f32[4] {100, "
                  "102, 104, 106}, f32[4] {0, 1, 2, 3}, f32[2] {208, 212} )"));
}

TEST(DeviceOpsTest, NumbersAndRandomState) {
  LibraryOptions options;
  options.replicas = 2;
  options.partitions = 2;
  RunBoth(R"(HloModule m
ENTRY e {
  r = u32[] replica-id()
  p = u32[] partition-id()
  s = u64[2] rng-get-and-update-state(), delta=5
  ROOT t = (u32[], u32[], u64[2]) tuple(r, p, s)
})",
          std::vector<std::vector<Literal>>(4), options);
}

TEST(TransfersTest, BetweenDevicesAndWithTheHost) {
  LibraryOptions options;
  options.replicas = 2;
  EXPECT_THAT(RunBoth(R"(HloModule m
ENTRY e {
  a = f32[4] parameter(0)
  t = token[] after-all()
  s = (f32[4], u32[], token[]) send(a, t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  sd = token[] send-done(s), channel_id=1
  r = (f32[4], u32[], token[]) recv(t), channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs="{{0,1}}"}
  rd = (f32[4], token[]) recv-done(r), channel_id=1
  ROOT v = f32[4] get-tuple-element(rd), index=0
})",
                      Arguments(2, {kVector}), options),
              ElementsAre("f32[4] {0, 0, 0, 0}", "f32[4] {0, 1, 2, 3}"));
  // Both backends take from the queue and add to it.
  TransferQueues queues;
  for (int i = 0; i < 2; ++i) {
    queues.TransferToInfeed(LiteralUtil::MakeTupleOwned(
        LiteralUtil::CreateR1<float>({1, 2}), LiteralUtil::CreateR0<int>(3)));
    queues.to_device(4).Push(LiteralUtil::CreateR0<int>(5));
  }
  LibraryOptions with_host;
  with_host.queues = {&queues};
  EXPECT_THAT(RunBoth(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  in = ((f32[2], s32[]), token[]) infeed(t)
  v = (f32[2], s32[]) get-tuple-element(in), index=0
  t2 = token[] get-tuple-element(in), index=1
  o = token[] outfeed(v, t2), outfeed_shape=(f32[2], s32[])
  x = f32[2] get-tuple-element(v), index=0
  s = (f32[2], u32[], token[]) send(x, o), channel_id=3, is_host_transfer=true
  sd = token[] send-done(s), channel_id=3, is_host_transfer=true
  r = (s32[], u32[], token[]) recv(sd), channel_id=4, is_host_transfer=true
  ROOT rd = (s32[], token[]) recv-done(r), channel_id=4, is_host_transfer=true
})",
                      {}, with_host),
              ElementsAre("( s32[] 5, token )"));
  EXPECT_EQ(queues.TransferFromOutfeed()->ToStringOneline(),
            "( f32[2] {1, 2}, s32[] 3 )");
  EXPECT_EQ(queues.to_host(3).Pop(absl::ZeroDuration(), "")->ToStringOneline(),
            "f32[2] {1, 2}");
}

}  // namespace
}  // namespace xla::cpu
