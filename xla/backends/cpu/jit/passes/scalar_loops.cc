// Both passes check only what they need: most functions have neither clamps
// that can go nor chains.
#include "xla/backends/cpu/jit/passes/scalar_loops.h"

#include <vector>

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace xla::cpu {
namespace {

// The most instructions of a chain; minima do not dominate the time of a longer
// one. A chain's vectors are 128 bits wide and use one lane of four.
constexpr size_t kLongestChain = 32;
constexpr unsigned kChainLanes = 4;

// True if `bound` has no effect where it stands.
bool IsKept(llvm::MinMaxIntrinsic& bound, llvm::ScalarEvolution& evolution) {
  if (!evolution.isSCEVable(bound.getType())) return false;
  // min(x, y) is x where x <= y.
  const llvm::CmpInst::Predicate predicate =
      llvm::ICmpInst::getNonStrictPredicate(bound.getPredicate());
  return evolution.isKnownPredicateAt(
      predicate, evolution.getSCEV(bound.getLHS()),
      evolution.getSCEV(bound.getRHS()), &bound);
}

// One integer that a loop carries, and everything in the loop that is computed
// from it.
class Chain {
 public:
  Chain(llvm::PHINode& phi, const llvm::Loop& loop) : phi_(phi), loop_(loop) {}

  // True if the chain may be in vector registers and is faster there.
  bool Find(const llvm::TargetTransformInfo& costs) {
    const llvm::BasicBlock* latch = loop_.getLoopLatch();
    if (!phi_.getType()->isIntegerTy(32) || latch == nullptr ||
        phi_.getNumIncomingValues() != 2) {
      return false;
    }
    members_.insert(&phi_);
    bool bounded = false;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (!AddUsers(members_[i])) return false;
      if (i > 0 && llvm::isa<llvm::MinMaxIntrinsic>(members_[i])) {
        if (!IsCheap(*members_[i], costs)) return false;
        bounded = true;
      }
    }
    auto* next =
        llvm::dyn_cast<llvm::Instruction>(phi_.getIncomingValueForBlock(latch));
    return bounded && next != &phi_ && members_.contains(next);
  }

  void Move() {
    for (llvm::Instruction* member : members_) MakeVector(*member);
    for (llvm::Instruction* member : members_) FillOperands(*member);
    for (llvm::Instruction* member : members_) ReplaceOtherUses(*member);
    for (llvm::Instruction* member : members_) member->dropAllReferences();
    for (llvm::Instruction* member : members_) member->eraseFromParent();
  }

 private:
  // True if the instruction takes no longer in a vector register.
  static bool MayMove(const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::MinMaxIntrinsic>(instruction)) return true;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        return true;
      default:
        return false;
    }
  }

  // Returns false if something other than the chain waits for `member`: it
  // would wait longer.
  bool AddUsers(llvm::Instruction* member) {
    for (llvm::User* user : member->users()) {
      auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (!loop_.contains(instruction) || instruction == &phi_) continue;
      if (llvm::isa<llvm::StoreInst>(instruction)) continue;
      if (!MayMove(*instruction) || members_.size() == kLongestChain) {
        return false;
      }
      members_.insert(instruction);
    }
    return true;
  }

  static llvm::Type* VectorType(const llvm::Instruction& member) {
    return llvm::FixedVectorType::get(member.getType(), kChainLanes);
  }

  static bool IsCheap(const llvm::Instruction& bound,
                      const llvm::TargetTransformInfo& costs) {
    llvm::Type* type = VectorType(bound);
    const llvm::IntrinsicCostAttributes call(
        llvm::cast<llvm::MinMaxIntrinsic>(bound).getIntrinsicID(), type,
        {type, type});
    return costs.getIntrinsicInstrCost(
               call, llvm::TargetTransformInfo::TCK_Latency) <= 1;
  }

  llvm::Value* VectorOf(llvm::Value* value, llvm::IRBuilder<>& b) {
    if (const auto found = vectors_.find(value); found != vectors_.end()) {
      return found->second;
    }
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      return llvm::ConstantVector::getSplat(
          llvm::ElementCount::getFixed(kChainLanes), constant);
    }
    llvm::Value* none = llvm::PoisonValue::get(
        llvm::FixedVectorType::get(value->getType(), kChainLanes));
    return b.CreateInsertElement(none, value, uint64_t{0});
  }

  // Members may use later ones, so operands are filled in afterwards.
  void MakeVector(llvm::Instruction& member) {
    llvm::IRBuilder<> b(&member);
    llvm::Type* type = VectorType(member);
    llvm::Value* none = llvm::PoisonValue::get(type);
    llvm::Instruction* vector;
    if (&member == &phi_) {
      vector = b.CreatePHI(type, 2);
    } else if (auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&member)) {
      vector = b.CreateIntrinsic(bound->getIntrinsicID(), {type}, {none, none});
    } else {
      // Bypasses the builder, which would fold it.
      vector = b.Insert(llvm::BinaryOperator::Create(
          static_cast<llvm::Instruction::BinaryOps>(member.getOpcode()), none,
          none));
    }
    vectors_[&member] = vector;
  }

  void FillOperands(llvm::Instruction& member) {
    auto* vector = llvm::cast<llvm::Instruction>(vectors_[&member]);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(vector)) {
      for (unsigned i = 0; i < phi_.getNumIncomingValues(); ++i) {
        llvm::BasicBlock* from = phi_.getIncomingBlock(i);
        llvm::IRBuilder<> b(from->getTerminator());
        phi->addIncoming(VectorOf(phi_.getIncomingValue(i), b), from);
      }
      return;
    }
    llvm::IRBuilder<> b(vector);
    for (unsigned i = 0; i < 2; ++i) {
      vector->setOperand(i, VectorOf(member.getOperand(i), b));
    }
  }

  void ReplaceOtherUses(llvm::Instruction& member) {
    llvm::Value* scalar = nullptr;
    for (llvm::Use& use : llvm::make_early_inc_range(member.uses())) {
      if (members_.contains(llvm::cast<llvm::Instruction>(use.getUser()))) {
        continue;
      }
      if (scalar == nullptr) {
        auto* vector = llvm::cast<llvm::Instruction>(vectors_[&member]);
        llvm::IRBuilder<> b(vector->getParent(),
                            *vector->getInsertionPointAfterDef());
        scalar = b.CreateExtractElement(vector, uint64_t{0});
      }
      use.set(scalar);
    }
  }

  llvm::PHINode& phi_;
  const llvm::Loop& loop_;
  llvm::SmallSetVector<llvm::Instruction*, 16> members_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> vectors_;
};

}  // namespace

llvm::PreservedAnalyses KeptBoundsPass::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  std::vector<llvm::MinMaxIntrinsic*> bounds;
  const llvm::LoopInfo& loops =
      analyses.getResult<llvm::LoopAnalysis>(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* bound = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
    if (bound != nullptr && llvm::isa<llvm::ConstantInt>(bound->getRHS()) &&
        loops.getLoopFor(bound->getParent()) != nullptr) {
      bounds.push_back(bound);
    }
  }
  if (bounds.empty()) return llvm::PreservedAnalyses::all();
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  // Bounds on which others depend come first, as they dominate these.
  for (llvm::MinMaxIntrinsic* bound : bounds) {
    if (!IsKept(*bound, evolution)) continue;
    evolution.forgetValue(bound);
    bound->replaceAllUsesWith(bound->getLHS());
    bound->eraseFromParent();
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

llvm::PreservedAnalyses VectorChainsPass::run(
    llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(function);
  bool changed = false;
  const llvm::LoopInfo& loops =
      analyses.getResult<llvm::LoopAnalysis>(function);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    std::vector<llvm::PHINode*> carried;
    for (llvm::PHINode& phi : loop->getHeader()->phis()) {
      carried.push_back(&phi);
    }
    for (llvm::PHINode* phi : carried) {
      Chain chain(*phi, *loop);
      if (!chain.Find(costs)) continue;
      chain.Move();
      changed = true;
    }
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace xla::cpu
