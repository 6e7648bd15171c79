// A mesh has one to three axes; each dimension takes some of them, whether they
// divide it or not, and along others an array may be unreduced.
#include "tests/fuzz/program_sharding.h"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla::fuzz {
namespace {

const std::vector<std::vector<int64_t>>& Meshes() {
  static const auto* const meshes = new std::vector<std::vector<int64_t>>{
      {2}, {3}, {4}, {2, 2}, {6}, {2, 3}, {3, 2}, {8}, {2, 4}, {2, 2, 2}};
  return *meshes;
}

class RandomShardings {
 public:
  explicit RandomShardings(uint64_t seed) : random_(seed) {
    const auto& sizes = Meshes()[Below(Meshes().size())];
    std::vector<DeviceMesh::Axis> axes;
    int64_t devices = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      axes.push_back({std::string(1, static_cast<char>('x' + i)), sizes[i]});
      devices *= sizes[i];
    }
    std::vector<int64_t> order;
    if (Below(8) == 0) {
      for (int64_t i = 0; i < devices; ++i) order.push_back(i);
      std::shuffle(order.begin(), order.end(), random_);
    }
    mesh_ = std::make_shared<const DeviceMesh>(
        DeviceMesh::Create(std::move(axes), std::move(order)).value());
  }

  const DeviceMesh& mesh() const { return *mesh_; }
  uint64_t Below(uint64_t n) { return random_() % n; }

  OpSharding Make(const Shape& shape, bool may_be_partial) {
    const bool is_open = Below(2) == 0;
    MeshSharding sharding =
        MeshSharding::Replicated(mesh_, shape.dimensions().size(), is_open);
    for (const AxisPart& axis : mesh_->AllAxes()) {
      if (may_be_partial && Below(2) == 0) {
        sharding.unreduced.push_back(axis);
        continue;
      }
      if (shape.dimensions().empty() || Below(4) == 0) continue;
      const size_t d = Below(shape.dimensions().size());
      // Mostly such as divide, as in real programs.
      AxisList& axes = sharding.dimensions[d].axes;
      const int64_t parts = SizeOf(axes) * axis.size;
      if (shape.dimensions(d) % parts != 0 && Below(4) != 0) continue;
      Append(axis, axes);
    }
    OpSharding proto;
    proto.set_type(OpSharding::OTHER);
    *proto.mutable_named_sharding() = sharding.ToProto();
    return proto;
  }

 private:
  std::mt19937_64 random_;
  std::shared_ptr<const DeviceMesh> mesh_;
};

// Whether the array may be unreduced: arguments and results are whole, and what
// a tuple holds is the same value elsewhere.
bool MayBePartial(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kParameter || hlo.IsRoot() ||
      hlo.opcode() == HloOpcode::kGetTupleElement) {
    return false;
  }
  for (const HloInstruction* user : hlo.users()) {
    const HloOpcode opcode = user->opcode();
    if (user->IsRoot() || opcode == HloOpcode::kTuple ||
        opcode == HloOpcode::kWhile || opcode == HloOpcode::kConditional ||
        opcode == HloOpcode::kCall) {
      return false;
    }
  }
  return true;
}

}  // namespace

void AddShardings(uint64_t seed, Program& program) {
  RandomShardings random(seed);
  HloModule& module = *program.module;
  module.mutable_config().set_num_partitions(random.mesh().device_count());
  if (random.Below(2) == 0) {
    (*module.mutable_config()
          .mutable_debug_options()
          .mutable_xla_backend_extra_options())
        ["xla_tessera_hide_all_latency"] = "";
  }
  module.mutable_input_output_alias().Clear();
  bool is_first = true;
  for (HloInstruction* hlo :
       module.entry_computation()->MakeInstructionPostOrder()) {
    if (!hlo->shape().IsArray() || hlo->shape().is_dynamic()) continue;
    const uint64_t one_in = hlo->opcode() == HloOpcode::kParameter ? 2 : 3;
    if (is_first || random.Below(one_in) == 0) {
      hlo->set_sharding(random.Make(hlo->shape(), MayBePartial(*hlo)));
    }
    is_first = false;
  }
}

}  // namespace xla::fuzz
