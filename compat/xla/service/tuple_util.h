// TupleUtil: functions that take tuples apart and put them together.
#ifndef COMPAT_XLA_SERVICE_TUPLE_UTIL_H_
#define COMPAT_XLA_SERVICE_TUPLE_UTIL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/service/hlo_value.h"
#include "xla/shape_tree.h"
#include "xla/shape_util.h"
#include "xla/status_macros.h"
#include "xla/util.h"

namespace xla {

// Instructions are added to the computation of the tuple, which must be one
// (CHECK).
class TupleUtil {
 public:
  // Returns a tuple of the first `elements`, with that name; they are
  // `name`.element.0 and so on.
  static HloInstruction* ExtractPrefix(HloInstruction* input_tuple,
                                       int64_t elements,
                                       absl::string_view name = "") {
    return input_tuple->parent()->AddInstruction(
        HloInstruction::CreateTuple(Elements(input_tuple, elements, name)),
        name);
  }

  // Returns a tuple of the elements and `trailing_values`.
  static HloInstruction* AppendSuffix(
      HloInstruction* input_tuple,
      absl::Span<HloInstruction* const> trailing_values) {
    std::vector<HloInstruction*> elements =
        Elements(input_tuple, input_tuple->shape().tuple_shapes_size(), "");
    absl::c_copy(trailing_values, std::back_inserter(elements));
    return input_tuple->parent()->AddInstruction(
        HloInstruction::CreateTuple(elements));
  }

  // Returns a tuple of the same elements.
  static HloInstruction* Duplicate(HloInstruction* input_tuple) {
    return ExtractPrefix(input_tuple, input_tuple->shape().tuple_shapes_size());
  }

  // Returns a tuple that has `new_instruction` at the index, and is otherwise
  // `tuple`; returns `tuple` if it is there already. The last index may be the
  // size of its tuple: the instruction is then one more element. One of another
  // shape is given the old shape by a bitcast, if wished. Errors:
  // InvalidArgument for an index that is not there.
  static absl::StatusOr<HloInstruction*> ReplaceTupleWith(
      HloInstruction* new_instruction, HloInstruction* tuple,
      ShapeIndex shape_index, bool insert_bitcast_if_different_shape = true) {
    CHECK(tuple->shape().IsTuple()) << tuple->ToString();
    if (IsElementAt(new_instruction, tuple, shape_index)) return tuple;
    const int64_t size = tuple->shape().tuple_shapes_size();
    if (shape_index.empty() || shape_index[0] < 0 || shape_index[0] > size ||
        (shape_index[0] == size && shape_index.size() > 1)) {
      return InvalidArgument("%s has no index %s", tuple->name(),
                             shape_index.ToString());
    }
    const int64_t at = shape_index[0];
    if (at < size) {
      TF_ASSIGN_OR_RETURN(new_instruction,
                          NewElement(new_instruction, tuple, shape_index,
                                     insert_bitcast_if_different_shape));
      if (tuple->opcode() == HloOpcode::kTuple &&
          tuple->operand(at) == new_instruction) {
        return tuple;
      }
    }
    std::vector<HloInstruction*> elements;
    for (int64_t i = 0; i < size; ++i) {
      elements.push_back(i == at ? new_instruction
                                 : OperandOrElement(tuple, i));
    }
    if (at == size) elements.push_back(new_instruction);
    return new_instruction->parent()->AddInstruction(
        HloInstruction::CreateTuple(elements));
  }

  // Returns the value at the position, through get-tuple-elements that are
  // there already and are not the root, or new ones.
  static HloInstruction* AddGetTupleElements(const HloPosition& position) {
    HloInstruction* instruction = position.instruction;
    for (const int64_t index : position.index) {
      const auto& users = instruction->users();
      const auto found =
          absl::c_find_if(users, [&](const HloInstruction* user) {
            return user->opcode() == HloOpcode::kGetTupleElement &&
                   user->tuple_index() == index && !user->IsRoot();
          });
      instruction = found != users.end() ? *found : Element(instruction, index);
    }
    return instruction;
  }

  // Returns each part of the tuple at its index, the tuple itself at {}.
  static ShapeTree<HloInstruction*> DisassembleTupleInstruction(
      HloInstruction* tuple) {
    ShapeTree<HloInstruction*> parts(tuple->shape(), nullptr);
    *parts.mutable_element({}) = tuple;
    parts.ForEachMutableElement(
        [&](const ShapeIndex& index, HloInstruction** part) {
          if (index.empty()) return;
          ShapeIndex whole = index;
          whole.pop_back();
          *part = Element(parts.element(whole), index.back());
        });
    return parts;
  }

  // Returns a tuple of the leaves of the tree, which are in the computation;
  // the leaf itself if there is just that.
  static HloInstruction* AssembleTupleInstruction(
      HloComputation* computation, ShapeTree<HloInstruction*> elements,
      absl::string_view name = "") {
    return Assemble(computation, elements, {}, name);
  }

  // Returns the tuple instruction that is at the index of `tuple`; null if what
  // is there is made by other ops, or nothing is.
  static HloInstruction* GetTupleInstructionAtIndex(
      HloInstruction& tuple, const ShapeIndex& target_index) {
    HloInstruction* instruction = &tuple;
    for (const int64_t index : target_index) {
      if (instruction->opcode() != HloOpcode::kTuple || index < 0 ||
          index >= instruction->operand_count()) {
        return nullptr;
      }
      instruction = instruction->mutable_operand(index);
    }
    return instruction->opcode() == HloOpcode::kTuple ? instruction : nullptr;
  }

 private:
  static HloInstruction* Element(HloInstruction* tuple, int64_t index,
                                 absl::string_view name = "") {
    return tuple->parent()->AddInstruction(
        HloInstruction::CreateGetTupleElement(
            tuple->shape().tuple_shapes(index), tuple, index),
        name);
  }
  static HloInstruction* OperandOrElement(HloInstruction* tuple,
                                          int64_t index) {
    return tuple->opcode() == HloOpcode::kTuple ? tuple->mutable_operand(index)
                                                : Element(tuple, index);
  }
  static std::vector<HloInstruction*> Elements(HloInstruction* tuple,
                                               int64_t count,
                                               absl::string_view name) {
    CHECK(tuple->shape().IsTuple()) << tuple->ToString();
    std::vector<HloInstruction*> elements;
    for (int64_t i = 0; i < count; ++i) {
      elements.push_back(Element(
          tuple, i,
          name.empty() ? std::string() : absl::StrCat(name, ".element.", i)));
    }
    return elements;
  }

  // Whether the instruction is get-tuple-elements of just that index.
  static bool IsElementAt(const HloInstruction* instruction,
                          const HloInstruction* tuple, ShapeIndexView index) {
    for (; !index.empty(); index = index.first(index.size() - 1)) {
      if (instruction->opcode() != HloOpcode::kGetTupleElement ||
          instruction->tuple_index() != index.back()) {
        return false;
      }
      instruction = instruction->operand(0);
    }
    return instruction == tuple;
  }

  // Returns what element shape_index[0] of the tuple becomes.
  static absl::StatusOr<HloInstruction*> NewElement(
      HloInstruction* new_instruction, HloInstruction* tuple,
      const ShapeIndex& shape_index, bool insert_bitcast) {
    const Shape& shape = tuple->shape().tuple_shapes(shape_index[0]);
    if (shape_index.size() > 1) {
      if (!shape.IsTuple()) {
        return InvalidArgument("%s has no index %s", tuple->name(),
                               shape_index.ToString());
      }
      return ReplaceTupleWith(
          new_instruction, OperandOrElement(tuple, shape_index[0]),
          ShapeIndex(shape_index.begin() + 1, shape_index.end()),
          insert_bitcast);
    }
    if (!insert_bitcast || shape == new_instruction->shape()) {
      return new_instruction;
    }
    return new_instruction->parent()->AddInstruction(
        HloInstruction::CreateBitcast(shape, new_instruction));
  }

  static HloInstruction* Assemble(HloComputation* computation,
                                  const ShapeTree<HloInstruction*>& leaves,
                                  const ShapeIndex& index,
                                  absl::string_view name) {
    const Shape& shape = ShapeUtil::GetSubshape(leaves.shape(), index);
    if (!shape.IsTuple()) return leaves.element(index);
    std::vector<HloInstruction*> elements;
    for (int64_t i = 0; i < shape.tuple_shapes_size(); ++i) {
      ShapeIndex part = index;
      part.push_back(i);
      elements.push_back(
          Assemble(computation, leaves, part,
                   name.empty() ? std::string() : absl::StrCat(name, ".", i)));
    }
    return computation->AddInstruction(HloInstruction::CreateTuple(elements),
                                       name);
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_TUPLE_UTIL_H_
