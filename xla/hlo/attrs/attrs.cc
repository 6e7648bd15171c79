// The operations that all attribute structs share, done field by field.
#include "xla/hlo/attrs/attrs.h"

#include "xla/base/status_macros.h"

namespace xla {

bool operator==(const Attrs& a, const Attrs& b) {
  if (a.def_ != b.def_) return false;
  if (a.value_ == nullptr || b.value_ == nullptr) return a.value_ == b.value_;
  for (const FieldDef& field : a.def_->fields()) {
    if (!field.codec->equal(field.Get(a.value_), field.Get(b.value_))) {
      return false;
    }
  }
  return true;
}

size_t Attrs::Hash() const {
  size_t hash = 0;
  if (value_ == nullptr) return hash;
  for (const FieldDef& field : def_->fields()) {
    hash = absl::HashOf(hash, field.codec->hash(field.Get(value_)));
  }
  return hash;
}

void PrintAttrs(const Attrs& attrs, std::string* out) {
  if (attrs.get() == nullptr || attrs.def()->fields().empty()) return;
  const Attrs defaults(attrs.def());
  for (const FieldDef& field : attrs.def()->fields()) {
    if (field.show == Show::kPayload) continue;
    if (field.show == Show::kOptional &&
        field.codec->equal(field.Get(attrs.get()), field.Get(defaults.get()))) {
      continue;
    }
    field.codec->print(field.name, field.Get(attrs.get()),
                       field.show != Show::kOptional, out);
  }
}

absl::StatusOr<int> ParseAttr(absl::string_view key, TextScanner& scanner,
                              Attrs& attrs) {
  if (attrs.get() == nullptr) return -1;
  int index = 0;
  for (const FieldDef& field : attrs.def()->fields()) {
    TF_ASSIGN_OR_RETURN(bool taken, field.codec->parse(field.name, key, scanner,
                                                       field.get(attrs.get())));
    if (taken) return index;
    ++index;
  }
  return -1;
}

void AttrsToProto(const Attrs& attrs, HloInstructionProto* proto) {
  if (attrs.get() == nullptr) return;
  for (const FieldDef& field : attrs.def()->fields()) {
    if (field.proto_name == "-") continue;
    field.codec->to_proto(field.proto_name, field.Get(attrs.get()), proto);
  }
}

absl::Status AttrsFromProto(const HloInstructionProto& proto, Attrs& attrs) {
  if (attrs.get() == nullptr) return absl::OkStatus();
  for (const FieldDef& field : attrs.def()->fields()) {
    if (field.proto_name == "-") continue;
    TF_RETURN_IF_ERROR(field.codec->from_proto(field.proto_name, proto,
                                               field.get(attrs.get())));
  }
  return absl::OkStatus();
}

}  // namespace xla
