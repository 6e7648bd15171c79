// PointerRange: the elements of a container of std::unique_ptr as raw pointers.
#ifndef XLA_HLO_IR_POINTER_RANGE_H_
#define XLA_HLO_IR_POINTER_RANGE_H_

#include <cstddef>
#include <iterator>
#include <vector>

namespace xla {

// A view: the container must outlive it. Like the container's iterators, its
// own stay valid as long as the element that they are at does. Elements that
// are null are passed over, also if they become so while an iterator is there.
template <typename Container>
class PointerRange {
 public:
  using Inner = typename Container::const_iterator;
  using Owner = typename Container::value_type;
  using Pointer = typename Owner::pointer;

  class iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Pointer;
    using difference_type = std::ptrdiff_t;
    using pointer = const Pointer*;
    using reference = Pointer;

    iterator() = default;
    // Starts at the first element from `it` on that is not null.
    iterator(Inner it, Inner end) : it_(it), end_(end) { PassNulls(); }
    Pointer operator*() const { return it_->get(); }
    iterator& operator++() {
      ++it_;
      PassNulls();
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++*this;
      return before;
    }
    iterator& operator--() {
      do {
        --it_;
      } while (*it_ == nullptr);
      return *this;
    }
    iterator operator--(int) {
      iterator before = *this;
      --*this;
      return before;
    }
    bool operator==(const iterator& other) const { return it_ == other.it_; }
    bool operator!=(const iterator& other) const { return it_ != other.it_; }

   private:
    void PassNulls() {
      while (it_ != end_ && *it_ == nullptr) ++it_;
    }

    Inner it_;
    Inner end_;
  };
  using const_iterator = iterator;
  using value_type = Pointer;

  // As many elements are null as `removed` has, which must outlive the view;
  // without it the size is counted.
  explicit PointerRange(const Container& container,
                        const std::vector<Owner>* removed = nullptr)
      : container_(&container), removed_(removed) {}

  iterator begin() const {
    return iterator(container_->begin(), container_->end());
  }
  iterator end() const {
    return iterator(container_->end(), container_->end());
  }
  auto rbegin() const { return std::reverse_iterator<iterator>(end()); }
  auto rend() const { return std::reverse_iterator<iterator>(begin()); }
  size_t size() const {
    return removed_ == nullptr ? std::distance(begin(), end())
                               : container_->size() - removed_->size();
  }
  bool empty() const { return begin() == end(); }
  Pointer front() const { return *begin(); }
  Pointer back() const { return *std::prev(end()); }

 private:
  const Container* container_;
  const std::vector<Owner>* removed_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_POINTER_RANGE_H_
