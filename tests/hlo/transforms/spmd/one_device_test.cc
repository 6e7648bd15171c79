// What one device does for all: who runs it, how often, and what others get.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/transforms/spmd/spmd_harness.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// Runs a program without parameters on all its partitions. Returns the results
// as text.
std::vector<std::string> RunPartitions(absl::string_view text,
                                       ReplicatedOptions options) {
  std::unique_ptr<HloModule> module = Partitioned(text);
  if (module == nullptr) return {};
  options.num_partitions = module->config().num_partitions();
  const std::vector<std::vector<const Literal*>> arguments(
      options.num_partitions);
  auto results = EvaluateReplicated(*module, arguments, options);
  if (!results.ok()) {
    ADD_FAILURE() << results.status() << "\n" << module->ToString();
    return {};
  }
  std::vector<std::string> texts;
  for (const Literal& result : *results) {
    texts.push_back(result.ToStringOneline());
  }
  return texts;
}

TEST(SpmdOneDeviceTest, CallsOfALoopAndItsConditionAreMadeOnceAndInOrder) {
  std::vector<int64_t> devices;
  std::vector<int32_t> seen;
  ReplicatedOptions options;
  options.ffi_call_handler =
      [&](const HloInstruction& call, int64_t device,
          std::vector<Value> operands) -> absl::StatusOr<Value> {
    const int32_t x = operands.back().array().Get<int32_t>({});
    devices.push_back(device);
    seen.push_back(x);
    if (call.shape().IsTuple()) {
      return Value(std::vector<Value>{
          Value(), Value(LiteralUtil::CreateR0<int32_t>(2 * x))});
    }
    return Value(LiteralUtil::CreateR0<bool>(x < 20));
  };
  EXPECT_THAT(RunPartitions(R"(HloModule m, num_partitions=3
cond {
  p = (token[], s32[]) parameter(0)
  x = s32[] get-tuple-element(p), index=1
  ROOT r = pred[] custom-call(x), custom_call_target="test", api_version=API_VERSION_TYPED_FFI, sharding={maximal device=2}
}
body {
  p = (token[], s32[]) parameter(0)
  t = token[] get-tuple-element(p), index=0
  x = s32[] get-tuple-element(p), index=1
  ROOT r = (token[], s32[]) custom-call(t, x), custom_call_target="twice", custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, sharding={{maximal device=1}, {maximal device=1}}
}
ENTRY e {
  t = token[] after-all()
  three = s32[] constant(3)
  both = (token[], s32[]) tuple(t, three)
  w = (token[], s32[]) while(both), condition=cond, body=body
  ROOT r = s32[] get-tuple-element(w), index=1
})",
                            std::move(options)),
              ElementsAre("s32[] 24", "s32[] 24", "s32[] 24"));
  EXPECT_THAT(seen, ElementsAre(3, 3, 6, 6, 12, 12, 24));
  EXPECT_THAT(devices, ElementsAre(2, 1, 2, 1, 2, 1, 2));
}

// Their bits are broadcast: nothing is added to them.
TEST(SpmdOneDeviceTest, ResultsKeepTheirBits) {
  ReplicatedOptions options;
  options.ffi_call_handler = [](const HloInstruction&, int64_t,
                                std::vector<Value>) -> absl::StatusOr<Value> {
    const uint32_t bits = 0x7f812345;  // a signaling NaN
    float nan;
    std::memcpy(&nan, &bits, sizeof(nan));
    return Value(
        std::vector<Value>{Value(LiteralUtil::CreateR1<float>({nan, -0.0f})),
                           Value(LiteralUtil::CreateR0(F8E8M0FNU, 2.0)),
                           Value(LiteralUtil::CreateR0<bool>(true))});
  };
  const std::vector<std::string> results =
      RunPartitions(R"(HloModule m, num_partitions=2
ENTRY e {
  c = (f32[2], f8e8m0fnu[], pred[]) custom-call(), custom_call_target="bits", api_version=API_VERSION_TYPED_FFI, sharding={{maximal device=1}, {maximal device=1}, {maximal device=1}}
  x = f32[2] get-tuple-element(c), index=0
  y = f8e8m0fnu[] get-tuple-element(c), index=1
  z = pred[] get-tuple-element(c), index=2
  b = u32[2] bitcast-convert(x)
  w = u8[] bitcast-convert(y)
  ROOT t = (u32[2], u8[], pred[]) tuple(b, w, z)
})",
                    std::move(options));
  EXPECT_THAT(
      results,
      Each("( u32[2] {2139169605, 2147483648}, u8[] 128, pred[] true )"));
  EXPECT_EQ(results.size(), 2);
}

TEST(SpmdOneDeviceTest, FeedsAndHostChannelsAreThoseOfTheDevice) {
  TransferQueues first;
  TransferQueues second;
  second.TransferToInfeed(LiteralUtil::CreateR1<float>({1, 2}));
  second.to_device(2).Push(LiteralUtil::CreateR1<float>({10, 20}));
  ReplicatedOptions options;
  options.queues = {&first, &second};
  EXPECT_THAT(RunPartitions(R"(HloModule m, num_partitions=2
ENTRY e {
  t = token[] after-all()
  i = (f32[2], token[]) infeed(t), sharding={{maximal device=1}, {maximal device=1}}
  v = f32[2] get-tuple-element(i), index=0
  u = token[] get-tuple-element(i), index=1
  r = (f32[2], u32[], token[]) recv(u), channel_id=2, is_host_transfer=true, sharding={{maximal device=1}, {maximal device=1}, {maximal device=1}}
  d = (f32[2], token[]) recv-done(r), channel_id=2, is_host_transfer=true, sharding={{maximal device=1}, {maximal device=1}}
  w = f32[2] get-tuple-element(d), index=0
  s = f32[2] add(v, w)
  o = token[] outfeed(s, u), outfeed_shape=f32[2]{0}, sharding={maximal device=0}
  n = (f32[2], u32[], token[]) send(w, o), channel_id=3, is_host_transfer=true, sharding={{maximal device=1}, {maximal device=1}, {maximal device=1}}
  e = token[] send-done(n), channel_id=3, is_host_transfer=true, sharding={maximal device=1}
  ROOT c = f32[2] copy(s)
})",
                            std::move(options)),
              ElementsAre("f32[2] {11, 22}", "f32[2] {11, 22}"));
  auto fed = first.TransferFromOutfeed();
  ASSERT_TRUE(fed.ok()) << fed.status();
  EXPECT_EQ(fed->ToStringOneline(), "f32[2] {11, 22}");
  auto sent = second.to_host(3).Pop(absl::ZeroDuration(), "3");
  ASSERT_TRUE(sent.ok()) << sent.status();
  EXPECT_EQ(sent->ToStringOneline(), "f32[2] {10, 20}");
}

}  // namespace
}  // namespace xla
