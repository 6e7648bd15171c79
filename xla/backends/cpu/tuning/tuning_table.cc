// One line for each kernel: the powers of two, then its key.
#include "xla/backends/cpu/tuning/tuning_table.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_print_options.h"

namespace xla::cpu {
namespace {

constexpr absl::string_view kHeader = "tessera tuning 1";

int64_t Scaled(int64_t value, int power) {
  return power < 0 ? std::max<int64_t>(value >> -power, 1) : value << power;
}

bool IsProduct(const HloInstruction& hlo) {
  return hlo.opcode() == HloOpcode::kDot ||
         hlo.opcode() == HloOpcode::kConvolution;
}

absl::Status CannotWrite(const std::string& path) {
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

// Returns the value of an environment variable; null if it is empty or not set.
const char* SetVariable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

}  // namespace

KernelTarget KernelTuning::Apply(KernelTarget target) const {
  target.caches.l1_bytes = Scaled(target.caches.l1_bytes, l1);
  target.caches.l2_bytes = Scaled(target.caches.l2_bytes, l2);
  target.task_ns = Scaled(target.task_ns, task);
  return target;
}

std::string KernelTuning::ToString() const {
  std::vector<std::string> parts;
  const auto add = [&](absl::string_view name, int power) {
    if (power == 0) return;
    parts.push_back(absl::StrCat(name, power < 0 ? " x1/" : " x",
                                 int64_t{1} << std::abs(power)));
  };
  add("l1", l1);
  add("l2", l2);
  add("tasks", task);
  return parts.empty() ? "as modelled" : absl::StrJoin(parts, ", ");
}

std::vector<KernelTuning> CandidateTunings() {
  std::vector<KernelTuning> all;
  for (const int l1 : {0, -1, 1}) {
    for (const int l2 : {0, -1, 1}) {
      for (const int task : {0, -2, 2}) all.push_back({l1, l2, task});
    }
  }
  return all;
}

bool IsTunable(const HloInstruction& hlo) {
  if (hlo.opcode() != HloOpcode::kFusion) return IsProduct(hlo);
  for (const auto& inner :
       hlo.fused_instructions_computation()->instructions()) {
    if (IsProduct(*inner)) return true;
  }
  return false;
}

std::string TuningKey(const HloInstruction& hlo) {
  // Without its name and those of its operands; with what it calls.
  const std::vector<std::string> words =
      absl::StrSplit(hlo.ToString(HloPrintOptions::Canonical()),
                     absl::ByAnyChar(" \n"), absl::SkipEmpty());
  return absl::StrJoin(words, " ");
}

std::string TuningTable::ProcessorOf(const TargetInfo& target,
                                     int num_threads) {
  return absl::StrReplaceAll(
      absl::StrCat(TargetFingerprint(target), " l1 ", target.l1_bytes, " l2 ",
                   target.l2_bytes, " threads ", num_threads),
      {{"\n", " "}});
}

std::string TuningTable::PathFor(absl::string_view processor) {
  std::filesystem::path folder;
  if (const char* set = std::getenv("TESSERA_CACHE_DIR")) {
    folder = set;
  } else if (const char* cache = SetVariable("XDG_CACHE_HOME")) {
    folder = std::filesystem::path(cache) / "tessera";
  } else if (const char* home = SetVariable("HOME")) {
    folder = std::filesystem::path(home) / ".cache" / "tessera";
  }
  if (folder.empty()) return "";
  return folder /
         absl::StrCat("tuning-",
                      absl::Hex(StableHash(processor), absl::kZeroPad16),
                      ".txt");
}

absl::StatusOr<TuningTable> TuningTable::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("there is no ", path));
  std::string line;
  const auto refuse = [&](int64_t number) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ":", number,
        ": this is no line of a tuning table: ", line.substr(0, 80)));
  };
  if (!std::getline(file, line) || line != kHeader) return refuse(1);
  if (!std::getline(file, line)) return refuse(2);
  TuningTable table(line);
  for (int64_t number = 3; std::getline(file, line); ++number) {
    const std::vector<std::string> fields =
        absl::StrSplit(line, absl::MaxSplits(' ', 3));
    if (fields.size() != 4) return refuse(number);
    KernelTuning tuning;
    int* const powers[] = {&tuning.l1, &tuning.l2, &tuning.task};
    for (int i = 0; i < 3; ++i) {
      if (!absl::SimpleAtoi(fields[i], powers[i]) ||
          *powers[i] < -KernelTuning::kMost ||
          *powers[i] > KernelTuning::kMost) {
        return refuse(number);
      }
    }
    table.Set(fields[3], tuning);
  }
  return table;
}

std::shared_ptr<const TuningTable> TuningTable::ForProcessor(
    const std::string& processor) {
  const std::string path = PathFor(processor);
  if (path.empty()) return nullptr;
  absl::StatusOr<TuningTable> table = Read(path);
  if (absl::IsNotFound(table.status())) return nullptr;
  if (!table.ok()) {
    LOG(WARNING) << "kernels are not tuned: " << table.status().message();
    return nullptr;
  }
  // Another processor may have the same hash.
  if (table->processor() != processor) return nullptr;
  return std::make_shared<const TuningTable>(*std::move(table));
}

absl::Status TuningTable::Write(const std::string& path) const {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      error);
  // Several processes, and threads of one, may write at once.
  const std::string written = absl::StrCat(
      path, ".", getpid(), ".", absl::Hex(reinterpret_cast<uintptr_t>(this)));
  {
    std::ofstream file(written);
    file << kHeader << "\n" << processor_ << "\n";
    for (const auto& [key, tuning] : tunings_) {
      file << tuning.l1 << " " << tuning.l2 << " " << tuning.task << " " << key
           << "\n";
    }
    if (!file.flush()) return CannotWrite(written);
  }
  std::filesystem::rename(written, path, error);
  return error ? CannotWrite(path) : absl::OkStatus();
}

KernelTuning TuningTable::Find(const HloInstruction& hlo) const {
  return tunings_.empty() ? others_ : Find(TuningKey(hlo));
}

KernelTuning TuningTable::Find(const std::string& key) const {
  const auto it = tunings_.find(key);
  return it == tunings_.end() ? others_ : it->second;
}

}  // namespace xla::cpu
