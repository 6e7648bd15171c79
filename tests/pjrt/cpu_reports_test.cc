// The reports of executables of the CPU compiler.
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/client/client_library.h"
#include "xla/client/compilers.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kProgram[] = R"(
HloModule two, input_output_alias={ {0}: (0, {}, may-alias) }
ENTRY e {
  x = f32[8,16] parameter(0)
  w = f32[16,4] parameter(1)
  dead = f32[8,16] add(x, x)
  y = f32[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  z = f32[8,16] exponential(x)
  ROOT t = (f32[8,16], f32[8,4]) tuple(z, y)
})";

class CpuReportsTest : public PjrtTest {
 protected:
  CpuReportsTest() {
    PjRtClientOptions options;
    options.compiler = MakeCompiler("cpu").value();
    client_ = GetTesseraClient(std::move(options)).value();
  }
};

TEST_F(CpuReportsTest, CostsMemoryAndProgramAfterPasses) {
  auto loaded = Compile(kProgram);
  const PjRtExecutable& executable = *loaded->GetExecutable();
  const auto modules = executable.GetHloModules().value();
  ASSERT_EQ(modules.size(), 1);
  EXPECT_THAT(modules[0]->ToString(), HasSubstr("is_scheduled=true"));
  EXPECT_THAT(modules[0]->ToString(), Not(HasSubstr("dead")));
  EXPECT_EQ(executable.GetHloText(), modules[0]->ToString());
  auto costs = executable.GetCostAnalysis().value();
  EXPECT_EQ(std::get<float>(costs["flops"]), 2 * 8 * 16 * 4);
  EXPECT_EQ(std::get<float>(costs["transcendentals"]), 8 * 16);
  EXPECT_GT(std::get<float>(costs["optimal_seconds"]), 1e-9);
  EXPECT_LT(std::get<float>(costs["optimal_seconds"]), 1e-4);
  const CompiledMemoryStats memory =
      executable.GetCompiledMemoryStats().value();
  EXPECT_EQ(memory.argument_size_in_bytes, 4 * (8 * 16 + 16 * 4));
  EXPECT_EQ(memory.output_size_in_bytes, 4 * (8 * 16 + 8 * 4));
  EXPECT_EQ(memory.alias_size_in_bytes, 4 * 8 * 16);
  EXPECT_GE(memory.peak_memory_in_bytes, memory.argument_size_in_bytes);
  EXPECT_GT(memory.generated_code_size_in_bytes, 0);
}

TEST_F(CpuReportsTest, CostsOfLoopsAreThoseOfAllTheirRuns) {
  auto costs = Compile(kLoopProgram)->GetExecutable()->GetCostAnalysis();
  ASSERT_TRUE(costs.ok()) << costs.status();
  EXPECT_GE(std::get<float>((*costs)["flops"]), 100 * 4);
}

TEST_F(CpuReportsTest, CompileReport) {
  auto loaded = Compile(kProgram);
  const CompileReport* report =
      loaded->GetExecutable()->executable().compile_report();
  ASSERT_NE(report, nullptr);
  EXPECT_GT(report->seconds, 0);
  for (const char* phase :
       {"passes", "buffers", "plan", "codegen", "optimise", "emit", "link"}) {
    EXPECT_GT(report->PhaseSeconds(phase), 0) << phase;
  }
  EXPECT_EQ(report->PhaseSeconds("no such phase"), 0);
  EXPECT_GE(report->CountOf("kernels"), 1);
  EXPECT_GE(report->CountOf("thunks"), 1);
  // The call itself takes some time beside its thunks.
  ASSERT_FALSE(report->thunk_costs.empty());
  double predicted = 0;
  for (const CompileReport::ThunkCost& thunk : report->thunk_costs) {
    EXPECT_FALSE(thunk.name.empty());
    EXPECT_GT(thunk.bytes, 0);
    predicted += thunk.nanoseconds;
  }
  EXPECT_GT(predicted, 0);
  EXPECT_GT(report->run_nanoseconds, predicted);
  EXPECT_EQ(report->CountOf("instructions"),
            loaded->GetExecutable()->executable().module().instruction_count());
  bool scheduled = false;
  for (const CompileReport::Pass& pass : report->passes) {
    EXPECT_GE(pass.seconds, 0) << pass.name;
    scheduled |= pass.name == "schedule" && pass.changed;
  }
  EXPECT_TRUE(scheduled);
  EXPECT_THAT(report->ToString(), HasSubstr("pass schedule"));
}

TEST(LocalExecutableReportsTest, ModuleAndMemory) {
  XlaBuilder builder("sum");
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  const XlaOp x = Parameter(&builder, 0, shape, "x");
  Add(x, x);
  const XlaComputation computation = builder.Build(Neg(x)).value();
  auto executables = ClientLibrary::LocalClientOrDie()
                         ->Compile(computation, {&shape}, {})
                         .value();
  const Executable& executable = *executables[0]->executable();
  EXPECT_THAT(executable.module().ToString(), HasSubstr("negate"));
  EXPECT_EQ(executable.memory_stats().argument_bytes, 16);
  EXPECT_EQ(executable.memory_stats().output_bytes, 16);
}

}  // namespace
}  // namespace xla
