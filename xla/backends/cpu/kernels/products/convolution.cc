// Checks a convolution and runs those that are matrix products: one row of the
// left matrix is all that the kernel meets at an output position, brought
// together block by block (never the whole matrix).
#include "xla/backends/cpu/kernels/products/convolution.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/products/convolution_routes.h"
#include "xla/backends/cpu/kernels/products/im2col.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/base/checked_math.h"
#include "xla/core/primitive_util.h"
#include "xla/runtime/worker_slots.h"

namespace xla::cpu {
namespace {

constexpr double kTaskFlops = 4e6;
constexpr int64_t kMaxRows = 168;
constexpr int64_t kMinRows = 14;
constexpr int64_t kMaxColumns = 1024;
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
constexpr int64_t kPackElements = 32 << 10;

// How the product is divided. A unit is a range of the output features of a
// group, whose part of the kernel is packed together; units beyond what fits
// into scratch wait.
struct ProductPlan {
  ConvolutionSizes sizes;
  ProductKind kind;
  int64_t depth, rows;  // of a group's product
  int64_t unit_columns, units_per_group, units_at_once;
  int64_t tile_rows, tasks;
  size_t unit_bytes, slot_bytes;

  explicit ProductPlan(const ConvolutionDesc& desc)
      : sizes(desc), kind(ProductKindOf(desc.input, desc.kernel, desc.out)) {
    depth = sizes.taps * sizes.group_in;
    rows = sizes.out_batch * sizes.positions;
    const int64_t panel = PanelColumns(kind);
    const int64_t panel_bytes = PackedRightBytes(kind, depth, panel);
    unit_columns =
        std::clamp(kMaxPackedBytes / std::max<int64_t>(panel_bytes, 1) * panel,
                   panel, std::max(panel, RoundDownTo(kMaxColumns, panel)));
    unit_columns = std::min(unit_columns, sizes.group_out);
    units_per_group = CeilOfRatio(sizes.group_out, unit_columns);
    const int64_t units = sizes.groups * units_per_group;
    unit_bytes = PackedRightBytes(kind, depth, unit_columns);
    units_at_once = std::clamp<int64_t>(
        kMaxPackedBytes / std::max<int64_t>(unit_bytes, 1), 1, units);
    const double flops = 2.0 * rows * depth * unit_columns * units_at_once;
    const double wanted = std::clamp(flops / kTaskFlops, 1.0, 256.0);
    tile_rows =
        std::clamp<int64_t>(static_cast<int64_t>(rows * units_at_once / wanted),
                            kMinRows, kMaxRows);
    tile_rows = CeilOfRatio(rows, CeilOfRatio(rows, tile_rows));
    const int64_t tiles = CeilOfRatio(rows, tile_rows) * units_at_once;
    const int64_t by_work = std::max<int64_t>(static_cast<int64_t>(wanted), 1);
    tasks = std::min(tiles, by_work);
    slot_bytes =
        std::max(PackRightScratchBytes(kind, depth),
                 TileScratchBytes(kind, desc.out, tile_rows, unit_columns));
  }
};

// Whether rows of the left matrix lie in the input as they are.
bool ReadsInputInPlace(const ConvolutionDesc& desc, const ProductPlan& plan) {
  for (const ConvolutionDim& dim : desc.dims) {
    if (dim.kernel != 1 || dim.stride != 1 || dim.padding_low != 0 ||
        dim.base_dilation != 1 || dim.input != dim.output) {
      return false;
    }
  }
  return desc.input == plan.kind.element && !plan.kind.is_complex &&
         plan.kind.pairs == 1 &&
         desc.in_features * plan.kind.element_bytes() % 1024 != 0;
}

// The product of units [first_unit, first_unit + units).
class UnitsRunner {
 public:
  UnitsRunner(const ConvolutionDesc& desc, const ProductPlan& plan,
              const char* input, const char* kernel, char* out, char* scratch)
      : desc_(desc),
        plan_(plan),
        input_(input),
        kernel_(kernel),
        out_(out),
        packed_(scratch),
        slots_(scratch + plan.units_at_once * plan.unit_bytes) {}

  void Run(int64_t first_unit, int64_t units, ParallelRunner& runner) const {
    const int64_t panel = PanelColumns(plan_.kind);
    const int64_t panels = CeilOfRatio(plan_.unit_columns, panel);
    const int64_t packs = std::clamp<int64_t>(
        plan_.depth * plan_.unit_columns * units / kPackElements, 1,
        std::min(units * panels, plan_.tasks));
    const auto pack = [&](int64_t t, int64_t slot) {
      const int64_t end = units * panels * (t + 1) / packs;
      for (int64_t i = units * panels * t / packs; i < end;) {
        const int64_t last = std::min(end, (i / panels + 1) * panels);
        Pack(first_unit, i / panels, i % panels * panel,
             (last - i / panels * panels) * panel,
             slots_ + slot * plan_.slot_bytes);
        i = last;
      }
    };
    const int64_t tiles = CeilOfRatio(plan_.rows, plan_.tile_rows);
    ForEachTask(runner, packs, pack);
    ForEachRange(runner, units * tiles, plan_.tasks,
                 [&](int64_t first, int64_t last, int64_t slot) {
                   for (int64_t i = first; i < last; ++i) {
                     Multiply(first_unit, i / tiles, i % tiles,
                              slots_ + slot * plan_.slot_bytes);
                   }
                 });
  }

 private:
  // The first output feature of a unit, and how many it has.
  int64_t Feature(int64_t unit) const {
    return unit / plan_.units_per_group * plan_.sizes.group_out +
           unit % plan_.units_per_group * plan_.unit_columns;
  }
  int64_t Columns(int64_t unit) const {
    return std::min(plan_.unit_columns,
                    plan_.sizes.group_out -
                        unit % plan_.units_per_group * plan_.unit_columns);
  }

  void Pack(int64_t first_unit, int64_t i, int64_t first, int64_t last,
            char* scratch) const {
    const int64_t unit = first_unit + i;
    const int64_t columns = Columns(unit);
    if (first >= columns) return;
    const RightMatrix right = {
        desc_.kernel,
        kernel_ + Feature(unit) * primitive_util::ByteWidth(desc_.kernel),
        desc_.out_features, /*transposed=*/false};
    PackRight(plan_.kind, right, plan_.depth, columns, first,
              std::min(last, columns), packed_ + i * plan_.unit_bytes, scratch);
  }

  void Multiply(int64_t first_unit, int64_t i, int64_t block,
                char* scratch) const {
    const int64_t unit = first_unit + i;
    const int64_t group = unit / plan_.units_per_group;
    const int out_bytes = primitive_util::ByteWidth(desc_.out);
    ProductTile tile = {};
    tile.row0 = block * plan_.tile_rows;
    tile.rows = std::min(plan_.tile_rows, plan_.rows - tile.row0);
    tile.columns = tile.packed_columns = Columns(unit);
    tile.depth = plan_.depth;
    tile.packed = packed_ + i * plan_.unit_bytes;
    tile.out_type = desc_.out;
    tile.out = out_ + Feature(unit) * out_bytes;
    tile.out_stride = desc_.out_features;
    if (ReadsInputInPlace(desc_, plan_) && desc_.batch_groups == 1) {
      tile.left = input_ + group * plan_.sizes.group_in *
                               primitive_util::ByteWidth(desc_.input);
      tile.left_stride = desc_.in_features;
    }
    MultiplyTile(plan_.kind, tile,
                 Im2Col(desc_, plan_.sizes, plan_.kind, input_, group),
                 scratch);
  }

  const ConvolutionDesc& desc_;
  const ProductPlan& plan_;
  const char* const input_;
  const char* const kernel_;
  char* const out_;
  char* const packed_;
  char* const slots_;
};

bool IsEmpty(const ConvolutionDesc& desc) {
  const ConvolutionSizes sizes(desc);
  return sizes.out_batch * sizes.positions * desc.out_features == 0;
}

absl::Status CheckDims(const ConvolutionDesc& desc) {
  // Positions stay far from overflow if all of these do.
  constexpr int64_t kLimit = int64_t{1} << 40;
  double input = 1, kernel = 1, output = 1;
  for (size_t i = 0; i < desc.dims.size(); ++i) {
    const ConvolutionDim& d = desc.dims[i];
    const bool ok = d.input >= 0 && d.kernel >= 0 && d.output >= 0 &&
                    d.stride >= 1 && d.base_dilation >= 1 &&
                    d.window_dilation >= 1;
    const bool small = std::max({d.input, d.kernel, d.output}) < kLimit &&
                       d.padding_low < kLimit && d.padding_low > -kLimit &&
                       1.0 * d.output * d.stride < 0x1p60 &&
                       1.0 * d.kernel * d.window_dilation < 0x1p60;
    if (!ok || !small) {
      return absl::InvalidArgumentError(absl::StrCat(
          "convolution: spatial dimension ", i, " has input ", d.input,
          ", kernel ", d.kernel, ", output ", d.output, ", stride ", d.stride,
          ", padding ", d.padding_low, ", dilations ", d.base_dilation, " and ",
          d.window_dilation));
    }
    input *= d.input;
    kernel *= d.kernel;
    output *= d.output;
  }
  const ConvolutionSizes sizes(desc);
  if (input * desc.batch * desc.in_features > 0x1p56 ||
      kernel * sizes.group_in * desc.out_features > 0x1p56 ||
      output * sizes.out_batch * desc.out_features > 0x1p56) {
    return absl::InvalidArgumentError("convolution: an array is too large");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckConvolution(const ConvolutionDesc& desc) {
  for (PrimitiveType type : {desc.input, desc.kernel, desc.out}) {
    if (!primitive_util::IsArrayType(type)) {
      return absl::InvalidArgumentError(
          "convolution: an operand or the result has no array type");
    }
  }
  constexpr int64_t kLimit = int64_t{1} << 40;
  const int64_t groups = std::max(desc.feature_groups, desc.batch_groups);
  if (desc.batch < 0 || desc.in_features < 0 || desc.out_features < 0 ||
      std::max({desc.batch, desc.in_features, desc.out_features}) > kLimit ||
      std::min(desc.feature_groups, desc.batch_groups) != 1 ||
      desc.in_features % desc.feature_groups != 0 ||
      desc.batch % desc.batch_groups != 0 || desc.out_features % groups != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "convolution: batch ", desc.batch, ", features ", desc.in_features,
        " to ", desc.out_features, " with ", desc.feature_groups,
        " feature groups and ", desc.batch_groups, " batch groups"));
  }
  return CheckDims(desc);
}

size_t ConvolutionScratchBytes(const ConvolutionDesc& desc, int num_threads) {
  if (IsEmpty(desc)) return 0;
  if (IsDepthwise(desc)) return DepthwiseScratchBytes(desc, num_threads);
  const ProductPlan plan(desc);
  return plan.units_at_once * plan.unit_bytes +
         WorkerSlots(plan.tasks, num_threads) * plan.slot_bytes;
}

void Convolution(const ConvolutionDesc& desc, const void* input,
                 const void* kernel, void* out, void* scratch,
                 ParallelRunner& runner) {
  if (IsEmpty(desc)) return;
  if (IsDepthwise(desc)) {
    return Depthwise(desc, input, kernel, out, scratch, runner);
  }
  const ProductPlan plan(desc);
  const UnitsRunner units(desc, plan, static_cast<const char*>(input),
                          static_cast<const char*>(kernel),
                          static_cast<char*>(out), static_cast<char*>(scratch));
  const int64_t count = plan.sizes.groups * plan.units_per_group;
  for (int64_t u = 0; u < count; u += plan.units_at_once) {
    units.Run(u, std::min(plan.units_at_once, count - u), runner);
  }
}

}  // namespace xla::cpu
