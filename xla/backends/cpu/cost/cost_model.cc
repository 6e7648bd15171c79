// Scales the rates of the table to the target, and costs library calls.
#include "xla/backends/cpu/cost/cost_model.h"

#include <algorithm>
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/linear_algebra.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/op_def.h"

namespace xla::cpu {
namespace {

// Arrays begin to leave a cache when together they take this share of it, and
// lie in the next one when they take this multiple.
constexpr double kFits = 0.75;
constexpr double kOverflows = 1.5;

bool IsHalf(NumberKind kind) {
  return kind == NumberKind::kBf16 || kind == NumberKind::kF16;
}
bool IsComplex(NumberKind kind) {
  return kind == NumberKind::kC64 || kind == NumberKind::kC128;
}

double OperandBytes(const HloInstruction& instruction) {
  double bytes = 0;
  for (const HloInstruction* operand : instruction.operands()) {
    bytes += BytesOf(operand->shape());
  }
  return bytes;
}

// Returns the rates of a class whose ops take time for each element.
const MachineCosts::KindRates& RatesOf(const MachineCosts& machine,
                                       CostClass cost_class) {
  switch (cost_class) {
    case CostClass::kDivision:
      return machine.division;
    case CostClass::kSquareRoot:
      return machine.square_root;
    case CostClass::kRemainder:
      return machine.remainder;
    case CostClass::kTranscendental:
      return machine.transcendental;
    case CostClass::kLongTranscendental:
      return machine.long_transcendental;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kMovement:
    case CostClass::kArithmetic:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return machine.arithmetic;
  }
  return machine.arithmetic;
}

double Known(int64_t of_target, int64_t of_table) {
  return static_cast<double>(of_target > 0 ? of_target : of_table);
}

// Resolves the names of each table once.
const OpRates& OpRatesOf(const MachineCosts& machine) {
  static const auto* const kRates = [] {
    auto* rates = new absl::flat_hash_map<const MachineCosts*, OpRates>();
    for (const MachineCosts& table : AllMachineCosts()) {
      OpRates& ops = (*rates)[&table];
      ops.fill(nullptr);
      for (const MachineCosts::OpRate& rate : table.ops) {
        const absl::StatusOr<HloOpcode> opcode = StringToHloOpcode(rate.op);
        if (opcode.ok()) ops[static_cast<size_t>(*opcode)] = &rate;
      }
    }
    return rates;
  }();
  return kRates->at(&machine);
}

}  // namespace

CpuCostModel::CpuCostModel(const TargetInfo& target)
    : machine_(MachineCostsFor(target.cost_table)),
      vector_bytes_(target.vector_bytes),
      register_share_(static_cast<double>(std::max(target.vector_bytes,
                                                   machine_.datapath_bytes)) /
                      std::max(machine_.vector_bytes, machine_.datapath_bytes)),
      cache_bytes_{Known(target.l1_bytes, machine_.l1_bytes),
                   Known(target.l2_bytes, machine_.l2_bytes),
                   Known(target.l3_bytes, machine_.l3_bytes)},
      ops_(OpRatesOf(machine_)) {}

int64_t CpuCostModel::Lanes(NumberKind kind) const {
  return std::max<int64_t>(1, vector_bytes_ / RegisterBytesOf(kind));
}

double CpuCostModel::Overlapped(double compute_ns, double memory_ns) const {
  return std::max(compute_ns, memory_ns) +
         machine_.exposed_share * std::min(compute_ns, memory_ns);
}

double CpuCostModel::RateAt(const MachineCosts::LevelRates& rates,
                            double total) const {
  double rate = rates[0];
  for (size_t level = 0; level < cache_bytes_.size(); ++level) {
    const double from = kFits * cache_bytes_[level];
    const double to = kOverflows * cache_bytes_[level];
    if (total <= from) return rate;
    // Where hardware prefetches, measured rates need not ascend; these are made
    // to, so that more bytes never take less time.
    const double next = std::max(rate, rates[level + 1]);
    rate += (next - rate) * std::min(1.0, (total - from) / (to - from));
  }
  return rate;
}

double CpuCostModel::ReadNanoseconds(double bytes, double total) const {
  return bytes * RateAt(machine_.read_ns_per_byte, total);
}

double CpuCostModel::WriteNanoseconds(double bytes, double total) const {
  return bytes * RateAt(machine_.write_ns_per_byte, total);
}

double CpuCostModel::RegisterNanoseconds(const HloInstruction& instruction,
                                         NumberKind kind) const {
  const MachineCosts::KindRates& rates =
      RatesOf(machine_, instruction.def().cost_class);
  const auto at = static_cast<size_t>(kind);
  const MachineCosts::OpRate* own =
      ops_[static_cast<size_t>(instruction.opcode())];
  const bool integer = kind <= NumberKind::kInt64;
  if (own == nullptr || integer) return rates[at] * register_share_;
  const auto f32 = static_cast<size_t>(NumberKind::kF32);
  const auto f64 = static_cast<size_t>(NumberKind::kF64);
  double ns = kind == NumberKind::kF64 || kind == NumberKind::kC128
                  ? own->f64_ns
                  : own->f32_ns;
  if (IsHalf(kind)) {
    // Halves are computed as f32 and rounded.
    ns += std::max(0.0, machine_.arithmetic[at] - machine_.arithmetic[f32]);
  } else if (IsComplex(kind)) {
    // Scales the op by the factor that its class has for complex numbers.
    const double real = rates[kind == NumberKind::kC64 ? f32 : f64];
    ns *= rates[at] / std::max(1e-3, real);
  }
  return ns * register_share_;
}

double CpuCostModel::ArithmeticNanoseconds(PrimitiveType type) const {
  const NumberKind kind = NumberKindOf(type);
  return machine_.arithmetic[static_cast<size_t>(kind)] * register_share_ /
         static_cast<double>(Lanes(kind));
}

double CpuCostModel::ElementNanoseconds(
    const HloInstruction& instruction) const {
  switch (instruction.def().cost_class) {
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
      return 0;
    case CostClass::kMovement:
      // An iota computes its elements.
      if (instruction.opcode() != HloOpcode::kIota) return 0;
      break;
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate: {
      // The computation runs on vectors of elements.
      double sum = 0;
      for (const HloComputation* called : instruction.called_computations()) {
        for (const auto& inner : called->instructions()) {
          sum += ElementNanoseconds(*inner);
        }
      }
      return sum;
    }
    case CostClass::kArithmetic:
    case CostClass::kDivision:
    case CostClass::kSquareRoot:
    case CostClass::kRemainder:
    case CostClass::kTranscendental:
    case CostClass::kLongTranscendental:
    case CostClass::kContraction:
    case CostClass::kAlgorithm:
    case CostClass::kDevice:
    case CostClass::kForeign:
      break;
  }
  // The wider of operand and result decides: comparisons and conversions of
  // wide numbers have narrow results.
  NumberKind kind = NumberKindOf(FirstLeaf(instruction.shape()).element_type());
  if (instruction.operand_count() > 0 && instruction.IsElementwiseOp()) {
    const NumberKind from =
        NumberKindOf(FirstLeaf(instruction.operand(0)->shape()).element_type());
    if (RegisterBytesOf(from) > RegisterBytesOf(kind)) kind = from;
  }
  return RegisterNanoseconds(instruction, kind) / Lanes(kind);
}

double CpuCostModel::ProductNanoseconds(NumberKind kind) const {
  return machine_.product_ns[static_cast<size_t>(kind)] *
         machine_.vector_bytes / std::max(1, vector_bytes_) * register_share_;
}

CpuCost CpuCostModel::Contraction(double products, NumberKind kind,
                                  const HloInstruction& instruction) const {
  CpuCost cost;
  cost.bytes = OperandBytes(instruction) + BytesOf(instruction.shape());
  cost.memory_ns = ReadNanoseconds(OperandBytes(instruction), cost.bytes) +
                   WriteNanoseconds(BytesOf(instruction.shape()), cost.bytes);
  cost.compute_ns = products * ProductNanoseconds(kind);
  // Contractions read blocks that were packed before, so that computing hides
  // the memory.
  cost.nanoseconds =
      machine_.library_call_ns + std::max(cost.compute_ns, cost.memory_ns);
  return cost;
}

CpuCost CpuCostModel::Sort(const HloInstruction& sort) const {
  const Shape& keys = sort.operand(0)->shape();
  const int64_t length = keys.dimensions(sort.attrs<SortAttrs>().dimensions[0]);
  const double rows = static_cast<double>(ShapeUtil::ElementsIn(keys)) /
                      std::max<double>(1, static_cast<double>(length));
  CpuCost cost;
  cost.bytes = OperandBytes(sort) + BytesOf(sort.shape());
  // Each byte of a key takes a pass over the row and its values.
  const double passes = primitive_util::ByteWidth(keys.element_type());
  const double arrays = static_cast<double>(sort.operand_count());
  const double row_bytes = 2 * arrays * passes * static_cast<double>(length);
  cost.compute_ns = rows * (machine_.sort_row_ns +
                            static_cast<double>(length) * passes * arrays *
                                RateAt(machine_.sort_ns_per_byte, row_bytes));
  cost.memory_ns = ReadNanoseconds(cost.bytes, cost.bytes);
  cost.nanoseconds =
      machine_.library_call_ns + Overlapped(cost.compute_ns, cost.memory_ns);
  return cost;
}

CpuCost CpuCostModel::Dot(const HloInstruction& dot) const {
  double products = ElementsOf(dot.shape());
  const Shape& left = dot.operand(0)->shape();
  for (const int64_t d :
       dot.attrs<DotAttrs>()
           .dot_dimension_numbers.lhs_contracting_dimensions()) {
    products *= static_cast<double>(left.dimensions(d));
  }
  return Contraction(products, NumberKindOf(left.element_type()), dot);
}

CpuCost CpuCostModel::Convolution(const HloInstruction& convolution) const {
  const auto& attrs = convolution.attrs<ConvolutionAttrs>();
  const Shape& kernel = convolution.operand(1)->shape();
  const auto& numbers = attrs.convolution_dimension_numbers;
  double window = 1;
  for (const WindowDimension& dimension : attrs.window.dimensions()) {
    window *= static_cast<double>(dimension.size());
  }
  const double outputs =
      std::max<double>(1, static_cast<double>(convolution.shape().dimensions(
                              numbers.output_feature_dimension())));
  const double products = ElementsOf(convolution.shape()) * window *
                          static_cast<double>(kernel.dimensions(
                              numbers.kernel_input_feature_dimension()));
  CpuCost cost =
      Contraction(products, NumberKindOf(kernel.element_type()), convolution);
  const double patches =
      ElementsOf(convolution.shape()) / outputs * window * machine_.patch_ns;
  cost.compute_ns += patches;
  cost.nanoseconds += patches;
  return cost;
}

CpuCost CpuCostModel::Fft(const HloInstruction& fft) const {
  double length = 1;
  for (const int64_t size : fft.attrs<FftAttrs>().fft_length) {
    length *= static_cast<double>(size);
  }
  CpuCost cost;
  cost.bytes = OperandBytes(fft) + BytesOf(fft.shape());
  const double elements =
      std::max(ElementsOf(fft.shape()), ElementsOf(fft.operand(0)->shape()));
  const PrimitiveType type = FirstLeaf(fft.operand(0)->shape()).element_type();
  cost.compute_ns = elements * std::log2(std::max(2.0, length)) *
                    machine_.butterfly_ns *
                    (type == F64 || type == C128 ? 2 : 1);
  cost.memory_ns = ReadNanoseconds(OperandBytes(fft), cost.bytes) +
                   WriteNanoseconds(BytesOf(fft.shape()), cost.bytes);
  cost.nanoseconds =
      machine_.library_call_ns + Overlapped(cost.compute_ns, cost.memory_ns);
  return cost;
}

std::optional<CpuCost> CpuCostModel::LibraryCost(
    const HloInstruction& instruction) const {
  switch (instruction.opcode()) {
    case HloOpcode::kDot:
      return Dot(instruction);
    case HloOpcode::kConvolution:
      return Convolution(instruction);
    case HloOpcode::kFft:
      return Fft(instruction);
    case HloOpcode::kSort:
      return Sort(instruction);
    default:
      return std::nullopt;
  }
}

}  // namespace xla::cpu
