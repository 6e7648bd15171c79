// Names and writes the files.
#include "xla/backends/cpu/compile_dump.h"

#include <regex.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/base/logging.h"
#include "xla/proto/hlo.pb.h"

namespace xla::cpu {
namespace {

// In bytes; longer names are cut, so that file systems accept them.
constexpr size_t kMaxNameLength = 120;

std::string FileName(absl::string_view name) {
  std::string safe(name.substr(0, kMaxNameLength));
  for (char& c : safe) {
    if (!absl::ascii_isalnum(c) && c != '.' && c != '-' && c != '_') c = '_';
  }
  return safe;
}

// Ignores xla_dump_hlo_as_long_text, which selects the style and is on by
// default.
bool WantsHlo(const DebugOptions& options) {
  return options.xla_dump_hlo_as_text() || options.xla_dump_hlo_as_proto();
}

// Takes one of the numbers that the options allow; -1 if none is left.
int NextNumber(const DebugOptions& options) {
  static std::atomic<int> next{0};
  const int number = next.fetch_add(1);
  const int most = options.xla_dump_max_hlo_modules();
  return most > 0 && number >= most ? -1 : number;
}

}  // namespace

// A POSIX extended regular expression that may match anywhere in a text.
class CompileDump::Pattern {
 public:
  explicit Pattern(const std::string& pattern)
      : valid_(regcomp(&regex_, pattern.c_str(), REG_EXTENDED | REG_NOSUB) ==
               0) {
    if (!valid_) {
      LOG(WARNING) << "dump: not a regular expression: " << pattern;
    }
  }
  ~Pattern() {
    if (valid_) regfree(&regex_);
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  bool Matches(absl::string_view text) const {
    return valid_ &&
           regexec(&regex_, std::string(text).c_str(), 0, nullptr, 0) == 0;
  }

 private:
  regex_t regex_;
  const bool valid_;
};

bool CompileDump::MayDump(const DebugOptions& options) {
  return !options.xla_dump_to().empty() || WantsHlo(options) ||
         !options.xla_dump_hlo_pass_re().empty();
}

std::unique_ptr<CompileDump> CompileDump::For(const HloModule& module) {
  const DebugOptions& options = module.config().debug_options();
  if (!MayDump(options)) return nullptr;
  if (!options.xla_dump_hlo_module_re().empty() &&
      !Pattern(options.xla_dump_hlo_module_re()).Matches(module.name())) {
    return nullptr;
  }
  const int number = NextNumber(options);
  if (number < 0) return nullptr;
  // The constructor is private.
  std::unique_ptr<CompileDump> dump(new CompileDump(module));
  dump->prefix_ =
      absl::StrFormat("module_%04d.%s.", number, FileName(module.name()));
  dump->Write("debug_options", dump->options_.DebugString());
  return dump;
}

void CompileDump::ClearRequests(DebugOptions& options) {
  options.clear_xla_dump_to();
  options.clear_xla_dump_hlo_as_text();
  options.clear_xla_dump_hlo_as_proto();
  options.clear_xla_dump_hlo_pass_re();
}

CompileDump::CompileDump(const HloModule& module)
    : options_(module.config().debug_options()) {
  if (!options_.xla_dump_hlo_pass_re().empty()) {
    passes_ = std::make_unique<Pattern>(options_.xla_dump_hlo_pass_re());
  }
}

CompileDump::~CompileDump() = default;

void CompileDump::BeforeOptimizations(const HloModule& module) {
  WriteHlo(module, "before_optimizations");
}

void CompileDump::AfterPass(const HloModule& module, absl::string_view pipeline,
                            absl::string_view pass, bool changed) {
  if (!changed || passes_ == nullptr || !passes_->Matches(pass)) return;
  WriteHlo(module, absl::StrFormat("%04d.%s.after_%s", pass_files_++,
                                   FileName(pipeline), FileName(pass)));
}

void CompileDump::AfterOptimizations(const HloModule& module) {
  WriteHlo(module, "cpu_after_optimizations");
}

void CompileDump::Buffers(absl::string_view text) {
  Write("cpu_after_optimizations-buffer-assignment.txt", text);
}

void CompileDump::Code(absl::Span<const ModuleDump> modules) {
  for (const ModuleDump& module : modules) {
    const std::string name = FileName(module.name);
    Write(absl::StrCat(name, ".ir-no-opt.ll"), module.ir);
    Write(absl::StrCat(name, ".ir-with-opt.ll"), module.optimized_ir);
    Write(absl::StrCat(name, ".s"), module.assembly);
  }
}

void CompileDump::Thunks(absl::string_view text) {
  Write("thunk_sequence.txt", text);
}

void CompileDump::WriteHlo(const HloModule& module, absl::string_view what) {
  if (options_.xla_dump_hlo_as_text() || !options_.xla_dump_hlo_as_proto()) {
    Write(absl::StrCat(what, ".txt"), module.ToString());
  }
  if (options_.xla_dump_hlo_as_proto()) {
    HloProto proto;
    *proto.mutable_hlo_module() = module.ToProto();
    Write(absl::StrCat(what, ".hlo.pb"), proto.SerializeAsString());
  }
}

void CompileDump::Write(absl::string_view file_end, absl::string_view bytes) {
  if (failed_) return;
  const std::string file = absl::StrCat(prefix_, file_end);
  const std::string& folder = options_.xla_dump_to();
  if (folder.empty() || folder == "-") {
    const std::string text = absl::StrCat("*** Begin ", file, " ***\n", bytes,
                                          "\n*** End ", file, " ***\n");
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::filesystem::path path = std::filesystem::path(folder) / file;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes << std::flush;
  if (out) return;
  failed_ = true;
  LOG(WARNING) << "dump: cannot write " << path.string()
               << (error ? ": " + error.message() : std::string());
}

}  // namespace xla::cpu
