// Conversion between stored integers and the numbers that they represent.
// Source: the StableHLO specification, "Quantized types", quantize and
// dequantize.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_QUANTIZATION_H_
#define XLA_STABLEHLO_TO_HLO_OPS_QUANTIZATION_H_

#include "absl/status/statusor.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

// stored[dims] of quantized type `type` -> (stored - zero_point) * scale in the
// expressed type. Errors: InvalidArgument for scales that do not fit the
// dimensions, or a type that is not quantized.
absl::StatusOr<HloInstruction*> Dequantize(OpConversion& conversion,
                                           HloInstruction* stored,
                                           const Type& type);

// value[dims] in the expressed type of `type` -> value / scale + zero_point,
// clamped to the storage range and rounded to nearest even, in the storage
// type. Errors: as Dequantize.
absl::StatusOr<HloInstruction*> Quantize(OpConversion& conversion,
                                         HloInstruction* value,
                                         const Type& type);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_QUANTIZATION_H_
