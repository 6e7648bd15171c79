// Uses every name of xla/printer.h.
#include "xla/printer.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/cord.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

template <typename Print>
std::string Printed(Print print) {
  StringPrinter printer;
  print(&printer);
  return std::move(printer).ToString();
}

TEST(PrinterNamesTest, Pieces) {
  EXPECT_EQ(Printed([](Printer* p) {
              p->Append("a");
              p->Append(7);
              p->Append(1.5);
              p->Append(absl::Hex(255));
            }),
            "a71.5ff");
  CordPrinter cord;
  cord.Append("a");
  cord.Append(std::string(100000, 'b'));
  cord.Append("c");
  const absl::Cord text = std::move(cord).ToCord();
  EXPECT_EQ(text.size(), 100002u);
  EXPECT_TRUE(text.StartsWith("ab") && text.EndsWith("bc"));
}

TEST(PrinterNamesTest, Lists) {
  EXPECT_EQ(Printed([](Printer* p) {
              p->AppendInt64List({1, -2}, /*leading_comma=*/false);
              p->AppendInt64List({}, /*leading_comma=*/true);
            }),
            "{1,-2},{}");
  const std::vector<int> numbers = {1, 2, 3};
  EXPECT_EQ(Printed([&](Printer* p) { AppendJoin(p, numbers, ", "); }),
            "1, 2, 3");
  const auto square = [](Printer* p, int value) { p->Append(value * value); };
  EXPECT_EQ(Printed([&](Printer* p) { AppendJoin(p, numbers, "+", square); }),
            "1+4+9");
  EXPECT_EQ(Printed([&](Printer* p) {
              AppendJoin(p, numbers.begin() + 1, numbers.end(), "|", square);
              AppendJoin(p, numbers.end(), numbers.end(), "|", square);
            }),
            "4|9");
  EXPECT_EQ(Printed([](Printer* p) {
              AppendCat(p, "a", 1);
              AppendCat(p, "b", 2, "c");
              AppendCat(p, "d", 3, "e", 4.5);
            }),
            "a1b2cd3e4.5");
}

// A printer of one's own: it counts the characters.
class Counter : public Printer {
 public:
  Counter() = default;
  explicit Counter(bool is_hasher) : Printer(is_hasher) {}
  void Append(const absl::AlphaNum& a) override { count += a.size(); }
  size_t count = 0;
};

TEST(PrinterNamesTest, OwnPrinters) {
  Counter counter;
  EXPECT_FALSE(counter.is_hasher());
  EXPECT_TRUE(Counter(/*is_hasher=*/true).is_hasher());
  counter.AppendInt64List({10, 20}, /*leading_comma=*/true);
  EXPECT_EQ(counter.count, 8u);  // ,{10,20}
}

TEST(PrinterNamesTest, Fingerprints) {
  HighwayHashPrinter a, b, other;
  EXPECT_TRUE(a.is_hasher());
  a.Append("text");
  a.AppendInt64List({1, 2}, /*leading_comma=*/false);
  b.Append("te");
  b.Append("xt");
  b.AppendInt64List({1, 2}, false);
  other.Append("text");
  other.AppendInt64List({1, 3}, false);
  const tsl::Fprint128 fingerprint = a.ToFingerprint128();
  EXPECT_TRUE(fingerprint == b.ToFingerprint128());
  EXPECT_FALSE(fingerprint == other.ToFingerprint128());
  EXPECT_EQ(a.ToFingerprint(), b.ToFingerprint());
  EXPECT_NE(a.ToFingerprint(), other.ToFingerprint());
}

}  // namespace
}  // namespace xla
