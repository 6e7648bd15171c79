// LeafIterator: goes through the nodes of a TupleTree that are leaves, in
// either direction.
#ifndef XLA_CORE_TUPLE_TREE_LEAF_ITERATOR_H_
#define XLA_CORE_TUPLE_TREE_LEAF_ITERATOR_H_

#include <cstddef>
#include <iterator>

#include "xla/core/tuple_tree/index_table.h"

namespace xla::internal {

// What containers have that only read.
template <typename Iterator>
struct IteratorRange {
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  using iterator = Iterator;
  using const_iterator = Iterator;
  using reference = typename std::iterator_traits<Iterator>::reference;
  using const_reference = reference;

  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
  size_t size() const { return std::distance(first, last); }
  bool empty() const { return first == last; }
};

// `Iterator` goes through all nodes; the table says which are leaves.
template <typename Iterator>
class LeafIterator {
 public:
  using iterator_category = std::bidirectional_iterator_tag;
  using value_type = typename std::iterator_traits<Iterator>::value_type;
  using difference_type = std::ptrdiff_t;
  using pointer = typename std::iterator_traits<Iterator>::pointer;
  using reference = typename std::iterator_traits<Iterator>::reference;

  // Start at the first leaf that is not before `it`; `Tree` is a TupleTree.
  template <typename Tree>
  LeafIterator(Tree& tree, Iterator it)
      : LeafIterator(tree.begin(), it, tree.end(), &tree.table_) {}
  LeafIterator(Iterator begin, Iterator it, Iterator end,
               const IndexTable* table)
      : begin_(begin), it_(it), end_(end), table_(table) {
    while (it_ != end_ && !AtLeaf()) ++it_;
  }

  reference operator*() const { return *it_; }
  pointer operator->() const { return &*it_; }
  LeafIterator& operator++() {
    do {
      ++it_;
    } while (it_ != end_ && !AtLeaf());
    return *this;
  }
  LeafIterator operator++(int) {
    LeafIterator old = *this;
    ++*this;
    return old;
  }
  LeafIterator& operator--() {
    do {
      --it_;
    } while (it_ != begin_ && !AtLeaf());
    return *this;
  }
  LeafIterator operator--(int) {
    LeafIterator old = *this;
    --*this;
    return old;
  }
  bool operator==(const LeafIterator& other) const { return it_ == other.it_; }
  bool operator!=(const LeafIterator& other) const { return it_ != other.it_; }

 private:
  bool AtLeaf() const { return table_->IsLeaf(it_ - begin_); }

  Iterator begin_;
  Iterator it_;
  Iterator end_;
  const IndexTable* table_;
};

}  // namespace xla::internal

#endif  // XLA_CORE_TUPLE_TREE_LEAF_ITERATOR_H_
