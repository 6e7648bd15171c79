// The text of a program after each pass that changes it, as data for a page.
#ifndef XLA_TOOLS_SHOW_STAGES_H_
#define XLA_TOOLS_SHOW_STAGES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/tools/json_writer.h"

namespace xla::tools {

// Keeps each line once, however many stages have it, since most passes change
// few of them. Texts have no metadata and no elements of large constants.
class ProgramStages {
 public:
  void Add(absl::string_view name, const HloModule& module);

  // Writes an object; page/stages_tab.js reads it.
  void Write(JsonWriter& json) const;

 private:
  struct Stage {
    std::string name;
    std::vector<int64_t> lines;  // numbers in lines_
  };

  absl::node_hash_map<std::string, int64_t> numbers_;
  std::vector<const std::string*> lines_;
  std::vector<Stage> stages_;
};

// Adds `module`, which is verified, as "as given", and what each pass of the
// CPU compiler makes of it. Changes the module. Errors: those of the passes.
absl::Status AddCompilerStages(HloModule* module, const cpu::TargetInfo& target,
                               ProgramStages& stages);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_STAGES_H_
