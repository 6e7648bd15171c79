// Counts what ops do, by XLA's rules, so that programs see XLA's numbers: where
// a rule looks arbitrary, it is XLA's.
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/numeric/int128.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {
namespace {

// Above this many positions of a window, all of them count as inside.
constexpr int64_t kMaxWindowPositions = int64_t{1} << 24;

bool IsTranscendental(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAcos:
    case HloOpcode::kAcosh:
    case HloOpcode::kAsin:
    case HloOpcode::kAsinh:
    case HloOpcode::kAtan2:
    case HloOpcode::kAtanh:
    case HloOpcode::kCbrt:
    case HloOpcode::kCos:
    case HloOpcode::kCosh:
    case HloOpcode::kErf:
    case HloOpcode::kErfc:
    case HloOpcode::kExp:
    case HloOpcode::kExpm1:
    case HloOpcode::kLog:
    case HloOpcode::kLog1p:
    case HloOpcode::kLogistic:
    case HloOpcode::kPower:
    case HloOpcode::kRsqrt:
    case HloOpcode::kSin:
    case HloOpcode::kSinh:
    case HloOpcode::kSqrt:
    case HloOpcode::kTan:
    case HloOpcode::kTanh:
      return true;
    default:
      return false;
  }
}

// Elements of the array, or of the first one of a tuple.
int64_t ElementsIn(const Shape& shape) {
  return ShapeUtil::ElementsIn(FirstLeaf(shape));
}

float Ratio(double part, double whole) {
  return static_cast<float>(part / whole);
}

int64_t ProductOf(absl::Span<const int64_t> factors) {
  int64_t product = 1;
  for (const int64_t factor : factors) {
    product = SaturatingMultiply(product, factor);
  }
  return product;
}

int64_t WindowElements(const Window& window) {
  int64_t elements = 1;
  for (const WindowDimension& dimension : window.dimensions()) {
    elements = SaturatingMultiply(elements, dimension.size());
  }
  return elements;
}

// Returns the number that times `value` is 1 modulo `modulus`, which have no
// common factor. Source: Euclid's extended algorithm.
int64_t InverseModulo(int64_t value, int64_t modulus) {
  int64_t a = modulus, b = value, of_a = 0, of_b = 1;
  while (b != 0) {
    const int64_t quotient = a / b;
    a = std::exchange(b, a - quotient * b);
    of_a = std::exchange(of_b, of_a - quotient * of_b);
  }
  return of_a < 0 ? of_a + modulus : of_a;
}

// Returns how many pairs of a position in the window and one in the output have
// an element of the input, rather than padding or the gap between two.
int64_t InnerPositions(const WindowDimension& dimension, int64_t input,
                       int64_t kernel, int64_t output) {
  const int64_t base = std::max<int64_t>(1, dimension.base_dilation());
  // Steps over the fewer of the positions and computes for each which of the
  // others fit: those from `first` to `last`, one in each `period`.
  int64_t count = kernel;
  int64_t step = std::max<int64_t>(1, dimension.window_dilation());
  int64_t other_count = output;
  int64_t other_step = std::max<int64_t>(1, dimension.stride());
  if (output < kernel) {
    std::swap(count, other_count);
    std::swap(step, other_step);
  }
  if (count > kMaxWindowPositions) return SaturatingMultiply(kernel, output);
  const int64_t divisor = std::gcd(base, other_step);
  const int64_t period = base / divisor;
  const int64_t inverse = InverseModulo(other_step / divisor % period, period);
  const int64_t end = SaturatingMultiply(input - 1, base);
  int64_t positions = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t start =
        SaturatingAdd(dimension.padding_low(), -SaturatingMultiply(i, step));
    if (start % divisor != 0) continue;
    int64_t first = std::max<int64_t>(0, CeilOfRatio(start, other_step));
    const int64_t last = std::min(
        other_count - 1, FloorOfRatio(SaturatingAdd(end, start), other_step));
    // The next one from which `other_step` leads to a multiple of `base`.
    const absl::int128 residue =
        absl::int128(start / divisor) * inverse - first;
    first += static_cast<int64_t>((residue % period + period) % period);
    if (first <= last) positions += (last - first) / period + 1;
  }
  return positions;
}

// If a window covers all of one dimension around each element, so that every
// element of the result along it is the same, returns the size of that
// dimension: XLA counts this as a reduction and a broadcast.
std::optional<int64_t> BroadcastReduction(const HloInstruction& hlo) {
  const auto& dimensions = hlo.window().dimensions();
  const auto is_padded = [](const WindowDimension& dimension) {
    return dimension.padding_low() != 0 || dimension.padding_high() != 0;
  };
  const auto is_reduced = [](const WindowDimension& dimension) {
    return dimension.size() != 1;
  };
  if (!hlo.shape().IsArray() || absl::c_count_if(dimensions, is_padded) != 1 ||
      absl::c_count_if(dimensions, is_reduced) != 1) {
    return std::nullopt;
  }
  const auto it = absl::c_find_if(dimensions, is_reduced);
  const int64_t size = hlo.shape().dimensions(it - dimensions.begin());
  const bool covers_all =
      it->padding_low() == it->padding_high() && it->padding_low() != 0 &&
      it->padding_low() == size - 1 && it->size() == 2 * size - 1;
  return covers_all ? std::optional(size) : std::nullopt;
}

}  // namespace

// Element-wise ops.

absl::Status HloCostAnalysis::HandleElementwiseOp(const HloInstruction* hlo) {
  const absl::string_view key =
      IsTranscendental(hlo->opcode()) ? kTranscendentalsKey : kFlopsKey;
  current_properties_[key] = ElementsIn(hlo->shape());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleElementwiseUnary(
    const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleElementwiseBinary(
    const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleClamp(const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleCompare(const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleConvert(const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleSelect(const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

absl::Status HloCostAnalysis::HandleReducePrecision(const HloInstruction* hlo) {
  return HandleElementwiseOp(hlo);
}

// Values and what moves them.

absl::Status HloCostAnalysis::HandleAddDependency(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleAfterAll(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleBitcast(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleConstant(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleDomain(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleGetTupleElement(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleParameter(const HloInstruction* hlo) {
  SetFree(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleTranspose(const HloInstruction* hlo) {
  const Shape& operand = hlo->operand(0)->shape();
  const bool moves_nothing =
      operand.has_layout() && hlo->shape().has_layout() &&
      ShapeUtil::TransposeIsBitcast(operand, hlo->shape(), hlo->dimensions());
  return moves_nothing ? HandleBitcast(hlo) : absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleTuple(const HloInstruction* hlo) {
  // Writes the table of pointers.
  const int64_t table = GetShapeSize(hlo->shape());
  current_properties_[kBytesAccessedKey] = table;
  current_properties_.set_output_bytes_accessed(table);
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    current_properties_.set_operand_bytes_accessed(i, 0);
  }
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleBroadcast(const HloInstruction* hlo) {
  if (!options_.count_multiple_input_accesses) return absl::OkStatus();
  current_properties_.set_operand_bytes_accessed(0, GetShapeSize(hlo->shape()));
  current_properties_.set_operand_utilization(
      0, Ratio(ElementsIn(hlo->shape()), ElementsIn(hlo->operand(0)->shape())));
  return absl::OkStatus();
}

void HloCostAnalysis::SetPartialRead(const HloInstruction* hlo) {
  const int64_t moved = GetShapeSize(hlo->shape());
  // The first index stands for all of them.
  const int64_t index =
      hlo->operand_count() > 1 ? GetShapeSize(hlo->operand(1)->shape()) : 0;
  current_properties_[kBytesAccessedKey] =
      SaturatingAdd(SaturatingMultiply(moved, 2), index);
  current_properties_.set_operand_bytes_accessed(0, moved);
  current_properties_.set_operand_utilization(
      0, Ratio(ElementsIn(hlo->shape()), ElementsIn(hlo->operand(0)->shape())));
}

absl::Status HloCostAnalysis::HandleSlice(const HloInstruction* hlo) {
  SetPartialRead(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleDynamicSlice(const HloInstruction* hlo) {
  SetPartialRead(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleGather(const HloInstruction* hlo) {
  SetPartialRead(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleDynamicUpdateSlice(
    const HloInstruction* hlo) {
  const Shape& update = hlo->operand(1)->shape();
  const int64_t moved = GetShapeSize(update);
  const int64_t index =
      hlo->operand_count() > 2 ? GetShapeSize(hlo->operand(2)->shape()) : 0;
  current_properties_[kBytesAccessedKey] =
      SaturatingAdd(SaturatingMultiply(moved, 2), index);
  current_properties_.set_output_bytes_accessed(moved);
  current_properties_.set_operand_bytes_accessed(0, 0);
  const int64_t elements = ElementsIn(hlo->shape());
  current_properties_.set_operand_utilization(
      0, Ratio(elements - ElementsIn(update), elements));
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleScatter(const HloInstruction* hlo) {
  // Operands, the indices, and as many updates.
  const int64_t count = hlo->operand_count() / 2;
  int64_t moved = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t update = GetShapeSize(hlo->operand(count + 1 + i)->shape());
    current_properties_.set_operand_bytes_accessed(i, update);
    moved = SaturatingAdd(moved, update);
  }
  const int64_t indices = GetShapeSize(hlo->operand(count)->shape());
  current_properties_[kBytesAccessedKey] =
      SaturatingAdd(SaturatingMultiply(moved, 3), indices);
  current_properties_.set_operand_bytes_accessed(count, indices);
  current_properties_.set_output_bytes_accessed(moved);
  TF_ASSIGN_OR_RETURN(const Properties called,
                      ProcessSubcomputation(hlo->to_apply()));
  SetCalls(called, ElementsIn(hlo->operand(count + 1)->shape()));
  return absl::OkStatus();
}

// Arithmetic.

int64_t HloCostAnalysis::GetDotFlops(const Shape& lhs_shape,
                                     const Shape& result_shape,
                                     const DotDimensionNumbers& dnums) {
  int64_t flops =
      SaturatingMultiply(kFmaFlops, ShapeUtil::ElementsIn(result_shape));
  for (const int64_t dimension : dnums.lhs_contracting_dimensions()) {
    flops = SaturatingMultiply(flops, lhs_shape.dimensions(dimension));
  }
  return flops;
}

absl::Status HloCostAnalysis::HandleDot(const HloInstruction* hlo) {
  current_properties_[kFlopsKey] = GetDotFlops(
      hlo->operand(0)->shape(), hlo->shape(), hlo->dot_dimension_numbers());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleScaledDot(const HloInstruction* hlo) {
  return HandleDot(hlo);
}

absl::Status HloCostAnalysis::HandleRaggedDot(const HloInstruction* hlo) {
  const RaggedDotDimensionNumbers& dnums = hlo->ragged_dot_dimension_numbers();
  // XLA leaves out as many dimensions of the result as the groups have.
  Shape result = hlo->shape();
  for (int i = 0; i < dnums.rhs_group_dimensions_size(); ++i) {
    if (i < result.rank()) result.DeleteDimension(i);
  }
  current_properties_[kFlopsKey] = GetDotFlops(hlo->operand(0)->shape(), result,
                                               dnums.dot_dimension_numbers());
  return absl::OkStatus();
}

int64_t HloCostAnalysis::GetConvolutionFlops(
    const HloInstruction* convolution) {
  return GetConvolutionFlops(convolution, convolution->operand(0)->shape(),
                             FirstLeaf(convolution->operand(1)->shape()),
                             convolution->shape());
}

int64_t HloCostAnalysis::GetConvolutionFlops(const HloInstruction* convolution,
                                             const Shape& lhs_shape,
                                             const Shape& rhs_shape,
                                             const Shape& result_shape) {
  const ConvolutionDimensionNumbers& dnums =
      convolution->convolution_dimension_numbers();
  const Window& window = convolution->window();
  std::vector<int64_t> factors = {
      kFmaFlops,
      ShapeUtil::GetDimension(lhs_shape, dnums.input_feature_dimension()) /
          convolution->feature_group_count(),
      ShapeUtil::GetDimension(result_shape, dnums.output_feature_dimension()),
      ShapeUtil::GetDimension(lhs_shape, dnums.input_batch_dimension()) /
          convolution->batch_group_count()};
  for (int i = 0; i < window.dimensions_size(); ++i) {
    factors.push_back(InnerPositions(
        window.dimensions(i),
        lhs_shape.dimensions(dnums.input_spatial_dimensions(i)),
        rhs_shape.dimensions(dnums.kernel_spatial_dimensions(i)),
        result_shape.dimensions(dnums.output_spatial_dimensions(i))));
  }
  return ProductOf(factors);
}

absl::Status HloCostAnalysis::HandleConvolution(const HloInstruction* hlo) {
  current_properties_[kFlopsKey] = GetConvolutionFlops(hlo);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleFft(const HloInstruction* hlo) {
  constexpr int64_t kFmasOfComplexProduct = 4;
  std::vector<int64_t> factors = {kFmaFlops, kFmasOfComplexProduct,
                                  ElementsIn(hlo->operand(0)->shape())};
  for (const int64_t length : hlo->fft_length()) {
    factors.push_back(Log2Floor(static_cast<uint64_t>(length)));
  }
  current_properties_[kFlopsKey] = ProductOf(factors);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleTriangularSolve(const HloInstruction* hlo) {
  const Shape& a = hlo->operand(0)->shape();
  const Shape& b = hlo->operand(1)->shape();
  // Half of the matrix is read. XLA counts operand 1 under the name of 0.
  current_properties_[kBytesAccessedKey] =
      GetShapeSize(hlo->shape()) + GetShapeSize(a) / 2.0f + GetShapeSize(b);
  current_properties_.set_operand_bytes_accessed(0, GetShapeSize(b));
  current_properties_[kFlopsKey] =
      ProductOf({kFmaFlops, a.dimensions(a.rank() - 1), ElementsIn(b)});
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleCholesky(const HloInstruction* hlo) {
  const Shape& a = hlo->operand(0)->shape();
  // Half of both matrices is touched.
  const float half = GetShapeSize(a) / 2.0f;
  current_properties_[kBytesAccessedKey] = half + half;
  current_properties_.set_output_bytes_accessed(half);
  current_properties_.set_operand_bytes_accessed(0, half);
  current_properties_[kFlopsKey] =
      SaturatingMultiply(a.dimensions(a.rank() - 1), ElementsIn(a)) / 3;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleSort(const HloInstruction* hlo) {
  const int64_t elements = ElementsIn(hlo->operand(0)->shape());
  current_properties_[kFlopsKey] = SaturatingMultiply(
      elements, Log2Ceiling(static_cast<uint64_t>(elements)));
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleRng(const HloInstruction* hlo) {
  current_properties_[kTranscendentalsKey] = ElementsIn(hlo->shape());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleRngBitGenerator(const HloInstruction* hlo) {
  current_properties_[kTranscendentalsKey] =
      ShapeUtil::ElementsInRecursive(hlo->shape());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleMap(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(const Properties called,
                      ProcessSubcomputation(hlo->to_apply()));
  SetCalls(called, ElementsIn(hlo->shape()));
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleReduce(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(const Properties called,
                      ProcessSubcomputation(hlo->to_apply()));
  SetCalls(called,
           ElementsIn(hlo->operand(0)->shape()) - ElementsIn(hlo->shape()));
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleReduceWindow(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(const Properties called,
                      ProcessSubcomputation(hlo->to_apply()));
  const Shape& input = hlo->operand(0)->shape();
  const int64_t outputs = ElementsIn(hlo->shape());
  int64_t in_window = WindowElements(hlo->window());
  int64_t applications = SaturatingMultiply(in_window - 1, outputs);
  if (const std::optional<int64_t> size = BroadcastReduction(*hlo)) {
    in_window = *size;
    applications = outputs / in_window + (in_window - 1);
  }
  if (options_.count_multiple_input_accesses) {
    const int64_t reads = SaturatingMultiply(outputs, in_window);
    current_properties_.set_operand_utilization(
        0, Ratio(reads, ElementsIn(input)));
    current_properties_.set_operand_bytes_accessed(
        0, SaturatingMultiply(reads, ShapeUtil::ByteSizeOfPrimitiveType(
                                         input.element_type())));
  }
  SetCalls(called, applications);
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleSelectAndScatter(
    const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(const Properties select,
                      ProcessSubcomputation(hlo->select()));
  TF_ASSIGN_OR_RETURN(const Properties scatter,
                      ProcessSubcomputation(hlo->scatter()));
  const int64_t sources = ElementsIn(hlo->operand(1)->shape());
  const int64_t selections =
      SaturatingMultiply(sources, WindowElements(hlo->window()) - 1);
  for (const auto& [called, count] :
       {std::pair(&select, selections), std::pair(&scatter, sources)}) {
    called->ForEach([&, count = count](absl::string_view key, float value) {
      if (KeyToCopyFromSubcomputation(key)) {
        current_properties_[key] += value * count;
      }
    });
  }
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleScan(const HloInstruction* hlo) {
  TF_ASSIGN_OR_RETURN(const Properties called,
                      ProcessSubcomputation(hlo->to_apply()));
  // XLA counts a step for each element of operand 1; where there is none, this
  // counts the steps.
  SetCalls(called, hlo->operand_count() > 1
                       ? ElementsIn(hlo->operand(1)->shape())
                       : hlo->operand(0)->shape().dimensions(hlo->dimension()));
  return absl::OkStatus();
}

// Devices.

absl::Status HloCostAnalysis::HandleAllGatherStart(const HloInstruction* hlo) {
  return HandleAllGather(hlo);
}

absl::Status HloCostAnalysis::HandleAllReduceStart(const HloInstruction* hlo) {
  return HandleAllReduce(hlo);
}

absl::Status HloCostAnalysis::HandleAllReduce(const HloInstruction* hlo) {
  // As if two devices took part.
  current_properties_[kFlopsKey] = ElementsOf(hlo->shape());
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleInfeed(const HloInstruction* hlo) {
  int64_t bytes = 0;
  ShapeUtil::ForEachLeafShape(
      hlo->shape(), [&](const Shape& leaf, const ShapeIndex& index) {
        const int64_t size = GetShapeSize(leaf);
        bytes = SaturatingAdd(bytes, size);
        current_properties_.set_output_bytes_accessed(index, size);
      });
  current_properties_.set_output_bytes_accessed(bytes);
  current_properties_[kBytesAccessedKey] = bytes;
  return absl::OkStatus();
}

absl::Status HloCostAnalysis::HandleOutfeed(const HloInstruction* hlo) {
  current_properties_[kBytesAccessedKey] = 0;
  for (int64_t i = 0; i < hlo->operand_count(); ++i) {
    int64_t bytes = 0;
    ShapeUtil::ForEachLeafShape(
        hlo->operand(i)->shape(),
        [&](const Shape& leaf, const ShapeIndex& index) {
          const int64_t size = GetShapeSize(leaf);
          bytes = SaturatingAdd(bytes, size);
          current_properties_.set_operand_bytes_accessed(i, index, size);
        });
    current_properties_.set_operand_bytes_accessed(i, bytes);
    current_properties_[kBytesAccessedKey] += bytes;
  }
  return absl::OkStatus();
}

}  // namespace xla
