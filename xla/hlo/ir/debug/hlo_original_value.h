// OriginalArray and OriginalValue: which instruction of the program, as it was
// before any pass, a value or a part of it comes from.
#ifndef XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_H_
#define XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_H_

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/tuple_tree/tuple_tree.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloInstruction;

// One array: the part at `shape_index` of what the instruction produced.
struct OriginalArray {
  std::string instruction_name;
  ShapeIndex shape_index;

  // "name" or "name" {1,0}, with the quotes.
  std::string ToString() const;
  OriginalArrayProto ToProto() const;
  static OriginalArray FromProto(
      const OriginalArrayProto& original_array_proto);

  friend bool operator==(const OriginalArray& a, const OriginalArray& b) {
    return a.instruction_name == b.instruction_name &&
           a.shape_index == b.shape_index;
  }
  friend bool operator!=(const OriginalArray& a, const OriginalArray& b) {
    return !(a == b);
  }
  template <typename H>
  friend H AbslHashValue(H h, const OriginalArray& array) {
    return H::combine(std::move(h), array.instruction_name, array.shape_index);
  }
};

// A value has the tree of its tuples, whose leaves may have an array each; the
// value of a synthetic call, which inlining removes, has no tree. Instructions
// share values. Not thread safe.
class OriginalValue {
 public:
  using Tree = TupleTree<std::optional<OriginalArray>>;

  // Tuples lose the arrays that they have themselves.
  explicit OriginalValue(Tree::Node&& root_node);
  explicit OriginalValue(Tree&& tree);
  explicit OriginalValue(const Tree& tree);
  // A value without arrays.
  explicit OriginalValue(const Shape& shape) : data_(Tree(shape)) {}
  static OriginalValue SyntheticCall();

  // Returns what an instruction that no pass has touched stands for: itself,
  // `prefix` before its name; of a tuple and an element of one, what the
  // operands stand for, null if that is nothing.
  static std::shared_ptr<OriginalValue> CreateFromInstruction(
      const HloInstruction* instruction, absl::string_view prefix = "");

  bool is_synthetic_call() const {
    return std::holds_alternative<SyntheticCallType>(data_);
  }
  // These need a tree (CHECK), and an index that exists.
  const Tree& tree() const {
    CHECK(!is_synthetic_call()) << "a synthetic call has no tree";
    return std::get<Tree>(data_);
  }
  Tree* mutable_tree() {
    CHECK(!is_synthetic_call()) << "a synthetic call has no tree";
    return &std::get<Tree>(data_);
  }
  bool IsTuple() const { return tree().IsTuple(); }
  const std::optional<OriginalArray>& original_array(
      ShapeIndexView index) const {
    return tree().element(index);
  }
  std::optional<OriginalArray>* mutable_original_array(ShapeIndexView index) {
    return mutable_tree()->mutable_element(index);
  }

  // The leaves, each an index and an array or none.
  auto original_arrays() const {
    return is_synthetic_call() ? std::as_const(EmptyTree()).leaves()
                               : tree().leaves();
  }
  auto mutable_original_arrays() {
    return is_synthetic_call() ? EmptyTree().leaves()
                               : mutable_tree()->leaves();
  }
  // Whether there is no array.
  bool IsEmpty() const;
  // Whether the tuples are those of `shape`.
  bool IsCompatibleWith(const Shape& shape) const;
  // Whether the leaves are the same.
  bool operator==(const OriginalValue& other) const;
  bool operator!=(const OriginalValue& other) const {
    return !(*this == other);
  }

  // ({"x"}, {"y" {1}}, {}), or [synthetic_call].
  std::string ToString() const;
  // Protos have the leaves only; an empty tuple that is the last element of its
  // tuple is lost.
  OriginalValueProto ToProto() const;
  // Returns null if an index is negative, or if the leaves leave out so many
  // elements that they make no sense.
  static std::shared_ptr<OriginalValue> FromProto(
      const OriginalValueProto& original_value_proto);

  template <typename H>
  friend H AbslHashValue(H h, const OriginalValue& value) {
    h = H::combine(std::move(h), value.is_synthetic_call());
    for (const auto& [index, array] : value.original_arrays()) {
      h = H::combine(std::move(h), index, array.has_value());
      if (array.has_value()) h = H::combine(std::move(h), *array);
    }
    return h;
  }

 private:
  struct SyntheticCallType {};
  explicit OriginalValue(SyntheticCallType synthetic) : data_(synthetic) {}
  static Tree& EmptyTree();
  void ClearTuples();

  std::variant<SyntheticCallType, Tree> data_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_DEBUG_HLO_ORIGINAL_VALUE_H_
