// The memory of a compiled program as data for a page: allocations, the buffers
// in them with their lifetimes, and the times of instructions.
#ifndef XLA_TOOLS_SHOW_MEMORY_DATA_H_
#define XLA_TOOLS_SHOW_MEMORY_DATA_H_

#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/tools/json_writer.h"
#include "xla/tools/show/module_data.h"

namespace xla::tools {

// Writes an object; page/memory_tab.js reads it. `assignment` and `numbers` are
// of the same module.
void WriteMemoryData(const BufferAssignment& assignment,
                     const ModuleNumbers& numbers, JsonWriter& json);

}  // namespace xla::tools

#endif  // XLA_TOOLS_SHOW_MEMORY_DATA_H_
