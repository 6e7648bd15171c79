// ExecutionContext: the user's data that travels with one execution to the FFI
// handlers it calls, one pointer for each type.
#ifndef XLA_RUNTIME_FFI_EXECUTION_CONTEXT_H_
#define XLA_RUNTIME_FFI_EXECUTION_CONTEXT_H_

#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {

// Filled by one thread; lookups by any number once it is filled.
class ExecutionContext {
 public:
  using TypeId = TypeRegistry::TypeId;
  template <typename T>
  using Deleter = void (*)(T*);

  ExecutionContext() = default;
  ~ExecutionContext();
  ExecutionContext(const ExecutionContext&) = delete;
  ExecutionContext& operator=(const ExecutionContext&) = delete;

  // Keeps `data` under its type, and deletes it in the end where `deleter` is
  // not null. Errors: AlreadyExists (`data` is not taken then);
  // InvalidArgument for the unknown type.
  absl::Status Insert(TypeId type_id, void* data,
                      Deleter<void> deleter = nullptr);
  // The same with a type of C++. `data` is borrowed.
  template <typename T>
  absl::Status Insert(T* data) {
    return Insert(TypeRegistry::GetTypeId<T>(), data, nullptr);
  }
  // Makes an object that the context owns.
  template <typename T, typename... Args>
  absl::Status Emplace(Args&&... args) {
    auto data = std::make_unique<T>(std::forward<Args>(args)...);
    absl::Status status =
        Insert(TypeRegistry::GetTypeId<T>(), data.get(),
               [](void* object) { delete static_cast<T*>(object); });
    if (status.ok()) data.release();
    return status;
  }

  // Errors: NotFound, which names the type.
  absl::StatusOr<void*> Lookup(TypeId type_id) const;
  template <typename T>
  absl::StatusOr<T*> Lookup() const {
    absl::StatusOr<void*> data = Lookup(TypeRegistry::GetTypeId<T>());
    if (!data.ok()) return data.status();
    return static_cast<T*>(*data);
  }

 private:
  struct Entry {
    void* data;
    Deleter<void> deleter;
  };
  absl::flat_hash_map<TypeId, Entry> entries_;
};

}  // namespace xla::ffi

#endif  // XLA_RUNTIME_FFI_EXECUTION_CONTEXT_H_
