// Checks a convolution and runs those that are matrix products: one row of the
// left matrix is all that the kernel meets at an output position, brought
// together block by block (never the whole matrix).
#include "xla/backends/cpu/kernels/convolution.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/products/convolution_routes.h"
#include "xla/backends/cpu/kernels/products/lanes.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

constexpr double kTaskFlops = 4e6;
constexpr int64_t kMaxTasks = 64;
constexpr int64_t kMaxRows = 168;
constexpr int64_t kMinRows = 14;
constexpr int64_t kMaxColumns = 1024;
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
constexpr int64_t kPackElements = 32 << 10;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How the product is divided. A unit is a range of the output features of a
// group, whose part of the kernel is packed together; units beyond what fits
// into scratch wait.
struct ProductPlan {
  ConvolutionSizes sizes;
  ProductKind kind;
  int64_t depth, rows;  // of a group's product
  int64_t unit_columns, units_per_group, units_at_once;
  int64_t tile_rows, tasks;
  size_t unit_bytes, lane_bytes;

  explicit ProductPlan(const ConvolutionDesc& desc)
      : sizes(desc), kind(ProductKindOf(desc.input, desc.kernel, desc.out)) {
    depth = sizes.taps * sizes.group_in;
    rows = sizes.out_batch * sizes.positions;
    const int64_t panel = PanelColumns(kind);
    const int64_t panel_bytes = PackedRightBytes(kind, depth, panel);
    unit_columns =
        std::clamp(kMaxPackedBytes / std::max<int64_t>(panel_bytes, 1) * panel,
                   panel, std::max(panel, kMaxColumns / panel * panel));
    unit_columns = std::min(unit_columns, sizes.group_out);
    units_per_group = CeilDiv(sizes.group_out, unit_columns);
    const int64_t units = sizes.groups * units_per_group;
    unit_bytes = PackedRightBytes(kind, depth, unit_columns);
    units_at_once = std::clamp<int64_t>(
        kMaxPackedBytes / std::max<int64_t>(unit_bytes, 1), 1, units);
    const double flops = 2.0 * rows * depth * unit_columns * units_at_once;
    const double wanted = std::clamp(flops / kTaskFlops, 1.0, 256.0);
    tile_rows =
        std::clamp<int64_t>(static_cast<int64_t>(rows * units_at_once / wanted),
                            kMinRows, kMaxRows);
    tile_rows = CeilDiv(rows, CeilDiv(rows, tile_rows));
    const int64_t tiles = CeilDiv(rows, tile_rows) * units_at_once;
    const int64_t by_work = std::max<int64_t>(static_cast<int64_t>(wanted), 1);
    tasks = std::min({tiles, by_work, kMaxTasks});
    lane_bytes =
        std::max(PackRightScratchBytes(kind, depth),
                 TileScratchBytes(kind, desc.out, tile_rows, unit_columns));
  }
};

// Reads rows of the left matrix: element (tap, feature) of row (item,
// position).
class PatchReader {
 public:
  PatchReader(const ConvolutionDesc& desc, const ProductPlan& plan,
              const char* input, int64_t group)
      : desc_(desc),
        plan_(plan),
        bytes_(primitive_util::ByteWidth(desc.input)),
        width_(plan.kind.element_bytes()),
        convert_(RunConverterOf(desc.input, plan.kind.element)),
        same_type_(desc.input == plan.kind.element) {
    outer_dims_ = std::max<int64_t>(desc.dims.size(), 1) - 1;
    last_ = desc.dims.empty() ? ConvolutionDim{} : desc.dims.back();
    const bool by_batch = desc.batch_groups > 1;
    first_item_ = by_batch ? group * plan.sizes.out_batch : 0;
    input_ = input + (by_batch ? 0 : group * plan.sizes.group_in * bytes_);
    // Elements of neighbouring taps are neighbours in memory.
    merges_ = last_.window_dilation == 1 && last_.base_dilation == 1 &&
              !last_.reversed && plan.sizes.group_in == desc.in_features;
  }

  void operator()(int64_t row0, int64_t rows, int64_t depth0, int64_t depth,
                  void* to, int64_t stride) const {
    absl::InlinedVector<int64_t, 3> output(outer_dims_ + 1);
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t item =
          OutputPosition(desc_, desc_.dims.size(), row0 + i, output.data());
      ReadRow(first_item_ + item, output.data(), depth0, depth,
              static_cast<char*>(to) + i * stride * width_);
    }
  }

 private:
  void Zero(char* to, int64_t count) const {
    std::memset(to, 0, count * width_);
  }
  void Copy(const char* from, char* to, int64_t count) const {
    if (same_type_) {
      std::memcpy(to, from, count * width_);
    } else {
      convert_(from, to, count);
    }
  }

  void ReadRow(int64_t item, const int64_t* output, int64_t depth0,
               int64_t depth, char* to) const {
    // Line of taps: all that differ in the last dimension only.
    const int64_t line = last_.kernel * plan_.sizes.group_in;
    int64_t at = depth0;
    while (at < depth0 + depth) {
      const int64_t first = at % line;
      const int64_t count = std::min(line - first, depth0 + depth - at);
      const int64_t input_line = InputLine(item, output, at / line);
      if (input_line < 0) {
        Zero(to, count);
      } else {
        const char* from =
            input_ + input_line * last_.input * desc_.in_features * bytes_;
        if (merges_) {
          ReadMerged(from, output[outer_dims_], first, count, to);
        } else {
          ReadTaps(from, output[outer_dims_], first, count, to);
        }
      }
      at += count;
      to += count * width_;
    }
  }

  // The line of input positions that a line of taps meets; -1 for padding.
  int64_t InputLine(int64_t item, const int64_t* output, int64_t taps) const {
    int64_t line = 0, step = 1;
    for (int64_t d = outer_dims_ - 1; d >= 0; --d) {
      const ConvolutionDim& dim = desc_.dims[d];
      const int64_t at = InputPosition(dim, output[d], taps % dim.kernel);
      if (at < 0) return -1;
      line += at * step;
      step *= dim.input;
      taps /= dim.kernel;
    }
    return line + item * step;
  }

  // Elements [first, first + count) of a line of taps.
  void ReadMerged(const char* from, int64_t output, int64_t first,
                  int64_t count, char* to) const {
    const int64_t features = desc_.in_features;
    const int64_t start =
        (output * last_.stride - last_.padding_low) * features + first;
    const int64_t begin = std::clamp<int64_t>(-start, 0, count);
    const int64_t end =
        std::clamp<int64_t>(last_.input * features - start, begin, count);
    if (begin > 0) Zero(to, begin);
    if (end > begin) {
      Copy(from + (start + begin) * bytes_, to + begin * width_, end - begin);
    }
    if (end < count) Zero(to + end * width_, count - end);
  }

  void ReadTaps(const char* from, int64_t output, int64_t first, int64_t count,
                char* to) const {
    const int64_t group_in = plan_.sizes.group_in;
    while (count > 0) {
      const int64_t feature = first % group_in;
      const int64_t run = std::min(group_in - feature, count);
      const int64_t at = InputPosition(last_, output, first / group_in);
      if (at < 0) {
        Zero(to, run);
      } else {
        Copy(from + (at * desc_.in_features + feature) * bytes_, to, run);
      }
      first += run;
      count -= run;
      to += run * width_;
    }
  }

  const ConvolutionDesc& desc_;
  const ProductPlan& plan_;
  const int bytes_, width_;
  const RunConverter convert_;
  const bool same_type_;
  int64_t outer_dims_;
  ConvolutionDim last_;
  int64_t first_item_;
  const char* input_;
  bool merges_;
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
        lanes_(scratch + plan.units_at_once * plan.unit_bytes) {}

  void Run(int64_t first_unit, int64_t units, ParallelRunner& runner) const {
    const int64_t panel = PanelColumns(plan_.kind);
    const int64_t panels = CeilDiv(plan_.unit_columns, panel);
    const int64_t packs = std::clamp<int64_t>(
        plan_.depth * plan_.unit_columns * units / kPackElements, 1,
        std::min(units * panels, plan_.tasks));
    const auto pack = [&](int64_t t, int64_t lane) {
      const int64_t end = units * panels * (t + 1) / packs;
      for (int64_t i = units * panels * t / packs; i < end;) {
        const int64_t last = std::min(end, (i / panels + 1) * panels);
        Pack(first_unit, i / panels, i % panels * panel,
             (last - i / panels * panels) * panel,
             lanes_ + lane * plan_.lane_bytes);
        i = last;
      }
    };
    const int64_t tiles = CeilDiv(plan_.rows, plan_.tile_rows);
    ForEachTask(runner, packs, pack);
    ForEachLane(runner, units * tiles, plan_.tasks,
                [&](int64_t first, int64_t last, int64_t lane) {
                  for (int64_t i = first; i < last; ++i) {
                    Multiply(first_unit, i / tiles, i % tiles,
                             lanes_ + lane * plan_.lane_bytes);
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
    MultiplyTile(plan_.kind, tile, PatchReader(desc_, plan_, input_, group),
                 scratch);
  }

  const ConvolutionDesc& desc_;
  const ProductPlan& plan_;
  const char* const input_;
  const char* const kernel_;
  char* const out_;
  char* const packed_;
  char* const lanes_;
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
         LanesOf(plan.tasks, num_threads) * plan.lane_bytes;
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
