// Groups the leaves of instructions by the buffer that they share.
#include "xla/tools/show/memory_data.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace xla::tools {
namespace {

absl::string_view KindName(BufferAssignment::Kind kind) {
  switch (kind) {
    case BufferAssignment::Kind::kParameter:
      return "parameter";
    case BufferAssignment::Kind::kOutput:
      return "output";
    case BufferAssignment::Kind::kConstant:
      return "constant";
    case BufferAssignment::Kind::kTemp:
      return "temporaries";
  }
  return "";
}

void WriteAllocations(const BufferAssignment& assignment,
                      const ModuleNumbers& numbers, JsonWriter& json) {
  json.BeginArray();
  for (const BufferAssignment::Allocation& each : assignment.allocations()) {
    json.BeginObject();
    json.Field("kind", KindName(each.kind));
    json.Field("size", each.size);
    if (each.leaf >= 0) json.Field("leaf", each.leaf);
    if (each.constant != nullptr) {
      json.Field("constant", numbers.Of(each.constant));
    }
    if (each.may_be_parameter) json.Field("may_be_parameter", true);
    json.EndObject();
  }
  json.EndArray();
}

struct Buffer {
  BufferSlice slice;
  // Numbers of instructions and of their leaves.
  std::vector<std::pair<int64_t, int64_t>> values;
};

std::map<int64_t, Buffer> FindBuffers(const BufferAssignment& assignment,
                                      const ModuleNumbers& numbers) {
  std::map<int64_t, Buffer> buffers;
  for (const HloInstruction* instruction : numbers.instructions()) {
    if (!assignment.Has(instruction)) continue;
    const absl::Span<const BufferSlice> slices = assignment.slices(instruction);
    for (size_t leaf = 0; leaf < slices.size(); ++leaf) {
      const int64_t id = assignment.buffer_id(instruction, leaf);
      if (id < 0) continue;
      Buffer& buffer = buffers[id];
      buffer.slice = slices[leaf];
      buffer.values.push_back({numbers.Of(instruction), leaf});
    }
  }
  return buffers;
}

// The time after the last step.
int64_t EndOfProgram(const BufferAssignment& assignment,
                     const ModuleNumbers& numbers) {
  int64_t end = 1;
  for (const HloInstruction* instruction : numbers.instructions()) {
    if (!assignment.Has(instruction)) continue;
    end = std::max(end, assignment.times(instruction).end + 1);
  }
  return end;
}

void WriteBuffers(const BufferAssignment& assignment,
                  const ModuleNumbers& numbers, JsonWriter& json) {
  const int64_t program_end = EndOfProgram(assignment, numbers);
  json.BeginArray();
  for (const auto& [id, buffer] : FindBuffers(assignment, numbers)) {
    const BufferAssignment::Interval lifetime = assignment.lifetime(id);
    json.BeginObject();
    json.Field("allocation", buffer.slice.allocation);
    json.Field("offset", buffer.slice.offset);
    json.Field("size", buffer.slice.size);
    // Those of parameters and results reach beyond the program.
    json.Field("begin", std::max<int64_t>(lifetime.begin, 0));
    json.Field("end", std::min(lifetime.end, program_end));
    // In pairs, flattened.
    json.Key("values");
    json.BeginArray();
    for (const auto& [instruction, leaf] : buffer.values) {
      json.Number(instruction);
      json.Number(leaf);
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

void WriteMemoryData(const BufferAssignment& assignment,
                     const ModuleNumbers& numbers, JsonWriter& json) {
  json.BeginObject();
  json.Key("allocations");
  WriteAllocations(assignment, numbers, json);
  json.Key("buffers");
  WriteBuffers(assignment, numbers, json);
  // Triples of an instruction and its interval, flattened.
  json.Key("steps");
  json.BeginArray();
  for (const HloInstruction* instruction : numbers.instructions()) {
    if (!assignment.Has(instruction)) continue;
    const BufferAssignment::Interval times = assignment.times(instruction);
    if (times.begin < 0) continue;
    json.Number(numbers.Of(instruction));
    json.Number(times.begin);
    json.Number(times.end);
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace xla::tools
