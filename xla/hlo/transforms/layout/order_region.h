// OrderRegion: ops of one computation that could be computed in another order
// of dimensions, and the choice of those for which that saves transposes.
#ifndef XLA_HLO_TRANSFORMS_LAYOUT_ORDER_REGION_H_
#define XLA_HLO_TRANSFORMS_LAYOUT_ORDER_REGION_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/transforms/layout/ordered_op.h"

namespace xla {

// An array as another one in some order: what is left of transposes of it.
struct OrderedView {
  HloInstruction* base;  // no transpose that may be moved
  DimensionOrder order;
};
OrderedView ViewOf(HloInstruction* hlo);
// Returns the base itself and all transposes of it, of transposes and so on.
// The base comes first, and users after what they use.
std::vector<std::pair<HloInstruction*, DimensionOrder>> ViewsOf(
    HloInstruction* base);
// Returns whether this is a transpose that may be moved.
bool IsMovable(const HloInstruction& transpose);
// Returns whether the array costs nothing to make in `order`: a constant, iota,
// or a broadcast of what need not be moved.
bool IsFree(const HloInstruction& hlo, const DimensionOrder& order);

// Grows from one array in one order along operands and users, through ops that
// can be computed in an order that follows. Each array has only the first order
// in which it is reached. Of each op of the region it then decides, by a
// minimal cut, whether it is computed in its new order.
class OrderRegion {
 public:
  using InstructionSet = absl::flat_hash_set<const HloInstruction*>;

  // Ignores the users in `dead`, which is borrowed.
  explicit OrderRegion(const InstructionSet* dead) : dead_(dead) {}

  void Grow(HloInstruction* seed, const DimensionOrder& order);
  // Chooses ops so that transposes move fewer bytes than now; returns false if
  // it finds no such choice.
  bool Choose();

  // Returns how `hlo` is computed in the new order; null if that was not
  // chosen, or it is not in the region.
  const OrderedOp* chosen(const HloInstruction* hlo) const;
  // Returns the order in which the array is in memory after the choice.
  DimensionOrder StoredOrder(const HloInstruction* hlo) const;
  // The ops of the region, as they were found.
  const std::vector<HloInstruction*>& members() const { return member_list_; }
  // All arrays that were reached, in this order.
  const std::vector<std::pair<HloInstruction*, DimensionOrder>>& reached()
      const {
    return reached_;
  }

 private:
  struct Member {
    OrderedOp op;
    int variable;  // elements of tuples share that of the tuple
  };
  // A condition that variable `variable` has this value.
  struct Literal {
    int variable;
    bool value;
  };
  // Somebody reads an array in an order: always, or if one of `literals` holds.
  struct Need {
    DimensionOrder memory;
    bool always = false;
    std::vector<Literal> literals;
  };
  // An array that is transposed for each need of another order than its own.
  struct Moved {
    int variable;  // -1: is never computed in another order
    int64_t bytes;
    DimensionOrder given, other;  // as in memory
    std::vector<Need> needs;
  };

  void Reach(HloInstruction* hlo, const DimensionOrder& order);
  void Join(HloInstruction* hlo, OrderedOp op, bool is_guess);
  void AddMember(HloInstruction* hlo, OrderedOp op);
  bool MayJoin(const HloInstruction& hlo) const;
  void Expand(HloInstruction* hlo, const DimensionOrder& order);
  void FindMoved();
  void AddMoved(HloInstruction* base);
  void AddNeeds(const HloInstruction& base, HloInstruction* view,
                const DimensionOrder& order, Moved& moved) const;
  int64_t CostOf(const std::vector<bool>& values) const;

  const InstructionSet* dead_;
  std::vector<std::pair<HloInstruction*, DimensionOrder>> reached_;
  InstructionSet is_reached_;
  // Where a dimension that a broadcast adds or a reduce removes goes is a
  // guess, which waits until no op follows from others.
  std::vector<std::pair<HloInstruction*, OrderedOp>> guesses_;
  absl::flat_hash_map<const HloInstruction*, Member> members_;
  std::vector<HloInstruction*> member_list_;  // as they were added
  int variables_ = 0;
  std::vector<Moved> moved_;
  std::vector<bool> values_;  // of variables
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LAYOUT_ORDER_REGION_H_
