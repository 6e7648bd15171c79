// Loops over tiles. Each tile computes the operands of transposes along their
// rows, transposes them in registers, then runs the loop's body row by row. If
// rows are short, it runs the body column by column and transposes the results.
#include "xla/backends/cpu/codegen/loops/tiled_loop.h"

#include <functional>
#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "xla/backends/cpu/codegen/llvm_ir/loops.h"
#include "xla/backends/cpu/codegen/llvm_ir/transpose_vectors.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/indexing/moved_elements.h"

namespace xla::cpu {
namespace {

// The value of a transpose in the rows of a tile.
struct TransposedRows {
  // In registers, one element per row, for bodies that are emitted for each
  // row.
  std::vector<Element> rows;
  // Otherwise in memory, as arrays of vectors.
  llvm::Value* real = nullptr;
  llvm::Value* imag = nullptr;
  llvm::Type* type = nullptr;
  Element current;  // in the current row
};

// Arrays of the vectors before the transposition.
struct Columns {
  llvm::Value* real = nullptr;
  llvm::Value* imag = nullptr;
};

// True if the value and all that it is computed from, down to parameters, are
// few instructions.
bool IsShort(const HloInstruction* value) {
  // The most instructions of an operand that is emitted once for each column of
  // a tile, not in a loop.
  constexpr size_t kShort = 5;
  std::vector<const HloInstruction*> work = {value};
  for (size_t next = 0; next < work.size(); ++next) {
    if (work.size() > kShort) return false;
    if (IsCostly(work[next]->opcode())) return false;
    // The operands of an op outside a fusion are in memory.
    if (!work[next]->parent()->IsFusionComputation()) continue;
    for (const HloInstruction* operand : work[next]->operands()) {
      work.push_back(operand);
    }
  }
  return true;
}

class TiledLoop {
 public:
  TiledLoop(ElementalEmitter& emitter, const TilePlan& plan,
            absl::Span<const LoopOutput> outputs, bool simple, bool in_place)
      : emitter_(emitter),
        b_(emitter.b()),
        plan_(plan),
        outputs_(outputs),
        simple_(simple),
        in_place_(in_place),
        rows_(plan.shape->dimensions(plan.across)),
        columns_(plan.shape->dimensions(plan.inner)),
        transposed_(plan.transposes.size()),
        columns_of_(plan.transposes.size()) {}

  absl::Status Emit(llvm::Value* begin, llvm::Value* end) {
    for (size_t i = 0; i < transposed_.size(); ++i) BindTranspose(i);
    return EmitFor(b_, begin, end, 1, [&](llvm::Value* workgroup) {
      return EmitWorkgroup(workgroup);
    });
  }

 private:
  absl::Status EmitWorkgroup(llvm::Value* workgroup) {
    ElementalEmitter::Scope scope(emitter_);
    VectorIndex place{.lanes = 1};
    place.linear =
        AffineIndex{.base = workgroup, .min = 0, .max = plan_.workgroups() - 1};
    place.MakeTerms(b_, {plan_.rest, plan_.bands, plan_.strips});
    outer_ = VectorIndex{.lanes = 1};
    outer_.linear = place.terms[0];
    outer_.MakeTerms(b_, plan_.outer);
    llvm::Value* row =
        b_.CreateMul(place.terms[1].base, b_.getInt64(plan_.band));
    llvm::Value* column =
        b_.CreateMul(place.terms[2].base, b_.getInt64(plan_.strip));
    auto end_of = [&](llvm::Value* start, int64_t step, int64_t size) {
      return AtMost(b_, b_.CreateAdd(start, b_.getInt64(step)), size);
    };
    llvm::Value* row_end = end_of(row, plan_.band, rows_);
    llvm::Value* column_end = end_of(column, plan_.strip, columns_);
    return EmitFor(b_, column, column_end, plan_.columns, [&](llvm::Value* c) {
      return EmitFor(b_, row, row_end, plan_.rows,
                     [&](llvm::Value* r) { return EmitTileAt(r, c); });
    });
  }

  absl::Status EmitTileAt(llvm::Value* row, llvm::Value* column) {
    const int64_t rows = plan_.rows;
    const int64_t columns = plan_.columns;
    const bool whole_rows = rows_ % rows == 0;
    const bool whole_columns = columns_ % columns == 0;
    if (!in_place_ || (whole_rows && whole_columns)) {
      // Tiles at an edge begin earlier and compute some elements again.
      if (!whole_rows) row = AtMost(b_, row, rows_ - rows);
      if (!whole_columns) column = AtMost(b_, column, columns_ - columns);
      return EmitTile({.base = row, .divisor = whole_rows ? rows : 1},
                      {.base = column, .divisor = whole_columns ? columns : 1});
    }
    llvm::Value* whole =
        b_.CreateAnd(b_.CreateICmpSLE(row, b_.getInt64(rows_ - rows)),
                     b_.CreateICmpSLE(column, b_.getInt64(columns_ - columns)));
    TF_RETURN_IF_ERROR(EmitWhen(b_, whole, [&] {
      return EmitTile({.base = row, .divisor = rows},
                      {.base = column, .divisor = columns});
    }));
    return EmitWhen(b_, b_.CreateNot(whole), [&] {
      llvm::Value* row_end =
          AtMost(b_, b_.CreateAdd(row, b_.getInt64(rows)), rows_);
      llvm::Value* column_end =
          AtMost(b_, b_.CreateAdd(column, b_.getInt64(columns)), columns_);
      return EmitFor(b_, row, row_end, 1, [&](llvm::Value* r) {
        return EmitFor(b_, column, column_end, 1, [&](llvm::Value* c) {
          return EmitFor(b_, b_.getInt64(0), b_.getInt64(plan_.channels), 1,
                         [&](llvm::Value* channel) {
                           channel_ = {.base = channel,
                                       .min = 0,
                                       .max = plan_.channels - 1};
                           return EmitBody({.base = r}, {.base = c}, 1);
                         });
        });
      });
    });
  }

  absl::Status EmitTile(AffineIndex row, AffineIndex column) {
    ElementalEmitter::Scope scope(emitter_);
    if (plan_.kind == TileKind::kFewColumns) {
      return EmitFewColumns(row, column);
    }
    if (plan_.kind == TileKind::kFewRows) return EmitFewRows(column);
    if (plan_.kind == TileKind::kPixels) return EmitPixels(row, column);
    for (size_t i = 0; i < transposed_.size(); ++i) {
      TF_RETURN_IF_ERROR(TransposeOperand(i, row, column));
    }
    const int lanes = plan_.columns;
    column.step = 1;
    if (simple_) {
      for (int r = 0; r < plan_.rows; ++r) {
        for (TransposedRows& transposed : transposed_)
          transposed.current = transposed.rows[r];
        AffineIndex at = row;
        if (r > 0) {
          at.base = b_.CreateAdd(row.base, b_.getInt64(r), "", true, true);
          at.divisor = 1;
        }
        TF_RETURN_IF_ERROR(EmitBody(at, column, lanes));
      }
      return absl::OkStatus();
    }
    return EmitFor(
        b_, b_.getInt64(0), b_.getInt64(plan_.rows), 1, [&](llvm::Value* r) {
          for (TransposedRows& transposed : transposed_) LoadRow(transposed, r);
          return EmitBody({.base = b_.CreateAdd(row.base, r, "", true, true)},
                          column, lanes);
        });
  }

  // Emits the outputs at the indices of a tile, all of them before the first
  // store, with no transpose in registers; result[i] are those of output i.
  absl::StatusOr<std::vector<std::vector<Element>>> EmitOutputs(
      absl::Span<const VectorIndex> indices) {
    index_ = VectorIndex{};
    std::vector<std::vector<Element>> elements(outputs_.size());
    for (const VectorIndex& index : indices) {
      for (size_t i = 0; i < outputs_.size(); ++i) {
        TF_ASSIGN_OR_RETURN(
            Element element,
            emitter_.Emit(BeforeReshapes(outputs_[i].value), index));
        elements[i].push_back(Splat(b_, element, index.lanes));
      }
    }
    return elements;
  }

  // Computes the columns of a tile as vectors along its rows.
  absl::Status EmitFewColumns(const AffineIndex& row,
                              const AffineIndex& column) {
    const int lanes = plan_.rows;
    AffineIndex rows = row;
    rows.step = 1;
    std::vector<VectorIndex> indices;
    for (int c = 0; c < plan_.columns; ++c) {
      indices.push_back(
          IndexAt(rows, AffineIndexBuilder(b_, lanes).Constant(c), lanes));
    }
    TF_ASSIGN_OR_RETURN(const auto elements, EmitOutputs(indices));
    for (size_t i = 0; i < outputs_.size(); ++i) {
      StoreInterleaved(i, IndexAt(row, column, 1), elements[i], plan_.rows);
    }
    return absl::OkStatus();
  }

  // Transposes the squares of all channels, then computes their rows.
  absl::Status EmitPixels(const AffineIndex& row, AffineIndex column) {
    const AffineIndexBuilder t(b_, 1);
    const int lanes = plan_.columns;
    std::vector<std::vector<std::vector<Element>>> squares;  // by channel
    for (int k = 0; k < plan_.channels; ++k) {
      channel_ = t.Constant(k);
      squares.emplace_back();
      for (size_t i = 0; i < transposed_.size(); ++i) {
        TF_RETURN_IF_ERROR(TransposeOperand(i, row, column));
        squares.back().push_back(transposed_[i].rows);
      }
    }
    for (int r = 0; r < plan_.rows; ++r) {
      ElementalEmitter::Scope scope(emitter_);
      AffineIndex at = row;
      if (r > 0) at = {.base = b_.CreateAdd(row.base, b_.getInt64(r))};
      AffineIndex vector = column;
      vector.step = 1;
      std::vector<std::vector<Element>> elements(outputs_.size());
      for (int k = 0; k < plan_.channels; ++k) {
        channel_ = t.Constant(k);
        for (size_t i = 0; i < transposed_.size(); ++i) {
          transposed_[i].current = squares[k][i][r];
        }
        index_ = IndexAt(at, vector, lanes);
        for (size_t i = 0; i < outputs_.size(); ++i) {
          TF_ASSIGN_OR_RETURN(
              Element element,
              emitter_.Emit(BeforeReshapes(outputs_[i].value), index_));
          elements[i].push_back(Splat(b_, element, lanes));
        }
      }
      channel_ = t.Constant(0);
      for (size_t i = 0; i < outputs_.size(); ++i) {
        StoreInterleaved(i, IndexAt(at, column, 1), elements[i], lanes);
      }
    }
    return absl::OkStatus();
  }

  // Computes each row of a tile; they read the same cache lines.
  absl::Status EmitFewRows(AffineIndex column) {
    const int lanes = plan_.columns;
    column.step = 1;
    std::vector<VectorIndex> indices;
    for (int r = 0; r < plan_.rows; ++r) {
      indices.push_back(
          IndexAt(AffineIndexBuilder(b_, lanes).Constant(r), column, lanes));
    }
    TF_ASSIGN_OR_RETURN(const auto elements, EmitOutputs(indices));
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Shape& shape = BeforeReshapes(outputs_[i].value)->shape();
      const IrArray array = outputs_[i].array.WithShape(&shape);
      for (int r = 0; r < plan_.rows; ++r) {
        array.Store(emitter_.context(), indices[r], elements[i][r]);
      }
    }
    return absl::OkStatus();
  }

  // Stores the columns of output `i`, vectors of `lanes` lanes, whose first
  // element is at `first`.
  void StoreInterleaved(size_t i, const VectorIndex& first,
                        absl::Span<const Element> columns, int lanes) {
    const Shape& shape = BeforeReshapes(outputs_[i].value)->shape();
    const IrArray array = outputs_[i].array.WithShape(&shape);
    std::vector<llvm::Value*> reals, imags;
    for (const Element& column : columns) {
      reals.push_back(column.value);
      if (column.imag != nullptr) imags.push_back(column.imag);
    }
    reals = InterleaveVectors(b_, reals);
    if (!imags.empty()) imags = InterleaveVectors(b_, imags);
    AffineIndex at = first.Linear(b_, shape.dimensions());
    at.step = 1;
    for (size_t v = 0; v < reals.size(); ++v) {
      VectorIndex index{.lanes = lanes};
      index.linear = AffineIndexBuilder(b_, lanes).Add(
          at, static_cast<int64_t>(v) * lanes);
      array.Store(emitter_.context(), index,
                  {reals[v], imags.empty() ? nullptr : imags[v]});
    }
  }

  // Computes the operand of transpose `i` in the tile and transposes it.
  absl::Status TransposeOperand(size_t i, AffineIndex row, AffineIndex column) {
    const int n = plan_.rows;
    const HloInstruction& transpose = *plan_.transposes[i];
    const PrimitiveType type = transpose.shape().element_type();
    const bool is_complex = primitive_util::IsComplexType(type);
    row.step = 1;
    // The operand in column c of the tile, in memory form.
    auto emit_column = [&](llvm::Value* c) -> absl::StatusOr<Element> {
      ElementalEmitter::Scope scope(emitter_);
      AffineIndex at{.base = b_.CreateAdd(column.base, c, "", true, true)};
      TF_ASSIGN_OR_RETURN(
          Element element,
          emitter_.Emit(transpose.operand(0),
                        OperandIndex(transpose, IndexAt(row, at, n))));
      element = Splat(b_, element, n);
      if (!is_complex) element.value = ToMemory(b_, type, element.value);
      return element;
    };
    std::vector<llvm::Value*> reals, imags;
    if (IsShort(transpose.operand(0))) {
      for (int c = 0; c < plan_.columns; ++c) {
        TF_ASSIGN_OR_RETURN(Element element, emit_column(b_.getInt64(c)));
        reals.push_back(element.value);
        if (is_complex) imags.push_back(element.imag);
      }
    } else {
      TF_RETURN_IF_ERROR(EmitColumns(i, emit_column, reals, imags));
    }
    reals = TransposeSquares(reals);
    if (is_complex) imags = TransposeSquares(imags);
    TransposedRows& transposed = transposed_[i];
    transposed.rows.clear();
    for (int r = 0; r < n; ++r) {
      llvm::Value* real =
          is_complex ? reals[r] : FromMemory(b_, type, reals[r]);
      transposed.rows.push_back({real, is_complex ? imags[r] : nullptr});
    }
    if (!simple_) StoreRows(transposed);
    return absl::OkStatus();
  }

  // Transposes the tile's columns to its rows.
  std::vector<llvm::Value*> TransposeSquares(
      absl::Span<llvm::Value* const> columns) {
    std::vector<std::vector<llvm::Value*>> parts(plan_.rows);
    for (int done = 0; done < plan_.columns; done += plan_.rows) {
      const auto square = columns.subspan(done, plan_.rows);
      const std::vector<llvm::Value*> transposed =
          TransposeVectors(b_, {square.begin(), square.end()});
      for (int r = 0; r < plan_.rows; ++r) parts[r].push_back(transposed[r]);
    }
    std::vector<llvm::Value*> rows;
    for (const std::vector<llvm::Value*>& part : parts) {
      rows.push_back(llvm::concatenateVectors(b_, part));
    }
    return rows;
  }

  // Emits the columns of an operand that takes many instructions, in a loop.
  absl::Status EmitColumns(
      size_t i,
      const std::function<absl::StatusOr<Element>(llvm::Value*)>& emit_column,
      std::vector<llvm::Value*>& reals, std::vector<llvm::Value*>& imags) {
    const int n = plan_.columns;
    const PrimitiveType type = plan_.transposes[i]->shape().element_type();
    llvm::Type* vector = llvm::FixedVectorType::get(
        MemoryType(b_.getContext(), type), plan_.rows);
    const bool is_complex = primitive_util::IsComplexType(type);
    Columns& columns = columns_of_[i];
    if (columns.real == nullptr) {
      columns.real = EntryAlloca(b_, vector, n, kAlignment);
      if (is_complex) columns.imag = EntryAlloca(b_, vector, n, kAlignment);
    }
    auto address = [&](llvm::Value* array, llvm::Value* c) {
      return b_.CreateInBoundsGEP(vector, array, c);
    };
    TF_RETURN_IF_ERROR(
        EmitFor(b_, b_.getInt64(0), b_.getInt64(n), 1,
                [&](llvm::Value* c) -> absl::Status {
                  TF_ASSIGN_OR_RETURN(Element element, emit_column(c));
                  b_.CreateStore(element.value, address(columns.real, c));
                  if (is_complex) {
                    b_.CreateStore(element.imag, address(columns.imag, c));
                  }
                  return absl::OkStatus();
                }));
    for (int c = 0; c < n; ++c) {
      auto load = [&](llvm::Value* array) {
        return b_.CreateLoad(vector, address(array, b_.getInt64(c)));
      };
      reals.push_back(load(columns.real));
      if (is_complex) imags.push_back(load(columns.imag));
    }
    return absl::OkStatus();
  }

  void StoreRows(TransposedRows& transposed) {
    const int n = plan_.rows;
    transposed.type = transposed.rows[0].value->getType();
    const bool is_complex = transposed.rows[0].imag != nullptr;
    if (transposed.real == nullptr) {
      transposed.real = EntryAlloca(b_, transposed.type, n, kAlignment);
      if (is_complex)
        transposed.imag = EntryAlloca(b_, transposed.type, n, kAlignment);
    }
    auto store = [&](llvm::Value* value, llvm::Value* array, int r) {
      b_.CreateStore(value,
                     b_.CreateConstInBoundsGEP1_64(transposed.type, array, r));
    };
    for (int r = 0; r < n; ++r) {
      store(transposed.rows[r].value, transposed.real, r);
      if (is_complex) store(transposed.rows[r].imag, transposed.imag, r);
    }
  }

  void LoadRow(TransposedRows& transposed, llvm::Value* row) {
    auto load = [&](llvm::Value* array) {
      return b_.CreateLoad(transposed.type,
                           b_.CreateInBoundsGEP(transposed.type, array, row));
    };
    transposed.current.value = load(transposed.real);
    if (transposed.imag != nullptr)
      transposed.current.imag = load(transposed.imag);
  }

  // The index of the loop; at most one of `row` and `column` has lanes.
  VectorIndex IndexAt(AffineIndex row, AffineIndex column, int lanes) {
    row.min = column.min = 0;
    row.max = rows_ - 1;
    column.max = columns_ - 1;
    VectorIndex index{.lanes = lanes};
    size_t next = 0;
    for (int64_t d = 0;
         d < static_cast<int64_t>(plan_.shape->dimensions().size()); ++d) {
      index.terms.push_back(d == plan_.across    ? row
                            : d == plan_.inner   ? column
                            : d == plan_.channel ? channel_
                                                 : outer_.terms[next++]);
    }
    return index;
  }

  VectorIndex OperandIndex(const HloInstruction& transpose,
                           const VectorIndex& index) {
    const AffineIndexBuilder t(b_, index.lanes);
    VectorIndex operand{.lanes = index.lanes};
    const std::vector<int64_t> permutation = *PermutationOf(transpose);
    for (int64_t from : permutation) {
      operand.terms.push_back(from < 0 ? t.Constant(0) : index.terms[from]);
    }
    return operand;
  }

  // Binds transpose `i` to the current row of its tile at the index of the
  // loop, and to its operand at any other index.
  void BindTranspose(size_t i) {
    const HloInstruction* transpose = plan_.transposes[i];
    emitter_.Bind(transpose, 0,
                  [this, transpose, i](
                      EmitContext& context,
                      const VectorIndex& index) -> absl::StatusOr<Element> {
                    if (IsCurrent(index)) return transposed_[i].current;
                    VectorIndex at = index;
                    at.MakeTerms(context.b, transpose->shape().dimensions());
                    return emitter_.Emit(transpose->operand(0),
                                         OperandIndex(*transpose, at));
                  });
  }

  bool IsCurrent(const VectorIndex& index) const {
    if (index.lanes == 1 || index.lanes != index_.lanes ||
        index.terms.size() != index_.terms.size()) {
      return false;
    }
    for (size_t d = 0; d < index.terms.size(); ++d) {
      const AffineIndex& x = index.terms[d];
      const AffineIndex& y = index_.terms[d];
      if (!x.affine() || x.base != y.base || x.step != y.step) return false;
    }
    return true;
  }

  absl::Status EmitBody(const AffineIndex& row, const AffineIndex& column,
                        int lanes) {
    ElementalEmitter::Scope scope(emitter_);
    index_ = IndexAt(row, column, lanes);
    std::vector<Element> elements;
    for (const LoopOutput& output : outputs_) {
      TF_ASSIGN_OR_RETURN(Element element,
                          emitter_.Emit(BeforeReshapes(output.value), index_));
      elements.push_back(element);
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const Shape& shape = BeforeReshapes(outputs_[i].value)->shape();
      outputs_[i].array.WithShape(&shape).Store(emitter_.context(), index_,
                                                elements[i]);
    }
    return absl::OkStatus();
  }

  // In bytes, a cache line: the alignment of vectors that lie in memory.
  static constexpr int64_t kAlignment = 64;

  ElementalEmitter& emitter_;
  llvm::IRBuilder<>& b_;
  const TilePlan& plan_;
  const absl::Span<const LoopOutput> outputs_;
  const bool simple_;
  const bool in_place_;
  const int64_t rows_;
  const int64_t columns_;
  std::vector<TransposedRows> transposed_;  // by index in plan_.transposes
  std::vector<Columns> columns_of_;
  VectorIndex outer_;
  AffineIndex channel_;  // of pixels
  VectorIndex index_;    // of the body being emitted
};

}  // namespace

absl::Status EmitTiledLoop(ElementalEmitter& emitter, const TilePlan& plan,
                           absl::Span<const LoopOutput> outputs,
                           llvm::Value* begin, llvm::Value* end, bool simple,
                           bool in_place) {
  return TiledLoop(emitter, plan, outputs, simple, in_place).Emit(begin, end);
}

}  // namespace xla::cpu
