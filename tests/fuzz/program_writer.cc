// Finds and makes values, and chooses the families that add ops.
#include "tests/fuzz/program_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "tests/fuzz/families/program_branches.h"
#include "tests/fuzz/families/program_contraction.h"
#include "tests/fuzz/families/program_elementwise.h"
#include "tests/fuzz/families/program_indexing.h"
#include "tests/fuzz/families/program_large_thunks.h"
#include "tests/fuzz/families/program_loops.h"
#include "tests/fuzz/families/program_movement.h"
#include "tests/fuzz/families/program_readers.h"
#include "tests/fuzz/families/program_reduction.h"
#include "tests/fuzz/families/program_stacks.h"
#include "xla/core/layout_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::fuzz {
namespace {

constexpr int64_t kMaxElements = 5000;
constexpr int64_t kMaxLargeElements = 150000;

int64_t Product(const Dims& dims) {
  int64_t product = 1;
  for (int64_t size : dims) product *= size;
  return product;
}

}  // namespace

int64_t Value::elements() const { return Product(dims); }
Shape Value::shape() const { return ShapeUtil::MakeShape(type, dims); }

ProgramWriter::ProgramWriter(XlaBuilder* builder, Random& random, Style style,
                             std::vector<Literal>* arguments)
    : builder_(builder),
      random_(random),
      style_(style),
      depth_(0),
      arguments_(arguments) {
  if (style == Style::kMixed) return;
  if (style == Style::kSquare) {
    static const std::vector<int64_t> kSides = {2, 3,  4,  5,  7,  8,
                                                9, 16, 17, 27, 32, 33};
    const int64_t n = random.Of(kSides);
    sizes_ = {{n}, {n, n}, {n, n}, {random.In(1, 3), n, n}};
    if (n * n * n <= kMaxElements) sizes_.push_back({n, n, n});
    return;
  }
  // Sizes on both sides of the limits for the stack and for kernels.
  static const std::vector<Dims> kSmall = {{4},    {8},    {8},      {16},
                                           {3, 5}, {4, 8}, {64},     {128},
                                           {500},  {512},  {16, 16}, {600}};
  static const std::vector<Dims> kLarge = {{2000}, {50, 50}, {5000}, {3, 1000}};
  for (int64_t i = random.In(1, 3); i > 0; --i) {
    sizes_.push_back(random.Of(kSmall));
  }
  if (random.Chance(0.3)) sizes_.push_back(random.Of(kLarge));
}

ProgramWriter::ProgramWriter(XlaBuilder* builder, ProgramWriter& outer)
    : builder_(builder),
      random_(outer.random_),
      style_(outer.style_),
      depth_(outer.depth_ + 1),
      sizes_(outer.sizes_),
      arguments_(nullptr) {}

void ProgramWriter::AddOps(int count) {
  struct Family {
    int mixed, control, square;  // weights
    bool (*add)(ProgramWriter&);
    bool calls = false;
  };
  static constexpr Family kFamilies[] = {
      {160, 104, 160, AddElementwise},   {88, 24, 120, AddMovement},
      {40, 24, 24, AddIndexing},         {56, 36, 100, AddReduction},
      {24, 4, 24, AddContraction},       {4, 50, 4, AddLargeThunk},
      {0, 0, 100, AddReaders},           {4, 4, 4, AddCall, true},
      {8, 80, 8, AddConditional, true},  {12, 72, 12, AddLoop, true},
      {4, 20, 4, AddStackedLoops, true},
  };
  // Fewer calls within called computations, or programs would grow too large.
  auto weight = [&](const Family& family) {
    const int here = style_ == Style::kMixed     ? family.mixed
                     : style_ == Style::kControl ? family.control
                                                 : family.square;
    return family.calls ? here >> depth_ : here;
  };
  int total = 0;
  for (const Family& family : kFamilies) total += weight(family);
  // Each attempt may find that its values do not fit.
  for (int tries = 0; count > 0 && tries < 400; ++tries) {
    int64_t choice = random_.Below(total);
    for (const Family& family : kFamilies) {
      if ((choice -= weight(family)) < 0) {
        count -= family.add(*this);
        break;
      }
    }
  }
}

bool ProgramWriter::Put(XlaOp op, PrimitiveType type, const Dims& dims,
                        const Knowledge& known) {
  Value value{op, type, dims, known};
  const int64_t most = random_.Chance(0.03) ? kMaxLargeElements : kMaxElements;
  if (value.elements() > most) return false;
  const bool real = IsReal(type) || primitive_util::IsComplexType(type);
  if (known.relative > 0 || (!known.exact() && !real)) {
    results_.push_back(std::move(value));
  } else if (known.error > 0.1) {
    return false;
  } else {
    values_.push_back(std::move(value));
  }
  return true;
}

const Value* ProgramWriter::Find(const Fits& fits) {
  std::vector<const Value*> found;
  for (const Value& value : values_) {
    if (fits(value)) found.push_back(&value);
  }
  if (found.empty()) return nullptr;
  // Prefers later values, so that chains of ops grow.
  const int64_t n = found.size();
  return found[std::max(random_.Below(n), random_.Below(n))];
}

Value ProgramWriter::Partner(PrimitiveType type, const Dims& dims) {
  if (random_.Chance(0.75)) {
    const Value* same = Find([&](const Value& value) {
      return value.type == type && value.dims == dims;
    });
    if (same != nullptr) return *same;
    const Value* smaller = Find([&](const Value& value) {
      return value.type == type && value.rank() <= 1 &&
             (value.rank() == 0 || absl::c_linear_search(dims, value.dims[0]));
    });
    if (smaller != nullptr) return Widened(*smaller, dims);
  }
  return Fresh(type, dims);
}

Value ProgramWriter::ExactPartner(PrimitiveType type, const Dims& dims) {
  for (int i = 0; i < 3; ++i) {
    Value value = Partner(type, dims);
    if (value.known.exact()) return value;
  }
  return Fresh(type, dims);
}

Value ProgramWriter::Widened(const Value& value, const Dims& dims) {
  std::vector<int64_t> map;
  if (value.rank() == 1) {
    std::vector<int64_t> places;
    for (size_t d = 0; d < dims.size(); ++d) {
      if (dims[d] == value.dims[0]) places.push_back(d);
    }
    map.push_back(random_.Of(places));
  }
  Value wide = value;
  wide.dims = dims;
  wide.op = BroadcastInDim(value.op, dims, map);
  return wide;
}

Value ProgramWriter::Constant(const Literal& literal, const Knowledge& known) {
  const Shape& shape = literal.shape();
  return {ConstantLiteral(builder_, literal), shape.element_type(),
          Dims(shape.dimensions().begin(), shape.dimensions().end()), known};
}

Value ProgramWriter::Scalar(PrimitiveType type, double number) {
  const Literal wide = LiteralUtil::CreateR0<double>(number);
  return Constant(wide.Convert(type).value(),
                  {.bound = std::abs(number), .grain = 0});
}

XlaOp ProgramWriter::Full(PrimitiveType type, const Dims& dims, double number) {
  return BroadcastInDim(Scalar(type, number).op, dims, {});
}

Value ProgramWriter::Argument(PrimitiveType type, const Dims& dims) {
  Shape shape = ShapeUtil::MakeShape(type, dims);
  if (dims.size() > 1 && random_.Chance(0.05)) {
    *shape.mutable_layout() =
        LayoutUtil::MakeLayout(random_.Permutation(dims.size()));
  }
  const int64_t number = arguments_->size();
  Knowledge known;
  const bool complex = primitive_util::IsComplexType(type);
  double wild = IsReal(type) ? 0.25 : 0.4;
  // They end chains of arithmetic early.
  if (style_ == Style::kControl && IsReal(type)) wild = 0.05;
  if (!complex && random_.Chance(wild)) {
    arguments_->push_back(WildLiteral(shape, random_));
    known = AnyOf(type);
  } else {
    known = {.bound = 8, .grain = 1};
    if (type == PRED) known.bound = 1;
    if (!IsInteger(type) && type != PRED) known.grain = 0.25;
    arguments_->push_back(
        GridLiteral(shape, known.bound, known.grain, random_));
  }
  const std::string name = absl::StrCat("p", number);
  return {Parameter(builder_, number, shape, name), type, dims, known};
}

Value ProgramWriter::Fresh(PrimitiveType type, const Dims& dims) {
  Value value;
  const int64_t elements = Product(dims);
  if (arguments_ != nullptr && random_.Chance(0.7)) {
    value = Argument(type, dims);
  } else if (random_.Chance(0.2) && !dims.empty() && type != PRED) {
    const int64_t d = random_.Below(dims.size());
    value = {Iota(builder_, ShapeUtil::MakeShape(type, dims), d),
             type,
             dims,
             {.bound = static_cast<double>(dims[d]), .grain = 1}};
    if (IsReal(type) && dims[d] * UnitOf(type) > 1) value.known.grain = 0;
    if (IsInteger(type)) value.known = AnyOf(type);
  } else {
    const bool small = elements <= 64 || random_.Chance(0.02);
    const Shape shape = ShapeUtil::MakeShape(
        type, small ? absl::MakeSpan(dims) : absl::Span<const int64_t>());
    const Knowledge known = {.bound = type == PRED ? 1.0 : 4.0, .grain = 1};
    value = Constant(GridLiteral(shape, known.bound, 1, random_), known);
    if (!small) value = Widened(value, dims);
  }
  values_.push_back(value);
  return value;
}

PrimitiveType ProgramWriter::RandomType() {
  static const std::vector<PrimitiveType> kTypes = {
      PRED, S8,  S16,  S32, S32, S32, S64, U8,  U16, U32, U64,
      BF16, F16, BF16, F32, F32, F32, F32, F32, F64, C64};
  static const std::vector<PrimitiveType> kFewTypes = {
      S32, S32, S32, S32, F32, F32, F32, F32, PRED, PRED, U8, S64, F64, BF16};
  return random_.Of(style_ == Style::kMixed ? kTypes : kFewTypes);
}

Dims ProgramWriter::RandomDims() {
  if (!sizes_.empty() && random_.Chance(0.95)) {
    return random_.Chance(0.15) ? Dims() : random_.Of(sizes_);
  }
  static const std::vector<int64_t> kSizes = {
      1,  1,  2,  3,   4,   5,   6,   7,   8,   9,   11,
      13, 16, 16, 17,  19,  24,  31,  32,  33,  37,  48,
      63, 64, 65, 100, 127, 128, 129, 255, 256, 500, 1000};
  static const std::vector<int64_t> kRanks = {0, 1, 1, 2, 2, 2, 3, 3, 4};
  const int64_t most = random_.Chance(0.02) ? kMaxLargeElements : kMaxElements;
  Dims dims;
  for (int64_t rank = random_.Of(kRanks); rank > 0; --rank) {
    // Sizes of other values, so that values can be combined.
    const Value* other =
        Find([](const Value& value) { return value.rank() > 0; });
    int64_t size = other != nullptr && random_.Chance(0.5)
                       ? random_.Of(other->dims)
                       : random_.Of(kSizes);
    if (random_.Chance(0.01)) size = 0;
    if (Product(dims) * size > most) size = random_.In(1, 4);
    if (Product(dims) * size > most) size = 1;
    dims.push_back(size);
  }
  return dims;
}

}  // namespace xla::fuzz
