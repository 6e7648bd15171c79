// A matcher for errors that name a broken rule. It can record the messages, for
// the error index of the documentation.
#ifndef TESTS_HLO_RULE_MATCHER_H_
#define TESTS_HLO_RULE_MATCHER_H_

#include <cstdlib>
#include <fstream>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {

// Appends `label`, the running test and `message` as one line to the file that
// the environment variable TESSERA_RULE_MESSAGES names, if there is one.
// scripts/docs/rule_messages.py reads these lines.
inline void RecordRuleMessage(const std::string& label,
                              const std::string& message) {
  const char* const file = std::getenv("TESSERA_RULE_MESSAGES");
  const testing::TestInfo* const test =
      testing::UnitTest::GetInstance()->current_test_info();
  if (file == nullptr || test == nullptr) return;
  std::ofstream(file, std::ios::app) << label << "\t" << test->name() << "\t"
                                     << absl::CEscape(message) << "\n";
}

// Matches a message that ends in, or has within it, the label of a rule, such
// as "(pad_c3)".
MATCHER_P(BreaksRule, label,
          absl::StrCat(negation ? "does not name" : "names", " the rule ",
                       label)) {
  const std::string message(arg);
  if (!absl::StrContains(message, absl::StrCat("(", label, ")"))) return false;
  RecordRuleMessage(std::string(label), message);
  return true;
}

}  // namespace xla

#endif  // TESTS_HLO_RULE_MATCHER_H_
