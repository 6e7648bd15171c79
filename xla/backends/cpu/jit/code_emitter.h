// CodeEmitter: LLVM's code generator for one target, whose passes are made
// once.
#ifndef XLA_BACKENDS_CPU_JIT_CODE_EMITTER_H_
#define XLA_BACKENDS_CPU_JIT_CODE_EMITTER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/jit/target_machine.h"

namespace xla::cpu {

class CodegenPasses;

// For use by one thread at a time.
class CodeEmitter {
 public:
  explicit CodeEmitter(std::unique_ptr<llvm::TargetMachine> machine);
  ~CodeEmitter();

  llvm::TargetMachine& machine() const { return *machine_; }

  // Compiles `module`, which changes, to an object file. Making some two
  // hundred passes takes a third of the time that a small function does, so
  // they are kept. The output does not depend on earlier modules.
  absl::StatusOr<std::string> EmitObject(llvm::Module& module);
  // Compiles `module`, which changes, to assembly.
  absl::StatusOr<std::string> EmitAssembly(llvm::Module& module);

 private:
  absl::StatusOr<std::unique_ptr<CodegenPasses>> MakePasses(
      llvm::CodeGenFileType type);
  std::string Run(CodegenPasses& passes, llvm::Module& module);

  std::unique_ptr<llvm::TargetMachine> machine_;
  llvm::SmallVector<char, 0> buffer_;
  llvm::raw_svector_ostream stream_;
  std::unique_ptr<CodegenPasses> passes_;
  int modules_ = 0;  // compiled with the current passes_
};

// Borrows one of the emitters that this process keeps.
class CodeEmitterLease {
 public:
  static absl::StatusOr<CodeEmitterLease> Borrow(const TargetInfo& target,
                                                 OptLevel level);
  CodeEmitterLease(CodeEmitterLease&&) = default;
  CodeEmitterLease& operator=(CodeEmitterLease&&) = delete;
  ~CodeEmitterLease();

  CodeEmitter& operator*() const { return *emitter_; }
  CodeEmitter* operator->() const { return emitter_.get(); }

  // Leaks the emitter instead of giving it back, because an error inside LLVM
  // left it in an unknown state.
  void Abandon() { emitter_.release(); }

 private:
  CodeEmitterLease(std::string key, std::unique_ptr<CodeEmitter> emitter)
      : key_(std::move(key)), emitter_(std::move(emitter)) {}

  std::string key_;
  std::unique_ptr<CodeEmitter> emitter_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_CODE_EMITTER_H_
