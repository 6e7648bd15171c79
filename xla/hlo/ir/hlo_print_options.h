// HloPrintOptions: how much of a module is printed, under XLA's names, and the
// names of instructions in canonical text.
#ifndef XLA_HLO_IR_HLO_PRINT_OPTIONS_H_
#define XLA_HLO_IR_HLO_PRINT_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace xla {

// The defaults print text that parses back to the same module, except that the
// elements of large constants are left out unless print_large_constants is set:
// `Lossless()` sets it. Setters can be chained.
class HloPrintOptions {
 public:
  // How called computations are printed: not at all, by name, or as bodies in
  // place of the names, which the parser does not read; the last mode leaves
  // those of calls, loops and conditionals out. Behind the first MiB of a text,
  // a body that it has already is "{ body 3 }", by the order of the first ones.
  enum class PrintSubcomputationMode {
    kOff,
    kNameOnly,
    kFullBodies,
    kNonSequentialBodies
  };
  // Whether an entry computation that is printed by itself begins with ENTRY.
  enum class PrintComputationMode {
    kComputationOnly,
    kComputationWithEntryKeyword
  };

  constexpr HloPrintOptions() = default;

  static constexpr HloPrintOptions Default() { return HloPrintOptions(); }
  static constexpr HloPrintOptions Lossless() {
    return HloPrintOptions().set_print_large_constants(true);
  }
  // Only what affects the program.
  static constexpr HloPrintOptions ShortParsable() {
    return HloPrintOptions()
        .set_print_large_constants(true)
        .set_print_metadata(false)
        .set_print_operand_index_annotation_interval(0)
        .set_print_program_shape(false)
        .set_print_percent(false)
        .set_print_control_dependencies(false);
  }
  // The same for instructions that differ in names, metadata and configuration
  // only; Fingerprint is also the same for modules and computations that do.
  static constexpr HloPrintOptions Canonical() {
    return HloPrintOptions()
        .set_print_subcomputation_mode(PrintSubcomputationMode::kFullBodies)
        .set_print_metadata(false)
        .set_print_backend_config(false)
        .set_print_operand_shape(true)
        .set_print_operand_index_annotation_interval(0)
        .set_print_operand_names(false)
        .set_print_program_shape(false)
        .set_print_percent(false)
        .set_print_control_dependencies(false)
        .set_canonicalize_instruction_names(true);
  }
  static constexpr HloPrintOptions Fingerprint() {
    return Canonical()
        .set_print_infeed_outfeed_config(false)
        .set_print_only_essential_constants(true)
        .set_print_full_replica_group_list(true)
        .set_print_ids(false)
        .set_canonicalize_computations(true);
  }
  static constexpr HloPrintOptions ModuleFingerprint() {
    return Fingerprint().set_print_operand_shape(false);
  }

#define XLA_PRINT_OPTION_(type, name, initial)        \
  constexpr HloPrintOptions& set_##name(type value) { \
    name##_ = value;                                  \
    return *this;                                     \
  }                                                   \
  constexpr type name() const { return name##_; }     \
                                                      \
 private:                                             \
  type name##_ = initial;                             \
                                                      \
 public:

  // Arrays with more than ten elements.
  XLA_PRINT_OPTION_(bool, print_large_constants, false)
  // Of constants that are neither integers nor all 0 or 1 nothing; these and
  // all elements of integers.
  XLA_PRINT_OPTION_(bool, print_only_essential_constants, false)
  XLA_PRINT_OPTION_(bool, print_metadata, true)
  XLA_PRINT_OPTION_(bool, print_metadata_only_op_name, false)
  // The original values.
  XLA_PRINT_OPTION_(bool, print_original_value, true)
  XLA_PRINT_OPTION_(bool, print_backend_config, true)
  // The '%' of names.
  XLA_PRINT_OPTION_(bool, print_percent, true)
  // Operands as "f32[2]{0} %x".
  XLA_PRINT_OPTION_(bool, print_operand_shape, false)
  XLA_PRINT_OPTION_(bool, print_operand_names, true)
  // A comment "/*index=5*/" before each such operand; 0 prints none.
  XLA_PRINT_OPTION_(int, print_operand_index_annotation_interval, 5)
  // Of more than four operands the first four, and how many more there are.
  XLA_PRINT_OPTION_(bool, compact_operands, false)
  XLA_PRINT_OPTION_(bool, print_result_shape, true)
  XLA_PRINT_OPTION_(bool, include_layout_in_shapes, true)
  // The names of the module and its computations, and what follows the first
  // dot in names of instructions.
  XLA_PRINT_OPTION_(bool, print_ids, true)
  // Instructions as tmp_0, tmp_1, ... in each computation.
  XLA_PRINT_OPTION_(bool, canonicalize_instruction_names, false)
  // No effect, as in XLA where no config asks to sort computations by content.
  XLA_PRINT_OPTION_(bool, canonicalize_computations, false)
  XLA_PRINT_OPTION_(bool, print_control_dependencies, true)
  XLA_PRINT_OPTION_(bool, print_parameter_number, true)
  XLA_PRINT_OPTION_(bool, print_infeed_outfeed_config, true)
  // The attributes of ops.
  XLA_PRINT_OPTION_(bool, print_extra_attributes, true)
  // The parameters and the result of computations.
  XLA_PRINT_OPTION_(bool, print_program_shape, true)
  XLA_PRINT_OPTION_(PrintSubcomputationMode, print_subcomputation_mode,
                    PrintSubcomputationMode::kNameOnly)
  XLA_PRINT_OPTION_(PrintComputationMode, print_computation_mode,
                    PrintComputationMode::kComputationOnly)
  // Of computations of more than five instructions, as a comment.
  XLA_PRINT_OPTION_(bool, print_name_after_closing_brace, false)
  // The devices of collectives as lists, in whatever form they are.
  XLA_PRINT_OPTION_(bool, print_full_replica_group_list, false)
  // "foo-start(...)" for an async-start of a computation that is a foo.
  XLA_PRINT_OPTION_(bool, syntax_sugar_async_ops, true)
  // In steps of two blanks.
  XLA_PRINT_OPTION_(int, indent_amount, 0)
  // Whether a computation is printed without its name.
  XLA_PRINT_OPTION_(bool, is_in_nested_computation, false)
  // Tessera's own: prints computations that only one instruction calls inside
  // it, in a form that the parser reads.
  XLA_PRINT_OPTION_(bool, inline_computations, false)
  // Backend configs that are JSON without blanks, keys in order.
  XLA_PRINT_OPTION_(bool, sort_backend_config, false)
#undef XLA_PRINT_OPTION_
};

// Names instructions by their ids: tmp_0, tmp_1, ... in the order in which they
// are looked up first.
class CanonicalNameMap {
 public:
  const std::string& LookupOrInsert(int64_t unique_id) {
    const auto [it, is_new] = names_.try_emplace(unique_id);
    if (is_new) it->second = absl::StrCat("tmp_", names_.size() - 1);
    return it->second;
  }
  void Reserve(size_t size) { names_.reserve(size); }

 private:
  absl::flat_hash_map<int64_t, std::string> names_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_PRINT_OPTIONS_H_
