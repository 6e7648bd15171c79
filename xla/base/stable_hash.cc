// A hash that reads 32 bytes at a time.
#include "xla/base/stable_hash.h"

#include <algorithm>
#include <cstring>

namespace xla {
namespace {

// One to one in `state` for each word, and in the word for each state.
uint64_t Mix(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15u;
  return state ^ (state >> 32);
}

}  // namespace

uint64_t StableBlockHash(absl::string_view bytes) {
  constexpr size_t kBlock = 32;
  uint64_t states[4] = {1, 2, 3, 4};
  for (size_t at = 0; at < bytes.size(); at += kBlock) {
    uint64_t words[4] = {};
    std::memcpy(words, bytes.data() + at, std::min(kBlock, bytes.size() - at));
    for (int i = 0; i < 4; ++i) states[i] = Mix(states[i], words[i]);
  }
  uint64_t hash = bytes.size();
  for (const uint64_t state : states) hash = Mix(hash, state);
  return hash;
}

}  // namespace xla
