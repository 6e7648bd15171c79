// Conditionals whose branches take a tuple or one array, which they may not
// read, pass parts of it through, or are shared; their results may not be read.
// Calls.
#include "tests/fuzz/families/program_branches.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/fuzz/families/program_state.h"

namespace xla::fuzz {
namespace {

// How a computation takes its operands.
enum class Form { kTuple, kArray, kArrayUnread, kParameters };

// A result of all branches.
struct Result {
  Value value;           // what holds in all branches
  int64_t through = -1;  // the operand that each branch passes through here
};

// The part of `operands` that `b` takes; empty if it takes none.
std::vector<Value> Taken(XlaBuilder* b, std::vector<Value> operands,
                         Form form) {
  switch (form) {
    case Form::kTuple: {
      const XlaOp all = Parameter(b, 0, TupleShape(operands), "all");
      for (size_t i = 0; i < operands.size(); ++i) {
        operands[i].op = GetTupleElement(all, i);
      }
      return operands;
    }
    case Form::kArrayUnread:
      Parameter(b, 0, operands[0].shape(), "unread");
      return {};
    case Form::kArray:
    case Form::kParameters:
      for (size_t i = 0; i < operands.size(); ++i) {
        operands[i].op = Parameter(b, i, operands[i].shape(), "p");
      }
      return operands;
  }
  return {};
}

// Makes (operands) -> values with the types and sizes of `results`, and adds
// what is known of the values to the knowledge of `results`.
XlaComputation Branch(ProgramWriter& w, const std::vector<Value>& operands,
                      std::vector<Result>& results, Form form) {
  auto b = w.builder()->CreateSubBuilder("branch");
  ProgramWriter inner(b.get(), w);
  const std::vector<Value> taken = Taken(b.get(), operands, form);
  for (const Value& value : taken) {
    inner.Put(value.op, value.type, value.dims, value.known);
  }
  inner.AddOps(w.random().In(0, w.depth() == 0 ? 6 : 4));
  std::vector<Value> chosen;
  for (Result& result : results) {
    Value& value = result.value;
    chosen.push_back(result.through >= 0
                         ? taken[result.through]
                         : inner.Partner(value.type, value.dims));
    value.known = Union(value.known, chosen.back().known);
  }
  TupleOf(b.get(), chosen);
  return b->BuildAndNoteError();
}

// Starts from the empty union, which excludes everything.
Result ResultLike(const Value& value) {
  Result result{value};
  result.value.known = {.bound = 0, .grain = kInfinity};
  return result;
}

bool PutResults(ProgramWriter& w, XlaOp tuple,
                const std::vector<Result>& results, double read) {
  bool put = false;
  for (size_t i = 0; i < results.size(); ++i) {
    if (put && !w.random().Chance(read)) continue;
    const Value& value = results[i].value;
    put |= w.PutLike(value, GetTupleElement(tuple, i), value.known);
  }
  return put;
}

// A scalar that selects a branch: any scalar, or the first element of a value,
// which must then be computed before.
XlaOp Selector(ProgramWriter& w, bool two) {
  const Value* found = w.Find([](const Value& value) {
    return value.known.exact() && value.type != C64 && value.elements() > 0;
  });
  if (found == nullptr || w.random().Chance(0.4)) {
    return w.Partner(two ? PRED : S32, {}).op;
  }
  const Value value = *found;
  const Dims zeros(value.rank(), 0), ones(value.rank(), 1);
  const XlaOp first = Reshape(Slice(value.op, zeros, ones, ones), Dims{});
  if (!two && IsInteger(value.type)) {
    return And(ConvertElementType(first, S32), w.Scalar(S32, 3).op);
  }
  const XlaOp choice =
      value.type == PRED ? first : Gt(first, w.Scalar(value.type, 1).op);
  return two ? choice : ConvertElementType(choice, S32);
}

struct Choice {
  std::vector<Value> operands;  // of the first branch
  std::vector<Result> results;
  std::vector<XlaComputation> branches;
  std::vector<XlaOp> inputs;  // of each branch
};

// Adds a branch with operands of its own.
void AddOwnBranch(ProgramWriter& w, Choice& choice) {
  Form form = Form::kTuple;
  std::vector<Value> operands = SomeValues(w, w.random().In(1, 3));
  if (w.random().Chance(0.35)) {
    operands.resize(1);
    form = w.random().Chance(0.5) ? Form::kArray : Form::kArrayUnread;
  }
  choice.branches.push_back(Branch(w, operands, choice.results, form));
  choice.inputs.push_back(form == Form::kTuple ? TupleOf(w.builder(), operands)
                                               : operands[0].op);
}

// Adds branches that take the same operands, pass some of them through, and may
// be the same computation.
void AddLikeBranches(ProgramWriter& w, Choice& choice, int64_t count) {
  Random& random = w.random();
  const double through = random.Of<double>({0, 0.3, 0.9});
  for (size_t i = 0; i < choice.operands.size(); ++i) {
    if (!random.Chance(through)) continue;
    choice.results.push_back(ResultLike(choice.operands[i]));
    choice.results.back().through = i;
  }
  choice.inputs = {TupleOf(w.builder(), choice.operands)};
  choice.branches = {Branch(w, choice.operands, choice.results, Form::kTuple)};
  while (--count > 0) {
    choice.branches.push_back(
        random.Chance(0.2)
            ? choice.branches[0]
            : Branch(w, choice.operands, choice.results, Form::kTuple));
    choice.inputs.push_back(choice.inputs[0]);
  }
}

int64_t CountOfOperands(ProgramWriter& w) {
  Random& random = w.random();
  if (w.style() == Style::kMixed || random.Chance(0.85)) return random.In(1, 4);
  return random.In(5, w.depth() == 0 ? 60 : 12);
}

}  // namespace

bool AddConditional(ProgramWriter& w) {
  Random& random = w.random();
  if (w.depth() >= w.MostDepth() || w.values().empty()) return false;
  const bool two = random.Chance(0.5);
  const XlaOp index = Selector(w, two);
  Choice choice;
  choice.operands = SomeValues(w, CountOfOperands(w));
  for (int64_t i = random.In(1, 3); i > 0; --i) {
    choice.results.push_back(ResultLike(random.Of(choice.operands)));
  }
  const int64_t count = two ? 2 : random.In(1, 4);
  if (random.Chance(0.5)) {
    AddLikeBranches(w, choice, count);
  } else {
    for (int64_t i = 0; i < count; ++i) AddOwnBranch(w, choice);
  }
  const double read = choice.results.size() > 8 ? 0.1 : 0.7;
  if (two) {
    return PutResults(w,
                      Conditional(index, choice.inputs[0], choice.branches[0],
                                  choice.inputs[1], choice.branches[1]),
                      choice.results, read);
  }
  std::vector<const XlaComputation*> pointers;
  for (const XlaComputation& branch : choice.branches) {
    pointers.push_back(&branch);
  }
  return PutResults(w, Conditional(index, pointers, choice.inputs),
                    choice.results, read);
}

bool AddCall(ProgramWriter& w) {
  if (w.depth() >= w.MostDepth() || w.values().empty()) return false;
  const std::vector<Value> operands = SomeValues(w, w.random().In(1, 3));
  std::vector<Result> results;
  for (int64_t i = w.random().In(1, 3); i > 0; --i) {
    results.push_back(ResultLike(w.random().Of(operands)));
  }
  const XlaComputation callee = Branch(w, operands, results, Form::kParameters);
  std::vector<XlaOp> ops;
  for (const Value& operand : operands) ops.push_back(operand.op);
  return PutResults(w, Call(w.builder(), callee, ops), results, 1);
}

}  // namespace xla::fuzz
