// XlaOp and XlaComputationId, the handles that clients of XlaBuilder hold:
// small values that refer to an operation, or a computation, of a builder.
#ifndef XLA_HLO_BUILDER_XLA_OP_H_
#define XLA_HLO_BUILDER_XLA_OP_H_

#include <cstdint>
#include <ostream>
#include <type_traits>

#include "xla/base/logging.h"

namespace xla {

class XlaBuilder;
class XlaComputation;

// An operation of a builder, which must outlive it. Copies refer to the same
// operation. A default-constructed handle, and one that a failed call returned,
// is invalid: ops that take it record an error in their builder and do no harm.
class XlaOp {
 public:
  XlaOp() = default;

  // Returns the builder that made this, even if it is invalid. CHECK-fails if
  // IsUninitialized().
  XlaBuilder* builder() const {
    CHECK(builder_ != nullptr) << "an XlaOp that no builder made";
    return builder_;
  }
  bool valid() const { return handle_ >= 0; }
  bool IsUninitialized() const { return builder_ == nullptr; }
  bool IsIdenticalTo(XlaOp other) const {
    return handle_ == other.handle_ && builder_ == other.builder_;
  }
  friend std::ostream& operator<<(std::ostream& out, XlaOp op) {
    return out << op.handle_;
  }

 private:
  friend class XlaBuilder;

  explicit XlaOp(XlaBuilder* builder) : builder_(builder) {}
  XlaOp(int64_t handle, XlaBuilder* builder)
      : handle_(handle), builder_(builder) {}

  int64_t handle_ = -1;
  XlaBuilder* builder_ = nullptr;
};
static_assert(std::is_trivially_destructible_v<XlaOp>);

// A computation that was added to a builder by AddSubComputation or
// BuildSubComputation. Valid in that builder and in its sub-builders.
class XlaComputationId {
 public:
  XlaComputationId() = default;

  bool valid() const { return handle_ >= 0; }
  friend std::ostream& operator<<(std::ostream& out, XlaComputationId id) {
    return out << id.handle_;
  }

 private:
  friend class XlaBuilder;

  explicit XlaComputationId(int64_t handle) : handle_(handle) {}

  int64_t handle_ = -1;  // unique in the process
};
static_assert(std::is_trivially_destructible_v<XlaComputationId>);

// The argument type for computations that ops call: combines the two forms in
// which XLA's functions take one.
class CalledComputation {
 public:
  CalledComputation(const XlaComputation& computation)  // NOLINT
      : computation_(&computation) {}
  CalledComputation(XlaComputationId id) : id_(id) {}  // NOLINT
  // Null makes the op fail.
  explicit CalledComputation(const XlaComputation* computation)
      : computation_(computation) {}

  // Returns null if only the id is set.
  const XlaComputation* computation() const { return computation_; }
  XlaComputationId id() const { return id_; }

 private:
  const XlaComputation* computation_ = nullptr;
  XlaComputationId id_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_XLA_OP_H_
