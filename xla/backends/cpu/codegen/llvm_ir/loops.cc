// Blocks and phis of loops.
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"

#include <algorithm>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

llvm::BasicBlock* NewBlock(llvm::IRBuilder<>& b, const char* name) {
  return llvm::BasicBlock::Create(b.getContext(), name,
                                  b.GetInsertBlock()->getParent());
}

}  // namespace

absl::Status EmitFor(llvm::IRBuilder<>& b, llvm::Value* begin, llvm::Value* end,
                     int64_t step,
                     const std::function<absl::Status(llvm::Value* i)>& body,
                     int64_t straight) {
  auto* first = llvm::dyn_cast<llvm::ConstantInt>(begin);
  auto* limit = llvm::dyn_cast<llvm::ConstantInt>(end);
  const bool known = first != nullptr && limit != nullptr;
  if (known) {
    const int64_t iterations =
        CeilOfRatio(limit->getSExtValue() - first->getSExtValue(), step);
    if (iterations <= straight) {
      for (int64_t i = 0; i < iterations; ++i) {
        TF_RETURN_IF_ERROR(body(b.getInt64(first->getSExtValue() + i * step)));
      }
      return absl::OkStatus();
    }
  }
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* loop = NewBlock(b, "loop");
  llvm::BasicBlock* after = NewBlock(b, "after");
  if (known) {
    b.CreateBr(loop);
  } else {
    b.CreateCondBr(b.CreateICmpSLT(begin, end), loop, after);
  }
  b.SetInsertPoint(loop);
  llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2, "i");
  i->addIncoming(begin, before);
  TF_RETURN_IF_ERROR(body(i));
  llvm::Value* next = b.CreateAdd(i, b.getInt64(step), "", true, true);
  i->addIncoming(next, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSLT(next, end), loop, after);
  b.SetInsertPoint(after);
  return absl::OkStatus();
}

absl::Status EmitForEach(
    llvm::IRBuilder<>& b, absl::Span<const int64_t> sizes,
    const std::function<absl::Status(absl::Span<llvm::Value* const> index)>&
        body,
    int64_t straight) {
  int64_t indices = 1;
  for (int64_t size : sizes) indices = std::min(indices, straight + 1) * size;
  const int64_t straight_each = indices <= straight ? straight : 1;
  std::vector<llvm::Value*> index;
  const std::function<absl::Status()> nest = [&]() -> absl::Status {
    if (index.size() == sizes.size()) return body(index);
    return EmitFor(
        b, b.getInt64(0), b.getInt64(sizes[index.size()]), 1,
        [&](llvm::Value* i) {
          index.push_back(i);
          absl::Status status = nest();
          index.pop_back();
          return status;
        },
        straight_each);
  };
  return nest();
}

absl::Status EmitWhen(llvm::IRBuilder<>& b, llvm::Value* condition,
                      const std::function<absl::Status()>& then) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    return known->isOne() ? then() : absl::OkStatus();
  }
  llvm::BasicBlock* yes = NewBlock(b, "then");
  llvm::BasicBlock* after = NewBlock(b, "after");
  b.CreateCondBr(condition, yes, after);
  b.SetInsertPoint(yes);
  TF_RETURN_IF_ERROR(then());
  b.CreateBr(after);
  b.SetInsertPoint(after);
  return absl::OkStatus();
}

llvm::Value* AtMost(llvm::IRBuilder<>& b, llvm::Value* x, int64_t limit) {
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, x, b.getInt64(limit));
}

llvm::AllocaInst* EntryAlloca(llvm::IRBuilder<>& b, llvm::Type* type,
                              int64_t count, int64_t alignment) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::Type* array = count == 1 ? type : llvm::ArrayType::get(type, count);
  llvm::AllocaInst* alloca = at_entry.CreateAlloca(array);
  if (alignment > 0) alloca->setAlignment(llvm::Align(alignment));
  return alloca;
}

}  // namespace xla::cpu
