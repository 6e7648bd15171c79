// HandleTag: the word by which C interfaces recognize their opaque handles.
#ifndef XLA_RUNTIME_HANDLE_TAG_H_
#define XLA_RUNTIME_HANDLE_TAG_H_

#include <cstdint>

namespace xla {

// Identifies the struct that it begins, among those of one interface; cleared
// when the struct is freed.
template <uint64_t kWord>
class HandleTag {
 public:
  static constexpr uint64_t kValue = kWord;
  HandleTag() = default;
  HandleTag(const HandleTag&) = delete;
  HandleTag& operator=(const HandleTag&) = delete;
  // Volatile: compilers drop stores to memory that is about to be freed.
  ~HandleTag() { *static_cast<volatile uint64_t*>(&value_) = 0; }
  bool ok() const { return value_ == kWord; }

 private:
  uint64_t value_ = kWord;
};

}  // namespace xla

#endif  // XLA_RUNTIME_HANDLE_TAG_H_
