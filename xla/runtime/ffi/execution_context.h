// ExecutionContext: user data that one execution passes to the FFI handlers it
// calls, one pointer per type.
#ifndef XLA_RUNTIME_FFI_EXECUTION_CONTEXT_H_
#define XLA_RUNTIME_FFI_EXECUTION_CONTEXT_H_

#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {

// One thread fills it; after that any number of threads may look up.
class ExecutionContext {
 public:
  using TypeId = TypeRegistry::TypeId;
  template <typename T>
  using Deleter = void (*)(T*);

  ExecutionContext() = default;
  ~ExecutionContext();
  ExecutionContext(const ExecutionContext&) = delete;
  ExecutionContext& operator=(const ExecutionContext&) = delete;

  // Keeps `data` under its type and finally deletes it, unless `deleter` is
  // null. Errors, after which the caller still owns `data`: AlreadyExists;
  // InvalidArgument for the unknown type.
  absl::Status Insert(TypeId type_id, void* data,
                      Deleter<void> deleter = nullptr);
  // Like the above, with a C++ type. `data` is borrowed.
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
