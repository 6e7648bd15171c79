// ProgramBuffers: memory for the inputs and outputs of an executable, so that
// it can run repeatedly without preparation.
#ifndef XLA_TOOLS_PROGRAM_BUFFERS_H_
#define XLA_TOOLS_PROGRAM_BUFFERS_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/backends/compiler.h"
#include "xla/core/literal/literal.h"
#include "xla/runtime/memory_chunk.h"

namespace xla::tools {

class ProgramBuffers {
 public:
  // Copies arguments[d] for device d. Outputs that the program pairs with
  // parameters (input_output_alias) share their memory, so each run continues
  // from what the last one left there. Errors: InvalidArgument for arguments
  // that do not fit; ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<ProgramBuffers>> Create(
      const Executable& executable,
      absl::Span<const std::vector<Literal>> arguments);

  absl::Span<const Executable::DeviceBuffers> devices() const {
    return devices_;
  }

 private:
  struct Device {
    std::vector<MemoryChunk> chunks;
    std::vector<Executable::Input> inputs;
    std::vector<Executable::Output> outputs;
  };

  ProgramBuffers() = default;
  absl::Status AddInputs(const Executable& executable,
                         const std::vector<Literal>& arguments, Device& device);
  absl::Status AddOutputs(const Executable& executable, Device& device);
  static absl::Status AliasOutputs(const Executable& executable,
                                   Device& device);

  std::vector<std::unique_ptr<Device>> memory_;
  std::vector<Executable::DeviceBuffers> devices_;
};

}  // namespace xla::tools

#endif  // XLA_TOOLS_PROGRAM_BUFFERS_H_
