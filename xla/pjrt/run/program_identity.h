// What the processes of a job compare before they run a program together.
#ifndef XLA_PJRT_RUN_PROGRAM_IDENTITY_H_
#define XLA_PJRT_RUN_PROGRAM_IDENTITY_H_

#include <memory>

#include "absl/types/span.h"
#include "xla/distributed/process_run.h"
#include "xla/pjrt/pjrt_device.h"
#include "xla/pjrt/pjrt_executable.h"

namespace xla {

// `devices` are those of all processes, by logical number. The fingerprint is
// that of the program before compilation, and of the collectives that it has
// after it. It leaves out what differs between processes: the configurations
// of custom calls whose functions run on the caller (ffi::kRunsOnCaller), as
// host callbacks are numbered by each process.
std::shared_ptr<const distributed::ProgramIdentity> IdentifyProgram(
    const PjRtExecutable& executable, absl::Span<PjRtDevice* const> devices);

}  // namespace xla

#endif  // XLA_PJRT_RUN_PROGRAM_IDENTITY_H_
