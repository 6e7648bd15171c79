// Looks up keys of maps and sets, under XLA's names.
#ifndef COMPAT_XLA_MAP_UTIL_H_
#define COMPAT_XLA_MAP_UTIL_H_

#include <functional>
#include <sstream>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/base/logging.h"

namespace xla {

// Return the value of a key that must be there (CHECK).
template <class Collection>
const typename Collection::value_type::second_type& FindOrDie(
    const Collection& collection,
    const typename Collection::value_type::first_type& key) {
  auto it = collection.find(key);
  CHECK(it != collection.end()) << "the map does not have the key: " << key;
  return it->second;
}
template <class Collection>
typename Collection::value_type::second_type& FindOrDie(
    Collection& collection,
    const typename Collection::value_type::first_type& key) {
  auto it = collection.find(key);
  CHECK(it != collection.end()) << "the map does not have the key: " << key;
  return it->second;
}

// Returns the value of a key. Errors: NotFound, which names the key.
template <class Collection>
absl::StatusOr<
    std::reference_wrapper<const typename Collection::value_type::second_type>>
MaybeFind(const Collection& collection,
          const typename Collection::value_type::first_type& key) {
  auto it = collection.find(key);
  if (it == collection.end()) {
    std::ostringstream text;
    text << key;
    return absl::NotFoundError(absl::StrCat("key not found: ", text.str()));
  }
  return {it->second};
}

template <class Collection>
const typename Collection::value_type::second_type& FindOrDefault(
    const Collection& collection,
    const typename Collection::value_type::first_type& key,
    const typename Collection::value_type::second_type& value) {
  auto it = collection.find(key);
  return it == collection.end() ? value : it->second;
}

// The key, or the value of a set, must not be there (CHECK).
template <class Collection, class Key, class Value>
void InsertOrDie(Collection* const collection, Key&& key, Value&& value) {
  auto inserted = collection->insert(
      std::make_pair(std::forward<Key>(key), std::forward<Value>(value)));
  CHECK(inserted.second) << "duplicate key";
}
template <class Set, class Value>
void InsertOrDie(Set* const set, Value&& value) {
  CHECK(set->insert(std::forward<Value>(value)).second) << "duplicate value";
}

template <class Collection, class Key>
bool ContainsKey(const Collection& collection, const Key& key) {
  return collection.find(key) != collection.end();
}

// Return predicates that refer to the map or set.
template <class Key, class Value>
auto IsKeyIn(const absl::flat_hash_map<Key, Value>& map) {
  return [&map](const Key& key) { return map.contains(key); };
}
template <class T>
auto IsValueIn(const absl::flat_hash_set<T>& set) {
  return [&set](const T& value) { return set.contains(value); };
}

}  // namespace xla

#endif  // COMPAT_XLA_MAP_UTIL_H_
