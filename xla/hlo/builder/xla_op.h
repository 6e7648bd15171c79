// XlaOp and XlaComputationId, the handles that a client of XlaBuilder holds:
// small values that stand for an operation, or a computation, of a builder.
#ifndef XLA_HLO_BUILDER_XLA_OP_H_
#define XLA_HLO_BUILDER_XLA_OP_H_

#include <cstdint>
#include <ostream>
#include <type_traits>

#include "xla/base/logging.h"

namespace xla {

class XlaBuilder;
class XlaComputation;

// An operation of a builder, which must outlive it. Copies are the same
// operation. A default-made one, and one that a failed call gave, is invalid:
// ops that take it fail in their builder, and do no harm.
class XlaOp {
 public:
  XlaOp() = default;

  // The builder that made this, though it may be invalid. CHECK-fails where
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

// A computation that a builder has taken in, by AddSubComputation or
// BuildSubComputation. Good in that builder and in those below it.
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

// The argument for a computation that an op calls: both forms in which XLA's
// functions take one.
class CalledComputation {
 public:
  CalledComputation(const XlaComputation& computation)  // NOLINT
      : computation_(&computation) {}
  CalledComputation(XlaComputationId id) : id_(id) {}  // NOLINT
  // Null gives an error in the op.
  explicit CalledComputation(const XlaComputation* computation)
      : computation_(computation) {}

  // Null where only the id is set.
  const XlaComputation* computation() const { return computation_; }
  XlaComputationId id() const { return id_; }

 private:
  const XlaComputation* computation_ = nullptr;
  XlaComputationId id_;
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_XLA_OP_H_
