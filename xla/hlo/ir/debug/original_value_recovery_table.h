// OriginalValueRecoveryTable: how arrays of the program as it was before any
// pass are computed from arrays of the program as it is.
#ifndef XLA_HLO_IR_DEBUG_ORIGINAL_VALUE_RECOVERY_TABLE_H_
#define XLA_HLO_IR_DEBUG_ORIGINAL_VALUE_RECOVERY_TABLE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/ir/debug/hlo_original_value.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_print_options.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

class HloModule;

// What stands between the name of an array and the number of a name made up.
inline constexpr absl::string_view kOriginalValuePlaceholderDelimiter = "__ovp";

// Maps an array that is gone to one that is there and a module of one
// parameter, which computes the former from the latter; null: they are equal.
class OriginalValueRecoveryTable {
 public:
  using Recovery = std::pair<OriginalArray, std::unique_ptr<HloModule>>;
  using Table = absl::flat_hash_map<OriginalArray, Recovery>;
  using iterator = Table::iterator;
  using const_iterator = Table::const_iterator;

  OriginalValueRecoveryTable();
  ~OriginalValueRecoveryTable();
  OriginalValueRecoveryTable(OriginalValueRecoveryTable&& other);
  OriginalValueRecoveryTable& operator=(OriginalValueRecoveryTable&& other);
  OriginalValueRecoveryTable Clone() const;

  bool empty() const { return table_.empty(); }
  size_t size() const { return table_.size(); }
  iterator begin() { return table_.begin(); }
  iterator end() { return table_.end(); }
  const_iterator begin() const { return table_.begin(); }
  const_iterator end() const { return table_.end(); }
  // Does nothing if the array is in the table.
  void emplace(const OriginalArray& old_original_array, Recovery&& recovery);

  // Says what becomes of the arrays of `old_inst`, which `new_inst` replaces;
  // their tuples are the same (CHECK). Asks the callback for each array that is
  // not in the table, with its index, its shape and the new one. A module goes
  // into the table, the new instruction getting an array if it has none, with a
  // name that is made up; null gives the array itself to the new instruction,
  // or the table if that has one; nullopt drops it. No callback: null for all.
  using BuildModule = std::function<std::optional<std::unique_ptr<HloModule>>(
      const ShapeIndex& index, const OriginalArray& old_original_array,
      const Shape& old_shape, const Shape& new_shape)>;
  void AddRecoveryComputation(const HloInstruction* old_inst,
                              HloInstruction* new_inst,
                              BuildModule build_recovery_computation = nullptr);
  // The same for a callback that builds the module's computation and returns
  // its root.
  using BuildComputation = std::function<std::optional<HloInstruction*>(
      HloComputation::Builder& builder, const ShapeIndex& index,
      const OriginalArray& old_original_array, const Shape& old_shape,
      const Shape& new_shape)>;
  void BuildAndAddRecoveryComputation(
      const HloInstruction* old_inst, HloInstruction* new_inst,
      BuildComputation build_recovery_computation);

  // A line for each array, by name and index, and the text of its module in
  // quotes: {"a" {1}} : {"b"}. Takes the indentation alone from the options.
  std::string ToString(HloPrintOptions options = HloPrintOptions()) const;
  OriginalValueRecoveryTableProto ToProto() const;
  // Errors: those of HloModule::CreateFromProto.
  static absl::StatusOr<OriginalValueRecoveryTable> FromProto(
      const OriginalValueRecoveryTableProto& original_value_recovery_table);

 private:
  Table table_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_DEBUG_ORIGINAL_VALUE_RECOVERY_TABLE_H_
