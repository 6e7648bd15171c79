// MaybeOwning: a pointer that owns what it points to, or borrows it.
#ifndef COMPAT_XLA_MAYBE_OWNING_H_
#define COMPAT_XLA_MAYBE_OWNING_H_

#include <cstddef>
#include <memory>
#include <utility>

// In the global namespace, as in XLA. Not thread safe.
template <typename T>
class MaybeOwning final {
 public:
  MaybeOwning() = default;
  explicit MaybeOwning(std::unique_ptr<T> owned)
      : owned_(std::move(owned)), pointer_(owned_.get()) {}
  explicit MaybeOwning(const T* borrowed)
      : pointer_(const_cast<T*>(borrowed)) {}
  MaybeOwning(MaybeOwning&& other)
      : owned_(std::move(other.owned_)),
        pointer_(std::exchange(other.pointer_, nullptr)) {}
  MaybeOwning(const MaybeOwning&) = delete;

  MaybeOwning& operator=(std::unique_ptr<T> owned) {
    return *this = MaybeOwning(std::move(owned));
  }
  MaybeOwning& operator=(const T* borrowed) {
    return *this = MaybeOwning(borrowed);
  }
  MaybeOwning& operator=(MaybeOwning&& other) {
    if (this != &other) {
      owned_ = std::move(other.owned_);
      pointer_ = std::exchange(other.pointer_, nullptr);
    }
    return *this;
  }

  const T* get() const { return pointer_; }
  T* get_mutable() { return pointer_; }
  const T* operator->() const { return get(); }
  const T& operator*() const { return *get(); }
  explicit operator bool() const { return pointer_ != nullptr; }
  bool OwnsPtr() const { return owned_ != nullptr; }

  // Copies what is owned; borrows what is borrowed.
  MaybeOwning Clone() const {
    if (OwnsPtr()) return MaybeOwning(std::make_unique<T>(*pointer_));
    return MaybeOwning(pointer_);
  }

  friend bool operator==(const MaybeOwning& pointer, std::nullptr_t) {
    return pointer.get() == nullptr;
  }

 private:
  std::unique_ptr<T> owned_;
  T* pointer_ = nullptr;
};

#endif  // COMPAT_XLA_MAYBE_OWNING_H_
