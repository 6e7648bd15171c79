// Makes forms from the op table, their text, and their inputs.
#include "tests/backends/cpu/special_values/forms.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/elementwise/elementwise_unary.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla::test {
namespace {

using primitive_util::BitWidth;

std::string TypeName(PrimitiveType type) {
  return primitive_util::LowercasePrimitiveTypeName(type);
}

// True if results are rounded from a float that need not be exact. A square
// root is a single instruction.
bool IsRoundedFunction(const OpDef& op) {
  return (op.attrs == AttrsOf<AccuracyAttrs>() &&
          op.opcode != HloOpcode::kSqrt) ||
         op.opcode == HloOpcode::kAtan2 || op.opcode == HloOpcode::kPower;
}

std::string Reducer(absl::string_view opcode, absl::string_view type) {
  return absl::StrReplaceAll(
      "$op_$T {\n  x = $T[] parameter(0)\n  y = $T[] parameter(1)\n"
      "  ROOT z = $T[] $op(x, y)\n}\n",
      {{"$op", opcode}, {"$T", type}});
}

constexpr absl::string_view kReducers[] = {"maximum", "minimum", "add",
                                           "multiply"};

// One instruction; `result` replaces $T if it has another type.
Form OneOp(std::string name, std::vector<Input> inputs, PrimitiveType result,
           std::string attributes = "", int units = 0) {
  std::vector<std::string> operands;
  for (size_t i = 0; i < inputs.size(); ++i) {
    operands.push_back(absl::StrCat("$", i));
  }
  std::string text =
      absl::StrCat("$r = ", TypeName(result), "[$N] ", name, "(",
                   absl::StrJoin(operands, ", "), ")", attributes, "\n");
  return {absl::StrCat(name, attributes), std::move(inputs), std::move(text),
          result, units};
}

// The forms of an op that takes attributes or operands of other types; none for
// other ops.
std::vector<Form> FormsWithAttributes(PrimitiveType type, HloOpcode opcode) {
  std::vector<Form> forms;
  const std::string name(HloOpcodeString(opcode));
  constexpr Input kA = Input::kFirst, kB = Input::kSecond;
  switch (opcode) {
    case HloOpcode::kCompare:
      for (const char* direction : {"EQ", "NE", "GE", "GT", "LE", "LT"}) {
        for (const char* order : {"", ", type=TOTALORDER"}) {
          forms.push_back(
              OneOp(name, {kA, kB}, PRED,
                    absl::StrCat(", direction=", direction, order)));
        }
      }
      break;
    case HloOpcode::kSelect:
      forms.push_back(OneOp(name, {Input::kPred, kA, kB}, type));
      break;
    case HloOpcode::kIsFinite:
      forms.push_back(OneOp(name, {kA}, PRED));
      break;
    case HloOpcode::kReducePrecision:
      for (const auto& [exponent, mantissa] :
           {std::pair(5, 10), {8, 7}, {4, 3}, {1, 0}, {8, 23}, {11, 1}}) {
        forms.push_back(OneOp(name, {kA}, type,
                              absl::StrCat(", exponent_bits=", exponent,
                                           ", mantissa_bits=", mantissa)));
      }
      break;
    case HloOpcode::kStochasticConvert:
      for (PrimitiveType to : {F8E4M3FN, F8E5M2, S8, S32}) {
        forms.push_back(OneOp(name, {kA, Input::kRandom}, to));
      }
      break;
    case HloOpcode::kConvert:
      for (PrimitiveType to :
           {PRED,       S2,         S4,        S8,      S16,      S32,
            S64,        U2,         U4,        U8,      U16,      U32,
            U64,        F16,        BF16,      F32,     F64,      C64,
            C128,       F8E5M2,     F8E4M3,    F8E3M4,  F8E4M3FN, F8E4M3B11FNUZ,
            F8E5M2FNUZ, F8E4M3FNUZ, F8E8M0FNU, F4E2M1FN}) {
        forms.push_back(OneOp(name, {kA}, to));
      }
      break;
    case HloOpcode::kMap:
      for (absl::string_view reducer : kReducers) {
        forms.push_back(
            OneOp(name, {kA, kB}, type,
                  absl::StrCat(", dimensions={0}, to_apply=", reducer, "_$T")));
      }
      break;
    case HloOpcode::kBitcastConvert:
      forms.push_back(OneOp(name, {kA}, BitWidth(type) == 16 ? U16 : U8));
      break;
    default:
      break;
  }
  return forms;
}

std::vector<Form> FormsOfOp(PrimitiveType type, const OpDef& op) {
  std::vector<Form> forms = FormsWithAttributes(type, op.opcode);
  if (!forms.empty()) return forms;
  std::vector<Input> inputs = {Input::kFirst, Input::kSecond, Input::kThird};
  const int count = op.operands.min_count();
  if (count < 1 || count > 3) {
    ADD_FAILURE() << op.name << " has " << count << " operands: add a form";
    return {};
  }
  inputs.resize(count);
  forms.push_back(OneOp(std::string(op.name), std::move(inputs), type, "",
                        IsRoundedFunction(op) ? 1 : 0));
  return forms;
}

// The ops around an op also affect its code.
std::vector<Form> Mixtures(PrimitiveType type) {
  std::vector<Form> forms;
  constexpr Input kA = Input::kFirst, kB = Input::kSecond;
  for (absl::string_view op : {"maximum", "minimum", "add", "multiply"}) {
    forms.push_back({absl::StrCat("f32 ", op, " of converted operands"),
                     {kA, kB},
                     absl::StrReplaceAll("$_a = f32[$N] convert($0)\n"
                                         "$_b = f32[$N] convert($1)\n"
                                         "$r = f32[$N] op($_a, $_b)\n",
                                         {{"op(", absl::StrCat(op, "(")}}),
                     F32});
    forms.push_back({absl::StrCat(op, " of operands from f32 and back"),
                     {kA, kB},
                     absl::StrReplaceAll("$_a = f32[$N] convert($0)\n"
                                         "$_b = f32[$N] convert($1)\n"
                                         "$_c = f32[$N] op($_a, $_b)\n"
                                         "$r = $T[$N] convert($_c)\n",
                                         {{"op(", absl::StrCat(op, "(")}}),
                     type});
    const Input init = op == "maximum"   ? Input::kLowest
                       : op == "minimum" ? Input::kHighest
                                         : Input::kOne;
    for (const auto& [input, dimension] :
         {std::pair(Input::kRows, 0), {Input::kColumns, 1}}) {
      forms.push_back({absl::StrCat("reduce ", op, " of dimension ", dimension),
                       {input, init},
                       absl::StrCat("$r = $T[$N] reduce($0, $1), dimensions={",
                                    dimension, "}, to_apply=", op, "_$T\n"),
                       type});
    }
    forms.push_back({absl::StrCat("reduce-window ", op),
                     {Input::kRows, init},
                     absl::StrCat("$_w = $T[1,$N] reduce-window($0, $1), "
                                  "window={size=2x1}, to_apply=",
                                  op, "_$T\n$r = $T[$N] reshape($_w)\n"),
                     type});
  }
  forms.push_back({"clamp to scalars",
                   {Input::kLowest, kA, Input::kOne},
                   "$r = $T[$N] clamp($0, $1, $2)\n",
                   type});
  return forms;
}

// False for forms that the rules forbid, and for ops on integers, for which the
// rules leave the type to the backends.
bool IsDefined(PrimitiveType type, const Form& form) {
  const SizedForm one = {&form, 4};
  const std::string text = ProgramText(type, {one});
  auto module = ParseAndReturnUnverifiedModule(text);
  if (!module.ok()) {
    ADD_FAILURE() << module.status() << "\n" << text;
    return false;
  }
  if (!HloVerifier().Verify(**module).ok()) return false;
  std::vector<Literal> inputs;
  for (Input input : form.inputs) {
    inputs.push_back(MakeInput(input, type, 0, one.length));
  }
  const auto result =
      HloEvaluator().Evaluate(**module, absl::MakeConstSpan(inputs));
  return !absl::IsUnimplemented(result.status());
}

Shape InputShape(Input input, PrimitiveType type, int64_t n) {
  switch (input) {
    case Input::kRandom:
      return ShapeUtil::MakeShape(BitWidth(type) == 16 ? U16 : U8, {n});
    case Input::kPred:
      return ShapeUtil::MakeShape(PRED, {n});
    case Input::kRows:
      return ShapeUtil::MakeShape(type, {2, n});
    case Input::kColumns:
      return ShapeUtil::MakeShape(type, {n, 2});
    case Input::kLowest:
    case Input::kHighest:
    case Input::kOne:
      return ShapeUtil::MakeShape(type, {});
    default:
      return ShapeUtil::MakeShape(type, {n});
  }
}

double ToDouble(PrimitiveType type, uint64_t bits) {
  double number;
  ConvertElements(type, &bits, F64, &number, 1);
  return number;
}

// The bits of the least or the greatest of the values, infinities included, or
// of 1.
uint64_t ScalarBits(Input input, PrimitiveType type) {
  if (input == Input::kOne) {
    uint64_t bits = 0;
    const double one = 1;
    ConvertElements(F64, &one, type, &bits, 1);
    return bits;
  }
  uint64_t best = 0;
  double extreme = NAN;
  for (uint64_t bits : SpecialBits(type)) {
    const double number = ToDouble(type, bits);
    const bool better =
        input == Input::kLowest ? !(number >= extreme) : !(number <= extreme);
    if (std::isnan(number) || !better) continue;
    best = bits;
    extreme = number;
  }
  return best;
}

}  // namespace

std::vector<Form> FormsOf(PrimitiveType type) {
  std::vector<Form> forms;
  for (const OpDef* op : OpTable()) {
    if (!op->elementwise && op->opcode != HloOpcode::kBitcastConvert) continue;
    for (Form& form : FormsOfOp(type, *op)) {
      if (IsDefined(type, form)) forms.push_back(std::move(form));
    }
  }
  for (Form& form : Mixtures(type)) forms.push_back(std::move(form));
  return forms;
}

std::string ProgramText(PrimitiveType type, absl::Span<const SizedForm> forms) {
  std::string text = "HloModule special_values\n";
  const std::string name = TypeName(type);
  for (absl::string_view opcode : kReducers) text += Reducer(opcode, name);
  text += "ENTRY e {\n";
  std::vector<std::string> results, shapes;
  int parameter = 0;
  for (const auto& [form, length] : forms) {
    const std::string prefix = absl::StrCat("f", results.size(), "_");
    std::vector<std::pair<std::string, std::string>> words = {
        {"$_", prefix},
        {"$r", absl::StrCat(prefix, "result")},
        {"$N", absl::StrCat(length)},
        {"$T", name}};
    for (size_t i = 0; i < form->inputs.size(); ++i) {
      const std::string input = absl::StrCat(prefix, "in", i);
      const Shape shape = InputShape(form->inputs[i], type, length);
      absl::StrAppend(&text, input, " = ", ShapeUtil::HumanString(shape),
                      " parameter(", parameter++, ")\n");
      words.emplace_back(absl::StrCat("$", i), input);
    }
    text += absl::StrReplaceAll(form->text, words);
    results.push_back(absl::StrCat(prefix, "result"));
    shapes.push_back(absl::StrCat(TypeName(form->result), "[", length, "]"));
  }
  absl::StrAppend(&text, "ROOT results = (", absl::StrJoin(shapes, ", "),
                  ") tuple(", absl::StrJoin(results, ", "), ")\n}\n");
  return text;
}

std::vector<uint64_t> SpecialBits(PrimitiveType type) {
  const int exponent_bits = primitive_util::ExponentWidth(type);
  const int mantissa_bits = primitive_util::SignificandWidth(type) - 1;
  const uint64_t unit = uint64_t{1} << mantissa_bits;  // of the exponent
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1) * unit;
  const uint64_t one = ScalarBits(Input::kOne, type);
  std::vector<uint64_t> sizes = {0,
                                 1,
                                 unit - 1,
                                 unit,
                                 one - unit,
                                 one,
                                 one + 1,
                                 one + unit,
                                 one + unit + unit / 2,
                                 infinity - 1,
                                 infinity,
                                 infinity + 1,
                                 infinity + unit / 2,
                                 infinity + unit - 1,
                                 infinity + unit - 2};
  const uint64_t all = (uint64_t{1} << BitWidth(type)) - 1;
  const uint64_t sign = uint64_t{1} << (BitWidth(type) - 1);
  std::vector<uint64_t> bits;
  for (uint64_t size : sizes) {
    bits.push_back(size & all);
    bits.push_back((size ^ sign) & all);
  }
  absl::c_sort(bits);
  bits.erase(std::unique(bits.begin(), bits.end()), bits.end());
  return bits;
}

int64_t PairCount(PrimitiveType type) {
  const int64_t n = SpecialBits(type).size();
  return n * n;
}

Literal MakeInput(Input input, PrimitiveType type, int64_t first,
                  int64_t length) {
  Literal literal(InputShape(input, type, length));
  char* data = static_cast<char*>(literal.untyped_data());
  const int bytes = primitive_util::ByteWidth(literal.shape().element_type());
  const std::vector<uint64_t> values = SpecialBits(type);
  const int64_t n = values.size();
  const auto put = [&](int64_t at, uint64_t bits) {
    std::memcpy(data + at * bytes, &bits, bytes);
  };
  if (literal.shape().rank() == 0) {
    put(0, ScalarBits(input, type));
    return literal;
  }
  for (int64_t i = 0; i < length; ++i) {
    const int64_t pair = (first + i) % (n * n);
    const uint64_t a = values[pair % n], b = values[pair / n];
    switch (input) {
      case Input::kFirst:
        put(i, a);
        break;
      case Input::kSecond:
        put(i, b);
        break;
      case Input::kThird:
        put(i, values[(pair * 7 + pair / n) % n]);
        break;
      case Input::kRandom:
        put(i, (pair * 0x9e3779b97f4a7c15u) >> 40);
        break;
      case Input::kPred:
        put(i, (pair ^ pair / n) & 1);
        break;
      case Input::kRows:
        put(i, a);
        put(length + i, b);
        break;
      case Input::kColumns:
        put(2 * i, a);
        put(2 * i + 1, b);
        break;
      default:
        break;
    }
  }
  return literal;
}

}  // namespace xla::test
