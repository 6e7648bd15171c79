// Flattens computations of scalars and runs them block by block.
#include "xla/hlo/evaluator/reduction/scalar_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "xla/base/checked_math.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {
namespace {

// Returns whether a program can hold the shape: scalars and flat tuples of
// them.
bool IsFlatScalar(const Shape& shape) {
  if (!shape.IsTuple()) return ShapeUtil::IsScalar(shape);
  return std::all_of(shape.tuple_shapes().begin(), shape.tuple_shapes().end(),
                     [](const Shape& s) { return ShapeUtil::IsScalar(s); });
}

// Returns true for ops that do not change the bytes of a scalar.
bool IsNoOp(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kBitcast:
    case HloOpcode::kBitcastConvert:
      return LiteralElementBytes(hlo.shape().element_type()) ==
             LiteralElementBytes(hlo.operand(0)->shape().element_type());
    case HloOpcode::kBroadcast:
    case HloOpcode::kCopy:
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
      return true;
    default:
      return false;
  }
}

PrimitiveType WiderType(PrimitiveType type) {
  if (type == F32) return F64;
  if (type == C64) return C128;
  return primitive_util::IsFloatingPointType(type) && type != F64
             ? F32
             : PRIMITIVE_TYPE_INVALID;
}

}  // namespace

std::unique_ptr<ScalarProgram> ScalarProgram::Create(
    const HloComputation& computation) {
  auto program = std::make_unique<ScalarProgram>();
  std::vector<Slots> arguments;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    if (!ShapeUtil::IsScalar(parameter->shape())) return nullptr;
    const PrimitiveType type = parameter->shape().element_type();
    const int number = program->slots_.size();
    program->parameter_types_.push_back(type);
    program->slots_.push_back({Slot::kParameter, type, number, nullptr});
    arguments.push_back({number});
  }
  if (!program->AddComputation(computation, arguments, 0, program->results_)) {
    return nullptr;
  }
  for (int slot : program->results_) {
    program->result_types_.push_back(program->slots_[slot].type);
  }
  program->Finish();
  return program;
}

std::unique_ptr<ScalarProgram> ScalarProgram::Widened() const {
  if (steps_.size() != 1 || results_.size() != 1 ||
      parameter_types_.size() != 2 || results_[0] != steps_[0].result) {
    return nullptr;
  }
  const Step& step = steps_[0];
  if (step.hlo->opcode() != HloOpcode::kAdd &&
      step.hlo->opcode() != HloOpcode::kMultiply) {
    return nullptr;
  }
  const PrimitiveType type = WiderType(slots_[step.result].type);
  if (type == PRIMITIVE_TYPE_INVALID) return nullptr;
  for (int i = 0; i < 2; ++i) {
    // Parameters and result must have the same type, and both parameters be
    // used.
    if (parameter_types_[i] != slots_[step.result].type ||
        slots_[step.operands[i]].kind != Slot::kParameter ||
        step.operands[0] == step.operands[1]) {
      return nullptr;
    }
  }
  absl::StatusOr<ElementwiseKernel> kernel =
      ElementwiseKernel::Create(*step.hlo, type, {type, type});
  if (!kernel.ok()) return nullptr;
  auto wide = std::make_unique<ScalarProgram>();
  wide->parameter_types_ = {type, type};
  wide->result_types_ = {type};
  wide->slots_ = {{Slot::kParameter, type, 0, nullptr},
                  {Slot::kParameter, type, 1, nullptr}};
  wide->results_ = {wide->AddBlock(type)};
  wide->steps_.push_back(
      {step.hlo, *std::move(kernel), 2, step.operands, wide->results_[0]});
  wide->Finish();
  return wide;
}

bool ScalarProgram::AddComputation(const HloComputation& computation,
                                   const std::vector<Slots>& arguments,
                                   int depth, Slots& root) {
  if (depth > kMaxCallDepth) return false;
  SlotMap slots;
  for (const HloInstruction* hlo : computation.MakeInstructionPostOrder()) {
    if (!IsFlatScalar(hlo->shape()) ||
        !AddInstruction(*hlo, arguments, depth, slots)) {
      return false;
    }
  }
  auto it = slots.find(computation.root_instruction());
  if (it == slots.end()) return false;
  root = it->second;
  return true;
}

bool ScalarProgram::AddInstruction(const HloInstruction& hlo,
                                   const std::vector<Slots>& arguments,
                                   int depth, SlotMap& slots) {
  if (++visited_ > kMaxInstructions) return false;
  Slots result;
  switch (hlo.opcode()) {
    case HloOpcode::kParameter:
      result = arguments[hlo.parameter_number()];
      break;
    case HloOpcode::kConstant:
      if (hlo.shape().IsTuple()) return false;
      result = {static_cast<int>(slots_.size())};
      slots_.push_back({Slot::kConstant, hlo.shape().element_type(), 0,
                        hlo.literal().untyped_data()});
      break;
    case HloOpcode::kTuple:
      for (const HloInstruction* operand : hlo.operands()) {
        result.push_back(slots[operand][0]);
      }
      break;
    case HloOpcode::kGetTupleElement:
      result = {slots[hlo.operand(0)][hlo.tuple_index()]};
      break;
    case HloOpcode::kCall:
    case HloOpcode::kFusion: {
      std::vector<Slots> inner;
      for (const HloInstruction* operand : hlo.operands()) {
        inner.push_back(slots[operand]);
      }
      if (!AddComputation(*hlo.called_computations()[0], inner, depth + 1,
                          result)) {
        return false;
      }
      break;
    }
    default:
      if (hlo.operand_count() == 1 && IsNoOp(hlo)) {
        // The same slot is read as another type.
        Slot slot = slots_[slots[hlo.operand(0)][0]];
        slot.type = hlo.shape().element_type();
        result = {static_cast<int>(slots_.size())};
        slots_.push_back(slot);
      } else if (!AddStep(hlo, slots, result)) {
        return false;
      }
  }
  slots[&hlo] = std::move(result);
  return true;
}

bool ScalarProgram::AddStep(const HloInstruction& hlo, const SlotMap& slots,
                            Slots& result) {
  if (!IsBatchableElementwise(hlo.opcode()) || hlo.operand_count() > 3 ||
      hlo.shape().IsTuple()) {
    return false;
  }
  std::array<int, 3> operands = {};
  std::vector<PrimitiveType> types;
  for (int i = 0; i < hlo.operand_count(); ++i) {
    if (hlo.operand(i)->shape().IsTuple()) return false;
    operands[i] = slots.at(hlo.operand(i))[0];
    types.push_back(slots_[operands[i]].type);
  }
  const PrimitiveType type = hlo.shape().element_type();
  absl::StatusOr<ElementwiseKernel> kernel =
      ElementwiseKernel::Create(hlo, type, types);
  // The interpreter reports the error if it reaches the op.
  if (!kernel.ok()) return false;
  result = {AddBlock(type)};
  steps_.push_back({&hlo, *std::move(kernel),
                    static_cast<int>(hlo.operand_count()), operands,
                    result[0]});
  return true;
}

int ScalarProgram::AddBlock(PrimitiveType type) {
  slots_.push_back({Slot::kBlockOf, type, block_bytes_, nullptr});
  // Multiples of 64 bytes keep every element type aligned.
  const int64_t bytes = kBlock * LiteralElementBytes(type);
  block_bytes_ += RoundUpTo(bytes, 64);
  return slots_.size() - 1;
}

void ScalarProgram::Finish() {
  for (int result : results_) {
    const bool staged = slots_[result].kind != Slot::kBlockOf;
    staging_.push_back(staged ? slots_[AddBlock(slots_[result].type)].index
                              : -1);
  }
  blocks_ = std::make_unique<char[]>(block_bytes_);
}

const char* ScalarProgram::Locate(const Slot& slot, int64_t begin) const {
  switch (slot.kind) {
    case Slot::kParameter:
      return static_cast<const char*>(inputs_[slot.index]) +
             begin * LiteralElementBytes(slot.type);
    case Slot::kConstant:
      return static_cast<const char*>(slot.constant);
    case Slot::kBlockOf:
      break;
  }
  return blocks_.get() + slot.index;
}

void ScalarProgram::Run(int64_t n, absl::Span<const void* const> inputs,
                        absl::Span<void* const> outputs) {
  inputs_ = inputs;
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t count = std::min(kBlock, n - begin);
    for (const Step& step : steps_) {
      std::array<ElementwiseKernel::Input, 3> operands;
      for (int i = 0; i < step.operand_count; ++i) {
        const Slot& slot = slots_[step.operands[i]];
        operands[i] = {Locate(slot, begin), slot.kind == Slot::kConstant};
      }
      step.kernel.Run(count, absl::MakeSpan(operands).first(step.operand_count),
                      blocks_.get() + slots_[step.result].index);
    }
    // Outputs may be inputs, so compute all results before writing any.
    for (size_t i = 0; i < results_.size(); ++i) {
      if (staging_[i] < 0) continue;
      const Slot& slot = slots_[results_[i]];
      const int width = LiteralElementBytes(slot.type);
      char* to = blocks_.get() + staging_[i];
      const char* from = Locate(slot, begin);
      if (slot.kind == Slot::kParameter) {
        std::memcpy(to, from, count * width);
        continue;
      }
      for (int64_t j = 0; j < count; ++j) {
        std::memcpy(to + j * width, from, width);
      }
    }
    for (size_t i = 0; i < results_.size(); ++i) {
      const Slot& slot = slots_[results_[i]];
      const int width = LiteralElementBytes(slot.type);
      const char* from =
          blocks_.get() + (staging_[i] < 0 ? slot.index : staging_[i]);
      std::memcpy(static_cast<char*>(outputs[i]) + begin * width, from,
                  count * width);
    }
  }
}

}  // namespace xla
