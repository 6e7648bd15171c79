// Runs plans of attention.
#include "xla/backends/cpu/thunks/library/attention_thunk.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/thunks/device_run.h"
#include "xla/backends/cpu/thunks/library/kernel_fields.h"
#include "xla/backends/cpu/thunks/thunk_archive.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {

template <typename Archive>
void Fields(Archive& archive, AttentionDim& dim) {
  archive(dim.size, dim.lhs, dim.rhs, dim.values, dim.out);
}

template <typename Archive>
void Fields(Archive& archive, ColumnRange& range) {
  archive(range.begin, range.end);
}

template <typename Archive>
void Fields(Archive& archive, AttentionThunk::Spec& spec) {
  archive(spec.desc.first, spec.desc.second, spec.desc.batch, spec.desc.rows,
          spec.desc.narrows_rows, spec.target, spec.lhs, spec.rhs, spec.values,
          spec.result, spec.rows, spec.block, spec.function,
          spec.columns_of_rows);
}

namespace {

// Returns the address that row 0 would have if `row` is at `at`.
char* RowZero(char* at, int64_t row, int64_t row_bytes) {
  return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(at) -
                                 static_cast<uintptr_t>(row * row_bytes));
}

}  // namespace

AttentionThunk::AttentionThunk(std::string name, Spec spec, bool hides_columns,
                               std::unique_ptr<const AttentionPlan> plan)
    : Thunk(std::move(name)),
      spec_(std::move(spec)),
      hides_columns_(hides_columns),
      plan_(std::move(plan)),
      row_bytes_(spec_.desc.first.n *
                 primitive_util::ByteWidth(spec_.desc.first.out)),
      left_bytes_(spec_.desc.first.n *
                  primitive_util::ByteWidth(spec_.desc.second.lhs)) {}

absl::StatusOr<std::unique_ptr<Thunk>> AttentionThunk::Make(std::string name,
                                                            Spec spec) {
  const bool hides_columns =
      spec.desc.columns_read != nullptr && spec.columns_of_rows.empty();
  if (!spec.columns_of_rows.empty()) {
    spec.desc.columns_read = [&spec](int64_t row, int64_t rows) {
      ColumnRange all = spec.columns_of_rows[row];
      for (int64_t i = row + 1; i < row + rows; ++i) {
        const ColumnRange& columns = spec.columns_of_rows[i];
        if (columns.begin == columns.end) continue;
        if (all.begin == all.end) all = columns;
        all = {std::min(all.begin, columns.begin),
               std::max(all.end, columns.end)};
      }
      return all;
    };
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<const AttentionPlan> plan,
                      AttentionPlan::Make(spec.desc, spec.target));
  // Only the plan's maker calls it, and what it refers to may end.
  spec.desc.columns_read = nullptr;
  return std::unique_ptr<Thunk>(new AttentionThunk(
      std::move(name), std::move(spec), hides_columns, std::move(plan)));
}

absl::Status AttentionThunk::Write(ThunkWriter& writer) const {
  if (hides_columns_) {
    return absl::InternalError(absl::StrCat(
        name(), " was made without the columns that its mask leaves"));
  }
  writer.Begin(ThunkRecord::kAttention, *this);
  writer(spec_);
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Thunk>> AttentionThunk::Read(
    std::string name, ThunkReader& reader) {
  Spec spec;
  reader(spec);
  TF_RETURN_IF_ERROR(reader.status());
  if (!spec.columns_of_rows.empty() &&
      static_cast<int64_t>(spec.columns_of_rows.size()) != spec.desc.first.m) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ": ", spec.columns_of_rows.size(),
                     " rows have ranges of columns, not ", spec.desc.first.m));
  }
  return Make(std::move(name), std::move(spec));
}

BufferUses AttentionThunk::buffer_uses() const {
  return BufferUses()
      .Read(spec_.lhs)
      .Read(spec_.rhs)
      .Read(spec_.values)
      .Read(spec_.rows)
      .Write(spec_.result);
}

absl::StatusOr<ThunkResult> AttentionThunk::Run(DeviceRun& run,
                                                int64_t here) const {
  absl::InlinedVector<char*, 8> operands;
  for (const Slice& slice : spec_.rows) operands.push_back(run.At(slice));
  const auto row_function = [&](int64_t row, int64_t rows, ColumnRange columns,
                                char* block, char* left) {
    absl::InlinedVector<char*, 8> arrays = operands;
    arrays[spec_.block] = RowZero(block, row, row_bytes_);
    if (left != block) arrays.push_back(RowZero(left, row, left_bytes_));
    // The last array, if the function has it (NativeKernel::column_range).
    int64_t range[] = {columns.begin, columns.end};
    arrays.push_back(reinterpret_cast<char*>(range));
    spec_.function(arrays.data(), row, row + rows);
  };
  plan_->Run(run.At(spec_.lhs), run.At(spec_.rhs), run.At(spec_.values),
             run.At(spec_.result), row_function, run.scratch(), run.runner());
  return ThunkResult{here + 1};
}

}  // namespace xla::cpu
