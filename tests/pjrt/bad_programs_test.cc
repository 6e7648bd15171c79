// Programs that ask for too much: each fails or runs, and the client continues
// with the next one.
#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "tests/emulation.h"
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/runtime/block_cache.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

class BadProgramsTest : public PjrtTest {
 protected:
  std::unique_ptr<PjRtBuffer> Scalar(float value) {
    return client_
        ->BufferFromHostLiteral(LiteralUtil::CreateR0<float>(value), Space())
        .value();
  }
  // Compiles and runs a program of `count` scalars, the numbers 0, 1, ...
  absl::StatusOr<std::vector<float>> Result(const std::string& text,
                                            int count = 1) {
    TF_ASSIGN_OR_RETURN(const auto executable, TryCompile(text));
    Buffers arguments;
    std::vector<PjRtBuffer*> pointers;
    for (int i = 0; i < count; ++i) {
      arguments.push_back(Scalar(i));
      pointers.push_back(arguments.back().get());
    }
    TF_ASSIGN_OR_RETURN(const Buffers results,
                        Run(*executable, std::move(pointers)));
    TF_ASSIGN_OR_RETURN(const auto literal, results[0]->ToLiteralSync());
    const auto data = literal->data<float>();
    return std::vector<float>(data.begin(), data.end());
  }
  void ExpectGoesOn() {
    const auto executable = Compile(kNegateProgram);
    const auto results = Run(*executable, {Vector({1, 2, 3, 4}).get()});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(Floats(*(*results)[0])[3], -4);
  }
};

// The largest value of a sorted array of $0 elements.
constexpr char kTemporary[] = R"(HloModule temporary
largest {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT m = f32[] maximum(a, b)
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT l = pred[] compare(a, b), direction=LT
}
ENTRY e {
  x = f32[] parameter(0)
  b = f32[$0] broadcast(x), dimensions={}
  i = f32[$0] iota(), iota_dimension=0
  s = f32[$0] add(b, i)
  t = f32[$0] sort(s), dimensions={0}, to_apply=less
  ROOT r = f32[] reduce(t, x), dimensions={0}, to_apply=largest
})";

constexpr char kOutput[] = R"(HloModule output
ENTRY e {
  x = f32[] parameter(0)
  ROOT b = f32[$0] broadcast(x), dimensions={}
})";

constexpr char kPadded[] = R"(HloModule padded
ENTRY e {
  x = f32[] parameter(0)
  v = f32[1] reshape(x)
  ROOT p = f32[$0] pad(v, x), padding=0_$1
})";

TEST_F(BadProgramsTest, MoreThanTheMachineHas) {
  const std::string texts[] = {
      absl::Substitute(kOutput, int64_t{1} << 50),
      absl::Substitute(kOutput, int64_t{1} << 60),
      absl::Substitute(kTemporary, int64_t{1} << 31),
      absl::Substitute(kTemporary, int64_t{1} << 50),
      absl::Substitute(kPadded, (int64_t{1} << 50) + 1, int64_t{1} << 50)};
  for (const std::string& text : texts) {
    const auto result = Result(text);
    EXPECT_FALSE(result.ok()) << text;
    ExpectGoesOn();
  }
}

// Runs in a process whose address space is limited.
void RunWithLittleMemory(std::string text) {
  PjRtClientOptions options;
  options.num_threads = 1;
  auto client = GetTesseraClient(std::move(options)).value();
  const auto run = [&](const std::string& program) -> absl::Status {
    TF_ASSIGN_OR_RETURN(auto module, ParseAndReturnUnverifiedModule(program));
    TF_ASSIGN_OR_RETURN(const auto executable,
                        client->CompileAndLoad(std::move(module), {}));
    TF_ASSIGN_OR_RETURN(const auto x, client->BufferFromHostLiteral(
                                          LiteralUtil::CreateR0<float>(1),
                                          client->memory_spaces()[0]));
    TF_ASSIGN_OR_RETURN(const auto results,
                        executable->Execute({{x.get()}}, {}));
    return results[0][0]->GetReadyFuture().Await();
  };
  const rlimit limit = {rlim_t{2} << 30, rlim_t{2} << 30};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(2);
  const absl::Status status = run(text);
  if (status.code() != absl::StatusCode::kResourceExhausted) {
    std::fprintf(stderr, "%s\n", status.ToString().c_str());
    std::_Exit(3);
  }
  std::_Exit(run(absl::Substitute(kOutput, 1000)).ok() ? 0 : 4);
}

TEST_F(BadProgramsTest, MoreThanTheSystemGives) {
#if defined(TESSERA_SANITIZE_THREAD)
  GTEST_SKIP() << "the sanitizer's shadow takes the addresses";
#endif
  if (!BlockCache::kEnabled) GTEST_SKIP() << "needs the plain allocator";
  if (IsEmulated()) GTEST_SKIP() << "the emulator starts no other process";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const char* text : {kOutput, kTemporary}) {
    EXPECT_EXIT(RunWithLittleMemory(absl::Substitute(text, int64_t{1} << 30)),
                testing::ExitedWithCode(0), "")
        << text;
  }
}

TEST_F(BadProgramsTest, ShapesThatCannotBe) {
  const std::string rank_1000 = [] {
    std::string dims = "1";
    for (int i = 1; i < 1000; ++i) dims += ",1";
    return dims;
  }();
  const auto result = Result(absl::StrCat(
      "HloModule rank\nENTRY e {\n  x = f32[] parameter(0)\n  y = f32[",
      rank_1000, "] reshape(x)\n  ROOT z = f32[] reshape(y)\n}"));
  if (result.ok()) {
    EXPECT_THAT(*result, testing::ElementsAre(0));
  }
  for (const char* dims :
       {"-1", "?", "4611686018427387904,4", "9223372036854775807", "1e3"}) {
    const auto module =
        ParseAndReturnUnverifiedModule(absl::Substitute(kOutput, dims));
    if (!module.ok()) continue;  // the parser rejects it
    EXPECT_FALSE(Result(absl::Substitute(kOutput, dims)).ok()) << dims;
  }
  ExpectGoesOn();
}

// Computation `i` calls computation i - 1 by $0.
std::string Nested(int depth, const std::string& body) {
  std::string text =
      "HloModule nested\ncalled0 {\n  ROOT p = f32[] parameter(0)\n}\n";
  for (int i = 1; i < depth; ++i) {
    absl::StrAppend(&text, "called", i, " {\n  p = f32[] parameter(0)\n",
                    absl::Substitute(body, absl::StrCat("called", i - 1)),
                    "}\n");
  }
  return absl::StrCat(text, "ENTRY e {\n  p = f32[] parameter(0)\n",
                      "  ROOT r = f32[] call(p), to_apply=called", depth - 1,
                      "\n}");
}

TEST_F(BadProgramsTest, DeepNesting) {
  const auto called = Result(Nested(300,
                                    "  n = f32[] negate(p)\n"
                                    "  ROOT c = f32[] call(n), to_apply=$0\n"));
  ASSERT_TRUE(called.ok()) << called.status();
  EXPECT_EQ((*called)[0], 0);
  // Computations that cannot be inlined into their callers may be nested too
  // deeply.
  const auto chosen = Result(
      Nested(600,
             "  z = f32[] constant(0)\n"
             "  l = pred[] compare(p, z), direction=LT\n"
             "  n = f32[] sine(p)\n"
             "  ROOT c = f32[] conditional(l, p, n), true_computation=$0,"
             " false_computation=called0\n"));
  if (!chosen.ok()) {
    EXPECT_THAT(chosen.status().message(), HasSubstr("level"));
  }
  ExpectGoesOn();
}

TEST_F(BadProgramsTest, ThousandsOfOperands) {
  constexpr int kCount = 1000;
  std::string text = "HloModule operands\nENTRY e {\n", names;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&text, "  p", i, " = f32[] parameter(", i, ")\n  v", i,
                    " = f32[1] reshape(p", i, ")\n");
    absl::StrAppend(&names, i == 0 ? "v" : ", v", i);
  }
  absl::StrAppend(&text, "  ROOT c = f32[", kCount, "] concatenate(", names,
                  "), dimensions={0}\n}");
  const auto result = Result(text, kCount);
  ASSERT_TRUE(result.ok()) << result.status();
  for (int i = 0; i < kCount; ++i) ASSERT_EQ((*result)[i], i);
}

// The lines of an entry computation, after p = f32[] parameter(0).
std::string Entry(const std::string& lines) {
  return absl::StrCat("HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n",
                      lines, "}");
}

int64_t Count(PjRtLoadedExecutable& executable, const char* what) {
  return executable.GetExecutable()->executable().compile_report()->CountOf(
      what);
}

// Each of these once took time or memory quadratic in its size, or worse.
TEST_F(BadProgramsTest, NestedCallsAreCopiedOnce) {
  constexpr int kDepth = 6000;
  const auto called = Result(Nested(kDepth,
                                    "  n = f32[] negate(p)\n"
                                    "  ROOT c = f32[] call(n), to_apply=$0\n"));
  ASSERT_TRUE(called.ok()) << called.status();
  // 2^59 instructions are an error.
  const auto doubled =
      Result(Nested(60,
                    "  n = f32[] call(p), to_apply=$0\n"
                    "  m = f32[] sine(n)\n"
                    "  ROOT c = f32[] call(m), to_apply=$0\n"));
  EXPECT_EQ(doubled.status().code(), absl::StatusCode::kResourceExhausted);
  const auto chosen = Result(
      Nested(6000,
             "  z = f32[] constant(0)\n"
             "  l = pred[] compare(p, z), direction=LT\n"
             "  n = f32[] sine(p)\n"
             "  ROOT c = f32[] conditional(l, p, n), true_computation=$0,"
             " false_computation=called0\n"));
  EXPECT_THAT(chosen.status().message(), HasSubstr("levels"));
  ExpectGoesOn();
}

// Elementary functions become calls if there are many; cosine converges to its
// fixed point.
TEST_F(BadProgramsTest, LongChainsOfFunctions) {
  std::string lines;
  constexpr int kCount = 3000;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(
        &lines, i + 1 == kCount ? "  ROOT x" : "  x", i, " = f32[] cosine(",
        i == 0 ? std::string("p") : absl::StrCat("x", i - 1), ")\n");
  }
  EXPECT_LT(Count(*Compile(Entry(lines)), "code bytes"), 100 * kCount);
  const auto result = Result(Entry(lines));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_NEAR((*result)[0], 0.739085f, 1e-5);
}

TEST_F(BadProgramsTest, ManyCopiesAreNoCode) {
  std::string shapes, names;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&shapes, i == 0 ? "" : ", ", "f32[]");
    absl::StrAppend(&names, i == 0 ? "" : ", ", "p");
  }
  const std::string text =
      Entry(absl::StrCat("  ROOT t = (", shapes, ") tuple(", names, ")\n"));
  const auto executable = Compile(text);
  EXPECT_LT(Count(*executable, "kernels"), 10);
  const auto ran = Run(*executable, {Scalar(7).get()});
  ASSERT_TRUE(ran.ok()) << ran.status();
  const Buffers& results = *ran;
  ASSERT_EQ(results.size(), kCount);
  const auto literal = results[kCount / 2]->ToLiteralSync();
  ASSERT_TRUE(literal.ok()) << literal.status();
  EXPECT_EQ((*literal)->data<float>()[0], 7);
}

// Columns of many arrays, in rows of one element.
TEST_F(BadProgramsTest, ManyColumns) {
  constexpr int kCount = 100;
  std::string lines, names;
  for (int i = 0; i < kCount; ++i) {
    absl::StrAppend(&lines, "  k", i, " = f32[] constant(", i, ")\n  sum", i,
                    " = f32[] add(p, k", i, ")\n  b", i,
                    " = f32[3,2] broadcast(sum", i, "), dimensions={}\n");
    absl::StrAppend(&names, i == 0 ? "b" : ", b", i);
  }
  absl::StrAppend(&lines, "  ROOT r = f32[3,", 2 * kCount, "] concatenate(",
                  names, "), dimensions={1}\n");
  const auto result = Result(Entry(lines));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->size(), 6 * kCount);
  for (int i = 0; i < 6 * kCount; ++i) {
    ASSERT_EQ((*result)[i], i % (2 * kCount) / 2) << i;
  }
}

}  // namespace
}  // namespace xla
