// TypeRegistry: numbers for user types that cross the FFI boundary as untyped
// pointers: handler state and data of an execution context.
#ifndef XLA_RUNTIME_FFI_TYPE_REGISTRY_H_
#define XLA_RUNTIME_FFI_TYPE_REGISTRY_H_

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace xla::ffi {

// The number of a type; 0 is unknown.
class TypeId {
 public:
  constexpr TypeId() = default;
  constexpr explicit TypeId(int64_t value) : value_(value) {}
  constexpr int64_t value() const { return value_; }
  friend constexpr bool operator==(TypeId a, TypeId b) {
    return a.value_ == b.value_;
  }
  friend constexpr bool operator!=(TypeId a, TypeId b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, TypeId id) {
    return H::combine(std::move(h), id.value_);
  }

 private:
  int64_t value_ = 0;
};

// All functions are thread safe. Registrations last as long as the process.
class TypeRegistry {
 public:
  using TypeId = ffi::TypeId;
  static constexpr TypeId kUnknownTypeId{};

  // What the runtime may do with objects of the type.
  struct TypeInfo {
    void (*deleter)(void* object) = nullptr;  // null: never owned
  };

  // Returns a number for the type `name`: the existing one if it was registered
  // before with the same info. Errors: AlreadyExists for different info;
  // InvalidArgument for an empty name.
  static absl::StatusOr<TypeId> AssignTypeId(absl::string_view name,
                                             const TypeInfo& info);
  // Registers `name` under a number that another library has chosen. Errors:
  // InvalidArgument if the name has another number or the number another name.
  static absl::Status RegisterTypeId(absl::string_view name, TypeId type_id,
                                     const TypeInfo& info);
  // Errors: NotFound.
  static absl::StatusOr<TypeId> GetTypeId(absl::string_view name);
  static absl::StatusOr<TypeInfo> GetTypeInfo(TypeId type_id);

  // Returns the number of a C++ type that does not leave this library.
  template <typename T>
  static TypeId GetTypeId() {
    static const TypeId id = NewAnonymousTypeId(
        TypeInfo{[](void* object) { delete static_cast<T*>(object); }});
    return id;
  }

 private:
  static TypeId NewAnonymousTypeId(const TypeInfo& info);
};

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_TYPE_REGISTRY_H_
