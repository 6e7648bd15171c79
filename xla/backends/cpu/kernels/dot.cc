// Checks a dot, chooses its route and runs those that pack.
#include "xla/backends/cpu/kernels/dot.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/kernels/products/dot_routes.h"
#include "xla/backends/cpu/kernels/products/packed_product.h"
#include "xla/backends/cpu/kernels/vector/element_runs.h"
#include "xla/backends/cpu/kernels/vector/transposing.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

// Multiplications and additions that are worth a task, and the size up to
// which a product of a batch is not split.
constexpr double kTaskFlops = 2e6;
constexpr double kSplitFlops = 16e6;
constexpr int64_t kMaxLanes = 64;
// Of a tile.
constexpr int64_t kMaxRows = 168;
constexpr int64_t kMaxColumns = 1024;
// Of the packed right matrix: columns beyond wait for those before.
constexpr int64_t kMaxPackedBytes = int64_t{32} << 20;
constexpr int64_t kMaxPrivateBytes = int64_t{1} << 20;
// Elements that one packing task takes at least.
constexpr int64_t kPackElements = 32 << 10;

int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// How a dot that packs is divided.
struct PackedDot {
  ProductKind kind;
  // Whether tasks run whole items and pack for themselves.
  bool private_items = false;
  int64_t lanes = 1;      // that run at once, each with its scratch
  int64_t wave = 0;       // columns packed at a time, if shared
  int64_t rows, columns;  // of a tile
  size_t packed_bytes, pack_scratch, tile_scratch;

  explicit PackedDot(const DotDesc& desc);
  size_t lane_bytes() const {
    return std::max(pack_scratch, tile_scratch) +
           (private_items ? packed_bytes : 0);
  }
  size_t scratch_bytes() const {
    return lanes * lane_bytes() + (private_items ? 0 : packed_bytes);
  }
};

PackedDot::PackedDot(const DotDesc& desc)
    : kind(ProductKindOf(desc.lhs, desc.rhs, desc.out)) {
  const double flops = 2.0 * desc.m * desc.n * std::max<int64_t>(desc.k, 1) *
                       (kind.is_complex ? 4 : 1);
  const double total = flops * desc.batch;
  rows = std::min(desc.m, kMaxRows);
  columns = std::min(desc.n, kMaxColumns);
  pack_scratch = PackRightScratchBytes(kind, desc.k);
  packed_bytes = PackedRightBytes(kind, desc.k, desc.n);
  private_items =
      packed_bytes <= kMaxPrivateBytes &&
      (flops <= kSplitFlops / 2 || total <= kTaskFlops || desc.batch >= 16);
  if (private_items) {
    columns = desc.n;
    lanes = std::clamp<int64_t>(total / kTaskFlops, 1,
                                std::min(desc.batch, kMaxLanes));
  } else {
    const int64_t panel = PanelColumns(kind);
    const int64_t column_bytes = PackedRightBytes(kind, desc.k, panel) / panel;
    wave = std::max(kMaxPackedBytes / std::max<int64_t>(column_bytes, 1),
                    int64_t{256}) /
           panel * panel;
    wave = std::min(std::max(wave, panel), desc.n);
    packed_bytes = PackedRightBytes(kind, desc.k, wave);
    columns = std::min(columns, wave);
    const auto tiles = [&] {
      return CeilDiv(desc.m, rows) * CeilDiv(wave, columns);
    };
    const int64_t wanted =
        std::clamp<int64_t>(flops / (2 * kTaskFlops), 1, kMaxLanes);
    while (tiles() < wanted) {
      if (columns > 256) {
        columns = CeilDiv(columns, 2);
      } else if (rows > 42) {
        rows = CeilDiv(rows, 2);
      } else if (columns > 128) {
        columns = CeilDiv(columns, 2);
      } else {
        break;
      }
    }
    columns = std::min(CeilDiv(columns, panel) * panel, desc.n);
    // Tiles of the same size, as far as they go.
    rows = CeilDiv(desc.m, CeilDiv(desc.m, rows));
    const int64_t packs = CeilDiv(wave, panel);
    lanes = std::clamp<int64_t>(std::max(tiles(), packs), 1, kMaxLanes);
  }
  tile_scratch = TileScratchBytes(kind, desc.out, rows, columns);
}

// The operands of one item of the batch.
struct Item {
  const char *lhs, *rhs;
  char* out;
};

const char* Advance(const void* data, int64_t elements, PrimitiveType type) {
  return static_cast<const char*>(data) +
         elements * primitive_util::ByteWidth(type);
}

// Reads blocks of rows of the left operand for tiles.
class DotReader {
 public:
  DotReader(const DotDesc& desc, const ProductKind& kind, const void* lhs)
      : desc_(desc),
        width_(kind.element_bytes()),
        lhs_(lhs),
        convert_(RunConverterOf(desc.lhs, kind.element)) {}

  void operator()(int64_t row0, int64_t rows, int64_t depth0, int64_t depth,
                  void* to, int64_t stride) const {
    char* out = static_cast<char*>(to);
    if (!desc_.lhs_transposed) {
      for (int64_t i = 0; i < rows; ++i) {
        convert_(
            Advance(lhs_, (row0 + i) * desc_.lhs_stride + depth0, desc_.lhs),
            out + i * stride * width_, depth);
      }
      return;
    }
    char converted[kTransposedRows][kMaxRows * 16];
    const void* columns[kTransposedRows];
    for (int64_t l = 0; l < depth; l += kTransposedRows) {
      for (int64_t r = 0; r < kTransposedRows; ++r) {
        // Past the end, whatever goes into the padding.
        const int64_t at = depth0 + std::min(l + r, depth - 1);
        convert_(Advance(lhs_, at * desc_.lhs_stride + row0, desc_.lhs),
                 converted[r], rows);
        columns[r] = converted[r];
      }
      RowsToColumns(width_, columns, rows, out + l * width_, stride);
    }
  }

 private:
  const DotDesc& desc_;
  const int width_;
  const void* lhs_;
  const RunConverter convert_;
};

// Whether micro kernels may read rows of the left operand in place: rows that
// are multiples of a page apart would fall into the same cache sets.
bool ReadsLeftInPlace(const DotDesc& desc, const ProductKind& kind) {
  return desc.lhs == kind.element && !kind.is_complex && kind.pairs == 1 &&
         !desc.lhs_transposed &&
         (desc.lhs_stride * kind.element_bytes() % 1024 != 0 || desc.m <= 4);
}

ProductTile TileOf(const DotDesc& desc, const ProductKind& kind,
                   const Item& item) {
  ProductTile tile = {};
  tile.depth = desc.k;
  tile.out_type = desc.out;
  tile.out = item.out;
  tile.out_stride = desc.out_stride;
  if (ReadsLeftInPlace(desc, kind)) {
    tile.left = item.lhs;
    tile.left_stride = desc.lhs_stride;
  }
  return tile;
}

// A whole item on this thread.
void RunItem(const DotDesc& desc, const PackedDot& plan, const Item& item,
             char* scratch) {
  char* packed = scratch;
  char* rest = scratch + plan.packed_bytes;
  const RightMatrix right = {desc.rhs, item.rhs, desc.rhs_stride,
                             desc.rhs_transposed};
  PackRight(plan.kind, right, desc.k, desc.n, 0, desc.n, packed, rest);
  const DotReader reader(desc, plan.kind, item.lhs);
  ProductTile tile = TileOf(desc, plan.kind, item);
  tile.packed = packed;
  tile.packed_columns = tile.columns = desc.n;
  for (tile.row0 = 0; tile.row0 < desc.m; tile.row0 += plan.rows) {
    tile.rows = std::min(plan.rows, desc.m - tile.row0);
    MultiplyTile(plan.kind, tile, reader, rest);
  }
}

// An item by all threads, a wave of columns after the other.
void SplitItem(const DotDesc& desc, const PackedDot& plan, const Item& item,
               char* scratch, ParallelRunner& runner) {
  char* packed = scratch;
  char* lanes = scratch + plan.packed_bytes;
  const DotReader reader(desc, plan.kind, item.lhs);
  const int64_t panel = PanelColumns(plan.kind);
  for (int64_t c = 0; c < desc.n; c += plan.wave) {
    const int64_t width = std::min(plan.wave, desc.n - c);
    const int64_t right_at = desc.rhs_transposed ? c * desc.rhs_stride : c;
    const RightMatrix right = {desc.rhs, Advance(item.rhs, right_at, desc.rhs),
                               desc.rhs_stride, desc.rhs_transposed};
    const int64_t panels = CeilDiv(width, panel);
    const int64_t pack_tasks = std::clamp<int64_t>(
        width * desc.k / kPackElements, 1, std::min(panels, plan.lanes));
    runner.ParallelFor(pack_tasks, [&](int64_t t) {
      const int64_t first = panels * t / pack_tasks * panel;
      const int64_t last =
          std::min(panels * (t + 1) / pack_tasks * panel, width);
      PackRight(plan.kind, right, desc.k, width, first, last, packed,
                lanes + t * plan.lane_bytes());
    });
    ProductTile tile = TileOf(desc, plan.kind, item);
    tile.packed = packed;
    tile.packed_columns = width;
    tile.out = item.out + c * primitive_util::ByteWidth(desc.out);
    const int64_t across = CeilDiv(width, plan.columns);
    const int64_t tiles = across * CeilDiv(desc.m, plan.rows);
    const int64_t tasks = std::min(tiles, plan.lanes);
    runner.ParallelFor(tasks, [&](int64_t t) {
      ProductTile own = tile;
      for (int64_t i = tiles * t / tasks; i < tiles * (t + 1) / tasks; ++i) {
        own.row0 = i / across * plan.rows;
        own.rows = std::min(plan.rows, desc.m - own.row0);
        own.column0 = i % across * plan.columns;
        own.columns = std::min(plan.columns, width - own.column0);
        MultiplyTile(plan.kind, own, reader, lanes + t * plan.lane_bytes());
      }
    });
  }
}

void RunPacked(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
               void* scratch, ParallelRunner& runner) {
  const PackedDot plan(desc);
  const auto item_at = [&](int64_t i) {
    return Item{
        Advance(lhs, i * desc.lhs_batch_stride, desc.lhs),
        Advance(rhs, i * desc.rhs_batch_stride, desc.rhs),
        const_cast<char*>(Advance(out, i * desc.out_batch_stride, desc.out))};
  };
  char* memory = static_cast<char*>(scratch);
  if (!plan.private_items) {
    for (int64_t i = 0; i < desc.batch; ++i) {
      SplitItem(desc, plan, item_at(i), memory, runner);
    }
    return;
  }
  const auto run = [&](int64_t lane) {
    for (int64_t i = desc.batch * lane / plan.lanes;
         i < desc.batch * (lane + 1) / plan.lanes; ++i) {
      RunItem(desc, plan, item_at(i), memory + lane * plan.lane_bytes());
    }
  };
  if (plan.lanes == 1) return run(0);
  runner.ParallelFor(plan.lanes, run);
}

bool IsEmpty(const DotDesc& desc) {
  return desc.batch == 0 || desc.m == 0 || desc.n == 0;
}

// Bytes of `batch` matrices fit into 63 bits, with what rounds them up.
absl::Status CheckOperand(absl::string_view name, PrimitiveType type,
                          int64_t batch, int64_t rows, int64_t columns,
                          int64_t stride, int64_t batch_stride) {
  if (!primitive_util::IsArrayType(type)) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " has no array type"));
  }
  if (batch < 0 || rows < 0 || columns < 0 ||
      (stride != 0 && stride < columns) || batch_stride < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " has sizes [", batch, ",", rows, ",",
                     columns, "], strides ", batch_stride, " and ", stride));
  }
  const double rows_size =
      static_cast<double>(rows) * std::max(stride, columns);
  if (std::max<double>(rows_size, batch_stride) * std::max<int64_t>(batch, 1) >
      0x1p56) {
    return absl::InvalidArgumentError(
        absl::StrCat("dot: ", name, " is too large"));
  }
  return absl::OkStatus();
}

}  // namespace

DotDesc WithStrides(const DotDesc& desc) {
  DotDesc d = desc;
  const auto fill = [](int64_t& stride, int64_t& batch_stride, int64_t rows,
                       int64_t columns) {
    if (stride == 0) stride = columns;
    if (batch_stride == 0) batch_stride = rows * stride;
  };
  fill(d.lhs_stride, d.lhs_batch_stride, d.lhs_transposed ? d.k : d.m,
       d.lhs_transposed ? d.m : d.k);
  fill(d.rhs_stride, d.rhs_batch_stride, d.rhs_transposed ? d.n : d.k,
       d.rhs_transposed ? d.k : d.n);
  fill(d.out_stride, d.out_batch_stride, d.m, d.n);
  return d;
}

absl::Status CheckDot(const DotDesc& d) {
  TF_RETURN_IF_ERROR(CheckOperand(
      "left operand", d.lhs, d.batch, d.lhs_transposed ? d.k : d.m,
      d.lhs_transposed ? d.m : d.k, d.lhs_stride, d.lhs_batch_stride));
  TF_RETURN_IF_ERROR(CheckOperand(
      "right operand", d.rhs, d.batch, d.rhs_transposed ? d.n : d.k,
      d.rhs_transposed ? d.k : d.n, d.rhs_stride, d.rhs_batch_stride));
  return CheckOperand("result", d.out, d.batch, d.m, d.n, d.out_stride,
                      d.out_batch_stride);
}

size_t DotScratchBytes(const DotDesc& desc) {
  if (IsEmpty(desc)) return 0;
  const DotDesc d = WithStrides(desc);
  if (IsTinyDot(d)) return 0;
  if (IsSkinnyDot(d)) return SkinnyDotScratchBytes(d);
  return PackedDot(d).scratch_bytes();
}

void Dot(const DotDesc& desc, const void* lhs, const void* rhs, void* out,
         void* scratch, ParallelRunner& runner) {
  if (IsEmpty(desc)) return;
  const DotDesc d = WithStrides(desc);
  if (IsTinyDot(d)) return TinyDot(d, lhs, rhs, out, runner);
  if (IsSkinnyDot(d)) return SkinnyDot(d, lhs, rhs, out, scratch, runner);
  RunPacked(d, lhs, rhs, out, scratch, runner);
}

}  // namespace xla::cpu
