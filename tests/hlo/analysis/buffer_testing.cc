// Runs the passes in order and checks each.
#include "tests/hlo/analysis/buffer_testing.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "gtest/gtest.h"
#include "xla/base/checked_math.h"
#include "xla/hlo/analysis/buffer_assignment_proto.h"
#include "xla/hlo/analysis/buffer_simulation.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/buffers/copy_insertion.h"
#include "xla/hlo/transforms/buffers/schedule.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {

const HloInstruction* Assigned::Find(const std::string& name) const {
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->name() != name) continue;
      // A reducer may have an instruction of the same name.
      if (buffers == nullptr || buffers->Has(hlo)) return hlo;
    }
  }
  ADD_FAILURE() << "no instruction " << name;
  return module->entry_computation()->root_instruction();
}

BufferSlice Assigned::Slice(const std::string& name, int leaf) const {
  return buffers->slice(Find(name), leaf);
}

BufferAssignment::Kind Assigned::KindOf(const std::string& name,
                                        int leaf) const {
  return buffers->allocations()[Slice(name, leaf).allocation].kind;
}

bool Assigned::Share(const std::string& a, const std::string& b, int leaf_a,
                     int leaf_b) const {
  return buffers->buffer_id(Find(a), leaf_a) ==
         buffers->buffer_id(Find(b), leaf_b);
}

int64_t Assigned::Output(int leaf) const {
  int64_t first = 0;
  for (const HloInstruction* parameter :
       module->entry_computation()->parameter_instructions()) {
    first += LeafCount(parameter->shape());
  }
  return first + leaf;
}

namespace {

// Checks another assignment, in which outputs hold temporaries of any size.
void CheckSharingOfOutputs(const HloModule& module,
                           const AliasInfo& alias_info) {
  const auto buffers =
      BufferAssignment::Run(module, alias_info, {.least_in_output = 1});
  ASSERT_TRUE(buffers.ok()) << buffers.status() << module.ToString();
  const absl::Status right =
      VerifyBufferAssignment(module, alias_info, **buffers);
  EXPECT_TRUE(right.ok()) << right << "\n"
                          << module.ToString() << (*buffers)->ToString();
}

// Checks that in the form for viewers each buffer of the arena begins before it
// ends, and that at most as many bytes are alive as the packing found.
void CheckProto(const HloModule& module, const BufferAssignment& buffers) {
  const BufferAssignmentProto proto = BufferAssignmentToProto(module, buffers);
  absl::flat_hash_map<int64_t, int64_t> bytes_of;
  for (const LogicalBufferProto& buffer : proto.logical_buffers()) {
    EXPECT_TRUE(bytes_of.emplace(buffer.id(), buffer.size()).second);
  }
  int64_t assigned = 0;
  for (const BufferAllocationProto& allocation : proto.buffer_allocations()) {
    for (const auto& place : allocation.assigned()) {
      ++assigned;
      EXPECT_LE(place.offset() + place.size(), allocation.size());
      EXPECT_EQ(place.size(), bytes_of.at(place.logical_buffer_id()));
    }
  }
  EXPECT_EQ(assigned, proto.logical_buffers_size());
  int64_t live = 0, most = 0;
  for (const HeapSimulatorTrace& trace : proto.heap_simulator_traces()) {
    EXPECT_EQ(trace.buffer_allocation_index(), buffers.temp_allocation());
    absl::flat_hash_set<int64_t> alive;
    for (const HeapSimulatorTrace::Event& event : trace.events()) {
      const int64_t bytes =
          RoundUpTo(bytes_of.at(event.buffer_id()), buffers.alignment());
      const bool begins = event.kind() == HeapSimulatorTrace::Event::ALLOC;
      EXPECT_EQ(begins ? alive.insert(event.buffer_id()).second
                       : alive.erase(event.buffer_id()) == 1,
                true);
      live += begins ? bytes : -bytes;
      most = std::max(most, live);
    }
    EXPECT_TRUE(alive.empty());
  }
  EXPECT_EQ(most, buffers.statistics().live_temp_bytes) << module.ToString();
}

}  // namespace

Assigned Assign(std::unique_ptr<HloModule> module,
                const AliasInfo& alias_info) {
  Assigned result;
  result.module = std::move(module);
  HloModule* m = result.module.get();
  const std::string before = m->ToString();
  EXPECT_TRUE(FlattenCallGraph().Run(m).ok());
  absl::StatusOr<bool> status = Schedule(&alias_info).Run(m);
  EXPECT_TRUE(status.ok()) << status.status() << before;
  if (!status.ok()) return result;
  EXPECT_TRUE(m->is_scheduled());
  status = CopyInsertion(&alias_info).Run(m);
  EXPECT_TRUE(status.ok()) << status.status() << before;
  if (!status.ok()) return result;
  EXPECT_TRUE(m->is_scheduled());
  const absl::Status verified = HloVerifier().Verify(*m);
  EXPECT_TRUE(verified.ok()) << verified << m->ToString();
  // A second run must find nothing to copy.
  status = CopyInsertion(&alias_info).Run(m);
  EXPECT_TRUE(status.ok() && !*status) << m->ToString();
  absl::StatusOr<std::unique_ptr<BufferAssignment>> buffers =
      BufferAssignment::Run(*m, alias_info);
  EXPECT_TRUE(buffers.ok()) << buffers.status() << m->ToString();
  for (const CopyReport& report : ReportCopies(*m)) {
    result.reasons.push_back(report.reason);
  }
  if (!buffers.ok()) return result;
  result.buffers = std::move(*buffers);
  const absl::Status right =
      VerifyBufferAssignment(*m, alias_info, *result.buffers);
  EXPECT_TRUE(right.ok()) << right << "\n"
                          << m->ToString() << result.buffers->ToString();
  CheckSharingOfOutputs(*m, alias_info);
  CheckProto(*m, *result.buffers);
  return result;
}

Assigned Assign(const std::string& text, const AliasInfo& alias_info) {
  auto module = ParseAndReturnUnverifiedModule(text);
  EXPECT_TRUE(module.ok()) << module.status();
  const absl::Status verified = HloVerifier().Verify(**module);
  EXPECT_TRUE(verified.ok()) << verified;
  return Assign(*std::move(module), alias_info);
}

}  // namespace xla
