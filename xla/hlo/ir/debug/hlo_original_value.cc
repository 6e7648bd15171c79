// Making of original values, and their text and protos.
#include "xla/hlo/ir/debug/hlo_original_value.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

using Tree = OriginalValue::Tree;

void AppendNode(const Tree::Node& node, std::string* out) {
  if (node.IsLeaf()) {
    const std::optional<OriginalArray>& array = node.value();
    absl::StrAppend(out, "{", array.has_value() ? array->ToString() : "", "}");
    return;
  }
  out->push_back('(');
  absl::string_view separator;
  for (const Tree::Node& child : node.children()) {
    out->append(separator.data(), separator.size());
    AppendNode(child, out);
    separator = ", ";
  }
  out->push_back(')');
}

// Returns whether a tree of these leaves is not too big for their number: as
// many nodes that are no leaves as kSpareNodes and some for each leaf.
bool IsReasonable(const OriginalValueProto& proto) {
  constexpr int64_t kSpareNodes = 1024, kSpareNodesPerLeaf = 16;
  const int64_t max_nodes =
      kSpareNodes + kSpareNodesPerLeaf * proto.elements_size();
  std::map<std::vector<int64_t>, int64_t> sizes;  // of tuples, by their index
  int64_t nodes = 0;
  for (const OriginalValueElementProto& element : proto.elements()) {
    if (element.shape_index_size() > Shape::kMaxNesting) return false;
    std::vector<int64_t> index;
    for (const int64_t i : element.shape_index()) {
      if (i < 0 || i >= max_nodes) return false;
      int64_t& size = sizes[index];
      nodes += std::max<int64_t>(0, i + 1 - size);
      size = std::max(size, i + 1);
      index.push_back(i);
    }
    if (nodes > max_nodes) return false;
    for (const int64_t i : element.original_array().shape_index()) {
      if (i < 0) return false;
    }
  }
  return true;
}

// Returns the value of an instruction if it has a tree, which is that of its
// shape, and null if not.
std::shared_ptr<OriginalValue> UsableValue(const HloInstruction& instruction) {
  std::shared_ptr<OriginalValue> value = instruction.original_value();
  const bool usable = value != nullptr && !value->is_synthetic_call() &&
                      value->IsCompatibleWith(instruction.shape());
  return usable ? value : nullptr;
}

std::shared_ptr<OriginalValue> OfElement(const HloInstruction& element) {
  const std::shared_ptr<OriginalValue> tuple = UsableValue(*element.operand(0));
  if (tuple == nullptr) return nullptr;
  auto part = tuple->tree().ToNode({element.tuple_index()});
  if (!part.ok()) return nullptr;
  return std::make_shared<OriginalValue>(*std::move(part));
}

std::shared_ptr<OriginalValue> OfTuple(const HloInstruction& tuple) {
  Tree::Node root;
  bool found = false;
  for (const HloInstruction* operand : tuple.operands()) {
    const std::shared_ptr<OriginalValue> element = UsableValue(*operand);
    found |= element != nullptr;
    root.mutable_children()->push_back(element != nullptr
                                           ? *element->tree().ToNode()
                                           : *Tree(operand->shape()).ToNode());
  }
  return found ? std::make_shared<OriginalValue>(std::move(root)) : nullptr;
}

}  // namespace

std::string OriginalArray::ToString() const {
  std::string out;
  PrintQuoted(instruction_name, &out);
  if (!shape_index.empty()) absl::StrAppend(&out, " ", shape_index.ToString());
  return out;
}

OriginalArrayProto OriginalArray::ToProto() const {
  OriginalArrayProto proto;
  proto.set_instruction_name(instruction_name);
  proto.mutable_shape_index()->Assign(shape_index.begin(), shape_index.end());
  return proto;
}

OriginalArray OriginalArray::FromProto(
    const OriginalArrayProto& original_array_proto) {
  return {original_array_proto.instruction_name(),
          ShapeIndex(original_array_proto.shape_index().begin(),
                     original_array_proto.shape_index().end())};
}

OriginalValue::OriginalValue(Tree::Node&& root_node)
    : OriginalValue(Tree(std::move(root_node))) {}
OriginalValue::OriginalValue(Tree&& tree) : data_(std::move(tree)) {
  ClearTuples();
}
OriginalValue::OriginalValue(const Tree& tree) : data_(tree) { ClearTuples(); }

OriginalValue OriginalValue::SyntheticCall() {
  return OriginalValue(SyntheticCallType());
}

void OriginalValue::ClearTuples() {
  Tree& tree = *mutable_tree();
  auto leaf = tree.leaf_begin();
  for (auto& node : tree) {
    if (leaf != tree.leaf_end() && &*leaf == &node) {
      ++leaf;
    } else {
      node.second.reset();
    }
  }
}

OriginalValue::Tree& OriginalValue::EmptyTree() {
  static auto* const kEmpty = new Tree();
  return *kEmpty;
}

bool OriginalValue::IsEmpty() const {
  const auto arrays = original_arrays();
  return std::all_of(arrays.begin(), arrays.end(),
                     [](const auto& leaf) { return !leaf.second.has_value(); });
}

bool OriginalValue::IsCompatibleWith(const Shape& shape) const {
  return is_synthetic_call() || tree().IsStructurallyCompatible(shape);
}

bool OriginalValue::operator==(const OriginalValue& other) const {
  if (is_synthetic_call() != other.is_synthetic_call()) return false;
  const auto mine = original_arrays(), its = other.original_arrays();
  return std::equal(mine.begin(), mine.end(), its.begin(), its.end());
}

std::shared_ptr<OriginalValue> OriginalValue::CreateFromInstruction(
    const HloInstruction* instruction, absl::string_view prefix) {
  if (instruction->opcode() == HloOpcode::kGetTupleElement) {
    return OfElement(*instruction);
  }
  if (instruction->opcode() == HloOpcode::kTuple) return OfTuple(*instruction);
  auto value = std::make_shared<OriginalValue>(instruction->shape());
  for (auto& [index, array] : value->mutable_original_arrays()) {
    array = OriginalArray{absl::StrCat(prefix, instruction->name()), index};
  }
  return value;
}

std::string OriginalValue::ToString() const {
  if (is_synthetic_call()) return "[synthetic_call]";
  std::string out;
  AppendNode(*tree().ToNode(), &out);
  return out;
}

OriginalValueProto OriginalValue::ToProto() const {
  OriginalValueProto proto;
  if (is_synthetic_call()) proto.set_is_synthetic_call(true);
  for (const auto& [index, array] : original_arrays()) {
    OriginalValueElementProto& element = *proto.add_elements();
    element.mutable_shape_index()->Assign(index.begin(), index.end());
    if (array.has_value()) {
      *element.mutable_original_array() = array->ToProto();
    }
  }
  return proto;
}

std::shared_ptr<OriginalValue> OriginalValue::FromProto(
    const OriginalValueProto& original_value_proto) {
  if (original_value_proto.is_synthetic_call()) {
    return std::make_shared<OriginalValue>(SyntheticCall());
  }
  if (!IsReasonable(original_value_proto)) return nullptr;
  std::vector<Tree::NodePair> leaves;
  for (const auto& element : original_value_proto.elements()) {
    std::optional<OriginalArray> array;
    if (element.has_original_array()) {
      array = OriginalArray::FromProto(element.original_array());
    }
    leaves.emplace_back(
        ShapeIndex(element.shape_index().begin(), element.shape_index().end()),
        std::move(array));
  }
  return std::make_shared<OriginalValue>(Tree(absl::MakeSpan(leaves)));
}

}  // namespace xla
