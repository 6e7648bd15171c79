// PointerRange: the elements of a container of std::unique_ptr as raw pointers.
#ifndef XLA_HLO_IR_POINTER_RANGE_H_
#define XLA_HLO_IR_POINTER_RANGE_H_

#include <cstddef>
#include <iterator>

namespace xla {

// A view: the container must outlive it. Like the container's iterators, its
// own stay valid as long as the element that they are at does.
template <typename Container>
class PointerRange {
 public:
  using Inner = typename Container::const_iterator;
  using Pointer = typename Container::value_type::pointer;

  class iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Pointer;
    using difference_type = std::ptrdiff_t;
    using pointer = const Pointer*;
    using reference = Pointer;

    iterator() = default;
    explicit iterator(Inner it) : it_(it) {}
    Pointer operator*() const { return it_->get(); }
    iterator& operator++() {
      ++it_;
      return *this;
    }
    iterator operator++(int) { return iterator(it_++); }
    iterator& operator--() {
      --it_;
      return *this;
    }
    iterator operator--(int) { return iterator(it_--); }
    bool operator==(const iterator& other) const { return it_ == other.it_; }
    bool operator!=(const iterator& other) const { return it_ != other.it_; }

   private:
    Inner it_;
  };
  using const_iterator = iterator;
  using value_type = Pointer;

  explicit PointerRange(const Container& container) : container_(&container) {}

  iterator begin() const { return iterator(container_->begin()); }
  iterator end() const { return iterator(container_->end()); }
  auto rbegin() const { return std::reverse_iterator<iterator>(end()); }
  auto rend() const { return std::reverse_iterator<iterator>(begin()); }
  size_t size() const { return container_->size(); }
  bool empty() const { return container_->empty(); }
  Pointer front() const { return container_->front().get(); }
  Pointer back() const { return container_->back().get(); }

 private:
  const Container* container_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_POINTER_RANGE_H_
