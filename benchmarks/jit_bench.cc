// Times LLVM's work from IR to function pointers, by phase, on one core.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/jit/jit_compiler.h"

namespace xla::cpu {
namespace {

// Adds void f(ptr x, ptr y, i64 n), which computes y = p(x), a polynomial of
// degree `terms`, one vector at a time.
void AddKernel(llvm::Module& module, const std::string& name, int lanes,
               int terms) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* const pointer = builder.getPtrTy();
  llvm::Type* const index = builder.getInt64Ty();
  auto* const vector = llvm::FixedVectorType::get(builder.getFloatTy(), lanes);
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, index},
                              false),
      llvm::Function::ExternalLinkage, name, module);
  function->addParamAttr(1, llvm::Attribute::NoAlias);
  auto* entry = llvm::BasicBlock::Create(context, "", function);
  auto* loop = llvm::BasicBlock::Create(context, "", function);
  auto* done = llvm::BasicBlock::Create(context, "", function);
  builder.SetInsertPoint(entry);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* i = builder.CreatePHI(index, 2);
  llvm::Value* x = builder.CreateAlignedLoad(
      vector, builder.CreateGEP(builder.getFloatTy(), function->getArg(0), i),
      llvm::Align(4));
  llvm::Value* sum = llvm::ConstantFP::get(vector, 0.5);
  for (int term = 0; term < terms; ++term) {
    sum = builder.CreateFAdd(builder.CreateFMul(sum, x),
                             llvm::ConstantFP::get(vector, 1.0 + term));
  }
  builder.CreateAlignedStore(
      sum, builder.CreateGEP(builder.getFloatTy(), function->getArg(1), i),
      llvm::Align(4));
  llvm::Value* next = builder.CreateAdd(i, builder.getInt64(lanes));
  i->addIncoming(builder.getInt64(0), entry);
  i->addIncoming(next, loop);
  builder.CreateCondBr(builder.CreateICmpULT(next, function->getArg(2)), loop,
                       done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

// Arguments: the numbers of modules, of functions in each, and of terms in each
// function; 1 for kHot.
void BM_Compile(benchmark::State& state) {
  JitOptions options;
  options.verify = false;
  const JitCompiler compiler(options);
  const int lanes = compiler.target().Lanes(4);
  CompileTimes times;
  int64_t code_bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<ModuleInput> modules;
    for (int m = 0; m < state.range(0); ++m) {
      modules.push_back(
          NewModule(absl::StrCat("m", m), compiler.target(),
                    state.range(3) != 0 ? OptLevel::kHot : OptLevel::kCold));
      for (int f = 0; f < state.range(1); ++f) {
        AddKernel(*modules.back().module, absl::StrCat("f", m, ".", f), lanes,
                  static_cast<int>(state.range(2)) + m);
      }
    }
    state.ResumeTiming();
    auto code = compiler.Compile(std::move(modules));
    if (!code.ok()) {
      state.SkipWithError(std::string(code.status().message()).c_str());
      return;
    }
    times += (*code)->times();
    code_bytes = (*code)->code_bytes();
  }
  const auto milliseconds = [&](double seconds) {
    return benchmark::Counter(seconds * 1e3,
                              benchmark::Counter::kAvgIterations);
  };
  state.counters["dedup_ms"] = milliseconds(times.deduplicate);
  state.counters["optimize_ms"] = milliseconds(times.optimize);
  state.counters["emit_ms"] = milliseconds(times.emit);
  state.counters["link_ms"] = milliseconds(times.link);
  state.counters["code_bytes"] = static_cast<double>(code_bytes);
}
BENCHMARK(BM_Compile)
    ->ArgNames({"modules", "functions", "terms", "hot"})
    ->Args({1, 1, 1, 1})
    ->Args({1, 1, 1, 0})
    ->Args({1, 1, 200, 1})
    ->Args({1, 1, 200, 0})
    ->Args({1, 20, 20, 1})
    ->Args({20, 1, 20, 1})
    ->Args({20, 1, 20, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace xla::cpu
