// TuningTable: measured choices for the plans of kernels, and their file.
#ifndef XLA_BACKENDS_CPU_TUNING_TUNING_TABLE_H_
#define XLA_BACKENDS_CPU_TUNING_TUNING_TABLE_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/kernels/vector/kernel_target.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::cpu {

// By which powers of two a plan takes the caches, and the least time of a task,
// to be larger than they are. These facts decide how work is divided, never the
// order of a sum (KernelTarget).
struct KernelTuning {
  static constexpr int kMost = 4;  // of each, up or down

  int l1 = 0, l2 = 0, task = 0;

  KernelTarget Apply(KernelTarget target) const;
  // "l1 x2, tasks x1/4"; "as modelled" if nothing is changed.
  std::string ToString() const;

  friend bool operator==(const KernelTuning&, const KernelTuning&) = default;
};

// Returns the tunings that are tried, the first of which changes nothing.
std::vector<KernelTuning> CandidateTunings();

// Whether plans for the instruction can be tuned: a product, or a fusion around
// one or two.
bool IsTunable(const HloInstruction& hlo);

// Returns text that says all that a plan for the instruction depends on but the
// processor: ops, types, shapes and attributes, not names. One line.
std::string TuningKey(const HloInstruction& hlo);

// The tunings for one processor. Those that change nothing are kept too: they
// have been measured.
class TuningTable {
 public:
  // The processor is a line of text. `others` is the tuning of all kernels that
  // the table does not have, for measurements; files do not keep it.
  explicit TuningTable(std::string processor, KernelTuning others = {})
      : processor_(std::move(processor)), others_(others) {}

  // Returns the processor's line: what code requires of it, its caches and the
  // number of threads that run loops.
  static std::string ProcessorOf(const TargetInfo& target, int num_threads);

  // Returns the path of the file for a processor: in the folder that
  // TESSERA_CACHE_DIR names, else in tessera/ of XDG_CACHE_HOME or of
  // HOME/.cache; empty if none of these is set.
  static std::string PathFor(absl::string_view processor);

  // Reads a file. Errors: NotFound; InvalidArgument for a file that no Write
  // has written, with the line.
  static absl::StatusOr<TuningTable> Read(const std::string& path);
  // Returns the table of the file for the processor; null if there is none or,
  // with a warning in the log, if it cannot be read.
  static std::shared_ptr<const TuningTable> ForProcessor(
      const std::string& processor);
  // Replaces the file at once, and makes its folder. Errors: those of the file
  // system.
  absl::Status Write(const std::string& path) const;

  const std::string& processor() const { return processor_; }
  size_t size() const { return tunings_.size(); }
  KernelTuning others() const { return others_; }
  // Return the tuning of an instruction that IsTunable, or of its key.
  KernelTuning Find(const HloInstruction& hlo) const;
  KernelTuning Find(const std::string& key) const;
  void Set(const std::string& key, KernelTuning tuning) {
    tunings_[key] = tuning;
  }

 private:
  std::string processor_;
  KernelTuning others_;
  std::map<std::string, KernelTuning> tunings_;  // by key
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_TUNING_TUNING_TABLE_H_
