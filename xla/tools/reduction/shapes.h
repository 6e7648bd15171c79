// ReshapeProgram: gives all instructions of an edited program new shapes.
#ifndef XLA_TOOLS_REDUCTION_SHAPES_H_
#define XLA_TOOLS_REDUCTION_SHAPES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "xla/tools/reduction/reducer.h"

namespace xla::tools {

// Replaces dimensions of size `from` by such of size `to` in parameters,
// constants, arguments, and whatever declares its shape or has sizes as
// attributes; all other shapes follow by the rules of the ops. `from` and `to`
// may be equal, to infer shapes after attributes changed. Errors: those of the
// rules.
absl::Status ReshapeProgram(ReducibleProgram& program, int64_t from,
                            int64_t to);

}  // namespace xla::tools

#endif  // XLA_TOOLS_REDUCTION_SHAPES_H_
