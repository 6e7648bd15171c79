// A hash that reads 32 bytes at a time.
#include "xla/base/stable_hash.h"

#include <algorithm>
#include <cstring>

namespace xla {

uint64_t StableBlockHash(absl::string_view bytes) {
  constexpr size_t kBlock = 32;
  uint64_t states[4] = {1, 2, 3, 4};
  for (size_t at = 0; at < bytes.size(); at += kBlock) {
    uint64_t words[4] = {};
    std::memcpy(words, bytes.data() + at, std::min(kBlock, bytes.size() - at));
    for (int i = 0; i < 4; ++i) states[i] = StableMix(states[i], words[i]);
  }
  uint64_t hash = bytes.size();
  for (const uint64_t state : states) hash = StableMix(hash, state);
  return hash;
}

}  // namespace xla
