// Compiles modules from LLVM's text to functions that run, and tests all
// errors.
#include "xla/backends/cpu/jit/jit_compiler.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/jit/ir_text.h"
#include "xla/base/sanitizers.h"

// LLVM's objects leak after a fatal error (code_emitter.h), and some tests
// cause one. AddressSanitizer looks up a function of this name.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:llvm::\nleak:createX86MC\n";
}

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

constexpr char kAdd[] = R"(
  define i64 @add(i64 %a, i64 %b) {
    %slot = alloca i64
    store i64 %a, ptr %slot
    %x = load i64, ptr %slot
    %c = add i64 %x, %b
    ret i64 %c
  }
)";

// y[i] += a * x[i], with a loop, a constant and a vector.
constexpr char kSaxpy[] = R"(
  define void @saxpy(ptr noalias %x, ptr noalias %y, i64 %n) {
  entry:
    br label %loop
  loop:
    %i = phi i64 [0, %entry], [%next, %loop]
    %px = getelementptr float, ptr %x, i64 %i
    %py = getelementptr float, ptr %y, i64 %i
    %vx = load <4 x float>, ptr %px, align 4
    %vy = load <4 x float>, ptr %py, align 4
    %m = fmul <4 x float> %vx, <float 1.0, float 2.0, float 3.0, float 4.0>
    %s = fadd <4 x float> %m, %vy
    store <4 x float> %s, ptr %py, align 4
    %next = add i64 %i, 4
    %more = icmp ult i64 %next, %n
    br i1 %more, label %loop, label %done
  done:
    ret void
  }
)";

std::vector<ModuleInput> Modules(std::vector<std::string> texts,
                                 OptLevel level = OptLevel::kHot) {
  std::vector<ModuleInput> modules;
  for (const std::string& text : texts) {
    modules.push_back(ParseModule(text, level));
  }
  return modules;
}

TEST(JitCompilerTest, CompilesAndRuns) {
  for (const OptLevel level : {OptLevel::kCold, OptLevel::kHot}) {
    const auto code = JitCompiler().Compile(Modules({kAdd, kSaxpy}, level));
    ASSERT_TRUE(code.ok()) << code.status();
    const auto add = (*code)->Function<int64_t(int64_t, int64_t)>("add");
    ASSERT_TRUE(add.ok()) << add.status();
    EXPECT_EQ((*add)(40, 2), 42);
    const auto saxpy =
        (*code)->Function<void(const float*, float*, int64_t)>("saxpy");
    ASSERT_TRUE(saxpy.ok()) << saxpy.status();
    std::vector<float> x(64, 2.0f), y(64, 1.0f);
    (*saxpy)(x.data(), y.data(), 64);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(y[i], 1.0f + 2.0f * (i % 4 + 1));
    EXPECT_GT((*code)->code_bytes(), 0);
    EXPECT_GT((*code)->times().wall, 0);
  }
}

TEST(JitCompilerTest, CodeDoesNotDependOnWhatWasCompiledBefore) {
  // Passes are kept from one module to the next.
  for (const OptLevel level : {OptLevel::kCold, OptLevel::kHot}) {
    const auto first = JitCompiler().Compile(Modules({kSaxpy}, level));
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_TRUE(JitCompiler().Compile(Modules({kAdd}, level)).ok());
    for (int i = 0; i < 250; ++i) {
      const auto again = JitCompiler().Compile(Modules({kSaxpy}, level));
      ASSERT_TRUE(again.ok()) << again.status();
      ASSERT_EQ((*again)->objects().objects, (*first)->objects().objects);
    }
  }
}

TEST(JitCompilerTest, NothingToCompile) {
  const auto code = JitCompiler().Compile({});
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ((*code)->Find("add").status().code(), absl::StatusCode::kNotFound);
  EXPECT_FALSE(JitCompiler().Compile(std::vector<ModuleInput>(1)).ok());
}

TEST(JitCompilerTest, ModulesCallEachOther) {
  const auto code = JitCompiler().Compile(Modules({kAdd, R"(
    declare i64 @add(i64, i64)
    define i64 @twice(i64 %a) {
      %b = call i64 @add(i64 %a, i64 %a)
      ret i64 %b
    }
    define ptr @address() {
      ret ptr @add
    })"}));
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ((**(*code)->Function<int64_t(int64_t)>("twice"))(21), 42);
  EXPECT_EQ((**(*code)->Function<void*()>("address"))(), *(*code)->Find("add"));
}

int64_t Outside(int64_t a) { return a + 1000; }

TEST(JitCompilerTest, CallsGivenSymbols) {
  static const int64_t kValue = 7;
  JitOptions options;
  options.symbols["outside"] = reinterpret_cast<const void*>(&Outside);
  options.symbols["value"] = &kValue;
  const auto code = JitCompiler(options).Compile(Modules({R"(
    @value = external constant i64
    declare i64 @outside(i64)
    define i64 @f() {
      %v = load i64, ptr @value
      %r = call i64 @outside(i64 %v)
      %s = add i64 %r, 1
      ret i64 %s
    })"}));
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ((**(*code)->Function<int64_t()>("f"))(), 1008);
}

TEST(JitCompilerTest, RuntimeSymbolsResolve) {
  const auto code = JitCompiler().Compile(Modules({R"(
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    define void @copy(ptr %to, ptr %from, i64 %n) {
      call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
      ret void
    }
    define double @remainder(double %a, double %b) {
      %r = frem double %a, %b
      ret double %r
    }
    define i64 @wide(i64 %a, i64 %b) {
      %x = zext i64 %a to i128
      %y = zext i64 %b to i128
      %m = mul i128 %x, %x
      %d = udiv i128 %m, %y
      %t = trunc i128 %d to i64
      ret i64 %t
    })"}));
  ASSERT_TRUE(code.ok()) << code.status();
  const std::string from(1000, 'x');
  std::string to(1000, ' ');
  (**(*code)->Function<void(char*, const char*, int64_t)>("copy"))(
      to.data(), from.data(), 1000);
  EXPECT_EQ(to, from);
  EXPECT_EQ((**(*code)->Function<double(double, double)>("remainder"))(7, 4),
            std::fmod(7, 4));
  EXPECT_EQ((**(*code)->Function<int64_t(int64_t, int64_t)>("wide"))(
                int64_t{1} << 62, int64_t{1} << 63),
            int64_t{1} << 61);
}

TEST(JitCompilerTest, SmallFloatsConvert) {
  // A processor without conversions calls our functions instead.
  const auto target = TargetFor(HostTarget().is_x86 ? "x86-64" : "generic");
  ASSERT_TRUE(target.ok()) << target.status();
  for (const TargetInfo& each : {HostTarget(), *target}) {
    const auto code = JitCompiler({.target = each}).Compile(Modules({R"(
      define float @f(float %x) {
        %h = fptrunc float %x to half
        %y = fpext half %h to float
        ret float %y
      }
      define float @b(float %x) {
        %h = fptrunc float %x to bfloat
        %y = fpext bfloat %h to float
        ret float %y
      })"}));
    ASSERT_TRUE(code.ok()) << code.status();
    const float x = 1.0f + 1.0f / 1024 + 1.0f / 4096;
    EXPECT_EQ((**(*code)->Function<float(float)>("f"))(x), 1.0f + 1.0f / 1024);
    EXPECT_EQ((**(*code)->Function<float(float)>("b"))(x), 1.0f);
    EXPECT_EQ((**(*code)->Function<float(float)>("f"))(1e6f), INFINITY);
  }
}

TEST(JitCompilerTest, EqualModulesCompileOnce) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5; ++i) {
    texts.push_back(absl::StrCat("@table", i, R"( = private constant [2 x i64]
      [i64 3, i64 5]
      define internal i64 @helper(i64 %a) noinline {
        %p = getelementptr [2 x i64], ptr @table)",
                                 i, R"(, i64 0, i64 %a
        %v = load i64, ptr %p
        ret i64 %v
      }
      define i64 @kernel)",
                                 i, R"((i64 %a) {
        %v = call i64 @helper(i64 %a)
        %w = add i64 %v, )",
                                 i == 4 ? 1 : 0, R"(
        ret i64 %w
      })"));
  }
  const auto code = JitCompiler().Compile(Modules(texts));
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_EQ((*code)->objects().objects.size(), 2);
  EXPECT_EQ((*code)->objects().aliases.size(), 3);
  for (int i = 0; i < 5; ++i) {
    const auto kernel =
        (*code)->Function<int64_t(int64_t)>(absl::StrCat("kernel", i));
    ASSERT_TRUE(kernel.ok()) << kernel.status();
    EXPECT_EQ((*kernel)(1), i == 4 ? 6 : 5);
  }
}

TEST(JitCompilerTest, UnresolvedSymbolIsNamed) {
  const auto code = JitCompiler().Compile(Modules({R"(
    declare void @no_such_function()
    define void @f() {
      call void @no_such_function()
      ret void
    })"}));
  EXPECT_EQ(code.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(code.status().message(), HasSubstr("no_such_function"));
  // Names are not looked up in the process.
  EXPECT_FALSE(JitCompiler()
                   .Compile(Modules({R"(
                     declare i32 @getpid()
                     define i32 @f() {
                       %r = call i32 @getpid()
                       ret i32 %r
                     })"}))
                   .ok());
}

TEST(JitCompilerTest, TwoDefinitionsAreAnError) {
  const auto code = JitCompiler().Compile(
      Modules({kAdd, "define void @add() {\n ret void\n }"}));
  EXPECT_THAT(code.status().message(), HasSubstr("add is defined twice"));
}

TEST(JitCompilerTest, MalformedIrIsAnError) {
  ModuleInput input = ParseModule(kAdd);
  // A block without its terminator.
  input.module->getFunction("add")->getEntryBlock().back().eraseFromParent();
  std::vector<ModuleInput> modules;
  modules.push_back(std::move(input));
  const auto code = JitCompiler({.verify = true}).Compile(std::move(modules));
  EXPECT_EQ(code.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(code.status().message(), HasSubstr("terminator"));
}

TEST(JitCompilerTest, FatalErrorsOfLlvmAreErrors) {
  // There is no instruction for this: instruction selection gives up.
  const auto code = JitCompiler().Compile(Modules({R"(
    declare i32 @llvm.ppc.addex(i32, i32, i32)
    declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
    define i64 @f() {
      %r = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
      ret i64 %r
    })"}));
  EXPECT_EQ(code.status().code(), absl::StatusCode::kInternal);
  EXPECT_THAT(code.status().message(), HasSubstr("LLVM"));
  // The next compilation is unaffected.
  EXPECT_TRUE(JitCompiler().Compile(Modules({kAdd})).ok());
}

TEST(JitCompilerTest, InlineAssemblyIsNotSupported) {
  const auto code = JitCompiler().Compile(Modules({R"(
    define void @f() {
      call void asm sideeffect "no such instruction", ""()
      ret void
    })"}));
  EXPECT_FALSE(code.ok());
}

TEST(JitCompilerTest, CodeForOtherProcessorsCompiles) {
  if (!HostTarget().is_x86) GTEST_SKIP() << "names of x86 processors";
  for (const char* cpu : {"x86-64", "haswell", "skylake-avx512", "znver4"}) {
    const auto target = TargetFor(cpu);
    ASSERT_TRUE(target.ok()) << target.status();
    const auto code =
        JitCompiler({.target = *target}).Compile(Modules({kAdd, kSaxpy}));
    EXPECT_TRUE(code.ok()) << cpu << ": " << code.status();
  }
}

TEST(JitCompilerTest, DumpsShowEachStage) {
  const auto code = JitCompiler({.keep_dumps = true}).Compile(Modules({kAdd}));
  ASSERT_TRUE(code.ok()) << code.status();
  ASSERT_EQ((*code)->dumps().size(), 1);
  const ModuleDump& dump = (*code)->dumps()[0];
  EXPECT_THAT(dump.ir, HasSubstr("alloca"));
  EXPECT_THAT(dump.optimized_ir, testing::Not(HasSubstr("alloca")));
  EXPECT_THAT(dump.assembly, HasSubstr("add:"));
}

TEST(JitCompilerTest, ObjectsLoadAgain) {
  const auto code = JitCompiler().Compile(Modules({kAdd, kSaxpy}));
  ASSERT_TRUE(code.ok()) << code.status();
  CompiledObjects objects = (*code)->objects();
  EXPECT_GT(objects.size_bytes(), 0);
  const auto again = JitCompiler().Load(objects);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((**(*again)->Function<int64_t(int64_t, int64_t)>("add"))(1, 2), 3);

  objects.fingerprint += ",a-feature-to-come";
  const auto other = JitCompiler().Load(objects);
  EXPECT_EQ(other.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(other.status().message(), HasSubstr("a-feature-to-come"));
  objects.fingerprint = "nonsense";
  EXPECT_EQ(JitCompiler().Load(objects).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// Resident memory in pages.
int64_t ResidentPages() {
  std::ifstream file("/proc/self/statm");
  int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

TEST(JitCompilerTest, MemoryIsGivenBack) {
  if (kAddressSanitizer) {
    GTEST_SKIP() << "AddressSanitizer keeps freed memory";
  }
  const JitCompiler compiler;
  const auto once = [&](int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(compiler.Compile(Modules({kAdd})).ok());
    }
  };
  once(200);
  const int64_t before = ResidentPages();
  once(1000);
  // Each program has at least one page.
  EXPECT_LT(ResidentPages() - before, 500);
}

TEST(JitCompilerTest, ManyThreads) {
  const ParallelFor parallel = [](int64_t count,
                                  absl::FunctionRef<void(int64_t)> body) {
    std::vector<std::thread> threads;
    for (int64_t i = 0; i < count; ++i) {
      threads.emplace_back([i, body] { body(i); });
    }
    for (std::thread& thread : threads) thread.join();
  };
  std::vector<std::string> texts;
  for (int i = 0; i < 8; ++i) {
    texts.push_back(absl::StrCat("define i64 @f", i, "(i64 %a) {\n %b = add ",
                                 "i64 %a, ", i, "\n ret i64 %b\n}"));
  }
  const JitCompiler compiler;
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&] {
      const auto code = compiler.Compile(Modules(texts), parallel);
      ASSERT_TRUE(code.ok()) << code.status();
      for (int i = 0; i < 8; ++i) {
        const auto f =
            (*code)->Function<int64_t(int64_t)>(absl::StrCat("f", i));
        ASSERT_TRUE(f.ok());
        EXPECT_EQ((*f)(100), 100 + i);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace xla::cpu
