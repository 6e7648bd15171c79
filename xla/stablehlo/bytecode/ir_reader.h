// IrReader: reads the IR section of an artifact into ops, regions and values.
#ifndef XLA_STABLEHLO_BYTECODE_IR_READER_H_
#define XLA_STABLEHLO_BYTECODE_IR_READER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/stablehlo/bytecode/attribute_pool.h"
#include "xla/stablehlo/bytecode/byte_cursor.h"
#include "xla/stablehlo/bytecode/bytecode_file.h"
#include "xla/stablehlo/bytecode/location_reader.h"
#include "xla/stablehlo/bytecode/op_table.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

class IrReader {
 public:
  // Both must outlive the reader; nodes go to the module's arena.
  IrReader(const BytecodeFile& file, Module& module);

  // To be called once: sets the module's root and number of values.
  absl::Status Run();

 private:
  // The values of the open regions by number; null before they are defined.
  // Isolated ops begin a new scope.
  struct Scope {
    std::vector<const Value*> values;
    size_t next = 0;
  };
  // An op name of the file.
  struct OpKind {
    const OpRow* row = nullptr;  // set when it first occurs
    bool is_cast = false;
  };
  // The attributes of an entry of the property section, for the op that used it
  // last.
  struct Properties {
    const OpRow* row = nullptr;
    absl::Span<const NamedAttribute> attributes;
  };
  enum OpMask : uint8_t {
    kHasAttributes = 0x01,
    kHasResults = 0x02,
    kHasOperands = 0x04,
    kHasSuccessors = 0x08,
    kHasRegions = 0x10,
    kHasUseListOrders = 0x20,
    kHasProperties = 0x40,
  };

  absl::StatusOr<const OpKind*> KindOf(uint64_t name);
  // Returns null for a cast, which makes no op.
  absl::StatusOr<const Op*> ReadOp(ByteCursor& in, Scope& scope);
  absl::Status ReadAttributes(ByteCursor& in, uint8_t mask, const OpRow& row,
                              Op& op);
  absl::StatusOr<absl::Span<const NamedAttribute>> ReadProperties(
      uint64_t index, const OpRow& row);
  // Returns the inherent attributes among all, for bytecode before version 5.
  absl::StatusOr<absl::Span<const NamedAttribute>> InherentAttributes(
      absl::Span<const NamedAttribute> attributes, const OpRow& row);
  absl::StatusOr<absl::Span<const NamedAttribute>> Joined(
      absl::Span<const NamedAttribute> a, absl::Span<const NamedAttribute> b);
  absl::Status ReadResultTypes(ByteCursor& in, Op& op);
  absl::Status ReadOperands(ByteCursor& in, const Scope& scope, Op& op);
  void SkipUseListOrders(ByteCursor& in, size_t value_count);
  absl::Status ReadRegions(ByteCursor& in, Scope& scope, Op& op);
  absl::Status ReadRegion(ByteCursor& in, Scope& scope, Region& region);
  absl::Status ReadBlock(ByteCursor& in, Scope& scope, Block& block);
  absl::Status ReadArguments(ByteCursor& in, Scope& scope, Block& block);
  absl::Status Define(Scope& scope, size_t number, const Value* value);

  // Reads a number of items. The sum of these over the file is limited by its
  // size, so that counts cannot cause more work than there are bytes.
  absl::StatusOr<size_t> ReadCount(ByteCursor& in, const char* what);

  const BytecodeFile& file_;
  Module& module_;
  AttributePool pool_;
  LocationReader locations_;
  std::vector<OpKind> kinds_;
  std::vector<Properties> properties_;
  uint64_t count_budget_;
  uint64_t field_budget_;
  int32_t op_index_ = 0;
  int depth_ = 0;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_BYTECODE_IR_READER_H_
