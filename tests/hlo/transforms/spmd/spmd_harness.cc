// Parts come from the whole by the shardings that propagation left.
#include "tests/hlo/transforms/spmd/spmd_harness.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/evaluator/replicated.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/pass/hlo_pass.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/sharding/sharding_propagation.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/transforms/spmd/plain_shardings.h"
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {
namespace {

using Shardings = std::vector<MeshSharding>;

// Adds the computations that the text calls and does not define.
std::string WithComputations(absl::string_view text) {
  const size_t end_of_header = text.find('\n');
  std::string all(text.substr(0, end_of_header));
  const auto add = [&](absl::string_view name, absl::string_view type,
                       absl::string_view result) {
    if (text.find(absl::StrCat("=", name)) == absl::string_view::npos) return;
    if (text.find(absl::StrCat("\n", name, " {")) != absl::string_view::npos) {
      return;
    }
    absl::StrAppend(&all, "\n", name, " {\n  x = ", type,
                    " parameter(0)\n  y = ", type,
                    " parameter(1)\n  ROOT r = ", result, "\n}");
  };
  add("add_s32", "s32[]", "s32[] add(x, y)");
  add("add", "f32[]", "f32[] add(x, y)");
  add("max", "f32[]", "f32[] maximum(x, y)");
  add("min", "f32[]", "f32[] minimum(x, y)");
  add("ge", "f32[]", "pred[] compare(x, y), direction=GE");
  absl::StrAppend(&all, text.substr(end_of_header));
  return all;
}

std::unique_ptr<HloModule> Parse(absl::string_view text) {
  auto module = ParseAndReturnUnverifiedModule(WithComputations(text));
  if (!module.ok()) {
    ADD_FAILURE() << module.status();
    return nullptr;
  }
  const absl::Status verified = HloVerifier().Verify(**module);
  if (!verified.ok()) {
    ADD_FAILURE() << verified;
    return nullptr;
  }
  return *std::move(module);
}

bool RunPass(HloPassInterface&& pass, HloModule& module) {
  const absl::Status ran = pass.Run(&module).status();
  if (!ran.ok()) ADD_FAILURE() << pass.name() << ": " << ran;
  return ran.ok();
}

// Propagation gives parameters and results no parts of several sizes; the
// partitioner takes them, so what the text states stays.
bool Propagate(HloModule& module, const SpmdRunOptions& options) {
  if (!RunPass(FlattenCallGraph(), module)) return false;
  if (!options.propagate) return true;
  const HloComputation& entry = *module.entry_computation();
  std::map<std::string, OpSharding> stated;
  for (const auto& hlo : entry.instructions()) {
    if (hlo->has_sharding()) stated[hlo->name()] = hlo->sharding_proto();
  }
  const HloInstruction* root = entry.root_instruction();
  std::optional<OpSharding> result;
  if (root->has_sharding()) result = root->sharding_proto();
  if (!RunPass(ShardingPropagation(), module)) return false;
  for (const auto& hlo : entry.instructions()) {
    const auto found = stated.find(hlo->name());
    if (found != stated.end()) hlo->set_sharding(found->second);
  }
  if (result.has_value()) entry.root_instruction()->set_sharding(*result);
  return true;
}

bool Partition(HloModule& module) {
  if (!RunPass(SpmdPartitioner(), module)) return false;
  const absl::Status verified = HloVerifier().Verify(module);
  if (!verified.ok()) ADD_FAILURE() << verified << "\n" << module.ToString();
  return verified.ok();
}

// Random integers of the options' ranges, which are cut to those of the type.
Literal RandomArray(const Shape& shape, const SpmdRunOptions& options,
                    std::mt19937_64& random) {
  const PrimitiveType type = shape.element_type();
  int64_t low = options.low;
  int64_t high = options.high;
  if (primitive_util::IsIntegralType(type)) {
    low = options.integer_low;
    high = options.integer_high;
    if (primitive_util::IsUnsignedIntegralType(type)) low = std::max(low, 0L);
  } else if (type == PRED) {
    low = 0;
    high = 1;
  }
  std::uniform_int_distribution<int64_t> numbers(low, high);
  Literal literal(ShapeUtil::ChangeElementType(shape, S64));
  ShapeUtil::ForEachIndexNoStatus(shape, [&](absl::Span<const int64_t> index) {
    literal.Set<int64_t>(index, numbers(random));
    return true;
  });
  return literal.Convert(type).value();
}

Literal RandomValue(const Shape& shape, const SpmdRunOptions& options,
                    std::mt19937_64& random) {
  if (!shape.IsTuple()) return RandomArray(shape, options, random);
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    elements.push_back(RandomValue(element, options, random));
  }
  return LiteralUtil::MakeTupleOwned(std::move(elements));
}

// What nobody may read.
Literal GarbageOf(PrimitiveType type) {
  if (primitive_util::IsFloatingPointType(type) ||
      primitive_util::IsComplexType(type)) {
    return LiteralUtil::NanValue(type).value();
  }
  if (type == PRED) return LiteralUtil::CreateR0<bool>(true);
  return LiteralUtil::CreateR0<int32_t>(99).Convert(type).value();
}

// Where the part of a device begins, and the sizes that it has of the whole.
struct PartRange {
  std::vector<int64_t> starts;
  std::vector<int64_t> sizes;  // of the part, rounded up
  std::vector<int64_t> valid;  // of these, what exists
};

PartRange RangeOf(const Shape& whole, const MeshSharding& sharding,
                  int64_t device) {
  PartRange range;
  range.sizes = PartSizes(whole.dimensions(), sharding);
  for (int64_t d = 0; d < sharding.rank(); ++d) {
    const int64_t coordinate =
        sharding.mesh->CoordinatesOf(sharding.dimensions[d].axes)[device];
    // An empty part begins at the end.
    range.starts.push_back(
        std::min(coordinate * range.sizes[d], whole.dimensions(d)));
    range.valid.push_back(std::clamp<int64_t>(
        whole.dimensions(d) - range.starts[d], 0, range.sizes[d]));
  }
  return range;
}

std::vector<int64_t> Plus(absl::Span<const int64_t> a,
                          absl::Span<const int64_t> b) {
  std::vector<int64_t> sum(a.begin(), a.end());
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
  return sum;
}

Literal PartOfArray(const Literal& whole, const MeshSharding& sharding,
                    int64_t device) {
  const PartRange range = RangeOf(whole.shape(), sharding, device);
  const PrimitiveType type = whole.shape().element_type();
  Literal part = GarbageOf(type)
                     .Broadcast(ShapeUtil::MakeShape(type, range.sizes), {})
                     .value();
  ShapeUtil::ForEachIndexNoStatus(
      ShapeUtil::MakeShape(type, range.valid),
      [&](absl::Span<const int64_t> index) {
        EXPECT_TRUE(
            part.CopyElementFrom(whole, Plus(index, range.starts), index).ok());
        return true;
      });
  return part;
}

// Calls fn(array, number) for the arrays of a value, and makes a value of the
// results.
template <typename Fn>
Literal MapArrays(Literal value, size_t& next, const Fn& fn) {
  if (!value.shape().IsTuple()) return fn(value, next++);
  std::vector<Literal> elements;
  for (Literal& element : value.DecomposeTuple()) {
    elements.push_back(MapArrays(std::move(element), next, fn));
  }
  return LiteralUtil::MakeTupleOwned(std::move(elements));
}

void ExpectPart(const Literal& whole, const Literal& part,
                const MeshSharding& sharding, int64_t device,
                const SpmdRunOptions& options) {
  const PartRange range = RangeOf(whole.shape(), sharding, device);
  ASSERT_EQ(part.shape().dimensions(), absl::MakeConstSpan(range.sizes));
  const std::vector<int64_t> zeros(range.sizes.size(), 0);
  const Literal expected =
      whole.Slice(range.starts, Plus(range.starts, range.valid));
  const Literal actual = part.Slice(zeros, range.valid);
  const absl::Status equal =
      options.tolerance == 0
          ? literal_comparison::Equal(expected, actual)
          : literal_comparison::Near(
                expected, actual,
                ErrorSpec(options.tolerance, options.tolerance));
  EXPECT_TRUE(equal.ok()) << "device " << device << ": " << equal;
}

// The shardings of the parameters and the result.
struct EntryShardings {
  std::vector<Shardings> parameters;
  Shardings results;
};

bool ReadShardings(const HloModule& module, EntryShardings& found) {
  auto shardings = PlainShardings::Create(module);
  if (!shardings.ok()) {
    ADD_FAILURE() << shardings.status();
    return false;
  }
  const auto read = [&](const HloInstruction& hlo, Shardings& to) {
    absl::StatusOr<Shardings> of = shardings->Of(hlo);
    if (!of.ok()) ADD_FAILURE() << of.status();
    if (of.ok()) to = *std::move(of);
    return of.ok();
  };
  const HloComputation& entry = *module.entry_computation();
  for (const HloInstruction* parameter : entry.parameter_instructions()) {
    if (!read(*parameter, found.parameters.emplace_back())) return false;
  }
  return read(*entry.root_instruction(), found.results);
}

// Returns each device's results.
absl::StatusOr<std::vector<Literal>> RunParts(const HloModule& module,
                                              const std::vector<Literal>& whole,
                                              const EntryShardings& shardings,
                                              const SpmdRunOptions& options) {
  ReplicatedOptions run;
  run.custom_call_handler = options.custom_call_handler;
  run.num_partitions = module.config().num_partitions();
  std::vector<std::vector<Literal>> parts(run.num_partitions);
  std::vector<std::vector<const Literal*>> arguments(run.num_partitions);
  for (int64_t device = 0; device < run.num_partitions; ++device) {
    for (size_t i = 0; i < whole.size(); ++i) {
      size_t next = 0;
      parts[device].push_back(MapArrays(
          whole[i].Clone(), next, [&](const Literal& array, size_t number) {
            return PartOfArray(array, shardings.parameters[i][number], device);
          }));
    }
    for (const Literal& part : parts[device]) {
      arguments[device].push_back(&part);
    }
  }
  return EvaluateReplicated(module, arguments, run);
}

}  // namespace

std::unique_ptr<HloModule> Partitioned(absl::string_view text,
                                       const SpmdRunOptions& options) {
  std::unique_ptr<HloModule> module = Parse(text);
  if (module == nullptr || !Propagate(*module, options) ||
      !Partition(*module)) {
    return nullptr;
  }
  return module;
}

std::string ExpectPartsOfWhole(absl::string_view text,
                               const SpmdRunOptions& options) {
  SCOPED_TRACE(text);
  const std::unique_ptr<HloModule> whole = Parse(text);
  const std::unique_ptr<HloModule> parts = Parse(text);
  EntryShardings shardings;
  if (whole == nullptr || parts == nullptr || !Propagate(*parts, options) ||
      !ReadShardings(*parts, shardings)) {
    return "";
  }
  std::mt19937_64 random(options.seed);
  std::vector<Literal> arguments;
  for (const HloInstruction* parameter :
       whole->entry_computation()->parameter_instructions()) {
    arguments.push_back(RandomValue(parameter->shape(), options, random));
  }
  whole->mutable_config().set_num_partitions(1);
  HloEvaluator evaluator;
  if (options.custom_call_handler != nullptr) {
    evaluator.set_custom_call_handler(options.custom_call_handler);
  }
  absl::StatusOr<Literal> expected =
      evaluator.Evaluate(*whole, absl::MakeConstSpan(arguments));
  if (!expected.ok()) ADD_FAILURE() << expected.status();
  if (!expected.ok() || !Partition(*parts)) return "";
  absl::StatusOr<std::vector<Literal>> actual =
      RunParts(*parts, arguments, shardings, options);
  const std::string partitioned = parts->ToString();
  if (!actual.ok()) ADD_FAILURE() << actual.status() << "\n" << partitioned;
  if (!actual.ok()) return "";
  for (size_t device = 0; device < actual->size(); ++device) {
    std::vector<Literal> found;
    size_t next = 0;
    MapArrays(std::move((*actual)[device]), next,
              [&](const Literal& array, size_t) {
                found.push_back(array.Clone());
                return array.Clone();
              });
    next = 0;
    MapArrays(expected->Clone(), next,
              [&](const Literal& array, size_t number) {
                ExpectPart(array, found[number], shardings.results[number],
                           device, options);
                return array.Clone();
              });
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << partitioned;
      return "";
    }
  }
  return partitioned;
}

int CountOf(absl::string_view text, absl::string_view opcode) {
  const std::string call = absl::StrCat(" ", opcode, "(");
  int count = 0;
  for (size_t at = text.find(call); at != absl::string_view::npos;
       at = text.find(call, at + 1)) {
    ++count;
  }
  return count;
}

int CountCollectives(absl::string_view text) {
  int count = 0;
  for (const absl::string_view opcode :
       {"all-gather", "all-reduce", "all-to-all", "collective-permute",
        "reduce-scatter"}) {
    count += CountOf(text, opcode);
  }
  return count;
}

}  // namespace xla
