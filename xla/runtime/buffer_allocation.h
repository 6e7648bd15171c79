// BufferAllocation: a numbered piece of memory that a program uses on each
// device, and the slices of it that hold arrays.
#ifndef XLA_RUNTIME_BUFFER_ALLOCATION_H_
#define XLA_RUNTIME_BUFFER_ALLOCATION_H_

#include <cstdint>

namespace xla {

struct BufferAllocation {
  enum class Kind {
    kParameter,  // a leaf of an entry parameter; never written
    kOutput,     // a leaf of the result; may be the memory of the parameter
                 // that the module's input_output_alias pairs with it, else
                 // also holds temporaries, before the result is made
    kConstant,   // never written
    kTemp,       // the one arena of a run
  };
  // Bytes [offset, offset + size) of the allocation with that index; -1 for
  // leaves without memory (tokens, arrays without elements).
  struct Slice {
    int64_t allocation = -1;
    int64_t offset = 0;
    int64_t size = 0;

    // Returns true if the two have a byte in common.
    bool Overlaps(const Slice& other) const {
      return allocation >= 0 && allocation == other.allocation &&
             offset < other.offset + other.size && other.offset < offset + size;
    }
    friend bool operator==(const Slice&, const Slice&) = default;
  };

  Kind kind = Kind::kTemp;
  // The number of the leaf among those of all parameters, or of the result; -1
  // for the other kinds.
  int64_t leaf = -1;
  int64_t size = 0;  // bytes
};

}  // namespace xla

#endif  // XLA_RUNTIME_BUFFER_ALLOCATION_H_
