// Random changes to texts and protos, equal for equal seeds. Knows tokens and
// fields, not their meaning.
#ifndef TESTS_FUZZ_MUTATOR_H_
#define TESTS_FUZZ_MUTATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "google/protobuf/message.h"

namespace xla {

class Mutator {
 public:
  explicit Mutator(uint64_t seed) : state_(seed) {}

  // A number from 0 to n - 1; 0 for n = 0.
  uint64_t Below(uint64_t n);

  // Changes `text` a little: flips bytes and bits; swaps, doubles, drops tokens
  // or takes them from `other`; makes numbers extreme; inserts parts of
  // `other`; truncates.
  std::string Text(std::string text, const std::string& other);

  // Changes a few fields somewhere in `message`, or in its bytes.
  void Proto(google::protobuf::Message& message);
  std::string Bytes(std::string bytes);

 private:
  void ChangeText(std::string& text, const std::string& other);
  void ChangeTokens(std::string& text, const std::string& other);
  void ChangeField(google::protobuf::Message& message);
  void ChangeRepeated(google::protobuf::Message& message,
                      const google::protobuf::FieldDescriptor* field);
  void ChangeSingle(google::protobuf::Message& message,
                    const google::protobuf::FieldDescriptor* field);
  int64_t Number();
  std::string Word();

  uint64_t state_;
};

}  // namespace xla

#endif  // TESTS_FUZZ_MUTATOR_H_
