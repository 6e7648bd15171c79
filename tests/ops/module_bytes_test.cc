// WriteBytes of modules, of which keys of the compilation cache are hashes:
// each field of each op's proto is changed, and each change has to show.
#include "xla/hlo/ir/module/module_bytes.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "tests/ops/op_cases.h"
#include "xla/base/logging.h"
#include "xla/hlo/attrs/field_bytes.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/proto/message_bytes.h"

namespace xla::test {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

template <typename T>
std::string BytesOf(const T& value) {
  std::string bytes;
  const auto append = [&](absl::string_view more) {
    absl::StrAppend(&bytes, more);
  };
  {
    ByteStream out(append);
    WriteBytes(value, out);
  }
  return bytes;
}

// Changes the value of a field that has numbers or text; of the element `i` of
// one that is repeated.
void ChangeValue(Message* message, const FieldDescriptor* field, int i) {
  const Reflection* reflection = message->GetReflection();
  const bool repeated = field->is_repeated();
  const auto change = [&](auto get, auto get_at, auto set, auto set_at,
                          const auto& next) {
    if (repeated) {
      (reflection->*set_at)(message, field, i,
                            next((reflection->*get_at)(*message, field, i)));
    } else {
      (reflection->*set)(message, field,
                         next((reflection->*get)(*message, field)));
    }
  };
  const auto plus_one = [](auto value) -> decltype(value) { return value + 1; };
  using R = Reflection;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return change(&R::GetInt32, &R::GetRepeatedInt32, &R::SetInt32,
                    &R::SetRepeatedInt32, plus_one);
    case FieldDescriptor::CPPTYPE_INT64:
      return change(&R::GetInt64, &R::GetRepeatedInt64, &R::SetInt64,
                    &R::SetRepeatedInt64, plus_one);
    case FieldDescriptor::CPPTYPE_UINT32:
      return change(&R::GetUInt32, &R::GetRepeatedUInt32, &R::SetUInt32,
                    &R::SetRepeatedUInt32, plus_one);
    case FieldDescriptor::CPPTYPE_UINT64:
      return change(&R::GetUInt64, &R::GetRepeatedUInt64, &R::SetUInt64,
                    &R::SetRepeatedUInt64, plus_one);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return change(&R::GetDouble, &R::GetRepeatedDouble, &R::SetDouble,
                    &R::SetRepeatedDouble, plus_one);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return change(&R::GetFloat, &R::GetRepeatedFloat, &R::SetFloat,
                    &R::SetRepeatedFloat, plus_one);
    case FieldDescriptor::CPPTYPE_BOOL:
      return change(&R::GetBool, &R::GetRepeatedBool, &R::SetBool,
                    &R::SetRepeatedBool, [](bool value) { return !value; });
    case FieldDescriptor::CPPTYPE_ENUM:
      return change(&R::GetEnumValue, &R::GetRepeatedEnumValue,
                    &R::SetEnumValue, &R::SetRepeatedEnumValue, [&](int value) {
                      return field->enum_type()->FindValueByNumber(value + 1)
                                 ? value + 1
                                 : 0;
                    });
    case FieldDescriptor::CPPTYPE_STRING: {
      const std::string old =
          repeated ? reflection->GetRepeatedString(*message, field, i)
                   : reflection->GetString(*message, field);
      // The last bit, so that strings of elements keep their size.
      std::string changed = old.empty() ? "x" : old;
      changed.back() ^= 1;
      return repeated
                 ? reflection->SetRepeatedString(message, field, i, changed)
                 : reflection->SetString(message, field, changed);
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return;
  }
}

// Calls `changed(path)` after each change of a field of `message`, and undoes
// the change. Paths have no indices; those of fields of an instruction begin
// with its opcode.
void ForEachChange(Message* message, const std::string& path,
                   const std::function<bool(const std::string&)>& needed,
                   const std::function<void(const std::string&)>& changed) {
  const Reflection* reflection = message->GetReflection();
  const auto* descriptor = message->GetDescriptor();
  const auto* instruction = dynamic_cast<HloInstructionProto*>(message);
  const std::string here =
      instruction == nullptr ? path : absl::StrCat(instruction->opcode(), ":");
  const std::unique_ptr<Message> before(message->New());
  for (int f = 0; f < descriptor->field_count(); ++f) {
    const FieldDescriptor* field = descriptor->field(f);
    const std::string name = absl::StrCat(here, "/", field->name());
    const bool is_message =
        field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const auto try_change = [&](const auto& change) {
      if (!needed(name)) return;
      before->CopyFrom(*message);
      change();
      changed(name);
      message->CopyFrom(*before);
    };
    if (!field->is_repeated()) {
      if (!is_message) {
        try_change([&] { ChangeValue(message, field, 0); });
      } else if (reflection->HasField(*message, field)) {
        ForEachChange(reflection->MutableMessage(message, field), name, needed,
                      changed);
      }
      continue;
    }
    if (reflection->FieldSize(*message, field) == 0) continue;
    if (field->is_map()) {
      try_change([&] {
        Message* entry = reflection->MutableRepeatedMessage(message, field, 0);
        ChangeValue(entry, entry->GetDescriptor()->map_value(), 0);
      });
      continue;
    }
    try_change([&] { reflection->RemoveLast(message, field); });
    for (int i = 0; i < reflection->FieldSize(*message, field); ++i) {
      if (is_message) {
        ForEachChange(reflection->MutableRepeatedMessage(message, field, i),
                      name, needed, changed);
      } else {
        try_change([&] { ChangeValue(message, field, i); });
      }
    }
  }
}

absl::StatusOr<std::unique_ptr<HloModule>> Read(const HloModuleProto& proto) {
  TF_ASSIGN_OR_RETURN(
      const HloModuleConfig config,
      HloModule::CreateModuleConfigFromProto(proto, DebugOptions()));
  return HloModule::CreateFromProto(proto, config);
}

// Calls `use` with each module of tests/ops that parses.
void ForEachModule(const std::function<void(const std::string& name,
                                            const HloModule& module)>& use) {
  for (const auto& [stem, contents] : OpFiles()) {
    const auto cases = ParseOpCases(stem, contents);
    CHECK_OK(cases);
    for (const OpCase& op_case : *cases) {
      const auto parsed = ParseAndReturnUnverifiedModule(op_case.text);
      if (parsed.ok()) use(op_case.name, **parsed);
    }
  }
}

TEST(ModuleBytesTest, EveryFieldOfEveryOpCounts) {
  // Some changes make no module, or one with the same proto.
  constexpr int kMostTries = 6;
  std::map<std::string, int> tries;
  // Those of which one made a module whose proto is another.
  std::set<std::string> seen;
  ForEachModule([&](const std::string& name, const HloModule& parsed) {
    HloModuleProto proto = parsed.ToProto();
    const auto module = Read(proto);
    ASSERT_TRUE(module.ok()) << name << ": " << module.status();
    const std::string proto_bytes = DeterministicBytes((*module)->ToProto());
    const std::string bytes = BytesOf(**module);
    ForEachChange(
        &proto, "",
        [&](const std::string& path) {
          return !seen.contains(path) && ++tries[path] <= kMostTries;
        },
        [&](const std::string& path) {
          const auto other = Read(proto);
          if (!other.ok()) return;
          const bool differs =
              DeterministicBytes((*other)->ToProto()) != proto_bytes;
          if (differs) seen.insert(path);
          EXPECT_EQ(BytesOf(**other) != bytes, differs) << name << ", " << path;
        });
    EXPECT_EQ(DeterministicBytes(proto), DeterministicBytes(parsed.ToProto()));
  });
  for (const char* path :
       {"/name", "/computations/name", "/computations/execution_thread",

        "/input_output_alias/entries/kind", "add:/name",
        "add:/metadata/op_name", "add:/metadata/source_line",
        "add:/backend_config", "add:/is_composite", "add:/operand_ids",
        "add:/shape/element_type", "while:/called_computation_ids",
        "constant:/literal/f32s", "slice:/slice_dimensions/start",
        "dot:/dot_dimension_numbers/lhs_contracting_dimensions"}) {
    EXPECT_TRUE(seen.contains(path)) << path;
  }
}

// Values of attributes that no case of tests/ops has.
constexpr char kRareAttributes[] = R"(
HloModule rare
f { x = f32[2] parameter(0) ROOT y = f32[2] negate(x) }
g { x = f32[2] parameter(0) ROOT y = f32[2] abs(x) }
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  s = f32[] add(a, b)
  ROOT t = (f32[], f32[]) tuple(s, s)
}
ENTRY e {
  p = f32[2] parameter(0)
  q = f32[] parameter(1)
  fa = f32[2] fusion(p), kind=kLoop, calls=f
  fb = f32[2] fusion(p), kind=kInput, calls=g
  ca = f32[2] custom-call(fa), custom_call_target="t", schedule=SCHEDULE_LATEST
  cb = f32[2] custom-call(fb), custom_call_target="t", schedule=SCHEDULE_EARLIEST, api_version=API_VERSION_TYPED_FFI
  da = f32[2] domain(ca), domain={kind="sharding", entry={replicated}, exit={maximal device=0}}
  db = f32[2] domain(cb), domain={kind="sharding", entry={maximal device=1}, exit={replicated}}
  sa = (f32[2], f32[]) scan(da, q), dimensions={0}, num_carries=1, is_associative=true, to_apply=sum
  sb = (f32[2], f32[]) scan(db, q), dimensions={0}, num_carries=1, is_associative=false, to_apply=sum
  ROOT r = (f32[2], f32[2]) tuple(da, db)
})";

// Attributes of two instructions are written alike if and only if they are
// equal. The types of all fields of all ops have to occur with two values.
TEST(ModuleBytesTest, EveryTypeOfAttributeCounts) {
  constexpr size_t kMostValues = 60;
  std::map<HloOpcode, std::vector<std::pair<Attrs, std::string>>> values;
  std::set<const FieldCodecDef*> different;
  const auto add = [&](const std::string& name, const HloModule& module) {
    for (const HloComputation* computation : module.computations()) {
      for (const HloInstruction* hlo : computation->instructions()) {
        const Attrs& attrs = hlo->raw_attrs();
        const std::string bytes = BytesOf(attrs);
        auto& others = values[hlo->opcode()];
        bool is_new = true;
        for (const auto& [other, other_bytes] : others) {
          EXPECT_EQ(attrs == other, bytes == other_bytes)
              << name << ", " << hlo->ToString();
          is_new &= bytes != other_bytes;
          for (const FieldDef& field : attrs.def()->fields()) {
            if (!field.codec->equal(field.Get(attrs.get()),
                                    field.Get(other.get()))) {
              different.insert(field.codec);
            }
          }
        }
        if (is_new && others.size() < kMostValues) {
          others.push_back({attrs, bytes});
        }
      }
    }
  };
  ForEachModule(add);
  const auto rare = ParseAndReturnUnverifiedModule(kRareAttributes);
  ASSERT_TRUE(rare.ok()) << rare.status();
  add("rare", **rare);
  for (int i = 0; i < kHloOpcodeCount; ++i) {
    const auto opcode = static_cast<HloOpcode>(i);
    for (const FieldDef& field : GetOpDef(opcode).attrs->fields()) {
      EXPECT_TRUE(different.contains(field.codec))
          << HloOpcodeString(opcode) << ", " << field.name;
    }
  }
}

}  // namespace
}  // namespace xla::test
