// Collects the leaves of each buffer, then writes buffers, allocations and the
// trace of the arena.
#include "xla/hlo/analysis/buffer_assignment_proto.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

// The indices of the leaves of a shape, in the order of Leaves().
std::vector<ShapeIndex> LeafIndices(const Shape& shape) {
  std::vector<ShapeIndex> indices;
  ShapeUtil::ForEachSubshape(
      shape, [&](const Shape& subshape, const ShapeIndex& index) {
        if (!subshape.IsTuple()) indices.push_back(index);
      });
  return indices;
}

class AssignmentWriter {
 public:
  AssignmentWriter(const HloModule& module, const BufferAssignment& assignment)
      : module_(module), assignment_(assignment) {}

  BufferAssignmentProto Write() {
    CollectBuffers();
    WriteBuffers();
    WriteAllocations();
    WriteTrace();
    return std::move(proto_);
  }

 private:
  using Kind = BufferAssignment::Kind;

  struct Place {
    const HloInstruction* instruction = nullptr;
    ShapeIndex index;
    PrimitiveType type = PRIMITIVE_TYPE_INVALID;
  };
  struct Buffer {
    BufferSlice slice;
    int64_t written = std::numeric_limits<int64_t>::max();
    size_t definition = 0;  // of the places
    std::vector<Place> places;
  };

  void CollectBuffers() {
    for (const HloComputation* computation :
         module_.MakeComputationPostOrder()) {
      for (const HloInstruction* hlo :
           computation->MakeInstructionPostOrder()) {
        if (assignment_.Has(hlo)) Collect(*hlo);
      }
    }
  }

  void Collect(const HloInstruction& hlo) {
    const std::vector<ShapeIndex> indices = LeafIndices(hlo.shape());
    const std::vector<const Shape*> leaves = Leaves(hlo.shape());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const BufferSlice& slice = assignment_.slice(&hlo, leaf);
      if (slice.allocation < 0) continue;
      Buffer& buffer = buffers_[assignment_.buffer_id(&hlo, leaf)];
      const int64_t written = assignment_.times(&hlo).begin;
      // Instructions that only pass values on have no time.
      if (written >= 0 && written < buffer.written) {
        buffer.written = written;
        buffer.definition = buffer.places.size();
      }
      // Parts of a buffer have its offset, and at most its size.
      if (slice.size > buffer.slice.size || buffer.places.empty()) {
        buffer.slice = slice;
      }
      buffer.places.push_back(
          {&hlo, indices[leaf], leaves[leaf]->element_type()});
    }
  }

  static void Write(const Place& place, LogicalBufferProto::Location* to) {
    to->set_instruction_id(place.instruction->unique_id());
    to->mutable_shape_index()->Add(place.index.begin(), place.index.end());
  }

  void WriteBuffers() {
    for (const auto& [id, buffer] : buffers_) {
      LogicalBufferProto* to = proto_.add_logical_buffers();
      to->set_id(id);
      to->set_size(buffer.slice.size);
      Write(buffer.places[buffer.definition], to->mutable_defined_at());
      for (size_t i = 0; i < buffer.places.size(); ++i) {
        if (i == buffer.definition) continue;
        BufferAssignmentProto::BufferAlias* alias = proto_.add_buffer_aliases();
        alias->set_source_buffer_id(id);
        Write(buffer.places[i], alias->mutable_location());
      }
    }
  }

  // Returns for each output that lies in a parameter's memory the number of the
  // parameter's allocation.
  absl::flat_hash_map<int64_t, int64_t> FindDonations() const {
    std::vector<int64_t> first_leaf;
    int64_t leaves = 0;
    for (const HloInstruction* parameter :
         module_.entry_computation()->parameter_instructions()) {
      first_leaf.push_back(leaves);
      leaves += LeafCount(parameter->shape());
    }
    const HloComputation& entry = *module_.entry_computation();
    absl::flat_hash_map<int64_t, int64_t> donations;
    for (const auto& alias : module_.input_output_alias().entries()) {
      const int64_t number = alias.parameter_number();
      if (number < 0 || number >= static_cast<int64_t>(first_leaf.size())) {
        continue;
      }
      const int parameter =
          LeafNumberAt(entry.parameter_instruction(number)->shape(),
                       ShapeIndex(alias.parameter_shape_index().begin(),
                                  alias.parameter_shape_index().end()));
      const int output =
          LeafNumberAt(entry.root_instruction()->shape(),
                       ShapeIndex(alias.output_shape_index().begin(),
                                  alias.output_shape_index().end()));
      // Parameters come first, then results.
      if (parameter < 0 || output < 0) continue;
      donations[leaves + output] = first_leaf[number] + parameter;
    }
    return donations;
  }

  void WriteAllocations() {
    const absl::flat_hash_map<int64_t, int64_t> donations = FindDonations();
    absl::flat_hash_map<int64_t, BufferAllocationProto*> written;
    std::vector<std::pair<int64_t, ShapeIndex>> parameters;  // by leaf
    for (const HloInstruction* parameter :
         module_.entry_computation()->parameter_instructions()) {
      for (ShapeIndex& index : LeafIndices(parameter->shape())) {
        parameters.push_back({parameter->parameter_number(), std::move(index)});
      }
    }
    for (size_t i = 0; i < assignment_.allocations().size(); ++i) {
      const BufferAssignment::Allocation& from = assignment_.allocations()[i];
      if (const auto donated = donations.find(i); donated != donations.end()) {
        BufferAllocationProto* parameter = written.at(donated->second);
        parameter->set_maybe_live_out(true);
        parameter->set_is_parameter_aliased_with_output(true);
        written[i] = parameter;
        continue;
      }
      BufferAllocationProto* to = proto_.add_buffer_allocations();
      written[i] = to;
      to->set_index(i);
      to->set_size(from.size);
      switch (from.kind) {
        case Kind::kParameter: {
          const auto& [number, index] = parameters[from.leaf];
          to->set_is_entry_computation_parameter(true);
          to->set_parameter_number(number);
          to->mutable_parameter_shape_index()->Add(index.begin(), index.end());
          break;
        }
        case Kind::kOutput:
          to->set_maybe_live_out(true);
          break;
        case Kind::kConstant:
          to->set_is_constant(true);
          break;
        case Kind::kTemp:
          break;
      }
    }
    for (const auto& [id, buffer] : buffers_) {
      BufferAllocationProto::Assigned* assigned =
          written.at(buffer.slice.allocation)->add_assigned();
      assigned->set_logical_buffer_id(id);
      assigned->set_offset(buffer.slice.offset);
      assigned->set_size(buffer.slice.size);
      assigned->set_element_type(buffer.places[buffer.definition].type);
    }
  }

  void WriteTrace() {
    using Event = HeapSimulatorTrace::Event;
    // At equal times buffers end before others begin, as a result lies over an
    // operand that is not needed further.
    std::vector<std::tuple<int64_t, bool, int64_t>> events;
    for (const auto& [id, buffer] : buffers_) {
      if (buffer.slice.allocation != assignment_.temp_allocation()) continue;
      const BufferAssignment::Interval lifetime = assignment_.lifetime(id);
      events.push_back({lifetime.begin, true, id});
      events.push_back({lifetime.end, false, id});
    }
    if (events.empty()) return;
    std::sort(events.begin(), events.end());
    HeapSimulatorTrace* trace = proto_.add_heap_simulator_traces();
    trace->set_whole_module_simulation(true);
    trace->set_buffer_allocation_index(assignment_.temp_allocation());
    for (const auto& [time, begins, id] : events) {
      const Buffer& buffer = buffers_.at(id);
      const HloInstruction& hlo = *buffer.places[buffer.definition].instruction;
      Event* event = trace->add_events();
      event->set_kind(begins ? Event::ALLOC : Event::FREE);
      event->set_buffer_id(id);
      event->set_computation_name(hlo.parent()->name());
      event->set_instruction_name(hlo.name());
    }
  }

  const HloModule& module_;
  const BufferAssignment& assignment_;
  std::map<int64_t, Buffer> buffers_;
  BufferAssignmentProto proto_;
};

}  // namespace

BufferAssignmentProto BufferAssignmentToProto(
    const HloModule& module, const BufferAssignment& assignment) {
  return AssignmentWriter(module, assignment).Write();
}

}  // namespace xla
