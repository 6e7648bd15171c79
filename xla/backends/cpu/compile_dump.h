// CompileDump: files that show a program on its way through the compiler, for
// those who set --xla_dump_to and its kin. Names and flags are XLA's.
#ifndef XLA_BACKENDS_CPU_COMPILE_DUMP_H_
#define XLA_BACKENDS_CPU_COMPILE_DUMP_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla.pb.h"

namespace xla::cpu {

// Files of one compilation, numbered NNNN in the order of compilations of this
// process, of a module called NAME:
//
//   module_NNNN.NAME.before_optimizations.txt    HLO as it came
//   module_NNNN.NAME.PPPP.cpu.after_PASS.txt     after a pass that changed it
//   module_NNNN.NAME.cpu_after_optimizations.txt
//   module_NNNN.NAME.cpu_after_optimizations-buffer-assignment.txt
//   module_NNNN.NAME.KERNEL.ir-no-opt.ll, .ir-with-opt.ll, .s
//   module_NNNN.NAME.thunk_sequence.txt          the list of thunks
//   module_NNNN.NAME.debug_options
//
// The third family needs --xla_dump_hlo_pass_re. --xla_dump_hlo_as_proto adds
// or, without --xla_dump_hlo_as_text, puts .hlo.pb in place of HLO text.
// "-" for the folder, or a format without one, is standard output. A file that
// cannot be written is a warning, the first alone; the compilation goes on.
class CompileDump {
 public:
  // Null when the module's debug options ask for nothing, or not for a module
  // of this name. Takes a number otherwise.
  static std::unique_ptr<CompileDump> For(const HloModule& module);
  ~CompileDump();
  CompileDump(const CompileDump&) = delete;
  CompileDump& operator=(const CompileDump&) = delete;

  void BeforeOptimizations(const HloModule& module);
  // Of the pipeline called `pipeline`.
  void AfterPass(const HloModule& module, absl::string_view pipeline,
                 absl::string_view pass, bool changed);
  void AfterOptimizations(const HloModule& module);
  void Buffers(absl::string_view text);
  void Code(absl::Span<const ModuleDump> modules);
  void Thunks(absl::string_view text);

 private:
  class Pattern;

  explicit CompileDump(const HloModule& module);
  // HLO in the formats asked for.
  void WriteHlo(const HloModule& module, absl::string_view what);
  void Write(absl::string_view file_end, absl::string_view bytes);

  const DebugOptions options_;
  std::string prefix_;
  std::unique_ptr<Pattern> passes_;  // null: none are dumped
  int pass_files_ = 0;
  bool failed_ = false;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COMPILE_DUMP_H_
