// Matches named arrays to the leaves of parameters and results.
#include "xla/tools/arrays.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::tools {
namespace {

void AppendArrays(const Shape& shape, std::vector<Shape>* leaves) {
  ShapeUtil::ForEachSubshape(
      shape, [&](const Shape& subshape, const ShapeIndex& index) {
        if (ShapeUtil::IsLeafIndex(shape, index) && subshape.IsArray()) {
          leaves->push_back(subshape);
        }
      });
}

// Makes a literal of `shape`; `make` makes its leaves in order.
template <typename Make>
absl::StatusOr<Literal> AssembleLiteral(const Shape& shape, const Make& make) {
  if (shape.IsArray()) return make(shape);
  if (shape.IsToken()) return LiteralUtil::CreateToken();
  if (!shape.IsTuple()) {
    return absl::UnimplementedError(
        absl::StrCat("no arguments of shape ", ShapeUtil::HumanString(shape)));
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes()) {
    TF_ASSIGN_OR_RETURN(Literal literal, AssembleLiteral(element, make));
    elements.push_back(std::move(literal));
  }
  return LiteralUtil::MakeTupleOwned(std::move(elements));
}

// The number in "arg12" or "r3_arg12"; -1 for other names.
int64_t NumberOf(absl::string_view name, absl::string_view kind) {
  if (absl::ConsumePrefix(&name, "r")) {
    const size_t underscore = name.find('_');
    if (underscore == absl::string_view::npos) return -1;
    name.remove_prefix(underscore + 1);
  }
  int64_t number = 0;
  return absl::ConsumePrefix(&name, kind) && absl::SimpleAtoi(name, &number)
             ? number
             : -1;
}

using ArraysByName = absl::flat_hash_map<std::string, Literal>;

// The arrays called <kind><i> or r<k>_<kind><i>, read as shapes[i].
absl::StatusOr<ArraysByName> ReadArrays(absl::string_view npz,
                                        absl::string_view kind,
                                        absl::Span<const Shape> shapes) {
  TF_ASSIGN_OR_RETURN(std::vector<NamedLiteral> arrays,
                      ReadNpz(npz, [&](absl::string_view name) -> const Shape* {
                        const int64_t i = NumberOf(name, kind);
                        return i >= 0 && i < static_cast<int64_t>(shapes.size())
                                   ? &shapes[i]
                                   : nullptr;
                      }));
  ArraysByName by_name;
  for (NamedLiteral& array : arrays) {
    by_name[array.first] = std::move(array.second);
  }
  return by_name;
}

const Literal* Find(const ArraysByName& arrays, int64_t replica,
                    absl::string_view kind, int64_t i) {
  auto it = arrays.find(absl::StrCat("r", replica, "_", kind, i));
  if (it == arrays.end()) it = arrays.find(absl::StrCat(kind, i));
  return it == arrays.end() ? nullptr : &it->second;
}

// Uniform in [0, 1); uses the top bits, so that it is the same on every
// machine.
double Uniform(std::mt19937_64& engine) {
  return static_cast<double>(engine() >> 11) * 0x1p-53;
}

double Normal(std::mt19937_64& engine) {
  const double u = 1.0 - Uniform(engine);
  return std::sqrt(-2.0 * std::log(u)) *
         std::cos(2.0 * 3.14159265358979323846 * Uniform(engine));
}

absl::StatusOr<Literal> RandomArray(const Shape& shape,
                                    std::mt19937_64& engine) {
  const PrimitiveType type = shape.element_type();
  const bool integral = primitive_util::IsIntegralType(type);
  auto draw = [&]() -> double {
    if (type == PRED) return engine() >> 63;
    if (!integral) return Normal(engine);
    const double low = primitive_util::IsSignedIntegralType(type) ? -10 : 0;
    return std::floor(low + Uniform(engine) * (11 - low));
  };
  const bool complex = primitive_util::IsComplexType(type);
  TF_ASSIGN_OR_RETURN(Literal wide,
                      Literal::Make(ShapeUtil::MakeShape(complex ? C128 : F64,
                                                         shape.dimensions())));
  if (complex) {
    for (complex128& element : wide.data<complex128>()) {
      const double real = draw();
      element = complex128(real, draw());
    }
  } else {
    for (double& element : wide.data<double>()) element = draw();
  }
  return wide.Convert(type);
}

void AppendLeafNames(const Literal& result, const std::string& prefix,
                     std::vector<NamedLiteral>* named) {
  ShapeUtil::ForEachSubshape(
      result.shape(), [&](const Shape& subshape, const ShapeIndex& index) {
        if (!subshape.IsArray()) return;
        named->emplace_back(absl::StrCat(prefix, named->size()),
                            LiteralSlice(result, index).Clone());
      });
}

}  // namespace

std::vector<Shape> ArrayShapes(absl::Span<const Shape> shapes) {
  std::vector<Shape> leaves;
  for (const Shape& shape : shapes) AppendArrays(shape, &leaves);
  return leaves;
}

absl::StatusOr<std::vector<std::vector<Literal>>> ArgumentsFromNpz(
    absl::string_view npz, absl::Span<const Shape> parameters,
    int64_t replicas) {
  TF_ASSIGN_OR_RETURN(ArraysByName arrays,
                      ReadArrays(npz, "arg", ArrayShapes(parameters)));
  std::vector<std::vector<Literal>> arguments(replicas);
  for (int64_t replica = 0; replica < replicas; ++replica) {
    int64_t leaf = 0;
    for (const Shape& parameter : parameters) {
      TF_ASSIGN_OR_RETURN(
          Literal argument,
          AssembleLiteral(
              parameter, [&](const Shape& shape) -> absl::StatusOr<Literal> {
                const int64_t i = leaf++;
                const Literal* array = Find(arrays, replica, "arg", i);
                if (array == nullptr) {
                  return absl::NotFoundError(
                      absl::StrCat("the inputs have no array arg", i, " for ",
                                   ShapeUtil::HumanString(shape)));
                }
                return array->Clone();
              }));
      arguments[replica].push_back(std::move(argument));
    }
  }
  return arguments;
}

absl::StatusOr<std::vector<std::vector<Literal>>> RandomArguments(
    absl::Span<const Shape> parameters, int64_t replicas, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<std::vector<Literal>> arguments(replicas);
  for (std::vector<Literal>& replica : arguments) {
    for (const Shape& parameter : parameters) {
      TF_ASSIGN_OR_RETURN(Literal argument,
                          AssembleLiteral(parameter, [&](const Shape& shape) {
                            return RandomArray(shape, engine);
                          }));
      replica.push_back(std::move(argument));
    }
  }
  return arguments;
}

std::vector<NamedLiteral> NamedResults(absl::Span<const Literal> results) {
  std::vector<NamedLiteral> all;
  for (size_t replica = 0; replica < results.size(); ++replica) {
    std::vector<NamedLiteral> named;
    AppendLeafNames(
        results[replica],
        results.size() > 1 ? absl::StrCat("r", replica, "_out") : "out",
        &named);
    std::move(named.begin(), named.end(), std::back_inserter(all));
  }
  return all;
}

ErrorSpec DefaultError(PrimitiveType type) {
  if (primitive_util::IsComplexType(type)) {
    type = primitive_util::ComplexComponentType(type);
  }
  if (!primitive_util::IsFloatingPointType(type)) return ErrorSpec(0, 0);
  // About a thousand roundings of values near 1.
  const double unit = std::ldexp(1.0, -primitive_util::SignificandWidth(type));
  const double allowed = std::min(1e3 * unit, 0.05);
  return ErrorSpec(allowed, allowed);
}

absl::Status CompareResults(absl::Span<const Literal> results,
                            absl::string_view npz, const ErrorSpec* error) {
  std::string differences;
  int64_t compared = 0;
  for (size_t replica = 0; replica < results.size(); ++replica) {
    std::vector<NamedLiteral> leaves;
    AppendLeafNames(results[replica], "out", &leaves);
    std::vector<Shape> shapes;
    for (const NamedLiteral& leaf : leaves) {
      shapes.push_back(leaf.second.shape());
    }
    TF_ASSIGN_OR_RETURN(ArraysByName expected, ReadArrays(npz, "out", shapes));
    for (size_t i = 0; i < leaves.size(); ++i) {
      const Literal* want = Find(expected, replica, "out", i);
      const std::string name = results.size() > 1
                                   ? absl::StrCat("r", replica, "_out", i)
                                   : absl::StrCat("out", i);
      if (want == nullptr) {
        absl::StrAppend(&differences, name,
                        ": not among the expected arrays\n");
        continue;
      }
      ++compared;
      const absl::Status same = literal_comparison::Near(
          *want, leaves[i].second,
          error != nullptr ? *error : DefaultError(shapes[i].element_type()));
      if (!same.ok()) {
        absl::StrAppend(&differences, name, ": ", same.message(), "\n");
      }
    }
  }
  if (compared == 0 && differences.empty()) {
    return absl::InvalidArgumentError("there are no results to compare");
  }
  if (differences.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("results differ from what is expected\n", differences));
}

std::string PrintResults(absl::Span<const Literal> results) {
  std::string text;
  for (const NamedLiteral& result : NamedResults(results)) {
    absl::StrAppend(&text, result.first, ": ",
                    literal_comparison::ToStringTruncated(result.second), "\n");
  }
  return text;
}

}  // namespace xla::tools
