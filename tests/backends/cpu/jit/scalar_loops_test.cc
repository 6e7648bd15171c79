// Loops over scalars: values carried in vector registers, and clamps removed.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/jit/ir_text.h"
#include "xla/backends/cpu/jit/jit_compiler.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Compiled {
  std::unique_ptr<CompiledCode> code;
  std::string ir;  // after the passes
};

Compiled Compile(const std::string& text) {
  std::vector<ModuleInput> modules;
  modules.push_back(ParseModule(text));
  auto code = JitCompiler({.verify = true, .keep_dumps = true})
                  .Compile(std::move(modules));
  EXPECT_TRUE(code.ok()) << code.status();
  std::string ir = (*code)->dumps()[0].optimized_ir;
  return {*std::move(code), std::move(ir)};
}

// carry = `body` of carry and a[i]; out[i] = carry.
std::string Loop(const std::string& body) {
  return absl::StrCat(R"(
    declare i32 @llvm.smin.i32(i32, i32)
    declare i32 @llvm.umax.i32(i32, i32)
    define i32 @f(ptr noalias %a, ptr noalias %out, i64 %n, i32 %start) {
    entry:
      br label %loop
    loop:
      %i = phi i64 [0, %entry], [%next, %loop]
      %carry = phi i32 [%start, %entry], [%new, %loop]
      %pa = getelementptr i32, ptr %a, i64 %i
      %x = load i32, ptr %pa
      )",
                      body, R"(
      %po = getelementptr i32, ptr %out, i64 %i
      store i32 %new, ptr %po
      %next = add i64 %i, 1
      %more = icmp slt i64 %next, %n
      br i1 %more, label %loop, label %done
    done:
      ret i32 %carry
    }
  )");
}

using LoopFunction = int32_t(const int32_t*, int32_t*, int64_t, int32_t);

TEST(ScalarLoopsTest, CarriesThroughMinimaAreInVectors) {
  const Compiled compiled = Compile(Loop(R"(
      %bound = call i32 @llvm.smin.i32(i32 %carry, i32 %x)
      %one = add i32 %bound, 1
      %twice = mul i32 %x, 2
      %other = sub i32 %twice, %one
      %both = xor i32 %one, %other
      %new = call i32 @llvm.umax.i32(i32 %both, i32 7))"));
  if (HostTarget().has_round) {
    // SSE4.1 introduced minima of 32-bit integers, as well as roundings.
    EXPECT_THAT(compiled.ir, HasSubstr("phi <4 x i32>"));
    EXPECT_THAT(compiled.ir, HasSubstr("llvm.smin.v4i32"));
  }
  const auto f = compiled.code->Function<LoopFunction>("f");
  ASSERT_TRUE(f.ok()) << f.status();
  std::mt19937 random(5);
  std::vector<int32_t> a(1000), out(1000);
  for (int32_t& x : a) x = static_cast<int32_t>(random());
  const int32_t last = (*f)(a.data(), out.data(), 1000, INT32_MAX);
  uint32_t carry = INT32_MAX, before = 0;
  for (int i = 0; i < 1000; ++i) {
    before = carry;
    const uint32_t one = std::min<int32_t>(carry, a[i]) + 1u;
    const uint32_t other = 2u * static_cast<uint32_t>(a[i]) - one;
    carry = std::max(one ^ other, 7u);
    ASSERT_EQ(static_cast<uint32_t>(out[i]), carry) << i;
  }
  EXPECT_EQ(static_cast<uint32_t>(last), before);
}

TEST(ScalarLoopsTest, OtherCarriesStay) {
  // These chains stay: one has no minimum, one feeds the next iteration's
  // address, one has a product.
  for (const char* body : {
           "%new = add i32 %carry, %x",
           R"(%new = call i32 @llvm.smin.i32(i32 %carry, i32 %x)
              %at = zext i32 %carry to i64
              %p = getelementptr i32, ptr %out, i64 %at
              store i32 1, ptr %p)",
           R"(%twice = mul i32 %carry, 3
              %new = call i32 @llvm.smin.i32(i32 %twice, i32 %x))",
       }) {
    EXPECT_THAT(Compile(Loop(body)).ir, Not(HasSubstr("<4 x i32>"))) << body;
  }
}

// out[bounded i] = 1 for i from `begin` while i < `end`.
std::string Bounded(const std::string& begin, const std::string& end) {
  return absl::StrCat(R"(
    declare i64 @llvm.smin.i64(i64, i64)
    declare i64 @llvm.smax.i64(i64, i64)
    define void @f(ptr %out, i64 %begin, i64 %end) {
    entry:
      br label %test
    test:
      %i = phi i64 [)",
                      begin, R"(, %entry], [%next, %body]
      %more = icmp slt i64 %i, )",
                      end, R"(
      br i1 %more, label %body, label %done
    body:
      %low = call i64 @llvm.smax.i64(i64 %i, i64 0)
      %at = call i64 @llvm.smin.i64(i64 %low, i64 15)
      %p = getelementptr i32, ptr %out, i64 %at
      %x = load i32, ptr %p
      %y = add i32 %x, 1
      store i32 %y, ptr %p
      %next = add i64 %i, 1
      br label %test
    done:
      ret void
    }
  )");
}

std::vector<int32_t> Counts(const Compiled& compiled, int64_t begin,
                            int64_t end) {
  std::vector<int32_t> out(16);
  const auto f = compiled.code->Function<void(int32_t*, int64_t, int64_t)>("f");
  EXPECT_TRUE(f.ok()) << f.status();
  (*f)(out.data(), begin, end);
  return out;
}

TEST(ScalarLoopsTest, BoundsThatTheLoopKeepsGo) {
  const Compiled compiled = Compile(Bounded("0", "16"));
  EXPECT_THAT(compiled.ir, Not(HasSubstr("call i64 @llvm.sm")));
  EXPECT_EQ(Counts(compiled, 0, 0), std::vector<int32_t>(16, 1));
}

TEST(ScalarLoopsTest, OtherBoundsStay) {
  const Compiled longer = Compile(Bounded("0", "17"));
  EXPECT_THAT(longer.ir, Not(HasSubstr("call i64 @llvm.smax")));
  EXPECT_THAT(longer.ir, HasSubstr("call i64 @llvm.smin"));
  EXPECT_EQ(Counts(longer, 0, 0)[15], 2);
  const Compiled open = Compile(Bounded("%begin", "%end"));
  EXPECT_THAT(open.ir, HasSubstr("call i64 @llvm.smax"));
  EXPECT_THAT(open.ir, HasSubstr("call i64 @llvm.smin"));
  const std::vector<int32_t> out = Counts(open, -3, 20);
  EXPECT_EQ(out[0], 4);
  EXPECT_EQ(out[15], 5);
}

}  // namespace
}  // namespace xla::cpu
