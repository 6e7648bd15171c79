// Iterators over pointers of owned objects, over those that a predicate takes,
// and over elements with their positions, under XLA's names.
#ifndef COMPAT_XLA_ITERATOR_UTIL_H_
#define COMPAT_XLA_ITERATOR_UTIL_H_

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "xla/tsl/lib/gtl/iterator_range.h"  // IWYU pragma: export

namespace xla {

// Iterates over smart pointers as raw pointers.
template <typename NestedIter>
class UnwrappingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = decltype(std::declval<NestedIter>()->get());
  using difference_type = std::ptrdiff_t;
  using pointer = value_type*;
  using reference = value_type&;

  explicit UnwrappingIterator(NestedIter iter) : iter_(std::move(iter)) {}

  auto operator*() const -> value_type { return iter_->get(); }
  auto operator->() const -> value_type { return iter_->get(); }
  UnwrappingIterator& operator++() {
    ++iter_;
    return *this;
  }
  UnwrappingIterator operator++(int) {
    UnwrappingIterator old = *this;
    ++iter_;
    return old;
  }
  friend bool operator==(const UnwrappingIterator& a,
                         const UnwrappingIterator& b) {
    return a.iter_ == b.iter_;
  }
  friend bool operator!=(const UnwrappingIterator& a,
                         const UnwrappingIterator& b) {
    return !(a == b);
  }
  NestedIter underlying_iterator() const { return iter_; }

 private:
  NestedIter iter_;
};
template <typename NestedIter>
UnwrappingIterator<NestedIter> MakeUnwrappingIterator(NestedIter iter) {
  return UnwrappingIterator<NestedIter>(std::move(iter));
}

// Iterates over the smart pointers that are not null, as raw pointers.
template <typename NestedIter, typename UnaryPredicate>
class FilteringIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = decltype(*std::declval<NestedIter>());
  using difference_type = std::ptrdiff_t;
  using pointer = std::remove_reference_t<value_type>*;
  using reference = value_type;

  FilteringIterator(NestedIter iter, NestedIter end_iter, UnaryPredicate pred)
      : iter_(std::move(iter)),
        end_iter_(std::move(end_iter)),
        pred_(std::move(pred)) {
    Skip();
  }

  decltype(auto) operator*() const { return *iter_; }
  decltype(auto) operator->() const { return *iter_; }
  FilteringIterator& operator++() {
    ++iter_;
    Skip();
    return *this;
  }
  FilteringIterator operator++(int) {
    FilteringIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const FilteringIterator& a,
                         const FilteringIterator& b) {
    return a.iter_ == b.iter_;
  }
  friend bool operator!=(const FilteringIterator& a,
                         const FilteringIterator& b) {
    return !(a == b);
  }
  NestedIter underlying_iterator() const { return iter_; }

 private:
  void Skip() {
    while (iter_ != end_iter_ && !pred_(*iter_)) ++iter_;
  }

  NestedIter iter_;
  NestedIter end_iter_;
  UnaryPredicate pred_;
};
template <typename NestedIter, typename UnaryPredicate>
using FilteringUnwrappingIterator =
    FilteringIterator<UnwrappingIterator<NestedIter>, UnaryPredicate>;
template <typename NestedIter, typename UnaryPredicate>
FilteringUnwrappingIterator<NestedIter, UnaryPredicate>
MakeFilteringUnwrappingIterator(NestedIter iter, NestedIter end_iter,
                                UnaryPredicate pred) {
  return FilteringUnwrappingIterator<NestedIter, UnaryPredicate>(
      MakeUnwrappingIterator(std::move(iter)),
      MakeUnwrappingIterator(std::move(end_iter)), std::move(pred));
}
// Returns the range from `begin_iter` to `end_iter`.
template <typename NestedIter, typename UnaryPredicate>
tsl::gtl::iterator_range<
    FilteringUnwrappingIterator<NestedIter, UnaryPredicate>>
MakeFilteringUnwrappingIteratorRange(NestedIter begin_iter, NestedIter end_iter,
                                     UnaryPredicate pred) {
  return {MakeFilteringUnwrappingIterator(begin_iter, end_iter, pred),
          MakeFilteringUnwrappingIterator(end_iter, end_iter, pred)};
}

// for (auto [i, element] : WithIndex(container)). Refers to a container that
// outlives it; keeps a temporary.
template <typename T, typename Storage = T>
class WithIndex {
 public:
  class iterator {
   public:
    using wrapped = decltype(std::begin(std::declval<const T&>()));
    using wrapped_result =
        std::remove_reference_t<decltype(*std::declval<const wrapped&>())>;
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<size_t, const wrapped_result&>;
    using difference_type = size_t;
    // Holds the pair that -> selects a member of.
    class pointer {
     public:
      explicit pointer(value_type element) : element_(element) {}
      const value_type* operator->() const { return &element_; }

     private:
      value_type element_;
    };
    using reference = value_type;

    iterator(size_t index, wrapped it) : index_(index), it_(it) {}
    value_type operator*() const { return {index_, *it_}; }
    pointer operator->() const { return pointer(**this); }
    iterator& operator++() {
      ++index_;
      ++it_;
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const iterator& other) const { return it_ == other.it_; }
    bool operator!=(const iterator& other) const { return it_ != other.it_; }

   private:
    size_t index_;
    wrapped it_;
  };

  explicit WithIndex(const T& v) : v_(v) {}
  explicit WithIndex(T&& v) : v_(std::move(v)) {}

  iterator begin() const { return iterator(0, std::begin(v_)); }
  iterator end() const { return iterator(0, std::end(v_)); }

 private:
  Storage v_;
};
template <typename T>
WithIndex(const T& v) -> WithIndex<T, const T&>;

}  // namespace xla

#endif  // COMPAT_XLA_ITERATOR_UTIL_H_
