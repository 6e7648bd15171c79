// Makes factors of each operand and its result.
#include "xla/hlo/ops/device/collective_factors.h"

#include <vector>

#include "absl/algorithm/container.h"

namespace xla {

std::optional<DimensionFactors> CollectiveFactors(
    const FactorArgs& args, absl::Span<const int64_t> exchanged) {
  std::vector<const Shape*> results;
  if (args.result.IsTuple()) {
    for (const Shape& element : args.result.tuple_shapes()) {
      results.push_back(&element);
    }
  } else {
    results.push_back(&args.result);
  }
  if (results.size() != args.operands.size()) return std::nullopt;
  DimensionFactors found;
  for (size_t i = 0; i < results.size(); ++i) {
    const Shape& operand = args.operand(i);
    const Shape& result = *results[i];
    if (!operand.IsArray() || !result.IsArray() ||
        operand.rank() != result.rank()) {
      return std::nullopt;
    }
    DimensionFactors::Array& before = found.operands.emplace_back();
    DimensionFactors::Array& after = found.results.emplace_back();
    for (int64_t d = 0; d < result.rank(); ++d) {
      if (operand.dimensions(d) == result.dimensions(d) &&
          !absl::c_linear_search(exchanged, d)) {
        before.push_back(
            found.Add(FactorKind::kPassedThrough, result.dimensions(d)));
        after.push_back(before.back());
        continue;
      }
      before.push_back(found.Add(FactorKind::kWhole, operand.dimensions(d)));
      after.push_back(found.Add(FactorKind::kWhole, result.dimensions(d)));
    }
  }
  return found;
}

}  // namespace xla
