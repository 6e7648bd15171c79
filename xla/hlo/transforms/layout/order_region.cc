// The cost of a choice is the sum, over arrays and the orders in which they are
// read and not computed, of their bytes. A minimal cut finds the best choice
// wherever it can express this cost, and is near it elsewhere; so the cost
// itself decides whether the choice is taken.
#include "xla/hlo/transforms/layout/order_region.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "xla/base/min_cut.h"
#include "xla/core/layout_util.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

bool HasDefaultLayout(const Shape& shape) {
  if (shape.IsTuple()) {
    return absl::c_all_of(shape.tuple_shapes(), [](const Shape& element) {
      return HasDefaultLayout(element);
    });
  }
  return shape.IsArray() && shape.is_static() && shape.has_layout() &&
         shape.layout() == LayoutUtil::GetDefaultLayoutForShape(shape);
}

bool HasDefaultLayout(const HloInstruction& hlo) {
  return HasDefaultLayout(hlo.shape());
}

bool IsPlain(const HloInstruction& hlo) {
  return !hlo.HasControlDependencies() && !hlo.has_sharding() &&
         HasDefaultLayout(hlo);
}

bool IsArrayTupleReduction(const HloInstruction& hlo) {
  return hlo.shape().IsTuple() && (hlo.opcode() == HloOpcode::kReduce ||
                                   hlo.opcode() == HloOpcode::kReduceWindow);
}

}  // namespace

bool IsMovable(const HloInstruction& transpose) {
  return transpose.opcode() == HloOpcode::kTranspose && IsPlain(transpose) &&
         HasDefaultLayout(*transpose.operand(0));
}

OrderedView ViewOf(HloInstruction* hlo) {
  OrderedView view{hlo, GivenOrder(hlo->shape().rank())};
  while (IsMovable(*view.base)) {
    view.order = ComposePermutations(
        view.base->attrs<TransposeAttrs>().dimensions, view.order);
    view.base = view.base->mutable_operand(0);
  }
  return view;
}

std::vector<std::pair<HloInstruction*, DimensionOrder>> ViewsOf(
    HloInstruction* base) {
  std::vector<std::pair<HloInstruction*, DimensionOrder>> views = {
      {base, GivenOrder(base->shape().rank())}};
  for (size_t i = 0; i < views.size(); ++i) {
    for (HloInstruction* user : views[i].first->users()) {
      if (!IsMovable(*user)) continue;
      views.emplace_back(
          user, ComposePermutations(views[i].second,
                                    user->attrs<TransposeAttrs>().dimensions));
    }
  }
  return views;
}

bool IsFree(const HloInstruction& hlo, const DimensionOrder& order) {
  switch (hlo.opcode()) {
    case HloOpcode::kConstant:
    case HloOpcode::kIota:
      return IsPlain(hlo);
    case HloOpcode::kBroadcast: {
      if (!IsPlain(hlo) || !HasDefaultLayout(*hlo.operand(0))) return false;
      const auto op = OrderedByResult(hlo, order);
      return op.has_value() &&
             LeavesInPlace(hlo.operand(0)->shape(), op->operands[0]);
    }
    default:
      return false;
  }
}

bool OrderRegion::MayJoin(const HloInstruction& hlo) const {
  if (!IsPlain(hlo) || dead_->contains(&hlo) || hlo.HasSideEffect() ||
      hlo.operand_count() == 0 ||
      !absl::c_all_of(hlo.operands(), [](const HloInstruction* x) {
        return HasDefaultLayout(*x);
      })) {
    return false;
  }
  if (hlo.opcode() == HloOpcode::kGetTupleElement) {
    return IsArrayTupleReduction(*hlo.operand(0)) && MayJoin(*hlo.operand(0));
  }
  if (hlo.shape().IsArray()) return true;
  // A tuple is read element by element or stays as it is.
  return IsArrayTupleReduction(hlo) && !hlo.IsRoot() &&
         absl::c_all_of(hlo.users(), [](const HloInstruction* user) {
           return user->opcode() == HloOpcode::kGetTupleElement &&
                  IsPlain(*user);
         });
}

void OrderRegion::Reach(HloInstruction* hlo, const DimensionOrder& order) {
  const Shape* shape = OrderedShape(*hlo);
  if (shape == nullptr || LeavesInPlace(*shape, order) || IsFree(*hlo, order) ||
      !is_reached_.insert(hlo).second) {
    return;
  }
  reached_.emplace_back(hlo, order);
}

void OrderRegion::AddMember(HloInstruction* hlo, OrderedOp op) {
  if (members_.contains(hlo) || !MayJoin(*hlo)) return;
  if (hlo->opcode() == HloOpcode::kGetTupleElement) {
    // Joins with its tuple, if that can be computed in this order.
    HloInstruction* tuple = hlo->mutable_operand(0);
    auto tuple_op = OrderedByResult(*tuple, op.result);
    if (tuple_op.has_value()) AddMember(tuple, *std::move(tuple_op));
    return;
  }
  const DimensionOrder result = op.result;
  const int variable = variables_++;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    if (!op.operands[i].empty()) Reach(hlo->mutable_operand(i), op.operands[i]);
  }
  members_[hlo] = {std::move(op), variable};
  member_list_.push_back(hlo);
  if (hlo->shape().IsArray()) {
    Reach(hlo, result);
    return;
  }
  for (HloInstruction* element : hlo->users()) {
    members_[element] = {OrderedOp{result, {result}}, variable};
    member_list_.push_back(element);
    Reach(element, result);
  }
}

void OrderRegion::Join(HloInstruction* hlo, OrderedOp op, bool is_guess) {
  if (is_guess) {
    guesses_.emplace_back(hlo, std::move(op));
  } else {
    AddMember(hlo, std::move(op));
  }
}

void OrderRegion::Expand(HloInstruction* hlo, const DimensionOrder& order) {
  if (!IsMovable(*hlo) && !members_.contains(hlo) && MayJoin(*hlo)) {
    auto op = OrderedByResult(*hlo, order);
    const bool is_guess = hlo->opcode() == HloOpcode::kReduce;
    if (op.has_value()) Join(hlo, *std::move(op), is_guess);
  }
  for (HloInstruction* user : hlo->users()) {
    if (IsMovable(*user) || members_.contains(user) || !MayJoin(*user)) {
      continue;
    }
    for (int64_t i = 0; i < user->operand_count(); ++i) {
      if (user->operand(i) != hlo) continue;
      auto op = OrderedByOperand(*user, i, order);
      const bool is_guess = user->opcode() == HloOpcode::kBroadcast;
      if (op.has_value()) Join(user, *std::move(op), is_guess);
      break;
    }
  }
}

void OrderRegion::Grow(HloInstruction* seed, const DimensionOrder& order) {
  Reach(seed, order);
  size_t next = 0, next_guess = 0;
  while (true) {
    if (next < reached_.size()) {
      const auto [hlo, reached_order] = reached_[next++];
      Expand(hlo, reached_order);
    } else if (next_guess < guesses_.size()) {
      auto [hlo, op] = std::move(guesses_[next_guess++]);
      AddMember(hlo, std::move(op));
    } else {
      return;
    }
  }
}

// Notes how the users of `view`, which is `base` in `order`, read it.
void OrderRegion::AddNeeds(const HloInstruction& base, HloInstruction* view,
                           const DimensionOrder& order, Moved& moved) const {
  const Shape& shape = base.shape();
  const auto need = [&](const DimensionOrder& memory) -> Need& {
    auto it = absl::c_find_if(
        moved.needs, [&](const Need& n) { return n.memory == memory; });
    if (it != moved.needs.end()) return *it;
    moved.needs.push_back({memory});
    return moved.needs.back();
  };
  const DimensionOrder as_given = MemoryOrder(shape, order);
  if (view->IsRoot()) need(as_given).always = true;
  for (HloInstruction* user : view->users()) {
    if (dead_->contains(user) || IsMovable(*user)) continue;
    const auto member = members_.find(user);
    if (member == members_.end()) {
      need(as_given).always = true;
      continue;
    }
    const auto& [op, variable] = member->second;
    for (int64_t i = 0; i < user->operand_count(); ++i) {
      if (user->operand(i) != view) continue;
      const DimensionOrder wanted = ComposePermutations(order, op.operands[i]);
      const DimensionOrder other = MemoryOrder(shape, wanted);
      if (other == as_given) {
        need(other).always = true;
        continue;
      }
      need(as_given).literals.push_back({variable, false});
      if (IsFree(base, wanted)) continue;
      need(other).literals.push_back({variable, true});
    }
  }
}

void OrderRegion::AddMoved(HloInstruction* base) {
  if (!base->shape().IsArray() || !HasDefaultLayout(*base)) return;
  const Shape& shape = base->shape();
  const DimensionOrder given = GivenOrder(shape.rank());
  Moved moved{-1, ShapeUtil::ByteSizeOf(shape), MemoryOrder(shape, given)};
  moved.other = moved.given;
  if (auto it = members_.find(base); it != members_.end()) {
    moved.variable = it->second.variable;
    moved.other = MemoryOrder(shape, it->second.op.result);
  }
  for (const auto& [view, order] : ViewsOf(base)) {
    AddNeeds(*base, view, order, moved);
  }
  moved_.push_back(std::move(moved));
}

void OrderRegion::FindMoved() {
  InstructionSet done;
  const auto add = [&](HloInstruction* base) {
    if (done.insert(base).second) AddMoved(base);
  };
  for (HloInstruction* member : member_list_) {
    add(member);
    const OrderedOp& op = members_[member].op;
    for (int64_t i = 0; i < member->operand_count(); ++i) {
      if (op.operands[i].empty() || !member->operand(i)->shape().IsArray()) {
        continue;
      }
      add(ViewOf(member->mutable_operand(i)).base);
    }
  }
}

int64_t OrderRegion::CostOf(const std::vector<bool>& values) const {
  int64_t cost = 0;
  for (const Moved& moved : moved_) {
    const bool is_other = moved.variable >= 0 && values[moved.variable];
    const DimensionOrder& stored = is_other ? moved.other : moved.given;
    for (const Need& need : moved.needs) {
      if (need.memory == stored) continue;
      if (need.always || absl::c_any_of(need.literals, [&](const Literal& l) {
            return values[l.variable] == l.value;
          })) {
        cost += moved.bytes;
      }
    }
  }
  return cost;
}

namespace {

// Adds costs to a cut in which variables that are true are on the sink's side.
class CostGraph {
 public:
  explicit CostGraph(int variables) {
    for (int i = 0; i < variables; ++i) cut_.AddNode();
  }

  // Variables start behind source and sink.
  static int NodeOf(int variable) { return variable + 2; }

  // Costs `bytes` if `at` is on the source's side and one of `nodes` on the
  // sink's.
  void AddIfAnyTrue(int at, const std::vector<int>& nodes, int64_t bytes) {
    if (nodes.empty()) return;
    if (nodes.size() == 1) return cut_.AddEdge(at, nodes[0], bytes);
    const int any = cut_.AddNode();
    cut_.AddEdge(at, any, bytes);
    for (int node : nodes) cut_.AddEdge(any, node, MinCut::kNever);
  }
  // Costs `bytes` if `at` is on the sink's side and one of `nodes` on the
  // source's.
  void AddIfAnyFalse(int at, const std::vector<int>& nodes, int64_t bytes) {
    if (nodes.empty()) return;
    if (nodes.size() == 1) return cut_.AddEdge(nodes[0], at, bytes);
    const int any = cut_.AddNode();
    cut_.AddEdge(any, at, bytes);
    for (int node : nodes) cut_.AddEdge(node, any, MinCut::kNever);
  }

  std::vector<bool> Solve(int variables) {
    std::vector<bool> sides = cut_.Solve();
    return {sides.begin() + 2, sides.begin() + 2 + variables};
  }

 private:
  MinCut cut_;
};

}  // namespace

bool OrderRegion::Choose() {
  FindMoved();
  values_.assign(variables_, false);
  const int64_t cost_now = CostOf(values_);
  if (cost_now == 0) return false;
  CostGraph graph(variables_);
  for (const Moved& moved : moved_) {
    for (const Need& need : moved.needs) {
      std::vector<int> if_true, if_false;
      for (const Literal& l : need.literals) {
        (l.value ? if_true : if_false).push_back(CostGraph::NodeOf(l.variable));
      }
      const bool is_given = need.memory == moved.given;
      const bool is_other = need.memory == moved.other;
      if (is_given && (is_other || moved.variable < 0)) continue;
      // Where the array is on the source's side, it has the given order. A cost
      // of two variables that are both true, or both false, is no cut; it is
      // counted as if the array were moved for this reader in any case.
      int source = MinCut::kSource, sink = MinCut::kSink;
      if (moved.variable >= 0 && is_given) {
        sink = CostGraph::NodeOf(moved.variable);
        if (need.always) if_false.push_back(MinCut::kSource);
      } else if (moved.variable >= 0 && is_other) {
        source = CostGraph::NodeOf(moved.variable);
        if (need.always) if_true.push_back(MinCut::kSink);
      } else if (need.always) {
        continue;
      }
      graph.AddIfAnyTrue(source, if_true, moved.bytes);
      graph.AddIfAnyFalse(sink, if_false, moved.bytes);
    }
  }
  std::vector<bool> values = graph.Solve(variables_);
  if (CostOf(values) >= cost_now) return false;
  values_ = std::move(values);
  return true;
}

const OrderedOp* OrderRegion::chosen(const HloInstruction* hlo) const {
  const auto it = members_.find(hlo);
  if (it == members_.end() || !values_[it->second.variable]) return nullptr;
  return &it->second.op;
}

DimensionOrder OrderRegion::StoredOrder(const HloInstruction* hlo) const {
  const OrderedOp* op = chosen(hlo);
  return op != nullptr ? op->result : GivenOrder(hlo->shape().rank());
}

}  // namespace xla
