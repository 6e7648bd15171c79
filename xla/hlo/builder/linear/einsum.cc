// Einsum: parsing, then diagonals and sums of each operand alone, one
// DotGeneral for both, and a transpose. BatchDot is a special case.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using Labels = std::vector<int64_t>;

bool Has(absl::Span<const int64_t> labels, int64_t label) {
  return absl::c_linear_search(labels, label);
}

int64_t PlaceOf(absl::Span<const int64_t> labels, int64_t label) {
  return absl::c_find(labels, label) - labels.begin();
}

// einsum_c1: "<letters>,<letters>-><letters>", letters and "..." fit the ranks.
absl::Status BadConfig(absl::string_view config, absl::string_view why) {
  return RuleError("einsum_c1", absl::StrCat("\"", config, "\" ", why));
}

// An operand and the numbers (labels) of its dimensions.
struct Term {
  XlaOp op;
  Labels labels;
};

absl::StatusOr<std::vector<int64_t>> SizesOf(const Term& term) {
  TF_ASSIGN_OR_RETURN(const Shape shape, term.op.builder()->GetShape(term.op));
  if (!shape.IsArray() ||
      shape.rank() != static_cast<int64_t>(term.labels.size())) {
    return RuleError("einsum_c1",
                     absl::StrCat(term.labels.size(), " labels for ",
                                  ShapeUtil::HumanString(shape)));
  }
  return std::vector<int64_t>(shape.dimensions().begin(),
                              shape.dimensions().end());
}

XlaOp SumOver(XlaOp x, PrimitiveType type,
              absl::Span<const int64_t> dimensions) {
  if (dimensions.empty()) return x;
  XlaBuilder* builder = x.builder();
  return Reduce(x, Zero(builder, type),
                CreateScalarAddComputation(type, builder), dimensions);
}

// Removes labels that occur twice by taking the diagonal of those two
// dimensions.
absl::Status TakeDiagonals(Term& term, PrimitiveType type) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const auto again = std::find(term.labels.begin() + i + 1, term.labels.end(),
                                 term.labels[i]);
    if (again == term.labels.end()) continue;
    TF_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, SizesOf(term));
    const int64_t other = again - term.labels.begin();
    if (sizes[i] != sizes[other]) {
      return RuleError("einsum_c2",
                       absl::StrCat("a diagonal of dimensions of sizes ",
                                    sizes[i], " and ", sizes[other]));
    }
    const Shape index = ShapeUtil::MakeShape(S32, sizes);
    XlaBuilder* builder = term.op.builder();
    XlaOp mask = Eq(Iota(builder, index, i), Iota(builder, index, other));
    term.op = SumOver(Select(mask, term.op, ZerosLike(term.op)), type, {other});
    term.labels.erase(again);
    --i;
  }
  return absl::OkStatus();
}

// Removes the labels for which `drop` returns true by summing over them.
template <typename Predicate>
void SumLabels(Term& term, PrimitiveType type, Predicate drop) {
  std::vector<int64_t> dimensions;
  Labels kept;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (drop(term.labels[i])) {
      dimensions.push_back(i);
    } else {
      kept.push_back(term.labels[i]);
    }
  }
  term.op = SumOver(term.op, type, dimensions);
  term.labels = std::move(kept);
}

// Drops dimensions of size 1 that are larger in the other operand. The other
// sizes are then equal. Errors: einsum_c2.
absl::Status MatchSizes(Term& x, Term& y) {
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> x_sizes, SizesOf(x));
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> y_sizes, SizesOf(y));
  Labels drop_x, drop_y;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    const size_t j = PlaceOf(y.labels, x.labels[i]);
    if (j == y.labels.size() || x_sizes[i] == y_sizes[j]) continue;
    if (x_sizes[i] != 1 && y_sizes[j] != 1) {
      // einsum_c2: sizes of equal letters are equal or 1.
      return RuleError(
          "einsum_c2",
          absl::StrCat("dimension ", i, " of x and ", j, " of y have sizes ",
                       x_sizes[i], " and ", y_sizes[j]));
    }
    (x_sizes[i] == 1 ? drop_x : drop_y).push_back(x.labels[i]);
  }
  auto drop = [](Term& term, const Labels& labels,
                 const std::vector<int64_t>& sizes) {
    std::vector<int64_t> kept_sizes;
    Labels kept;
    for (size_t i = 0; i < term.labels.size(); ++i) {
      if (Has(labels, term.labels[i])) continue;
      kept.push_back(term.labels[i]);
      kept_sizes.push_back(sizes[i]);
    }
    if (kept.size() == term.labels.size()) return;
    term.op = Reshape(term.op, kept_sizes);
    term.labels = std::move(kept);
  };
  drop(x, drop_x, x_sizes);
  drop(y, drop_y, y_sizes);
  return absl::OkStatus();
}

// Returns the dimensions of the term in the order `output`. If a label occurs
// there again, what is off the diagonal is zero.
absl::StatusOr<XlaOp> InOrder(const Term& term,
                              absl::Span<const int64_t> output) {
  std::vector<int64_t> permutation;  // of the term
  std::vector<int64_t> places;       // of its dimensions in the output
  for (size_t i = 0; i < output.size(); ++i) {
    if (PlaceOf(output, output[i]) != static_cast<int64_t>(i)) continue;
    permutation.push_back(PlaceOf(term.labels, output[i]));
    places.push_back(i);
  }
  XlaOp result = Transpose(term.op, permutation);
  if (places.size() == output.size()) return result;
  TF_ASSIGN_OR_RETURN(const std::vector<int64_t> sizes, SizesOf(term));
  std::vector<int64_t> output_sizes;
  for (int64_t label : output) {
    output_sizes.push_back(sizes[PlaceOf(term.labels, label)]);
  }
  XlaBuilder* builder = term.op.builder();
  result = BroadcastInDim(result, output_sizes, places);
  const Shape index = ShapeUtil::MakeShape(S32, output_sizes);
  for (size_t i = 0; i < output.size(); ++i) {
    const int64_t first = PlaceOf(output, output[i]);
    if (first == static_cast<int64_t>(i)) continue;
    XlaOp diagonal = Eq(Iota(builder, index, first), Iota(builder, index, i));
    result = Select(diagonal, result, ZerosLike(result));
  }
  return result;
}

absl::Status CheckOutput(absl::Span<const int64_t> x,
                         absl::Span<const int64_t> y,
                         absl::Span<const int64_t> output) {
  for (int64_t label : output) {
    if (!Has(x, label) && !Has(y, label)) {
      return RuleError(
          "einsum_c1",
          absl::StrCat("label ", label, " of the output is in no operand"));
    }
  }
  return absl::OkStatus();
}

// What the product of two terms carries.
struct DotOptions {
  PrecisionConfig::Precision precision;
  std::optional<PrimitiveType> preferred;
  bool grad_x;
  bool grad_y;
};

absl::StatusOr<XlaOp> MakeDot(XlaOp x, XlaOp y,
                              const DotDimensionNumbers& numbers,
                              const DotOptions& options) {
  PrecisionConfig config;
  config.add_operand_precision(options.precision);
  config.add_operand_precision(options.precision);
  XlaOp dot = DotGeneral(x, y, numbers, &config, options.preferred);
  XlaBuilder* builder = x.builder();
  TF_RETURN_IF_ERROR(builder->SetInstructionFrontendAttribute(
      dot, "grad_x", options.grad_x ? "true" : "false"));
  TF_RETURN_IF_ERROR(builder->SetInstructionFrontendAttribute(
      dot, "grad_y", options.grad_y ? "true" : "false"));
  return dot;
}

absl::StatusOr<XlaOp> Contract(Term x, Term y, absl::Span<const int64_t> output,
                               const DotOptions& options) {
  XlaBuilder* builder = x.op.builder();
  TF_RETURN_IF_ERROR(CheckOutput(x.labels, y.labels, output));
  TF_ASSIGN_OR_RETURN(const Shape x_shape, builder->GetShape(x.op));
  TF_ASSIGN_OR_RETURN(const Shape y_shape, builder->GetShape(y.op));
  TF_RETURN_IF_ERROR(SizesOf(x).status());
  TF_RETURN_IF_ERROR(SizesOf(y).status());
  TF_RETURN_IF_ERROR(TakeDiagonals(x, x_shape.element_type()));
  TF_RETURN_IF_ERROR(TakeDiagonals(y, y_shape.element_type()));
  TF_RETURN_IF_ERROR(MatchSizes(x, y));
  const Labels x_before = x.labels;
  SumLabels(x, x_shape.element_type(), [&](int64_t label) {
    return !Has(output, label) && !Has(y.labels, label);
  });
  SumLabels(y, y_shape.element_type(), [&](int64_t label) {
    return !Has(output, label) && !Has(x_before, label);
  });
  DotDimensionNumbers numbers;
  Term result;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    const int64_t label = x.labels[i];
    if (!Has(y.labels, label)) continue;
    if (Has(output, label)) {
      numbers.add_lhs_batch_dimensions(i);
      numbers.add_rhs_batch_dimensions(PlaceOf(y.labels, label));
      result.labels.push_back(label);
    } else {
      numbers.add_lhs_contracting_dimensions(i);
      numbers.add_rhs_contracting_dimensions(PlaceOf(y.labels, label));
    }
  }
  for (int64_t label : x.labels) {
    if (!Has(y.labels, label)) result.labels.push_back(label);
  }
  for (int64_t label : y.labels) {
    if (!Has(x.labels, label)) result.labels.push_back(label);
  }
  TF_ASSIGN_OR_RETURN(result.op, MakeDot(x.op, y.op, numbers, options));
  return InOrder(result, output);
}

// Returns the labels of one part of a configuration. "..." stands for as many
// labels, counted down from -1 at the last dimension, as `rank` leaves or, if
// that is nullopt, as `ellipsis` says.
absl::StatusOr<Labels> ParseTerm(absl::string_view config,
                                 absl::string_view term,
                                 std::optional<int64_t> rank,
                                 int64_t& ellipsis) {
  Labels labels;
  std::optional<size_t> place;
  for (size_t i = 0; i < term.size(); ++i) {
    if (absl::StartsWith(term.substr(i), "...") && !place.has_value()) {
      place = labels.size();
      i += 2;
    } else if (absl::ascii_isalpha(term[i])) {
      labels.push_back(term[i]);
    } else {
      return BadConfig(config, "has something other than letters and one ...");
    }
  }
  const int64_t named = labels.size();
  if (rank.has_value() &&
      (place.has_value() ? *rank < named : *rank != named)) {
    return BadConfig(
        config, absl::StrCat("gives ", named, " dimensions to an operand with ",
                             *rank));
  }
  if (!place.has_value()) return labels;
  if (rank.has_value()) ellipsis = std::max(ellipsis, *rank - named);
  const int64_t count = rank.has_value() ? *rank - named : ellipsis;
  Labels whole(labels.begin(), labels.begin() + *place);
  for (int64_t i = count; i > 0; --i) whole.push_back(-i);
  whole.insert(whole.end(), labels.begin() + *place, labels.end());
  return whole;
}

// Renumbers labels as 0, 1, ... in the order in which they first occur.
void Renumber(std::array<Labels, 3>& terms) {
  absl::flat_hash_map<int64_t, int64_t> numbers;
  for (Labels& labels : terms) {
    for (int64_t& label : labels) {
      label = numbers.emplace(label, numbers.size()).first->second;
    }
  }
}

std::string Compact(absl::string_view config) {
  return absl::StrReplaceAll(config, {{" ", ""}});
}

std::string Normalized(absl::string_view config) {
  std::string compact = Compact(config);
  const std::string with_output = NormalizeEinsumString(compact);
  return with_output.empty() ? compact : with_output;
}

}  // namespace

std::string NormalizeEinsumString(absl::string_view einsum_config) {
  if (absl::StrContains(einsum_config, "->")) return "";
  std::set<char> letters;
  for (char c : einsum_config) {
    if (absl::ascii_isalpha(c) &&
        std::count(einsum_config.begin(), einsum_config.end(), c) == 1) {
      letters.insert(c);
    }
  }
  return absl::StrCat(einsum_config, "->",
                      absl::StrContains(einsum_config, "...") ? "..." : "",
                      std::string(letters.begin(), letters.end()));
}

absl::StatusOr<std::array<std::vector<int64_t>, 3>> ParseEinsumString(
    absl::string_view einsum_config, int64_t x_rank, int64_t y_rank) {
  const std::string config = Compact(einsum_config);
  const std::vector<std::string> sides = absl::StrSplit(config, "->");
  if (sides.size() != 2) return BadConfig(config, "does not have one \"->\"");
  const std::vector<std::string> inputs = absl::StrSplit(sides[0], ',');
  if (inputs.size() != 2) return BadConfig(config, "is not of two operands");
  std::array<std::vector<int64_t>, 3> terms;
  int64_t ellipsis = 0;
  TF_ASSIGN_OR_RETURN(terms[0], ParseTerm(config, inputs[0], x_rank, ellipsis));
  TF_ASSIGN_OR_RETURN(terms[1], ParseTerm(config, inputs[1], y_rank, ellipsis));
  TF_ASSIGN_OR_RETURN(terms[2],
                      ParseTerm(config, sides[1], std::nullopt, ellipsis));
  Renumber(terms);
  TF_RETURN_IF_ERROR(CheckOutput(terms[0], terms[1], terms[2]));
  return terms;
}

XlaOp Einsum(XlaOp x, XlaOp y, absl::string_view einsum_config,
             PrecisionConfig::Precision precision,
             std::optional<PrimitiveType> preferred_element_type, bool grad_x,
             bool grad_y) {
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape x_shape, builder->GetShape(x));
    TF_ASSIGN_OR_RETURN(const Shape y_shape, builder->GetShape(y));
    TF_ASSIGN_OR_RETURN(const auto terms,
                        ParseEinsumString(Normalized(einsum_config),
                                          x_shape.rank(), y_shape.rank()));
    return Einsum(x, terms[0], y, terms[1], terms[2], precision,
                  preferred_element_type, grad_x, grad_y);
  });
}

XlaOp Einsum(XlaOp x, absl::string_view einsum_config,
             PrecisionConfig::Precision precision) {
  static_cast<void>(precision);
  XlaBuilder* builder = x.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(x));
    const std::string config = Normalized(einsum_config);
    const std::vector<std::string> sides = absl::StrSplit(config, "->");
    if (sides.size() != 2) {
      return BadConfig(config, "does not have one \"->\"");
    }
    int64_t ellipsis = 0;
    Term term = {x, {}};
    TF_ASSIGN_OR_RETURN(term.labels,
                        ParseTerm(config, sides[0], shape.rank(), ellipsis));
    TF_ASSIGN_OR_RETURN(const Labels output,
                        ParseTerm(config, sides[1], std::nullopt, ellipsis));
    TF_RETURN_IF_ERROR(CheckOutput(term.labels, {}, output));
    TF_RETURN_IF_ERROR(TakeDiagonals(term, shape.element_type()));
    SumLabels(term, shape.element_type(),
              [&](int64_t label) { return !Has(output, label); });
    return InOrder(term, output);
  });
}

XlaOp Einsum(XlaOp x, absl::Span<const int64_t> x_config, XlaOp y,
             absl::Span<const int64_t> y_config,
             absl::Span<const int64_t> output_config,
             PrecisionConfig::Precision precision,
             std::optional<PrimitiveType> preferred_element_type, bool grad_x,
             bool grad_y) {
  return x.builder()->ReportErrorOrReturn([&] {
    return Contract({x, Labels(x_config.begin(), x_config.end())},
                    {y, Labels(y_config.begin(), y_config.end())},
                    output_config,
                    {precision, preferred_element_type, grad_x, grad_y});
  });
}

XlaOp BatchDot(XlaOp x, XlaOp y, PrecisionConfig::Precision precision,
               std::optional<PrimitiveType> preferred_element_type) {
  return BatchDot(x, false, y, false, precision, preferred_element_type);
}

XlaOp BatchDot(XlaOp x, bool transpose_x, XlaOp y, bool transpose_y,
               PrecisionConfig::Precision precision,
               std::optional<PrimitiveType> preferred_element_type, bool grad_x,
               bool grad_y) {
  const std::string config =
      absl::StrCat(transpose_x ? "...ba," : "...ab,",
                   transpose_y ? "...cb" : "...bc", "->...ac");
  return Einsum(x, y, config, precision, preferred_element_type, grad_x,
                grad_y);
}

}  // namespace xla
