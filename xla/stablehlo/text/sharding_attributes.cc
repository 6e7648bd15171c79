// Reads attributes of the sharding dialect (sdy). A sharding is the dictionary
// {mesh, dims, replicated, unreduced}: mesh a symbol or {axes, device_ids};
// dims a list of {axes, closed, priority}; an axis {name, pre_size, size}.
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/stablehlo/text/attribute_reader.h"

namespace xla::stablehlo {

using Kind = Attribute::Kind;

// Reads "x" or, for a part of an axis, "x":(1)2.
AttributeOr AttributeReader::ReadAxis() {
  std::vector<NamedAttribute> fields;
  TF_ASSIGN_OR_RETURN(const absl::string_view name, ReadString());
  fields.push_back({"name", Text(Kind::kString, name)});
  if (lexer_.TryConsume(':')) {
    TF_RETURN_IF_ERROR(ReadSubAxis(&fields));
  }
  return Dictionary(fields);
}

// Reads (1)2: the axis's part of size 2 that follows one of size 1.
absl::Status AttributeReader::ReadSubAxis(std::vector<NamedAttribute>* out) {
  TF_RETURN_IF_ERROR(lexer_.Expect('('));
  TF_ASSIGN_OR_RETURN(const int64_t pre_size, lexer_.TakeInteger());
  TF_RETURN_IF_ERROR(lexer_.Expect(')'));
  TF_ASSIGN_OR_RETURN(const int64_t size, lexer_.TakeInteger());
  out->push_back({"pre_size", Integer(pre_size)});
  out->push_back({"size", Integer(size)});
  return absl::OkStatus();
}

AttributeOr AttributeReader::ReadAxes(char open, char close) {
  TF_RETURN_IF_ERROR(lexer_.Expect(open));
  std::vector<const Attribute*> axes;
  if (!lexer_.Is(close)) {
    do {
      TF_ASSIGN_OR_RETURN(axes.emplace_back(), ReadAxis());
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(close));
  return Array(axes);
}

// Reads {"x", "y"}, {"x", ?} or {?}, optionally followed by p1.
AttributeOr AttributeReader::ReadDimensionSharding() {
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  std::vector<const Attribute*> axes;
  bool closed = true;
  while (!lexer_.Is('}')) {
    if (lexer_.TryConsume('?')) {
      closed = false;
      break;
    }
    TF_ASSIGN_OR_RETURN(axes.emplace_back(), ReadAxis());
    if (!lexer_.TryConsume(',')) break;
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('}'));
  std::vector<NamedAttribute> fields = {{"axes", Array(axes)},
                                        {"closed", Bool(closed)}};
  const Token token = lexer_.token();
  if (token.kind == TokenKind::kWord && token.text[0] == 'p') {
    int64_t priority;
    if (!absl::SimpleAtoi(token.text.substr(1), &priority)) {
      return lexer_.Expected("a priority such as p1");
    }
    lexer_.Advance();
    fields.push_back({"priority", Integer(priority)});
  }
  return Dictionary(fields);
}

AttributeOr AttributeReader::ReadMesh() {
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  std::vector<const Attribute*> axes;
  if (!lexer_.Is(']')) {
    do {
      TF_ASSIGN_OR_RETURN(const absl::string_view name, ReadString());
      TF_RETURN_IF_ERROR(lexer_.Expect('='));
      TF_ASSIGN_OR_RETURN(const int64_t size, lexer_.TakeInteger());
      axes.push_back(Dictionary(
          {{"name", Text(Kind::kString, name)}, {"size", Integer(size)}}));
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  std::vector<int64_t> device_ids;
  if (lexer_.TryConsume(',')) {
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("device_ids"));
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    TF_RETURN_IF_ERROR(lexer_.Expect('['));
    if (!lexer_.Is(']')) {
      do {
        TF_ASSIGN_OR_RETURN(device_ids.emplace_back(), lexer_.TakeInteger());
      } while (lexer_.TryConsume(','));
    }
    TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  return Dictionary(
      {{"axes", Array(axes)}, {"device_ids", Integers(device_ids)}});
}

AttributeOr AttributeReader::ReadSharding() {
  TF_RETURN_IF_ERROR(lexer_.Expect('<'));
  const Attribute* mesh = nullptr;
  if (lexer_.Is(TokenKind::kAt)) {
    TF_ASSIGN_OR_RETURN(const absl::string_view name, ReadSymbol());
    mesh = Text(Kind::kSymbol, name);
  } else {
    TF_RETURN_IF_ERROR(lexer_.ExpectWord("mesh"));
    TF_ASSIGN_OR_RETURN(mesh, ReadMesh());
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(','));
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  std::vector<const Attribute*> dims;
  if (!lexer_.Is(']')) {
    do {
      TF_ASSIGN_OR_RETURN(dims.emplace_back(), ReadDimensionSharding());
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  const Attribute* replicated = Array({});
  const Attribute* unreduced = Array({});
  const Attribute* reduction = nullptr;
  while (lexer_.TryConsume(',')) {
    const bool is_replicated = lexer_.TryConsumeWord("replicated");
    if (!is_replicated && !lexer_.TryConsumeWord("unreduced")) {
      return lexer_.Expected("'replicated' or 'unreduced'");
    }
    TF_RETURN_IF_ERROR(lexer_.Expect('='));
    // The numbers are those of the bytecode.
    for (const auto& [name, number] :
         {std::pair<absl::string_view, int64_t>("max", 1), {"min", 2}}) {
      if (is_replicated || !lexer_.TryConsumeWord(name)) continue;
      reduction = Integer(number);
    }
    const Attribute*& axes = is_replicated ? replicated : unreduced;
    TF_ASSIGN_OR_RETURN(axes, ReadAxes('{', '}'));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('>'));
  std::vector<NamedAttribute> fields = {{"mesh", mesh},
                                        {"dims", Array(dims)},
                                        {"replicated", replicated},
                                        {"unreduced", unreduced}};
  if (reduction != nullptr) fields.push_back({"reduction", reduction});
  return Dictionary(fields);
}

AttributeOr AttributeReader::ReadShardings() {
  TF_RETURN_IF_ERROR(lexer_.Expect('['));
  std::vector<const Attribute*> shardings;
  if (!lexer_.Is(']')) {
    do {
      TF_ASSIGN_OR_RETURN(shardings.emplace_back(), ReadSharding());
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect(']'));
  return Array(shardings);
}

AttributeOr AttributeReader::ReadManualAxes() {
  TF_RETURN_IF_ERROR(lexer_.Expect('{'));
  std::vector<const Attribute*> names;
  if (!lexer_.Is('}')) {
    do {
      TF_ASSIGN_OR_RETURN(const absl::string_view name, ReadString());
      names.push_back(Text(Kind::kString, name));
    } while (lexer_.TryConsume(','));
  }
  TF_RETURN_IF_ERROR(lexer_.Expect('}'));
  return Array(names);
}

}  // namespace xla::stablehlo
