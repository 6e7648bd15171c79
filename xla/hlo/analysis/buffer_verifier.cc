// A machine whose memory holds names of values.
#include "xla/hlo/analysis/buffer_verifier.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/in_place.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

using Names = std::vector<int64_t>;  // by leaf; 0 for leaves without memory

class Memory {
 public:
  void Write(const BufferSlice& at, int64_t name) {
    std::map<int64_t, Piece>& pieces = allocations_[at.allocation];
    auto it = pieces.lower_bound(at.offset);
    if (it != pieces.begin() &&
        std::prev(it)->first + std::prev(it)->second.size > at.offset) {
      --it;
    }
    while (it != pieces.end() && it->first < at.offset + at.size) {
      it = pieces.erase(it);
    }
    pieces[at.offset] = {at.size, name};
  }
  // The name of exactly this memory; 0 if it holds no value or parts of some.
  int64_t Read(const BufferSlice& at) const {
    auto allocation = allocations_.find(at.allocation);
    if (allocation == allocations_.end()) return 0;
    auto it = allocation->second.find(at.offset);
    if (it == allocation->second.end() || it->second.size != at.size) return 0;
    return it->second.name;
  }

 private:
  struct Piece {
    int64_t size;
    int64_t name;
  };
  absl::flat_hash_map<int64_t, std::map<int64_t, Piece>> allocations_;
};

class Machine {
 public:
  Machine(const HloModule& module, const BufferAssignment& assignment,
          uint64_t seed, bool donated, int64_t most_steps)
      : module_(module),
        assignment_(assignment),
        random_(seed * 0x9e3779b97f4a7c15u + 1),
        steps_left_(most_steps) {
    const auto allocations = assignment.allocations();
    for (size_t i = 0; i < allocations.size(); ++i) home_.push_back(i);
    if (donated) Donate();
  }

  absl::Status Run();

 private:
  using Environment = absl::flat_hash_map<const HloInstruction*, Names>;

  void Donate();
  BufferSlice Place(const HloInstruction* hlo, int64_t leaf) const {
    BufferSlice slice = assignment_.slice(hlo, leaf);
    if (slice.allocation >= 0) slice.allocation = home_[slice.allocation];
    return slice;
  }
  uint64_t Random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ >> 11;
  }

  absl::StatusOr<Names> RunComputation(const HloComputation& computation,
                                       const std::vector<Names>& arguments);
  absl::StatusOr<Names> Step(const HloInstruction& hlo, Environment& env);
  absl::StatusOr<Names> RunLoop(const HloInstruction& loop, const Names& init);
  absl::StatusOr<Names> RunOp(const HloInstruction& hlo, Environment& env);
  absl::Status CheckHolds(const HloInstruction& where,
                          const HloInstruction& value, const Names& names);
  absl::Status CheckOverlap(const HloInstruction& hlo, int leaf);
  Names NewNames(const HloInstruction& hlo);

  const HloModule& module_;
  const BufferAssignment& assignment_;
  uint64_t random_;
  int64_t steps_left_;
  int64_t last_name_ = 0;
  int depth_ = 0;
  std::vector<int64_t> home_;  // memory of each allocation
  Memory memory_;
};

void Machine::Donate() {
  const HloComputation& entry = *module_.entry_computation();
  int64_t parameter_leaves = 0;
  std::vector<int64_t> first;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    first.push_back(parameter_leaves);
    parameter_leaves += LeafCount(parameter->shape());
  }
  for (const auto& alias : module_.input_output_alias().entries()) {
    const int64_t number = alias.parameter_number();
    if (number < 0 || number >= entry.num_parameters()) continue;
    const ShapeIndex out(alias.output_shape_index().begin(),
                         alias.output_shape_index().end());
    const ShapeIndex in(alias.parameter_shape_index().begin(),
                        alias.parameter_shape_index().end());
    const int output = LeafNumberAt(entry.root_instruction()->shape(), out);
    const int leaf =
        LeafNumberAt(entry.parameter_instruction(number)->shape(), in);
    if (output < 0 || leaf < 0) continue;
    home_[first[number] + leaf] = parameter_leaves + output;
  }
}

Names Machine::NewNames(const HloInstruction& hlo) {
  Names names;
  for (const BufferSlice& slice : assignment_.slices(&hlo)) {
    names.push_back(slice.allocation < 0 ? 0 : ++last_name_);
  }
  return names;
}

absl::Status Machine::CheckHolds(const HloInstruction& where,
                                 const HloInstruction& value,
                                 const Names& names) {
  for (size_t leaf = 0; leaf < names.size(); ++leaf) {
    if (names[leaf] == 0) continue;
    if (memory_.Read(Place(&value, leaf)) != names[leaf]) {
      return absl::InternalError(absl::StrCat(
          "buffers: at ", where.name(), " the memory of ", value.name(),
          " leaf ", leaf, " does not hold its value"));
    }
  }
  return absl::OkStatus();
}

// Results may lie over operands only as in_place.h says.
absl::Status Machine::CheckOverlap(const HloInstruction& hlo, int leaf) {
  const BufferSlice result = Place(&hlo, leaf);
  const std::optional<OperandLeaf> in_place = InPlaceOperand(&hlo, leaf);
  for (int i = 0; i < hlo.operand_count(); ++i) {
    const int count = assignment_.slices(hlo.operand(i)).size();
    for (int k = 0; k < count; ++k) {
      const BufferSlice operand = Place(hlo.operand(i), k);
      if (in_place == OperandLeaf{i, k} && operand.allocation >= 0) {
        if (operand == result) continue;
        return absl::InternalError(
            absl::StrCat("buffers: ", hlo.name(), " leaf ", leaf,
                         " is not in the memory of its operand ", i));
      }
      if (!operand.Overlaps(result)) continue;
      const bool may = !in_place.has_value() && operand == result && k == 0 &&
                       hlo.operand(i)->shape().IsArray() &&
                       CanShareOperand(hlo, leaf, i);
      if (!may) {
        return absl::InternalError(absl::StrCat("buffers: ", hlo.name(),
                                                " leaf ", leaf,
                                                " overwrites operand ", i));
      }
    }
  }
  for (int k = 0; k < leaf; ++k) {
    if (Place(&hlo, k).Overlaps(result)) {
      return absl::InternalError(absl::StrCat("buffers: leaves ", k, " and ",
                                              leaf, " of ", hlo.name(),
                                              " overlap"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Names> Machine::RunOp(const HloInstruction& hlo,
                                     Environment& env) {
  // What the assignment says is free is written to, as by a kernel's scratch.
  const int64_t free_from = assignment_.arena_free_from(&hlo);
  if (free_from < assignment_.temp_bytes()) {
    memory_.Write({assignment_.temp_allocation(), free_from,
                   assignment_.temp_bytes() - free_from},
                  ++last_name_);
  }
  for (const HloInstruction* operand : hlo.operands()) {
    TF_RETURN_IF_ERROR(CheckHolds(hlo, *operand, env.at(operand)));
  }
  Names names =
      hlo.opcode() == HloOpcode::kCopy ? env.at(hlo.operand(0)) : NewNames(hlo);
  for (size_t leaf = 0; leaf < names.size(); ++leaf) {
    if (names[leaf] == 0) continue;
    const BufferSlice& slice = assignment_.slice(&hlo, leaf);
    const auto& allocation = assignment_.allocations()[slice.allocation];
    const bool read_only =
        allocation.kind == BufferAssignment::Kind::kParameter ||
        allocation.kind == BufferAssignment::Kind::kConstant;
    if (read_only || slice.offset + slice.size > allocation.size ||
        slice.offset % assignment_.alignment() != 0) {
      return absl::InternalError(absl::StrCat(
          "buffers: ", hlo.name(), " leaf ", leaf, " is written to allocation ",
          slice.allocation, " at ", slice.offset, ", which cannot hold it"));
    }
    // A copy to where its operand is does nothing.
    if (hlo.opcode() == HloOpcode::kCopy &&
        Place(&hlo, 0) == Place(hlo.operand(0), 0)) {
      continue;
    }
    TF_RETURN_IF_ERROR(CheckOverlap(hlo, leaf));
    memory_.Write(Place(&hlo, leaf), names[leaf]);
  }
  return names;
}

absl::StatusOr<Names> Machine::RunLoop(const HloInstruction& loop,
                                       const Names& init) {
  TF_RETURN_IF_ERROR(CheckHolds(loop, *loop.operand(0), init));
  const HloInstruction& condition_carry =
      *loop.while_condition()->parameter_instruction(0);
  const HloInstruction& body_carry =
      *loop.while_body()->parameter_instruction(0);
  Names carry = init;
  for (uint64_t trips = Random() % 4;; --trips) {
    const std::vector<Names> arguments = {carry};
    TF_RETURN_IF_ERROR(CheckHolds(loop, condition_carry, carry));
    TF_ASSIGN_OR_RETURN(const Names go,
                        RunComputation(*loop.while_condition(), arguments));
    TF_RETURN_IF_ERROR(
        CheckHolds(loop, *loop.while_condition()->root_instruction(), go));
    if (trips == 0 || steps_left_ <= 0) break;
    TF_RETURN_IF_ERROR(CheckHolds(loop, body_carry, carry));
    TF_ASSIGN_OR_RETURN(carry, RunComputation(*loop.while_body(), arguments));
    TF_RETURN_IF_ERROR(
        CheckHolds(loop, *loop.while_body()->root_instruction(), carry));
  }
  TF_RETURN_IF_ERROR(CheckHolds(loop, loop, carry));
  return carry;
}

absl::StatusOr<Names> Machine::Step(const HloInstruction& hlo,
                                    Environment& env) {
  switch (hlo.opcode()) {
    case HloOpcode::kTuple: {
      Names all;
      for (const HloInstruction* operand : hlo.operands()) {
        all.insert(all.end(), env.at(operand).begin(), env.at(operand).end());
      }
      return all;
    }
    case HloOpcode::kGetTupleElement: {
      const Names& all = env.at(hlo.operand(0));
      const Shape& tuple = hlo.operand(0)->shape();
      int begin = 0;
      for (int64_t i = 0; i < hlo.tuple_index(); ++i) {
        begin += LeafCount(tuple.tuple_shapes(i));
      }
      return Names(all.begin() + begin,
                   all.begin() + begin + LeafCount(hlo.shape()));
    }
    case HloOpcode::kBitcast:
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kAddDependency:
    case HloOpcode::kDomain:
      return env.at(hlo.operand(0));
    case HloOpcode::kAfterAll:
      return Names{0};
    case HloOpcode::kWhile:
      return RunLoop(hlo, env.at(hlo.operand(0)));
    case HloOpcode::kConditional: {
      TF_RETURN_IF_ERROR(
          CheckHolds(hlo, *hlo.operand(0), env.at(hlo.operand(0))));
      const int branch = Random() % hlo.called_computations().size();
      return RunComputation(*hlo.branch_computation(branch),
                            {env.at(hlo.operand(branch + 1))});
    }
    case HloOpcode::kCall: {
      std::vector<Names> arguments;
      for (const HloInstruction* operand : hlo.operands()) {
        arguments.push_back(env.at(operand));
      }
      return RunComputation(*hlo.to_apply(), arguments);
    }
    case HloOpcode::kConstant: {
      // What lies there is never written, so that it is there from the start.
      const Names names = NewNames(hlo);
      if (names[0] != 0) memory_.Write(Place(&hlo, 0), names[0]);
      return names;
    }
    default:
      return RunOp(hlo, env);
  }
}

absl::StatusOr<Names> Machine::RunComputation(
    const HloComputation& computation, const std::vector<Names>& arguments) {
  Environment env;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    env[parameter] = arguments[parameter->parameter_number()];
  }
  for (const auto& instruction : computation.instructions()) {
    const HloInstruction& hlo = *instruction;
    --steps_left_;
    if (hlo.opcode() == HloOpcode::kParameter) continue;
    TF_ASSIGN_OR_RETURN(Names names, Step(hlo, env));
    env[&hlo] = std::move(names);
  }
  return env.at(computation.root_instruction());
}

absl::Status Machine::Run() {
  const HloComputation& entry = *module_.entry_computation();
  std::vector<Names> arguments;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    arguments.push_back(NewNames(*parameter));
    for (size_t leaf = 0; leaf < arguments.back().size(); ++leaf) {
      if (arguments.back()[leaf] == 0) continue;
      memory_.Write(Place(parameter, leaf), arguments.back()[leaf]);
    }
  }
  TF_ASSIGN_OR_RETURN(const Names result, RunComputation(entry, arguments));
  int64_t output = 0;
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    output += LeafCount(parameter->shape());
  }
  for (size_t leaf = 0; leaf < result.size(); ++leaf, ++output) {
    const int64_t size = assignment_.allocations()[output].size;
    if (result[leaf] != 0 &&
        memory_.Read({home_[output], 0, size}) != result[leaf]) {
      return absl::InternalError(
          absl::StrCat("buffers: output ", leaf,
                       " does not end up in the memory of the output"));
    }
  }
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    for (int leaf = 0; leaf < LeafCount(parameter->shape()); ++leaf) {
      const BufferSlice& slice = assignment_.slice(parameter, leaf);
      if (slice.allocation < 0 || home_[slice.allocation] != slice.allocation) {
        continue;
      }
      if (memory_.Read(slice) !=
          arguments[parameter->parameter_number()][leaf]) {
        return absl::InternalError(absl::StrCat(
            "buffers: parameter ", parameter->name(), " was overwritten"));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status VerifyBufferAssignment(const HloModule& module,
                                    const BufferAssignment& assignment,
                                    const BufferVerifierOptions& options) {
  for (int run = 0; run < options.runs; ++run) {
    for (const bool donated : {false, true}) {
      Machine machine(module, assignment, run, donated, options.most_steps);
      TF_RETURN_IF_ERROR(machine.Run());
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
