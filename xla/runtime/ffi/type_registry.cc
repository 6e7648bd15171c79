// The process's table of type names and numbers.
#include "xla/runtime/ffi/type_registry.h"

#include <map>
#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"

namespace xla::ffi {
namespace {

using TypeInfo = TypeRegistry::TypeInfo;

// The first number assigned here. Other libraries choose small numbers, so
// these start far above them.
constexpr int64_t kFirstTypeId = int64_t{1} << 32;

struct Types {
  std::mutex mutex;
  std::map<std::string, TypeId, std::less<>> ids;
  std::map<int64_t, TypeInfo> infos;
  int64_t next = kFirstTypeId;

  TypeId NewId() {
    while (infos.count(next) != 0) ++next;
    return TypeId(next++);
  }
};

Types& GlobalTypes() {
  static auto* const types = new Types;
  return *types;
}

absl::Status CheckName(absl::string_view name) {
  if (!name.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError("FFI type: the name is empty");
}

}  // namespace

absl::StatusOr<TypeId> TypeRegistry::AssignTypeId(absl::string_view name,
                                                  const TypeInfo& info) {
  if (absl::Status status = CheckName(name); !status.ok()) return status;
  Types& types = GlobalTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  auto it = types.ids.find(name);
  if (it != types.ids.end()) {
    if (types.infos[it->second.value()].deleter == info.deleter) {
      return it->second;
    }
    return absl::AlreadyExistsError(absl::StrCat(
        "FFI type \"", name, "\" is registered already, as number ",
        it->second.value(), ", with another deleter"));
  }
  TypeId id = types.NewId();
  types.ids.emplace(name, id);
  types.infos.emplace(id.value(), info);
  return id;
}

absl::Status TypeRegistry::RegisterTypeId(absl::string_view name,
                                          TypeId type_id,
                                          const TypeInfo& info) {
  if (absl::Status status = CheckName(name); !status.ok()) return status;
  if (type_id == kUnknownTypeId) {
    return absl::InvalidArgumentError(absl::StrCat(
        "FFI type \"", name, "\": number 0 means an unknown type"));
  }
  Types& types = GlobalTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  auto it = types.ids.find(name);
  if (it != types.ids.end()) {
    if (it->second == type_id) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "FFI type \"", name, "\" is registered already, as number ",
        it->second.value(), " and not ", type_id.value()));
  }
  if (!types.infos.emplace(type_id.value(), info).second) {
    return absl::InvalidArgumentError(
        absl::StrCat("FFI type \"", name, "\": number ", type_id.value(),
                     " belongs to another type"));
  }
  types.ids.emplace(name, type_id);
  return absl::OkStatus();
}

absl::StatusOr<TypeId> TypeRegistry::GetTypeId(absl::string_view name) {
  Types& types = GlobalTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  auto it = types.ids.find(name);
  if (it != types.ids.end()) return it->second;
  return absl::NotFoundError(
      absl::StrCat("FFI type \"", name, "\" is not registered"));
}

absl::StatusOr<TypeInfo> TypeRegistry::GetTypeInfo(TypeId type_id) {
  Types& types = GlobalTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  auto it = types.infos.find(type_id.value());
  if (it != types.infos.end()) return it->second;
  return absl::NotFoundError(
      absl::StrCat("FFI type number ", type_id.value(), " is not registered"));
}

TypeId TypeRegistry::NewAnonymousTypeId(const TypeInfo& info) {
  Types& types = GlobalTypes();
  std::lock_guard<std::mutex> lock(types.mutex);
  TypeId id = types.NewId();
  types.infos.emplace(id.value(), info);
  return id;
}

}  // namespace xla::ffi
