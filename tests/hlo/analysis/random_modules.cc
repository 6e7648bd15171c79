// Generates the text of computations over f32[8], f32[2] and scalars.
#include "tests/hlo/analysis/random_modules.h"

#include <random>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace xla {
namespace {

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}

  std::string Module() {
    const int parameters = 2 + Pick(3);
    std::string entry = "ENTRY e {\n";
    Scope scope;
    for (int i = 0; i < parameters; ++i) {
      const std::string name = Name();
      absl::StrAppend(&entry, "  ", name, " = f32[8] parameter(", i, ")\n");
      scope.arrays.push_back(name);
    }
    Prologue(&entry, &scope);
    Body(&entry, &scope, 0);
    const int outputs = 1 + Pick(4);
    absl::StrAppend(&entry, Tuple(scope, outputs, /*is_root=*/true), "}\n");
    std::string aliases;
    if (Pick(2) == 0) {
      const int shift = Pick(2);
      for (int i = 0; i + shift < outputs && i < parameters; ++i) {
        if (Pick(3) == 0) continue;
        absl::StrAppend(&aliases, aliases.empty() ? "" : ", ", "{", i + shift,
                        "}: (", i, ", {}, may-alias)");
      }
    }
    return absl::StrCat(
        "HloModule random",
        aliases.empty()
            ? ""
            : absl::StrCat(", input_output_alias={ ", aliases, " }"),
        "\n", computations_, entry);
  }

 private:
  struct Scope {
    std::vector<std::string> arrays;  // f32[8]
    std::string index, flag;
  };

  int Pick(int n) { return random_() % n; }
  std::string Name() { return absl::StrCat("v", ++names_); }
  const std::string& Any(const Scope& scope) {
    // Prefer later values, so that chains arise.
    const int n = scope.arrays.size();
    return scope.arrays[Pick(2) == 0 ? n - 1 - Pick(n < 3 ? n : 3) : Pick(n)];
  }

  void Prologue(std::string* text, Scope* scope) {
    scope->index = Name();
    scope->flag = Name();
    absl::StrAppend(text, "  ", scope->index, " = s32[] constant(", Pick(7),
                    ")\n  ", scope->flag, " = pred[] constant(true)\n");
  }

  // Returns a tuple of `count` arrays.
  std::string Tuple(const Scope& scope, int count, bool is_root) {
    std::vector<std::string> shapes(count, "f32[8]"), parts;
    for (int i = 0; i < count; ++i) parts.push_back(Any(scope));
    return absl::StrCat("  ", is_root ? "ROOT " : "", last_tuple_ = Name(),
                        " = (", absl::StrJoin(shapes, ", "), ") tuple(",
                        absl::StrJoin(parts, ", "), ")\n");
  }

  std::string Shapes(int count) {
    return absl::StrCat(
        "(", absl::StrJoin(std::vector<std::string>(count, "f32[8]"), ", "),
        ")");
  }

  // Returns a computation from a tuple to a tuple of `count` arrays.
  std::string TupleComputation(int count, int depth) {
    const std::string name = absl::StrCat("called", ++names_);
    std::string text = absl::StrCat(name, " {\n");
    Scope scope;
    const std::string parameter = Name();
    absl::StrAppend(&text, "  ", parameter, " = ", Shapes(count),
                    " parameter(0)\n");
    Elements(&text, &scope, parameter, count);
    Prologue(&text, &scope);
    const std::vector<std::string> carries = scope.arrays;
    Body(&text, &scope, depth);
    // Carries often stay unchanged or change places.
    std::vector<std::string> parts;
    for (int i = 0; i < count; ++i) {
      const int way = Pick(4);
      parts.push_back(way == 0   ? carries[i]
                      : way == 1 ? carries[Pick(count)]
                                 : Any(scope));
    }
    absl::StrAppend(&text, "  ROOT ", Name(), " = ", Shapes(count), " tuple(",
                    absl::StrJoin(parts, ", "), ")\n}\n");
    computations_ += text;
    return name;
  }

  std::string Condition(int count) {
    const std::string name = absl::StrCat("called", ++names_);
    const std::string p = Name(), x = Name(), y = Name(), s = Name(),
                      z = Name();
    std::string text = absl::StrCat(
        name, " {\n  ", p, " = ", Shapes(count), " parameter(0)\n  ", x,
        " = f32[8] get-tuple-element(", p, "), index=", Pick(count), "\n  ", y,
        " = f32[1] slice(", x, "), slice={[2:3]}\n  ", s, " = f32[] reshape(",
        y, ")\n  ", z, " = f32[] constant(3)\n  ROOT ", Name(),
        " = pred[] compare(", s, ", ", z, "), direction=LT\n}\n");
    computations_ += text;
    return name;
  }

  void Elements(std::string* text, Scope* scope, const std::string& tuple,
                int count) {
    for (int i = 0; i < count; ++i) {
      const std::string element = Name();
      absl::StrAppend(text, "  ", element, " = f32[8] get-tuple-element(",
                      tuple, "), index=", i, "\n");
      scope->arrays.push_back(element);
    }
  }

  void Call(std::string* text, Scope* scope, int depth) {
    const int count = 1 + Pick(4);
    *text += Tuple(*scope, count, /*is_root=*/false);
    const std::string operand = last_tuple_;
    const std::string result = Name();
    const int way = Pick(5);
    if (way < 3) {
      const std::string body = TupleComputation(count, depth + 1);
      absl::StrAppend(text, "  ", result, " = ", Shapes(count), " while(",
                      operand, "), condition=", Condition(count),
                      ", body=", body, "\n");
    } else if (way == 3) {
      const std::string a = TupleComputation(count, depth + 1);
      const std::string b = TupleComputation(count, depth + 1);
      absl::StrAppend(text, "  ", result, " = ", Shapes(count), " conditional(",
                      scope->flag, ", ", operand, ", ", operand,
                      "), true_computation=", a, ", false_computation=", b,
                      "\n");
    } else {
      absl::StrAppend(text, "  ", result, " = ", Shapes(count), " call(",
                      operand,
                      "), to_apply=", TupleComputation(count, depth + 1), "\n");
    }
    Elements(text, scope, result, count);
  }

  void Op(std::string* text, Scope* scope) {
    const std::string name = Name();
    switch (Pick(7)) {
      case 0:
        absl::StrAppend(text, "  ", name, " = f32[8] negate(", Any(*scope),
                        ")\n");
        break;
      case 1:
        absl::StrAppend(text, "  ", name, " = f32[8] add(", Any(*scope), ", ",
                        Any(*scope), ")\n");
        break;
      case 2:
        absl::StrAppend(text, "  ", name, " = f32[8] reverse(", Any(*scope),
                        "), dimensions={0}\n");
        break;
      case 3:
        absl::StrAppend(text, "  ", name,
                        " = f32[8] constant({1,2,3,4,5,6,7,8})\n");
        break;
      case 4:
        absl::StrAppend(text, "  ", name, " = f32[8] opt-barrier(", Any(*scope),
                        ")\n");
        break;
      default: {
        const std::string update = Name();
        absl::StrAppend(text, "  ", update, " = f32[2] dynamic-slice(",
                        Any(*scope), ", ", scope->index,
                        "), dynamic_slice_sizes={2}\n  ", name,
                        " = f32[8] dynamic-update-slice(", Any(*scope), ", ",
                        update, ", ", scope->index, ")\n");
      }
    }
    scope->arrays.push_back(name);
  }

  void Body(std::string* text, Scope* scope, int depth) {
    const int ops = 1 + Pick(6);
    for (int i = 0; i < ops; ++i) {
      if (depth < 3 && Pick(3 + depth) == 0) {
        Call(text, scope, depth);
      } else {
        Op(text, scope);
      }
    }
  }

  std::mt19937_64 random_;
  int names_ = 0;
  std::string computations_;
  std::string last_tuple_;
};

}  // namespace

std::string RandomModule(uint64_t seed) { return Generator(seed).Module(); }

std::string LargeModule(int instructions) {
  std::string text = R"(HloModule large
cond {
  p = (f32[64], f32[64]) parameter(0)
  ROOT c = pred[] constant(false)
}
body {
  p = (f32[64], f32[64]) parameter(0)
  a = f32[64] get-tuple-element(p), index=0
  b = f32[64] get-tuple-element(p), index=1
  r = f32[64] reverse(a), dimensions={0}
  ROOT t = (f32[64], f32[64]) tuple(r, b)
}
ENTRY e {
  v0 = f32[64] parameter(0)
  v1 = f32[64] parameter(1)
)";
  std::mt19937_64 random(7);
  for (int i = 2; i < instructions; ++i) {
    const int a = i - 1 - random() % std::min(i, 40);
    const int b = i - 1 - random() % std::min(i, 2000);
    if (i % 3 == 0) {
      absl::StrAppend(&text, "  v", i, " = f32[64] reverse(v", a,
                      "), dimensions={0}\n");
    } else {
      absl::StrAppend(&text, "  v", i, " = f32[64] add(v", a, ", v", b, ")\n");
    }
  }
  absl::StrAppend(&text, "  t = (f32[64], f32[64]) tuple(v", instructions - 1,
                  ", v", instructions - 2,
                  ")\n  ROOT w = (f32[64], f32[64]) while(t), condition=cond, "
                  "body=body\n}\n");
  return text;
}

}  // namespace xla
