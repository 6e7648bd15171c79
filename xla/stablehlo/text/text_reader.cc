// ReadText: a module with its copy of the text, and the op reader over it.
#include "xla/stablehlo/text/text_reader.h"

#include <string>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/attribute_reader.h"
#include "xla/stablehlo/text/lexer.h"
#include "xla/stablehlo/text/op_reader.h"

namespace xla::stablehlo {

absl::StatusOr<std::unique_ptr<Module>> ReadText(absl::string_view text) {
  auto module = std::make_unique<Module>();
  module->source = std::string(text);
  OpReader reader(*module);
  TF_RETURN_IF_ERROR(reader.ReadSource());
  return module;
}

absl::StatusOr<const Attribute*> ReadAttributeText(absl::string_view text,
                                                   Arena& arena) {
  Lexer lexer(text);
  AttributeReader reader(lexer, arena);
  TF_ASSIGN_OR_RETURN(const Attribute* attribute, reader.ReadAttribute());
  if (!lexer.Is(TokenKind::kEnd)) return lexer.Expected("the end");
  return attribute;
}

}  // namespace xla::stablehlo
