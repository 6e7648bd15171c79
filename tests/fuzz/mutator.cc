// Changes texts by tokens and protos by reflection.
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

#include "absl/strings/str_cat.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

struct Token {
  size_t start;
  size_t size;
};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '-';
}

std::vector<Token> Tokens(const std::string& text) {
  std::vector<Token> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (IsWord(text[i])) {
      while (end < text.size() && IsWord(text[end])) ++end;
    }
    if (text[i] != ' ' && text[i] != '\n') tokens.push_back({i, end - i});
    i = end;
  }
  return tokens;
}

// All messages inside `message`, itself first.
void Collect(Message& message, std::vector<Message*>& all) {
  all.push_back(&message);
  const Reflection* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      Collect(*reflection->MutableMessage(&message, field), all);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      Collect(*reflection->MutableRepeatedMessage(&message, field, i), all);
    }
  }
}

}  // namespace

uint64_t Mutator::Below(uint64_t n) {
  // splitmix64
  uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return n == 0 ? 0 : z % n;
}

int64_t Mutator::Number() {
  static constexpr int64_t kNumbers[] = {0,
                                         1,
                                         -1,
                                         2,
                                         3,
                                         7,
                                         8,
                                         64,
                                         100,
                                         127,
                                         128,
                                         255,
                                         1 << 15,
                                         1 << 20,
                                         std::numeric_limits<int32_t>::max(),
                                         std::numeric_limits<int32_t>::min(),
                                         int64_t{1} << 32,
                                         int64_t{1} << 40,
                                         int64_t{1} << 62,
                                         std::numeric_limits<int64_t>::max(),
                                         std::numeric_limits<int64_t>::min()};
  return kNumbers[Below(std::size(kNumbers))];
}

std::string Mutator::Word() {
  static constexpr const char* kWords[] = {"f32[]",
                                           "f32[2]{0}",
                                           "(f32[], s32[2])",
                                           "token[]",
                                           "pred[]",
                                           "s4[3]",
                                           "f32[<=4]",
                                           "f32[?]",
                                           "{",
                                           "}",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           ",",
                                           "=",
                                           "\"",
                                           "'",
                                           "ROOT",
                                           "ENTRY",
                                           "HloModule",
                                           "{...}",
                                           "nan",
                                           "inf",
                                           "-nan(0x1)",
                                           "1e999",
                                           "negate-start",
                                           "negate-done",
                                           "async-start",
                                           "parameter(0)",
                                           "tuple",
                                           "while",
                                           "fusion",
                                           "/*",
                                           "*/",
                                           "//",
                                           "%",
                                           "<=",
                                           "T(",
                                           "->",
                                           "add",
                                           "sharding={replicated}",
                                           "metadata={op_name=\"x\"}",
                                           "dimensions={0,0}",
                                           "{{{{{{",
                                           "((((((",
                                           "calls={",
                                           "to_apply=",
                                           "f32[99999999999]"};
  return kWords[Below(std::size(kWords))];
}

// Texts -----------------------------------------------------------------------

void Mutator::ChangeTokens(std::string& text, const std::string& other) {
  const std::vector<Token> tokens = Tokens(text);
  if (tokens.empty()) return;
  const Token a = tokens[Below(tokens.size())];
  const Token b = tokens[Below(tokens.size())];
  switch (Below(6)) {
    case 0:
      text.erase(a.start, a.size);
      break;
    case 1:
      text.insert(a.start, text.substr(a.start, a.size) + " ");
      break;
    case 2:
      text.replace(a.start, a.size, text.substr(b.start, b.size));
      break;
    case 3:
      text.replace(a.start, a.size, Word());
      break;
    case 4: {
      const std::vector<Token> others = Tokens(other);
      if (others.empty()) break;
      const Token c = others[Below(others.size())];
      text.replace(a.start, a.size, other.substr(c.start, c.size));
      break;
    }
    case 5: {
      // Looks for a number from `a` on, since most tokens are not numbers.
      size_t at = a.start;
      while (at < text.size() && !std::isdigit(text[at])) ++at;
      size_t end = at;
      while (end < text.size() && std::isdigit(text[end])) ++end;
      if (end > at) text.replace(at, end - at, absl::StrCat(Number()));
      break;
    }
  }
}

void Mutator::ChangeText(std::string& text, const std::string& other) {
  if (text.empty()) {
    text = other;
    return;
  }
  const size_t at = Below(text.size());
  switch (Below(12)) {
    case 0:
      text[at] ^= 1 << Below(8);
      break;
    case 1:
      text.insert(text.begin() + at, static_cast<char>(Below(256)));
      break;
    case 2:
      text.resize(at);
      break;
    case 3: {
      const size_t from = Below(other.size());
      text.insert(at, other.substr(from, Below(200)));
      break;
    }
    case 4: {  // a line of `other`
      const size_t from = other.rfind('\n', Below(other.size()));
      if (from == std::string::npos) break;
      const size_t end = std::min(other.find('\n', from + 1), other.size());
      const size_t line = text.rfind('\n', at);
      if (line != std::string::npos) {
        text.insert(line, other.substr(from, end - from));
      }
      break;
    }
    case 5:
      text.erase(at, Below(60));
      break;
    default:
      ChangeTokens(text, other);
  }
}

std::string Mutator::Text(std::string text, const std::string& other) {
  const int changes = 1 + Below(4);
  for (int i = 0; i < changes; ++i) ChangeText(text, other);
  return text;
}

// Protos ----------------------------------------------------------------------

std::string Mutator::Bytes(std::string bytes) {
  const int changes = 1 + Below(4);
  for (int i = 0; i < changes && !bytes.empty(); ++i) {
    const size_t at = Below(bytes.size());
    switch (Below(4)) {
      case 0:
        bytes[at] ^= 1 << Below(8);
        break;
      case 1:
        bytes[at] = Below(256);
        break;
      case 2:
        bytes.erase(at, 1 + Below(8));
        break;
      case 3:
        bytes.resize(at);
        break;
    }
  }
  return bytes;
}

void Mutator::ChangeSingle(Message& message, const FieldDescriptor* field) {
  const Reflection* r = message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return r->SetInt32(&message, field, Number());
    case FieldDescriptor::CPPTYPE_INT64:
      return r->SetInt64(&message, field, Number());
    case FieldDescriptor::CPPTYPE_UINT32:
      return r->SetUInt32(&message, field, Number());
    case FieldDescriptor::CPPTYPE_UINT64:
      return r->SetUInt64(&message, field, Number());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return r->SetFloat(&message, field, Number());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return r->SetDouble(&message, field, Number());
    case FieldDescriptor::CPPTYPE_BOOL:
      return r->SetBool(&message, field, Below(2));
    case FieldDescriptor::CPPTYPE_ENUM:
      return r->SetEnumValue(
          &message, field,
          Below(4) == 0 ? Number()
                        : field->enum_type()
                              ->value(Below(field->enum_type()->value_count()))
                              ->number());
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string value = r->GetString(message, field);
      if (value.empty() || Below(2) == 0) {
        value = Word();
      } else {
        value[Below(value.size())] = Below(128);
      }
      return r->SetString(&message, field, value);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      // Makes the field present and empty.
      r->ClearField(&message, field);
      r->MutableMessage(&message, field);
      return;
  }
}

void Mutator::ChangeRepeated(Message& message, const FieldDescriptor* field) {
  const Reflection* r = message.GetReflection();
  const int size = r->FieldSize(message, field);
  if (size > 0 && Below(4) == 0) return r->RemoveLast(&message, field);
  if (size > 1 && Below(3) == 0) {
    return r->SwapElements(&message, field, Below(size), Below(size));
  }
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      if (size > 0 && Below(2) == 0) {
        return r->SetRepeatedInt64(&message, field, Below(size), Number());
      }
      return r->AddInt64(&message, field, Number());
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      Message* added = r->AddMessage(&message, field);
      if (size > 0) {
        added->CopyFrom(r->GetRepeatedMessage(message, field, Below(size)));
      }
      return;
    }
    default:
      if (size > 0) r->ClearField(&message, field);
  }
}

void Mutator::ChangeField(Message& message) {
  const Reflection* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  // Mostly a field that is set, sometimes any field.
  const FieldDescriptor* field = nullptr;
  if (!fields.empty() && Below(4) != 0) {
    field = fields[Below(fields.size())];
  } else if (message.GetDescriptor()->field_count() > 0) {
    field = message.GetDescriptor()->field(
        Below(message.GetDescriptor()->field_count()));
  }
  if (field == nullptr || field->is_map()) return;
  if (field->is_repeated()) {
    ChangeRepeated(message, field);
  } else if (Below(5) == 0) {
    reflection->ClearField(&message, field);
  } else {
    ChangeSingle(message, field);
  }
}

void Mutator::Proto(Message& message) {
  const int changes = 1 + Below(4);
  for (int i = 0; i < changes; ++i) {
    std::vector<Message*> all;
    Collect(message, all);
    if (all.size() > 2 && Below(8) == 0) {
      // Replaces it by another message of the same type.
      Message* to = all[Below(all.size())];
      Message* from = all[Below(all.size())];
      if (to != from && to->GetDescriptor() == from->GetDescriptor()) {
        const std::string bytes = from->SerializeAsString();
        to->ParseFromString(bytes);
        continue;
      }
    }
    ChangeField(*all[Below(all.size())]);
  }
}

}  // namespace xla
