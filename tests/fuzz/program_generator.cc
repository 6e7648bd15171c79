// The entry computation: arguments, ops, the choice of results, aliases.
#include "tests/fuzz/program_generator.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "tests/fuzz/program_writer.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla::fuzz {
namespace {

// The last values, those that may not be operands, and some others.
std::vector<Value> ChooseResults(ProgramWriter& writer, Random& random) {
  std::vector<Value> results;
  for (const Value& value : writer.results()) {
    if (random.Chance(0.7)) results.push_back(value);
  }
  const std::vector<Value>& values = writer.values();
  results.push_back(values.back());
  const bool mixed = writer.style() == Style::kMixed;
  for (int64_t i = random.In(0, mixed ? 4 : 8); i > 0; --i) {
    results.push_back(*writer.Any());
  }
  return results;
}

// Lets some results share the memory of arguments.
void AddAliases(XlaBuilder& builder, const std::vector<Literal>& arguments,
                const std::vector<Value>& results, Random& random) {
  std::vector<size_t> taken;
  for (size_t p = 0; p < arguments.size(); ++p) {
    if (random.Chance(0.3)) continue;
    for (size_t r = 0; r < results.size(); ++r) {
      if (absl::c_linear_search(taken, r) ||
          arguments[p].shape() != results[r].shape()) {
        continue;
      }
      builder.SetUpAlias({static_cast<int64_t>(r)}, p, {});
      taken.push_back(r);
      break;
    }
  }
}

// Gives some results other orders of dimensions in memory.
void ChangeLayouts(HloModule& module, Random& random) {
  ShapeLayout* layout =
      module.mutable_entry_computation_layout()->mutable_result_layout();
  Shape result = layout->shape();
  ShapeUtil::ForEachMutableSubshape(
      &result, [&](Shape* shape, const ShapeIndex&) {
        if (!shape->IsArray() || shape->rank() < 2) return;
        if (random.Chance(0.7)) return;
        *shape->mutable_layout() =
            LayoutUtil::MakeLayout(random.Permutation(shape->rank()));
      });
  *layout = ShapeLayout(std::move(result));
}

}  // namespace

absl::StatusOr<Program> MakeProgram(uint64_t seed) {
  Random random(seed);
  Program program;
  XlaBuilder builder(absl::StrCat("program_", seed));
  Style style = random.Chance(0.6) ? Style::kControl : Style::kMixed;
  if (seed % 8 == 3) style = Style::kSquare;
  ProgramWriter writer(&builder, random, style, &program.arguments);
  for (int64_t i = random.In(1, 3); i > 0; --i) {
    writer.Fresh(writer.RandomType(), writer.RandomDims());
  }
  writer.AddOps(random.Chance(0.2) ? random.In(20, 50) : random.In(1, 18));
  const std::vector<Value> results = ChooseResults(writer, random);
  std::vector<XlaOp> ops;
  for (const Value& result : results) {
    ops.push_back(result.op);
    program.results.push_back(result.known);
  }
  XlaOp root = ops[0];
  if (ops.size() > 1 || random.Chance(0.5)) {
    root = Tuple(&builder, ops);
    if (random.Chance(0.2)) {
      AddAliases(builder, program.arguments, results, random);
    }
  } else {
    program.results.resize(1);
  }
  TF_ASSIGN_OR_RETURN(const XlaComputation computation, builder.Build(root));
  TF_ASSIGN_OR_RETURN(program.module,
                      HloModule::CreateFromProto(computation.proto()));
  if (random.Chance(0.1)) ChangeLayouts(*program.module, random);
  return program;
}

}  // namespace xla::fuzz
