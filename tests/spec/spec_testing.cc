// Builds and runs the examples, and reads their values.
#include "tests/spec/spec_testing.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::spec {
namespace {

absl::StatusOr<std::unique_ptr<HloModule>> BuildModule(XlaBuilder& builder) {
  TF_ASSIGN_OR_RETURN(XlaComputation computation, builder.Build());
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto()));
  TF_RETURN_IF_ERROR(HloVerifier().Verify(*module));
  return module;
}

absl::StatusOr<Literal> TryRun(XlaBuilder& builder) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, BuildModule(builder));
  return HloEvaluator().Evaluate(*module, absl::Span<const Literal* const>());
}

absl::StatusOr<Literal> Parse(absl::string_view text) {
  // The first blank outside parentheses separates shape and value: scanned
  // together, a value in braces would be read as the layout.
  size_t end = 0;
  for (int depth = 0; end < text.size(); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (depth == 0 && text[end] == ' ') break;
  }
  TF_ASSIGN_OR_RETURN(Shape shape, ParseShape(text.substr(0, end)));
  TextScanner scanner(text.substr(end));
  return ScanLiteral(scanner, shape);
}

Literal ValueOrFailure(absl::StatusOr<Literal> value) {
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *std::move(value) : LiteralUtil::CreateR0<int32_t>(0);
}

}  // namespace

Literal Value(absl::string_view text) { return ValueOrFailure(Parse(text)); }

std::string Text(absl::string_view text) {
  return Value(text).ToStringOneline();
}

XlaOp Constant(XlaBuilder& builder, absl::string_view text) {
  return ConstantLiteral(&builder, Value(text));
}

Literal Counting(absl::Span<const int64_t> dimensions, float first) {
  return Filled(dimensions, [&](absl::Span<const int64_t>) { return first++; });
}

Literal Filled(absl::Span<const int64_t> dimensions,
               const std::function<double(absl::Span<const int64_t>)>& f) {
  Literal literal(ShapeUtil::MakeShape(F32, dimensions));
  for (const std::vector<int64_t>& index : Indices(dimensions)) {
    literal.Set<float>(index, static_cast<float>(f(index)));
  }
  return literal;
}

std::vector<std::vector<int64_t>> Indices(
    absl::Span<const int64_t> dimensions) {
  std::vector<std::vector<int64_t>> indices = {{}};
  for (int64_t size : dimensions) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t>& index : indices) {
      for (int64_t i = 0; i < size; ++i) {
        longer.push_back(index);
        longer.back().push_back(i);
      }
    }
    indices = std::move(longer);
  }
  return indices;
}

Literal RunToLiteral(XlaBuilder& builder) {
  return ValueOrFailure(TryRun(builder));
}

std::string BuildAndRun(XlaBuilder& builder) {
  absl::StatusOr<Literal> result = TryRun(builder);
  return result.ok() ? result->ToStringOneline()
                     : std::string(result.status().message());
}

std::vector<std::string> RunOnDevices(XlaBuilder& builder,
                                      const ReplicatedOptions& options) {
  auto run = [&]() -> absl::StatusOr<std::vector<Literal>> {
    TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                        BuildModule(builder));
    const std::vector<std::vector<const Literal*>> arguments(
        options.num_replicas * options.num_partitions);
    return EvaluateReplicated(*module, arguments, options);
  };
  absl::StatusOr<std::vector<Literal>> results = run();
  if (!results.ok()) return {std::string(results.status().message())};
  std::vector<std::string> texts;
  for (const Literal& result : *results) {
    texts.push_back(result.ToStringOneline());
  }
  return texts;
}

std::vector<std::string> RunOnReplicas(XlaBuilder& builder, int64_t replicas) {
  ReplicatedOptions options;
  options.num_replicas = replicas;
  return RunOnDevices(builder, options);
}

std::vector<ReplicaGroup> Groups(
    const std::vector<std::vector<int64_t>>& groups) {
  std::vector<ReplicaGroup> result;
  for (const std::vector<int64_t>& group : groups) {
    ReplicaGroup& added = result.emplace_back();
    for (int64_t id : group) added.add_replica_ids(id);
  }
  return result;
}

}  // namespace xla::spec
