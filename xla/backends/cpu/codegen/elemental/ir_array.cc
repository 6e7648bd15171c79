// Loads and stores: contiguous, strided, masked, complex.
#include "xla/backends/cpu/codegen/elemental/ir_array.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/MDBuilder.h"
#include "xla/backends/cpu/codegen/elementwise/small_float.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

std::vector<int> EverySecond(int lanes, int first) {
  std::vector<int> mask(lanes);
  for (int l = 0; l < lanes; ++l) mask[l] = 2 * l + first;
  return mask;
}

std::vector<int> Interleaved(int lanes) {
  std::vector<int> mask(2 * lanes);
  for (int l = 0; l < lanes; ++l) {
    mask[2 * l] = l;
    mask[2 * l + 1] = lanes + l;
  }
  return mask;
}

std::vector<int> Reversed(int lanes) {
  std::vector<int> mask(lanes);
  for (int l = 0; l < lanes; ++l) mask[l] = lanes - 1 - l;
  return mask;
}

// The positions of all lanes; as 32-bit numbers if they fit, since processors
// gather twice as many of these at once.
llvm::Value* Positions(llvm::IRBuilder<>& b, const AffineIndex& position,
                       int lanes) {
  llvm::Value* positions = AffineIndexBuilder(b, lanes).Materialize(position);
  if (position.min < 0 || position.max > INT32_MAX) return positions;
  return b.CreateTrunc(positions, WithLanes(b.getInt32Ty(), lanes));
}

constexpr int64_t kCacheLineBytes = 64;

// Lanes that are at most so many elements apart are shuffled out of vectors;
// gathers take as long as loads of single elements.
constexpr int64_t kMaxShuffledStep = 9;
constexpr int64_t kMaxMaskedStep = 4;
// In arrays of at most so many elements, so are any: loads, unlike gathers, are
// taken out of the loops that a small array is used in.
constexpr int64_t kMaxShuffledElements = 256;

// True if lanes at `position` of an array of `elements` elements are loaded
// with those between them. A mask must then be one of instructions: without
// them, each lane would be a branch.
bool IsShuffled(const EmitContext& context, const AffineIndex& position,
                const llvm::Type* scalar, int64_t elements) {
  if (!position.affine() || position.step < 2) return false;
  if (context.mask == nullptr) {
    return position.step <= kMaxShuffledStep ||
           elements <= kMaxShuffledElements;
  }
  if (position.step > kMaxMaskedStep) return false;
  if (context.target.has_avx512) return true;
  return context.target.has_avx && scalar->getPrimitiveSizeInBits() >= 32;
}

// Elements that lie close together, as distances from the first lane's base.
struct ElementRun {
  int64_t first, last;
};

// The elements in a gap that it pays to load with those around it.
constexpr int64_t kMaxGap = 4;

std::vector<ElementRun> RunsOf(std::vector<int64_t> offsets) {
  std::sort(offsets.begin(), offsets.end());
  std::vector<ElementRun> runs = {{offsets[0], offsets[0]}};
  for (const int64_t offset : offsets) {
    if (offset - runs.back().last > kMaxGap + 1) {
      runs.push_back({offset, offset});
    }
    runs.back().last = offset;
  }
  return runs;
}

// The elements of a run of `count` that lanes have which `mask` keeps; lane l
// has element from[l], if the run has one of that number.
llvm::Value* MaskOfRun(llvm::IRBuilder<>& b, llvm::Value* mask,
                       const std::vector<int>& from, int count) {
  const auto lanes = static_cast<int>(from.size());
  llvm::Value* const none = llvm::Constant::getNullValue(mask->getType());
  llvm::Value* kept = nullptr;
  // The lanes that have an element, one at a time.
  std::vector<int> next(count, 0);
  while (true) {
    std::vector<int> lane_of(count, lanes);  // the first of the zeros
    bool found = false;
    for (int i = 0; i < count; ++i) {
      int& l = next[i];
      while (l < lanes && from[l] != i) ++l;
      if (l == lanes) continue;
      lane_of[i] = l++;
      found = true;
    }
    if (!found) return kept;
    llvm::Value* const part = b.CreateShuffleVector(mask, none, lane_of);
    kept = kept == nullptr ? part : b.CreateOr(kept, part);
  }
}

bool IsComplex(const Shape& shape) {
  return primitive_util::IsComplexType(shape.element_type());
}

}  // namespace

IrArray IrArray::WithShape(const Shape* shape) const {
  IrArray result = *this;
  result.shape_ = shape;
  return result;
}

llvm::Type* IrArray::ElementType(llvm::LLVMContext& context) const {
  return MemoryType(context, shape_->element_type());
}

llvm::Value* IrArray::Address(llvm::IRBuilder<>& b,
                              llvm::Value* position) const {
  return b.CreateInBoundsGEP(ElementType(b.getContext()), base_, position);
}

// The alignment of the elements from `position` on, of `bytes` bytes each.
llvm::Align IrArray::AlignmentAt(const AffineIndex& position,
                                 int64_t bytes) const {
  // Position 0 is a multiple of everything.
  const int64_t divisor =
      position.divisor == 0 ? alignment_ : position.divisor * bytes;
  const int64_t common = std::gcd(alignment_, divisor);
  return llvm::Align(common & -common);
}

template <typename Inst>
Inst* IrArray::Annotate(Inst* instruction, bool is_load) const {
  if (is_load && invariant_) {
    instruction->setMetadata(llvm::LLVMContext::MD_invariant_load,
                             llvm::MDNode::get(instruction->getContext(), {}));
  }
  return instruction;
}

void IrArray::PrefetchAhead(EmitContext& context, llvm::Value* address,
                            int64_t bytes) const {
  Prefetch* prefetch = context.prefetch;
  if (prefetch == nullptr || bytes * 2 < kCacheLineBytes) return;
  const int64_t elements = ShapeUtil::ElementsIn(*shape_);
  // Smaller arrays than the second cache are in it, or soon will be.
  if (elements > prefetch->elements ||
      elements * ShapeUtil::ByteSizeOfPrimitiveType(shape_->element_type()) <
          prefetch->cached_bytes ||
      !prefetch->done.insert(base_).second) {
    return;
  }
  llvm::IRBuilder<>& b = context.b;
  for (int64_t at = 0; at < bytes; at += kCacheLineBytes) {
    llvm::Value* ahead = b.CreateGEP(b.getInt8Ty(), address,
                                     b.getInt64(prefetch->distance_bytes + at));
    // The operands say: a read, into all cache levels, of data.
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {ahead->getType()},
                      {ahead, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
  }
}

// Loads `count` elements at `address`, all of them or those of lanes that the
// mask keeps; lane l has element from[l], if there is one of that number.
llvm::Value* IrArray::LoadRun(EmitContext& context, llvm::Type* type,
                              llvm::Value* address, llvm::Align align,
                              const std::vector<int>& from, int count) const {
  llvm::IRBuilder<>& b = context.b;
  if (context.mask == nullptr) {
    return Annotate(b.CreateAlignedLoad(type, address, align), true);
  }
  return Annotate(b.CreateMaskedLoad(type, address, align,
                                     MaskOfRun(b, context.mask, from, count),
                                     llvm::Constant::getNullValue(type)),
                  true);
}

// Loads all elements from the first lane's to the last one's, and picks those
// of the lanes. The last vector ends with the last lane, so that nothing behind
// the array is read.
llvm::Value* IrArray::LoadStrided(EmitContext& context,
                                  const AffineIndex& position,
                                  int lanes) const {
  llvm::IRBuilder<>& b = context.b;
  llvm::Type* scalar = ElementType(b.getContext());
  const int64_t bytes = scalar->getPrimitiveSizeInBits() / 8;
  llvm::Type* type = WithLanes(scalar, lanes);
  const AffineIndexBuilder t(b, 1);
  AffineIndex first = position;
  first.step = 0;
  const int step = static_cast<int>(position.step);
  const int last = step * (lanes - 1);
  llvm::Value* picked = llvm::PoisonValue::get(type);
  for (int lane = 0; lane < lanes;) {
    const int begin = std::min(lane * step, last + 1 - lanes);
    const AffineIndex at = t.Add(first, begin);
    llvm::Value* const address = Address(b, at.base);
    const llvm::Align align = AlignmentAt(at, bytes);
    std::vector<int> element(lanes);
    for (int l = 0; l < lanes; ++l) element[l] = l * step - begin;
    llvm::Value* const part =
        LoadRun(context, type, address, align, element, lanes);
    std::vector<int> from;
    for (int l = 0; l < lane; ++l) from.push_back(l);
    for (; lane < lanes && lane * step < begin + lanes; ++lane) {
      from.push_back(lanes + lane * step - begin);
    }
    from.resize(lanes, llvm::PoisonMaskElem);
    picked = b.CreateShuffleVector(picked, part, from);
  }
  return picked;
}

// Loads each run of elements that lie close together once, and shuffles them
// into the lanes that have them. Null if there are so many runs that a load, a
// shuffle and a blend for each take longer than a gather.
llvm::Value* IrArray::LoadRuns(EmitContext& context,
                               const AffineIndex& position, int lanes) const {
  llvm::IRBuilder<>& b = context.b;
  llvm::Type* scalar = ElementType(b.getContext());
  const llvm::Align align(scalar->getPrimitiveSizeInBits() / 8);
  const std::vector<ElementRun> runs = RunsOf(*position.offsets);
  if (static_cast<int>(runs.size()) * 3 > lanes) return nullptr;
  llvm::Value* joined = nullptr;
  for (const ElementRun& run : runs) {
    const auto count = static_cast<int>(run.last - run.first + 1);
    std::vector<int> from(lanes, llvm::PoisonMaskElem);
    for (int l = 0; l < lanes; ++l) {
      const int64_t at = (*position.offsets)[l];
      if (at >= run.first && at <= run.last) {
        from[l] = static_cast<int>(at - run.first);
      }
    }
    llvm::Type* type = llvm::FixedVectorType::get(scalar, count);
    llvm::Value* address =
        Address(b, b.CreateAdd(position.start, b.getInt64(run.first)));
    llvm::Value* const loaded = b.CreateShuffleVector(
        LoadRun(context, type, address, align, from, count), from);
    if (joined == nullptr) {
      joined = loaded;
      continue;
    }
    std::vector<int> both(lanes);
    for (int l = 0; l < lanes; ++l) {
      both[l] = from[l] == llvm::PoisonMaskElem ? l : lanes + l;
    }
    joined = b.CreateShuffleVector(joined, loaded, both);
  }
  return joined;
}

// Loads real elements, which `position` counts, in memory form.
llvm::Value* IrArray::LoadReal(EmitContext& context,
                               const AffineIndex& position, int lanes) const {
  llvm::IRBuilder<>& b = context.b;
  llvm::Type* scalar = ElementType(b.getContext());
  const int64_t bytes = scalar->getPrimitiveSizeInBits() / 8;
  const AffineIndexBuilder t(b, lanes);
  if (position.uniform()) {
    // The base is in range even if no lane is active, so the load needs no
    // mask.
    llvm::LoadInst* load = b.CreateAlignedLoad(
        scalar, Address(b, position.base), AlignmentAt(position, bytes));
    return Splat(b, Annotate(load, true), lanes);
  }
  llvm::Type* type = WithLanes(scalar, lanes);
  const bool reversed = position.affine() && position.step == -1;
  if (lanes == 1 || (position.affine() && position.step == 1) ||
      (reversed && context.mask == nullptr)) {
    llvm::Value* first = lanes == 1 ? t.Materialize(position) : position.base;
    if (reversed && lanes > 1) {
      first = b.CreateSub(first, b.getInt64(lanes - 1));
    }
    const llvm::Align align =
        reversed ? llvm::Align(bytes) : AlignmentAt(position, bytes);
    llvm::Value* address = Address(b, first);
    if (context.mask != nullptr && lanes > 1) {
      return Annotate(b.CreateMaskedLoad(type, address, align, context.mask,
                                         llvm::Constant::getNullValue(type)),
                      true);
    }
    if (lanes > 1 && !reversed) {
      PrefetchAhead(context, address, bytes * lanes);
    }
    llvm::Value* value =
        Annotate(b.CreateAlignedLoad(type, address, align), true);
    if (reversed && lanes > 1) {
      value = b.CreateShuffleVector(value, Reversed(lanes));
    }
    return value;
  }
  if (IsShuffled(context, position, scalar, ShapeUtil::ElementsIn(*shape_))) {
    return LoadStrided(context, position, lanes);
  }
  if (position.offsets != nullptr) {
    if (llvm::Value* value = LoadRuns(context, position, lanes)) return value;
  }
  llvm::Value* addresses = Address(b, Positions(b, position, lanes));
  return Annotate(
      b.CreateMaskedGather(type, addresses, llvm::Align(bytes), context.mask,
                           llvm::Constant::getNullValue(type)),
      true);
}

void IrArray::StoreReal(EmitContext& context, const AffineIndex& position,
                        int lanes, llvm::Value* value) const {
  llvm::IRBuilder<>& b = context.b;
  const int64_t bytes = value->getType()->getScalarSizeInBits() / 8;
  const AffineIndexBuilder t(b, lanes);
  if (lanes == 1) {
    Annotate(b.CreateAlignedStore(value, Address(b, t.Materialize(position)),
                                  AlignmentAt(position, bytes)),
             false);
    return;
  }
  if (position.affine() && position.step == 1) {
    llvm::Value* address = Address(b, position.base);
    const llvm::Align align = AlignmentAt(position, bytes);
    if (context.mask != nullptr) {
      Annotate(b.CreateMaskedStore(value, address, align, context.mask), false);
      return;
    }
    llvm::StoreInst* store =
        Annotate(b.CreateAlignedStore(value, address, align), false);
    // Between rows whose ends are stored otherwise, a line in parts would leave
    // the processor's buffers more than once.
    const int64_t whole =
        std::min<int64_t>(bytes * lanes, context.target.vector_bytes);
    if (streaming_ && static_cast<int64_t>(align.value()) >= whole) {
      store->setMetadata(
          llvm::LLVMContext::MD_nontemporal,
          llvm::MDNode::get(b.getContext(),
                            llvm::ConstantAsMetadata::get(b.getInt32(1))));
    }
    return;
  }
  Annotate(
      b.CreateMaskedScatter(value, Address(b, Positions(b, position, lanes)),
                            llvm::Align(bytes), context.mask),
      false);
}

Element IrArray::LoadComplex(EmitContext& context, const AffineIndex& position,
                             int lanes) const {
  llvm::IRBuilder<>& b = context.b;
  const AffineIndexBuilder t(b, lanes);
  if (position.affine() && position.step == 1 && lanes > 1 &&
      context.mask == nullptr) {
    llvm::Type* scalar = ElementType(b.getContext());
    const int64_t bytes = scalar->getPrimitiveSizeInBits() / 8;
    const AffineIndex first = t.Multiply(position, 2);
    llvm::Value* pairs = Annotate(
        b.CreateAlignedLoad(WithLanes(scalar, 2 * lanes),
                            Address(b, first.base), AlignmentAt(first, bytes)),
        true);
    return {b.CreateShuffleVector(pairs, EverySecond(lanes, 0)),
            b.CreateShuffleVector(pairs, EverySecond(lanes, 1))};
  }
  const AffineIndex real = t.Multiply(position, 2);
  return {LoadReal(context, real, lanes),
          LoadReal(context, t.Add(real, 1), lanes)};
}

void IrArray::StoreComplex(EmitContext& context, const AffineIndex& position,
                           int lanes, const Element& element) const {
  llvm::IRBuilder<>& b = context.b;
  const AffineIndexBuilder t(b, lanes);
  if (position.affine() && position.step == 1 && lanes > 1 &&
      context.mask == nullptr) {
    const AffineIndex first = t.Multiply(position, 2);
    const int64_t bytes = element.value->getType()->getScalarSizeInBits() / 8;
    llvm::Value* pairs =
        b.CreateShuffleVector(element.value, element.imag, Interleaved(lanes));
    Annotate(b.CreateAlignedStore(pairs, Address(b, first.base),
                                  AlignmentAt(first, bytes)),
             false);
    return;
  }
  const AffineIndex real = t.Multiply(position, 2);
  StoreReal(context, real, lanes, element.value);
  StoreReal(context, t.Add(real, 1), lanes, element.imag);
}

Element IrArray::Load(EmitContext& context, const VectorIndex& index) const {
  const AffineIndex position = index.Linear(context.b, shape_->dimensions());
  if (IsComplex(*shape_)) return LoadComplex(context, position, index.lanes);
  llvm::Value* memory = LoadReal(context, position, index.lanes);
  return {FromMemory(context.b, shape_->element_type(), memory)};
}

void IrArray::Store(EmitContext& context, const VectorIndex& index,
                    const Element& element) const {
  const AffineIndex position = index.Linear(context.b, shape_->dimensions());
  const Element lanes = Splat(context.b, element, index.lanes);
  if (IsComplex(*shape_)) {
    StoreComplex(context, position, index.lanes, lanes);
    return;
  }
  llvm::Value* value = lanes.value;
  if (shape_->element_type() == BF16) {
    value = ForStoringBfloat16(context, value);
  }
  StoreReal(context, position, index.lanes,
            ToMemory(context.b, shape_->element_type(), value));
}

}  // namespace xla::cpu
