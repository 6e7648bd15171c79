// Reads and runs the cases of tests/ops/*.hlo.
#include "tests/ops/op_cases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/comparison/literal_comparison.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

// "f32[2]{0} {1, 2}; s32[] 3"
absl::StatusOr<std::vector<Literal>> ParseLiterals(absl::string_view text) {
  TextScanner scanner(text);
  std::vector<Literal> literals;
  while (!scanner.AtEnd()) {
    TF_ASSIGN_OR_RETURN(Shape shape, ScanShape(scanner));
    TF_ASSIGN_OR_RETURN(Literal literal, ScanLiteral(scanner, shape));
    literals.push_back(std::move(literal));
    if (!scanner.AtEnd()) TF_RETURN_IF_ERROR(scanner.Consume(";"));
  }
  return literals;
}

absl::Status SetLiterals(absl::string_view key, absl::string_view value,
                         std::vector<std::vector<Literal>>* lists) {
  size_t device = 0;
  const size_t at = key.find('@');
  if (at != absl::string_view::npos &&
      !absl::SimpleAtoi(key.substr(at + 1), &device)) {
    return absl::InvalidArgumentError(absl::StrCat("directive ", key));
  }
  if (lists->size() <= device) lists->resize(device + 1);
  TF_ASSIGN_OR_RETURN(lists->at(device), ParseLiterals(value));
  return absl::OkStatus();
}

// Reads a line "// KEY: value"; returns false for other lines.
absl::StatusOr<bool> ReadDirective(absl::string_view line, OpCase* op_case) {
  if (!absl::ConsumePrefix(&line, "// ")) return false;
  const size_t colon = line.find(':');
  if (colon == absl::string_view::npos) return false;
  const absl::string_view key = line.substr(0, colon);
  const absl::string_view value =
      absl::StripAsciiWhitespace(line.substr(colon + 1));
  if (absl::StartsWith(key, "ARGS")) {
    TF_RETURN_IF_ERROR(SetLiterals(key, value, &op_case->arguments));
  } else if (absl::StartsWith(key, "EXPECT")) {
    TF_RETURN_IF_ERROR(SetLiterals(key, value, &op_case->expected));
  } else if (key == "ERROR") {
    op_case->error = std::string(value);
  } else if (key == "DOC") {
    op_case->documented_in = std::string(value);
  } else if (key == "TOLERANCE") {
    return absl::SimpleAtod(value, &op_case->tolerance);
  } else if (key == "REPLICAS") {
    return absl::SimpleAtoi(value, &op_case->replicas);
  } else if (key == "PARTITIONS") {
    return absl::SimpleAtoi(value, &op_case->partitions);
  } else {
    return false;
  }
  return true;
}

void Flatten(const Literal& literal, std::vector<Literal>* leaves) {
  ShapeUtil::ForEachSubshape(
      literal.shape(), [&](const Shape& subshape, const ShapeIndex& index) {
        if (subshape.IsArray()) {
          leaves->push_back(LiteralSlice(literal, index).Clone());
        }
      });
}

// A relative error; 0 for types without rounding.
double FewRoundings(PrimitiveType type) {
  if (primitive_util::IsComplexType(type)) {
    type = primitive_util::ComplexComponentType(type);
  }
  if (!primitive_util::IsFloatingPointType(type)) return 0;
  return std::ldexp(8.0, -primitive_util::SignificandWidth(type));
}

absl::Status CheckResults(const OpCase& op_case,
                          const std::vector<Literal>& results, bool roundings) {
  if (op_case.expected.empty()) {
    return absl::InvalidArgumentError("neither EXPECT nor ERROR");
  }
  for (size_t device = 0; device < results.size(); ++device) {
    const auto& expected =
        op_case.expected[std::min(device, op_case.expected.size() - 1)];
    std::vector<Literal> leaves;
    Flatten(results[device], &leaves);
    if (leaves.size() != expected.size()) {
      return absl::FailedPreconditionError(
          absl::StrCat("device ", device, ": ", leaves.size(),
                       " results, expected ", expected.size()));
    }
    for (size_t i = 0; i < leaves.size(); ++i) {
      double tolerance = op_case.tolerance;
      if (roundings) {
        tolerance = std::max(tolerance,
                             FewRoundings(expected[i].shape().element_type()));
      }
      const absl::Status same =
          tolerance > 0
              ? literal_comparison::Near(expected[i], leaves[i],
                                         ErrorSpec(tolerance, tolerance))
              : literal_comparison::Equal(expected[i], leaves[i]);
      if (!same.ok()) {
        return absl::FailedPreconditionError(
            absl::StrCat("device ", device, ", result ", i, ": ",
                         same.message(), "\n", leaves[i].ToString()));
      }
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Literal>> Execute(
    const OpCase& op_case, absl::StatusOr<std::unique_ptr<HloModule>> parsed,
    absl::string_view backend) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, std::move(parsed));
  module->mutable_config().set_replica_count(op_case.replicas);
  module->mutable_config().set_num_partitions(op_case.partitions);
  std::vector<std::vector<const Literal*>> arguments(op_case.replicas *
                                                     op_case.partitions);
  for (size_t device = 0; device < arguments.size(); ++device) {
    if (op_case.arguments.empty()) continue;
    for (const Literal& literal :
         op_case.arguments[std::min(device, op_case.arguments.size() - 1)]) {
      arguments[device].push_back(&literal);
    }
  }
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler,
                      MakeCompiler(backend));
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Executable> executable,
                      compiler->Compile(std::move(module)));
  return executable->Execute(arguments, Executable::RunOptions());
}

}  // namespace

absl::StatusOr<std::vector<OpCase>> ParseOpCases(absl::string_view stem,
                                                 absl::string_view contents) {
  std::vector<OpCase> cases(1);
  cases.back().name = absl::StrCat(stem, "_1");
  for (absl::string_view line : absl::StrSplit(contents, '\n')) {
    if (absl::StartsWith(line, "// -----")) {
      cases.emplace_back();
      cases.back().name = absl::StrCat(stem, "_", cases.size());
      continue;
    }
    absl::StatusOr<bool> directive = ReadDirective(line, &cases.back());
    if (!directive.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          cases.back().name, ": ", line, "\n", directive.status().message()));
    }
    if (!*directive) absl::StrAppend(&cases.back().text, line, "\n");
  }
  return cases;
}

std::vector<std::pair<std::string, std::string>> OpFiles() {
  const char* root = std::getenv("TESSERA_SRC");
  const std::filesystem::path folder =
      std::filesystem::path(root != nullptr ? root : ".") / "tests" / "ops";
  std::vector<std::pair<std::string, std::string>> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".hlo") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(entry.path().stem().string(),
                       std::string(std::istreambuf_iterator<char>(file), {}));
  }
  std::sort(files.begin(), files.end());
  return files;
}

absl::Status RunOpCase(const OpCase& op_case, absl::string_view backend) {
  return RunOpCase(op_case, ParseAndReturnUnverifiedModule(op_case.text),
                   backend);
}

absl::Status RunOpCase(const OpCase& op_case,
                       absl::StatusOr<std::unique_ptr<HloModule>> module,
                       absl::string_view backend) {
  absl::StatusOr<std::vector<Literal>> results =
      Execute(op_case, std::move(module), backend);
  if (op_case.error.empty()) {
    TF_RETURN_IF_ERROR(results.status());
    return CheckResults(op_case, *results, backend != "evaluator");
  }
  if (results.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat("expected the error ", op_case.error));
  }
  if (!absl::StrContains(results.status().message(), op_case.error)) {
    return absl::FailedPreconditionError(
        absl::StrCat("expected the error ", op_case.error, ", got ",
                     results.status().message()));
  }
  return absl::OkStatus();
}

absl::Status RoundTrip(const OpCase& op_case) {
  absl::StatusOr<std::unique_ptr<HloModule>> parsed =
      ParseAndReturnUnverifiedModule(op_case.text);
  if (!parsed.ok()) return absl::OkStatus();
  const std::string text = (*parsed)->ToString(HloPrintOptions::Lossless());
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> from_text,
                      ParseAndReturnUnverifiedModule(text));
  const std::string again = from_text->ToString(HloPrintOptions::Lossless());
  if (again != text) {
    return absl::FailedPreconditionError(
        absl::StrCat("text changes from\n", text, "\nto\n", again));
  }
  const HloModuleProto proto = (*parsed)->ToProto();
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> from_proto,
                      HloModule::CreateFromProto(proto, (*parsed)->config()));
  const std::string third = from_proto->ToString(HloPrintOptions::Lossless());
  if (third != text) {
    return absl::FailedPreconditionError(
        absl::StrCat("the proto changes\n", text, "\nto\n", third));
  }
  return absl::OkStatus();
}

}  // namespace xla::test
