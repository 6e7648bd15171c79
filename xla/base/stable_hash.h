// A hash that is the same on every machine and in every version, for what is
// written to files. Not for hash tables, nor against forgery.
#ifndef XLA_BASE_STABLE_HASH_H_
#define XLA_BASE_STABLE_HASH_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace xla {

// FNV-1a, 64 bits. Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash
// Algorithm", section 2.
constexpr uint64_t StableHash(absl::string_view bytes) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return hash;
}

// A hash of words, one after the other. One to one in `state` for each word,
// and in the word for each state.
constexpr uint64_t StableMix(uint64_t state, uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15u;
  return state ^ (state >> 32);
}

// Of much data, some ten times as fast: of four streams of 8-byte words each,
// the last one filled up with zeros, and of the size.
uint64_t StableBlockHash(absl::string_view bytes);

}  // namespace xla

#endif  // XLA_BASE_STABLE_HASH_H_
