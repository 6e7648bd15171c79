// A hash table of pointers by type.
#include "xla/runtime/ffi/execution_context.h"

#include "absl/strings/str_cat.h"

namespace xla::ffi {

ExecutionContext::~ExecutionContext() {
  for (auto& [id, entry] : entries_) {
    if (entry.deleter != nullptr) entry.deleter(entry.data);
  }
}

absl::Status ExecutionContext::Insert(TypeId type_id, void* data,
                                      Deleter<void> deleter) {
  if (type_id == TypeRegistry::kUnknownTypeId) {
    return absl::InvalidArgumentError(
        "FFI execution context: data needs a type id other than 0");
  }
  if (entries_.emplace(type_id, Entry{data, deleter}).second) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      absl::StrCat("FFI execution context: there is data of type number ",
                   type_id.value(), " already"));
}

absl::StatusOr<void*> ExecutionContext::Lookup(TypeId type_id) const {
  auto it = entries_.find(type_id);
  if (it != entries_.end()) return it->second.data;
  return absl::NotFoundError(
      absl::StrCat("FFI execution context: no data of type number ",
                   type_id.value(), " was given for this execution"));
}

}  // namespace xla::ffi
