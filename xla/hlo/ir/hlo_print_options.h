// Options for how much of a module is printed.
#ifndef XLA_HLO_IR_HLO_PRINT_OPTIONS_H_
#define XLA_HLO_IR_HLO_PRINT_OPTIONS_H_

namespace xla {

// The defaults print text that parses back to the same module, except that the
// elements of large constants are left out unless print_large_constants is set:
// `Lossless()` sets it.
struct HloPrintOptions {
  bool print_large_constants = false;
  bool print_metadata = true;
  bool print_backend_config = true;
  bool print_percent = true;         // %name
  bool print_operand_shape = false;  // f32[2]{0} %x
  bool print_result_layout = true;
  bool print_ids = true;  // names; otherwise %0, %1, ... in order
  // Prints computations that only one instruction calls inside it.
  bool inline_computations = false;

  static HloPrintOptions Lossless() {
    HloPrintOptions options;
    options.print_large_constants = true;
    return options;
  }
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_PRINT_OPTIONS_H_
