// Every op on f16, bf16 and all 8-bit floats: compares native code with the
// evaluator on all pairs of special values, at vector lengths 1 to 200 and
// 5,000, at the level that XLA_FLAGS set.
//
// Each form runs at 5,000 and at a few other lengths; together they cover all.
// TESSERA_ALL_LENGTHS=1 runs each form at each length, which takes minutes.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/backends/cpu/special_values/forms.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla::test {
namespace {

constexpr int64_t kLongest = 200, kLong = 5000;
// A form runs at one in this many of the lengths up to kLongest.
constexpr int64_t kLengthStride = 100;
// Forms per module; more would not reduce the total time.
constexpr size_t kFormsOfModule = 64;

absl::StatusOr<std::unique_ptr<Executable>> CompileFor(
    absl::string_view backend, const std::string& text) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      ParseAndReturnUnverifiedModule(text));
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Compiler> compiler,
                      MakeCompiler(backend));
  return compiler->Compile(std::move(module));
}

absl::StatusOr<std::vector<Literal>> RunForms(const Executable& executable,
                                              PrimitiveType type,
                                              absl::Span<const SizedForm> forms,
                                              int64_t round) {
  std::vector<Literal> inputs;
  for (const auto& [form, length] : forms) {
    for (Input input : form->inputs) {
      inputs.push_back(MakeInput(input, type, round * length, length));
    }
  }
  std::vector<const Literal*> arguments;
  for (const Literal& input : inputs) arguments.push_back(&input);
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable.Execute({arguments}, {}));
  return results[0].DecomposeTuple();
}

// The position of a float of the type in their order.
int64_t Ordinal(PrimitiveType type, uint64_t bits) {
  if (type == F8E8M0FNU) return static_cast<int64_t>(bits);
  const uint64_t sign = uint64_t{1} << (primitive_util::BitWidth(type) - 1);
  const int64_t size = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -size : size;
}

// The parts of complex numbers count as elements.
bool Agree(PrimitiveType type, const char* got, const char* want, int bytes,
           int units) {
  if (std::memcmp(got, want, bytes) == 0) return true;
  if (!primitive_util::IsFloatingPointType(type)) return false;
  double a, b;
  ConvertElements(type, got, F64, &a, 1);
  ConvertElements(type, want, F64, &b, 1);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (units == 0) return false;
  uint64_t x = 0, y = 0;
  std::memcpy(&x, got, bytes);
  std::memcpy(&y, want, bytes);
  return std::abs(Ordinal(type, x) - Ordinal(type, y)) <= units;
}

class SpecialValuesTest : public testing::TestWithParam<PrimitiveType> {
 protected:
  void SetUp() override {
    forms_ = FormsOf(type_);
    ASSERT_GT(forms_.size(), 80);
    std::vector<SizedForm> all;
    for (const Form& form : forms_) all.push_back({&form, pairs_});
    auto evaluator = CompileFor("evaluator", ProgramText(type_, all));
    ASSERT_TRUE(evaluator.ok()) << evaluator.status();
    auto expected = RunForms(**evaluator, type_, all, 0);
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (size_t i = 0; i < forms_.size(); ++i) {
      expected_[&forms_[i]] = std::move((*expected)[i]);
    }
  }

  // Compiles the forms natively and runs them on all pairs.
  void Check(absl::Span<const SizedForm> forms) {
    auto native = CompileFor("cpu", ProgramText(type_, forms));
    ASSERT_TRUE(native.ok()) << native.status();
    int64_t shortest = kLong;
    for (const SizedForm& sized : forms) {
      shortest = std::min(shortest, sized.length);
    }
    for (int64_t round = 0; round * shortest < pairs_; ++round) {
      auto results = RunForms(**native, type_, forms, round);
      ASSERT_TRUE(results.ok()) << results.status();
      for (size_t i = 0; i < forms.size(); ++i) {
        Compare(forms[i], round, (*results)[i]);
      }
    }
  }

  void Compare(const SizedForm& sized, int64_t round, const Literal& result) {
    const auto& [form, length] = sized;
    const bool is_complex = primitive_util::IsComplexType(form->result);
    const PrimitiveType part =
        is_complex ? primitive_util::ComplexComponentType(form->result)
                   : form->result;
    const int bytes = primitive_util::ByteWidth(part);
    const int parts = is_complex ? 2 : 1;
    const char* got = static_cast<const char*>(result.untyped_data());
    const char* want = static_cast<const char*>(expected_[form].untyped_data());
    for (int64_t i = 0; i < length * parts; ++i) {
      const int64_t pair = (round * length + i / parts) % pairs_;
      if (Agree(part, got + i * bytes,
                want + (pair * parts + i % parts) * bytes, bytes,
                form->units)) {
        continue;
      }
      if (++wrong_[form] > 1) return;  // one failure per form is enough
      std::string inputs;
      for (Input input : form->inputs) {
        absl::StrAppend(&inputs, MakeInput(input, type_, pair, 1).ToString(),
                        "  ");
      }
      ADD_FAILURE() << form->name << " at length " << length << ", element "
                    << i / parts << ": " << inputs << "give "
                    << result.GetAsString({i / parts}) << ", not "
                    << expected_[form].GetAsString({pair});
      return;
    }
  }

  // Calls Check with modules of some of the forms.
  void CheckAll(const std::vector<SizedForm>& forms) {
    for (size_t i = 0; i < forms.size(); i += kFormsOfModule) {
      Check(absl::MakeConstSpan(forms).subspan(i, kFormsOfModule));
      if (HasFatalFailure()) return;
    }
  }

  const PrimitiveType type_ = GetParam();
  const int64_t pairs_ = PairCount(type_);
  std::vector<Form> forms_;
  std::map<const Form*, Literal> expected_;
  std::map<const Form*, int> wrong_;
};

TEST_P(SpecialValuesTest, LongArrays) {
  std::vector<SizedForm> sized;
  for (const Form& form : forms_) sized.push_back({&form, kLong});
  CheckAll(sized);
}

TEST_P(SpecialValuesTest, ShortArrays) {
  const char* all = std::getenv("TESSERA_ALL_LENGTHS");
  const int64_t stride = all != nullptr && *all == '1' ? 1 : kLengthStride;
  std::vector<SizedForm> sized;
  for (int64_t length = 1; length <= kLongest; ++length) {
    for (size_t i = 0; i < forms_.size(); ++i) {
      // An op runs at different lengths for different types.
      const int64_t turn = static_cast<int64_t>(i) * 7 + type_ * 13;
      if ((length + turn) % stride == 0) sized.push_back({&forms_[i], length});
    }
  }
  CheckAll(sized);
}

INSTANTIATE_TEST_SUITE_P(Types, SpecialValuesTest,
                         testing::Values(F16, BF16, F8E5M2, F8E4M3, F8E3M4,
                                         F8E4M3FN, F8E4M3B11FNUZ, F8E5M2FNUZ,
                                         F8E4M3FNUZ, F8E8M0FNU),
                         [](const testing::TestParamInfo<PrimitiveType>& info) {
                           return primitive_util::LowercasePrimitiveTypeName(
                               info.param);
                         });

}  // namespace
}  // namespace xla::test
