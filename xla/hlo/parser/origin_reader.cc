// The grammar of original values and of recovery tables.
#include "xla/hlo/parser/origin_reader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/attrs/codec_text.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using Node = OriginalValue::Tree::Node;

// {"name" {1,0}}, or {}, which is no array.
absl::StatusOr<std::optional<OriginalArray>> ScanArray(TextScanner& scanner) {
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  if (scanner.TryConsume("}")) return std::nullopt;
  OriginalArray array;
  TF_ASSIGN_OR_RETURN(array.instruction_name, scanner.QuotedString());
  if (scanner.Peek() == '{') {
    const size_t start = scanner.position();
    TF_ASSIGN_OR_RETURN(std::vector<int64_t> index, ScanIntList(scanner));
    for (const int64_t i : index) {
      if (i < 0) return scanner.ErrorAt(start, "an index is not negative");
    }
    array.shape_index = ShapeIndex(index.begin(), index.end());
  }
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return array;
}

// An array, or nodes in parentheses.
absl::StatusOr<Node> ScanNode(TextScanner& scanner, int depth) {
  if (!scanner.TryConsume("(")) {
    TF_ASSIGN_OR_RETURN(std::optional<OriginalArray> array, ScanArray(scanner));
    return Node::Leaf(std::move(array));
  }
  if (depth == Shape::kMaxNesting) {
    return scanner.Error("the origin is nested too deeply");
  }
  Node tuple;
  if (scanner.TryConsume(")")) return tuple;
  do {
    TF_ASSIGN_OR_RETURN(Node child, ScanNode(scanner, depth + 1));
    tuple.mutable_children()->push_back(std::move(child));
  } while (scanner.TryConsume(","));
  TF_RETURN_IF_ERROR(scanner.Consume(")"));
  return tuple;
}

// The text of a module, in quotes.
absl::StatusOr<std::unique_ptr<HloModule>> ScanModule(TextScanner& scanner) {
  const size_t start = scanner.position();
  TF_ASSIGN_OR_RETURN(const std::string text, scanner.QuotedString());
  auto module = ParseAndReturnUnverifiedModule(text);
  if (module.ok()) return module;
  return scanner.ErrorAt(
      start, absl::StrCat("in the text of this module, ",
                          absl::string_view(module.status().message())));
}

}  // namespace

absl::StatusOr<OriginalValue> ScanOriginalValue(TextScanner& scanner) {
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  if (scanner.TryConsume("}")) return OriginalValue(OriginalValue::Tree());
  if (scanner.TryConsume("[")) {
    TF_RETURN_IF_ERROR(scanner.Consume("synthetic_call"));
    TF_RETURN_IF_ERROR(scanner.Consume("]"));
    TF_RETURN_IF_ERROR(scanner.Consume("}"));
    return OriginalValue::SyntheticCall();
  }
  TF_ASSIGN_OR_RETURN(Node root, ScanNode(scanner, /*depth=*/0));
  TF_RETURN_IF_ERROR(scanner.Consume("}"));
  return OriginalValue(std::move(root));
}

absl::StatusOr<OriginalValueRecoveryTable> ScanOriginalValueRecoveryTable(
    TextScanner& scanner) {
  OriginalValueRecoveryTable table;
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    TF_ASSIGN_OR_RETURN(std::optional<OriginalArray> from, ScanArray(scanner));
    TF_RETURN_IF_ERROR(scanner.Consume(":"));
    TF_ASSIGN_OR_RETURN(std::optional<OriginalArray> to, ScanArray(scanner));
    std::unique_ptr<HloModule> module;
    if (scanner.TryConsume(",")) {
      TF_ASSIGN_OR_RETURN(module, ScanModule(scanner));
    }
    table.emplace(from.value_or(OriginalArray()),
                  {to.value_or(OriginalArray()), std::move(module)});
  }
  return table;
}

}  // namespace xla
