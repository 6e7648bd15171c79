// IrArray: an array in memory, as generated code reads and writes it.
#ifndef XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_IR_ARRAY_H_
#define XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_IR_ARRAY_H_

#include <cstdint>
#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "xla/backends/cpu/codegen/elemental/vector_index.h"
#include "xla/backends/cpu/codegen/llvm_ir/element.h"
#include "xla/core/shape.h"

namespace xla::cpu {

// Elements are stored densely in row-major order; types below 8 bits take a
// byte, complex elements are pairs.
class IrArray {
 public:
  IrArray() = default;
  // `alignment` is that of `base` in bytes. `shape` is borrowed.
  IrArray(llvm::Value* base, const Shape* shape, int64_t alignment = 64)
      : base_(base), shape_(shape), alignment_(alignment) {}

  llvm::Value* base() const { return base_; }
  const Shape& shape() const { return *shape_; }
  bool is_null() const { return base_ == nullptr; }

  // The same memory as an array of another shape with the same number of
  // elements.
  IrArray WithShape(const Shape* shape) const;

  // Declares that nothing in the function writes to the array.
  void set_invariant(bool invariant) { invariant_ = invariant; }
  bool invariant() const { return invariant_; }
  // Makes stores bypass the caches; for arrays that exceed them.
  void set_streaming(bool streaming) { streaming_ = streaming; }

  // Loads the elements at `index`, which must be within bounds for all active
  // lanes: one scalar, a contiguous vector, shuffled ones if lanes are constant
  // distances apart and mostly close together, or a gather.
  Element Load(EmitContext& context, const VectorIndex& index) const;
  void Store(EmitContext& context, const VectorIndex& index,
             const Element& element) const;

 private:
  llvm::Type* ElementType(llvm::LLVMContext& context) const;
  llvm::Value* Address(llvm::IRBuilder<>& b, llvm::Value* position) const;
  llvm::Value* LoadReal(EmitContext& context, const AffineIndex& position,
                        int lanes) const;
  llvm::Value* LoadStrided(EmitContext& context, const AffineIndex& position,
                           int lanes) const;
  llvm::Value* LoadRun(EmitContext& context, llvm::Type* type,
                       llvm::Value* address, llvm::Align align,
                       const std::vector<int>& from, int count) const;
  llvm::Value* LoadRuns(EmitContext& context, const AffineIndex& position,
                        int lanes) const;
  void StoreReal(EmitContext& context, const AffineIndex& position, int lanes,
                 llvm::Value* value) const;
  // Prefetches the cache lines some distance ahead of a vector of `bytes` bytes
  // at `address`, if the context asks for it and the array is large.
  void PrefetchAhead(EmitContext& context, llvm::Value* address,
                     int64_t bytes) const;
  Element LoadComplex(EmitContext& context, const AffineIndex& position,
                      int lanes) const;
  void StoreComplex(EmitContext& context, const AffineIndex& position,
                    int lanes, const Element& element) const;
  llvm::Align AlignmentAt(const AffineIndex& position, int64_t bytes) const;
  template <typename Inst>
  Inst* Annotate(Inst* instruction, bool is_load) const;

  llvm::Value* base_ = nullptr;
  const Shape* shape_ = nullptr;
  int64_t alignment_ = 64;
  bool invariant_ = false;
  bool streaming_ = false;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_CODEGEN_ELEMENTAL_IR_ARRAY_H_
