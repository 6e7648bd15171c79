// The programs of programs/*.hlo and arguments for them, for tests that run
// users' programs rather than single ops.
#ifndef TESTS_PJRT_WHOLE_PROGRAMS_H_
#define TESTS_PJRT_WHOLE_PROGRAMS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/pjrt/pjrt_client.h"

namespace xla {

struct WholeProgram {
  std::string name;  // the file's name without .hlo
  std::string text;
};

// Sorted by name.
const std::vector<WholeProgram>& WholePrograms();

// A program compiled for the first device of a client, and its arguments, whose
// values are always the same: floats between -1 and 1, integers from 0 to 96.
class LoadedProgram {
 public:
  LoadedProgram(PjRtClient& client, const WholeProgram& program);

  // The bytes of all arrays of the result. Errors: those of the run.
  absl::StatusOr<std::vector<std::string>> Run() const;

 private:
  std::unique_ptr<PjRtLoadedExecutable> executable_;
  std::vector<std::unique_ptr<PjRtBuffer>> arguments_;
};

}  // namespace xla

#endif  // TESTS_PJRT_WHOLE_PROGRAMS_H_
