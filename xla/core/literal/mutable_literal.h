// MutableLiteralBase: literals whose elements can be written, by single
// elements, generators and copies. literal.h has the owner of the memory.
#ifndef XLA_CORE_LITERAL_MUTABLE_LITERAL_H_
#define XLA_CORE_LITERAL_MUTABLE_LITERAL_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/core/array/array.h"
#include "xla/core/array/array2d.h"
#include "xla/core/array/array3d.h"
#include "xla/core/array/array4d.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/shape.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class LiteralSlice;

// Not thread safe, except that different elements may be written at once.
class MutableLiteralBase : public LiteralBase {
 public:
  // Callers may only change fields that do not affect the memory.
  virtual Shape* mutable_shape_do_not_use() = 0;

  using LiteralBase::data;
  using LiteralBase::untyped_data;
  template <typename NativeT>
  absl::Span<NativeT> data(const ShapeIndex& shape_index = {}) {
    const LiteralPiece& p = TypedPiece(shape_index, TypeOf<NativeT>());
    return absl::MakeSpan(reinterpret_cast<NativeT*>(p.buffer),
                          static_cast<size_t>(p.element_count()));
  }
  void* untyped_data(const ShapeIndex& shape_index = {}) {
    return piece(shape_index).buffer;
  }

  // `size` must be at most the dimension's bound (CHECK). Makes a static
  // dimension dynamic.
  void SetDynamicSize(int64_t dim_index, const ShapeIndex& shape_index,
                      DynamicSizeType size);
  void SetDynamicSize(int64_t dim_index, DynamicSizeType size) {
    SetDynamicSize(dim_index, {}, size);
  }

  // Copies the values of a subtree of `src_literal` into a subtree of this.
  // Errors: InvalidArgument when the shapes are not compatible, layouts aside.
  // With `only_dynamic_bound`, both are dynamic or static, and only the box
  // that fits is copied.
  absl::Status CopyFrom(const LiteralSlice& src_literal,
                        const ShapeIndex& dest_shape_index = {},
                        const ShapeIndex& src_shape_index = {},
                        bool only_dynamic_bound = false);
  // Copies the box of `copy_size` elements at `src_base` to `dest_base`.
  // Errors: InvalidArgument for other types or ranks, and out of bounds.
  absl::Status CopySliceFrom(const LiteralSlice& src_literal,
                             absl::Span<const int64_t> src_base,
                             absl::Span<const int64_t> dest_base,
                             absl::Span<const int64_t> copy_size);
  absl::Status CopyElementFrom(const LiteralSlice& src_literal,
                               absl::Span<const int64_t> src_index,
                               absl::Span<const int64_t> dest_index);

  template <typename NativeT>
  void Set(absl::Span<const int64_t> multi_index, const ShapeIndex& shape_index,
           NativeT value) {
    const LiteralPiece& p = TypedPiece(shape_index, TypeOf<NativeT>());
    reinterpret_cast<NativeT*>(p.buffer)[p.LinearIndex(multi_index)] = value;
  }
  template <typename NativeT>
  void Set(absl::Span<const int64_t> multi_index, NativeT value) {
    Set<NativeT>(multi_index, {}, value);
  }
  template <typename NativeT>
  void SetLinear(int64_t linear_index, NativeT value) {
    data<NativeT>()[linear_index] = value;
  }
  // Errors: FailedPrecondition when the element type is of a different kind.
  absl::Status SetIntegralAsS64(absl::Span<const int64_t> multi_index,
                                int64_t value);
  absl::Status SetFromDouble(absl::Span<const int64_t> multi_index,
                             double value);

  // What the functions below take: generators return the value of an element,
  // populators write it.
  template <typename NativeT, typename Generator>
  using IsGenerator = std::enable_if_t<
      std::is_invocable_v<Generator, absl::Span<const int64_t>>>;
  template <typename NativeT, typename Generator>
  using IsParallelGenerator = std::enable_if_t<
      std::is_invocable_v<Generator, absl::Span<const int64_t>, int>>;
  template <typename NativeT, typename Generator>
  using IsLinearGenerator =
      std::enable_if_t<std::is_invocable_v<Generator, int64_t>>;
  template <typename NativeT, typename Generator>
  using IsLinearParallelGenerator =
      std::enable_if_t<std::is_invocable_v<Generator, int64_t, int>>;
  template <typename Populator>
  using IsPopulator = std::enable_if_t<
      std::is_invocable_v<Populator, void*, absl::Span<const int64_t>>>;
  template <typename Populator>
  using IsParallelPopulator = std::enable_if_t<
      std::is_invocable_v<Populator, void*, absl::Span<const int64_t>, int>>;
  template <typename Populator>
  using IsLinearPopulator =
      std::enable_if_t<std::is_invocable_v<Populator, void*, int64_t>>;
  template <typename Populator>
  using IsLinearParallelPopulator =
      std::enable_if_t<std::is_invocable_v<Populator, void*, int64_t, int>>;

  // Call `generator` for each element, in memory order. The parallel forms
  // exist for XLA's callers; they run on the calling thread, as thread -1.
  // Errors: InvalidArgument when this is not an array of NativeT.
  template <typename NativeT, typename Generator,
            IsGenerator<NativeT, Generator>* = nullptr>
  absl::Status Populate(Generator&& generator) {
    TF_RETURN_IF_ERROR(CheckArrayOf(TypeOf<NativeT>()));
    return PopulateInplace([&](void* dest, absl::Span<const int64_t> index) {
      *static_cast<NativeT*>(dest) = generator(index);
    });
  }
  template <typename NativeT, typename Generator,
            IsParallelGenerator<NativeT, Generator>* = nullptr>
  absl::Status PopulateParallel(Generator&& generator) {
    return Populate<NativeT>([&](absl::Span<const int64_t> index) -> NativeT {
      return generator(index, /*thread_id=*/-1);
    });
  }
  template <typename NativeT, typename Generator,
            IsLinearGenerator<NativeT, Generator>* = nullptr>
  absl::Status PopulateLinear(Generator&& generator) {
    TF_RETURN_IF_ERROR(CheckArrayOf(TypeOf<NativeT>()));
    int64_t i = 0;
    for (NativeT& element : data<NativeT>()) element = generator(i++);
    return absl::OkStatus();
  }
  template <typename NativeT, typename Generator,
            IsLinearParallelGenerator<NativeT, Generator>* = nullptr>
  absl::Status PopulateLinearParallel(Generator&& generator) {
    return PopulateLinear<NativeT>(
        [&](int64_t i) -> NativeT { return generator(i, /*thread_id=*/-1); });
  }
  // Calls `per_cell` with every element, in row-major order, and stores what it
  // returns.
  template <typename NativeT>
  void MutableEachCell(absl::FunctionRef<NativeT(
                           absl::Span<const int64_t> indices, NativeT value)>
                           per_cell) {
    TypedPiece({}, TypeOf<NativeT>());
    EachElement([&](absl::Span<const int64_t> indices, const void* value) {
      NativeT* element = static_cast<NativeT*>(const_cast<void*>(value));
      *element = per_cell(indices, *element);
      return true;
    });
  }

  // Like the above, but `populator` writes the element at `dest` itself.
  template <typename Populator, IsPopulator<Populator>* = nullptr>
  absl::Status PopulateInplace(Populator&& populator) {
    return WriteEach([&](void* dest, absl::Span<const int64_t> indices) {
      populator(dest, indices);
    });
  }
  template <typename Populator, IsParallelPopulator<Populator>* = nullptr>
  absl::Status PopulateInplaceParallel(Populator&& populator) {
    return WriteEach([&](void* dest, absl::Span<const int64_t> indices) {
      populator(dest, indices, /*thread_id=*/-1);
    });
  }
  template <typename Populator, IsLinearPopulator<Populator>* = nullptr>
  absl::Status PopulateLinearInplace(Populator&& populator) {
    return WriteLinear([&](void* dest, int64_t i) { populator(dest, i); });
  }
  template <typename Populator, IsLinearParallelPopulator<Populator>* = nullptr>
  absl::Status PopulateLinearInplaceParallel(Populator&& populator) {
    return WriteLinear(
        [&](void* dest, int64_t i) { populator(dest, i, /*thread_id=*/-1); });
  }

  template <typename NativeT>
  void PopulateWithValue(NativeT value) {
    for (NativeT& element : data<NativeT>()) element = value;
  }
  // The shape, or its dynamic sizes, must already match the values (CHECK).
  template <typename NativeT>
  void PopulateR1(absl::Span<const NativeT> values) {
    CopyRowMajor(values.data(), {static_cast<int64_t>(values.size())},
                 TypeOf<NativeT>());
  }
  // Fills PRED[n] from n bits.
  void PopulateR1(const tsl::core::Bitmap& values);
  template <typename NativeT>
  void PopulateR2(
      std::initializer_list<std::initializer_list<NativeT>> values) {
    PopulateFromArray(Array<NativeT>(values));
  }
  template <typename NativeT>
  void PopulateFromArray(const Array<NativeT>& values) {
    CopyRowMajor(values.data(), values.dimensions(), TypeOf<NativeT>());
  }
  template <typename NativeT>
  void PopulateR2FromArray2D(const Array2D<NativeT>& values) {
    PopulateFromArray(values);
  }
  template <typename NativeT>
  void PopulateR3FromArray3D(const Array3D<NativeT>& values) {
    PopulateFromArray(values);
  }
  template <typename NativeT>
  void PopulateR4FromArray4D(const Array4D<NativeT>& values) {
    PopulateFromArray(values);
  }

  // Makes a tuple of the elements and leaves them empty.
  static Literal MoveIntoTuple(absl::Span<Literal> elements);
  // Errors: InvalidArgument for an invalid shape, a field of the wrong type,
  // the wrong number of elements and, if prohibited, no elements for a shape
  // that needs some; and those of LiteralBytes.
  static absl::StatusOr<Literal> CreateFromProto(
      const LiteralProto& proto, bool prohibit_empty_literal = true);

 protected:
  absl::Status CheckArrayOf(PrimitiveType type) const;
  // Call `write` with the place of each element. Errors: InvalidArgument when
  // this is not an array.
  absl::Status WriteEach(
      absl::FunctionRef<void(void* dest, absl::Span<const int64_t> indices)>
          write);
  absl::Status WriteLinear(
      absl::FunctionRef<void(void* dest, int64_t linear_index)> write);
  // Checks type and dimensions, then copies from row-major order.
  void CopyRowMajor(const void* values, absl::Span<const int64_t> dimensions,
                    PrimitiveType type);
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_MUTABLE_LITERAL_H_
