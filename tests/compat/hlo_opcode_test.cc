// The list of opcodes that XLA's header has as a macro, and what is asked of
// opcodes.
#include "xla/hlo/ir/hlo_opcode.h"

#include <cstdint>
#include <optional>
#include <set>
#include <sstream>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

struct Listed {
  HloOpcode opcode;
  absl::string_view name;
  int arity;
};

TEST(HloOpcodeListTest, SaysWhatTheTableOfOpsSays) {
#define LISTED(enumerator, name, arity) {HloOpcode::enumerator, name, arity},
  constexpr Listed kList[] = {HLO_OPCODE_LIST(LISTED)};
#undef LISTED
  uint32_t position = 0;
  for (const Listed& listed : kList) {
    EXPECT_EQ(static_cast<uint32_t>(listed.opcode), position++) << listed.name;
    EXPECT_EQ(HloOpcodeString(listed.opcode), listed.name);
    EXPECT_EQ(StringToHloOpcode(listed.name).value(), listed.opcode);
    EXPECT_EQ(HloOpcodeArity(listed.opcode).value_or(kHloOpcodeIsVariadic),
              listed.arity)
        << listed.name;
    EXPECT_EQ(HloOpcodeIsVariadic(listed.opcode),
              listed.arity == kHloOpcodeIsVariadic)
        << listed.name;
  }
  EXPECT_EQ(position, HloOpcodeCount());
}

TEST(HloOpcodeListTest, ListsHaveALength) {
#define COLORS(V) V(Red, 1) V(Blue, 2)
  static_assert(HLO_XLIST_LENGTH(COLORS) == 2);
#undef COLORS
}

TEST(HloOpcodeTest, IsPrintedByItsName) {
  std::ostringstream out;
  out << HloOpcode::kDynamicSlice << "," << HloOpcode::kCos;
  EXPECT_EQ(out.str(), "dynamic-slice,cosine");
}

TEST(HloOpcodeTest, Groups) {
  std::set<HloOpcode> commutative;
  std::set<HloOpcode> asynchronous;
  for (uint32_t i = 0; i < HloOpcodeCount(); ++i) {
    const auto opcode = static_cast<HloOpcode>(i);
    if (HloOpcodeIsBinaryCommutative(opcode)) commutative.insert(opcode);
    if (HloOpcodeIsAsync(opcode)) asynchronous.insert(opcode);
    EXPECT_EQ(HloOpcodeIsComparison(opcode), opcode == HloOpcode::kCompare);
  }
  EXPECT_EQ(
      commutative,
      (std::set<HloOpcode>{HloOpcode::kAdd, HloOpcode::kMultiply,
                           HloOpcode::kMaximum, HloOpcode::kMinimum,
                           HloOpcode::kAnd, HloOpcode::kOr, HloOpcode::kXor}));
  EXPECT_EQ(asynchronous, (std::set<HloOpcode>{HloOpcode::kAsyncStart,
                                               HloOpcode::kAsyncUpdate,
                                               HloOpcode::kAsyncDone}));
}

}  // namespace
}  // namespace xla
