// Verifies, optimizes and emits a module, and measures the times.
#include "xla/backends/cpu/jit/object_compiler.h"

#include <chrono>
#include <utility>

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "xla/backends/cpu/jit/code_emitter.h"
#include "xla/backends/cpu/jit/passes/optimize.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point& start) {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - start).count();
  start = now;
  return seconds;
}

std::string ModuleText(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

// Keeps the first error that LLVM reports while it compiles; its default
// handler would print it and end the process.
void KeepError(const llvm::DiagnosticInfo* diagnostic, void* text) {
  auto& first = *static_cast<std::string*>(text);
  if (diagnostic->getSeverity() != llvm::DS_Error || !first.empty()) return;
  llvm::raw_string_ostream stream(first);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  diagnostic->print(printer);
  if (first.empty()) first = "an error without a text";
}

absl::Status Compile(llvm::Module& module, CodeEmitter& emitter, OptLevel level,
                     const ObjectOptions& options, ObjectCode& code) {
  Clock::time_point clock = Clock::now();
  if (options.verify) {
    TF_RETURN_IF_ERROR(VerifyModule(module));
    code.times.verify = SecondsSince(clock);
  }
  if (options.keep_dump) {
    code.dump.name = module.getModuleIdentifier();
    code.dump.ir = ModuleText(module);
    SecondsSince(clock);
  }
  if (options.frame_pointers) {
    for (llvm::Function& function : module) {
      function.addFnAttr("frame-pointer", "all");
    }
  }
  OptimizeModule(module, emitter.machine(), level);
  code.times.optimize = SecondsSince(clock);
  if (options.keep_dump) {
    code.dump.optimized_ir = ModuleText(module);
    // Emission changes the module, so the assembly comes from a copy.
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    TF_ASSIGN_OR_RETURN(code.dump.assembly, emitter.EmitAssembly(*copy));
    SecondsSince(clock);
  }
  TF_ASSIGN_OR_RETURN(code.bytes, emitter.EmitObject(module));
  code.times.emit = SecondsSince(clock);
  return absl::OkStatus();
}

}  // namespace

ModuleInput NewModule(const std::string& name, const TargetInfo& target,
                      OptLevel level, bool keep_names) {
  ModuleInput input;
  input.level = level;
  input.context = std::make_unique<llvm::LLVMContext>();
  input.context->setDiscardValueNames(!keep_names);
  input.module = std::make_unique<llvm::Module>(name, *input.context);
  input.module->setTargetTriple(target.triple);
  input.module->setDataLayout(target.data_layout);
  return input;
}

absl::StatusOr<ObjectCode> CompileToObject(ModuleInput input,
                                           const TargetInfo& target,
                                           const ObjectOptions& options) {
  if (input.context == nullptr || input.module == nullptr) {
    return InvalidArgument("a module to compile is missing");
  }
  TF_ASSIGN_OR_RETURN(CodeEmitterLease emitter,
                      CodeEmitterLease::Borrow(target, input.level));
  ObjectCode code;
  std::string error;
  // Released while LLVM works on them: after a fatal error they must leak.
  llvm::LLVMContext* const context = input.context.release();
  llvm::Module* const module = input.module.release();
  bool finished = false;
  module->setTargetTriple(target.triple);
  module->setDataLayout(emitter->machine().createDataLayout());
  context->setDiagnosticHandlerCallBack(KeepError, &error);
  absl::Status status = GuardFatalErrors([&] {
    absl::Status done = Compile(*module, *emitter, input.level, options, code);
    finished = true;
    return done;
  });
  if (!finished) {
    emitter.Abandon();
    return status;
  }
  input.context.reset(context);
  input.module.reset(module);
  if (status.ok() && !error.empty()) status = Internal("LLVM: %s", error);
  TF_RETURN_IF_ERROR(status);
  return code;
}

}  // namespace xla::cpu
