// CompileDump: files that show a program at each stage of its compilation, if
// --xla_dump_to or a related flag is set. Names and flags are XLA's.
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

// The files of one compilation, where NNNN is the number of the compilation in
// this process, and NAME is the name of the module:
//
//   module_NNNN.NAME.before_optimizations.txt the original HLO
//   module_NNNN.NAME.PPPP.cpu.after_PASS.txt     after a pass that changed it
//   module_NNNN.NAME.cpu_after_optimizations.txt
//   module_NNNN.NAME.cpu_after_optimizations-buffer-assignment.txt
//   module_NNNN.NAME.KERNEL.ir-no-opt.ll, .ir-with-opt.ll, .s
//   module_NNNN.NAME.thunk_sequence.txt          the list of thunks
//   module_NNNN.NAME.debug_options
//
// The files of passes need --xla_dump_hlo_pass_re. --xla_dump_hlo_as_proto adds
// .hlo.pb files or, without --xla_dump_hlo_as_text, replaces HLO text by them.
// "-" as the folder, or a format without a folder, means standard output. If a
// file cannot be written, compilation continues with a warning about the first
// one.
class CompileDump {
 public:
  // Whether the options request dumps of some modules.
  static bool MayDump(const DebugOptions& options);
  // Null if the module's debug options request nothing, or nothing for a module
  // with this name. Otherwise takes a number.
  static std::unique_ptr<CompileDump> For(const HloModule& module);
  // Makes `options` request nothing; it changes no other option.
  static void ClearRequests(DebugOptions& options);
  ~CompileDump();
  CompileDump(const CompileDump&) = delete;
  CompileDump& operator=(const CompileDump&) = delete;

  void BeforeOptimizations(const HloModule& module);
  // `pass` belongs to the pipeline called `pipeline`.
  void AfterPass(const HloModule& module, absl::string_view pipeline,
                 absl::string_view pass, bool changed);
  void AfterOptimizations(const HloModule& module);
  void Buffers(absl::string_view text);
  void Code(absl::Span<const ModuleDump> modules);
  void Thunks(absl::string_view text);

 private:
  class Pattern;

  explicit CompileDump(const HloModule& module);
  // Writes HLO in the formats requested.
  void WriteHlo(const HloModule& module, absl::string_view what);
  void Write(absl::string_view file_end, absl::string_view bytes);

  const DebugOptions options_;
  std::string prefix_;
  std::unique_ptr<Pattern> passes_;  // null: no pass is dumped
  int pass_files_ = 0;
  bool failed_ = false;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COMPILE_DUMP_H_
