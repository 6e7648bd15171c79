// The two executions, the processes around them, and the reduction of programs.
#include "tests/fuzz/program_check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "tests/backward_runner.h"
#include "xla/backends/compiler.h"
#include "xla/backends/partition_module.h"
#include "xla/backends/sharded_literals.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"
#include "xla/hlo/transforms/simplify/dce.h"

namespace xla::fuzz {
namespace {

constexpr int kSecondsPerProgram = 20;
// The time limit of a minimization, which returns the smallest program found.
constexpr std::chrono::seconds kMinimizing(90);

const Compiler& CompilerOf(absl::string_view name) {
  static BackwardRunner* const runner = new BackwardRunner(3);
  static const Compiler* const evaluator =
      MakeCompiler("evaluator").value().release();
  static const Compiler* const cpu =
      MakeCompiler("cpu", {.runner = runner}).value().release();
  return name == "cpu" ? *cpu : *evaluator;
}

std::vector<Literal> Leaves(Literal result) {
  if (result.shape().IsTuple()) return result.DecomposeTuple();
  std::vector<Literal> leaves;
  leaves.push_back(std::move(result));
  return leaves;
}

// Runs with the memory of arguments donated as the aliases say.
absl::StatusOr<std::vector<Literal>> RunDonating(const Executable& executable,
                                                 const Program& program) {
  const ComputationLayout& layout =
      executable.module().entry_computation_layout();
  std::vector<Literal> memory;
  std::vector<Executable::Input> inputs;
  std::vector<Executable::Output> outputs;
  for (size_t i = 0; i < program.arguments.size(); ++i) {
    memory.push_back(program.arguments[i].Relayout(layout.parameter_shape(i)));
  }
  for (const Literal& argument : memory) {
    inputs.push_back(
        {&argument.shape(), static_cast<const char*>(argument.untyped_data())});
  }
  std::vector<Literal> results;
  for (const Shape* leaf : Leaves(layout.result_shape())) {
    results.emplace_back(*leaf);
  }
  for (Literal& result : results) {
    outputs.push_back(
        {&result.shape(), static_cast<char*>(result.untyped_data())});
  }
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (const auto& entry : program.module->input_output_alias().entries()) {
    const int64_t output = entry.output_shape_index(0);
    const int64_t input = entry.parameter_number();
    if (*outputs[output].shape != *inputs[input].shape) continue;
    inputs[input].donated = true;
    outputs[output].data = static_cast<char*>(memory[input].untyped_data());
    pairs.push_back({output, input});
  }
  const Executable::DeviceBuffers buffers = {inputs, outputs};
  TF_RETURN_IF_ERROR(executable.ExecuteBuffers({buffers}, {}));
  for (const auto& [output, input] : pairs) {
    results[output] = memory[input].Clone();
  }
  return results;
}

absl::StatusOr<std::vector<Literal>> Run(absl::string_view backend,
                                         const Program& program) {
  Compiler& compiler = const_cast<Compiler&>(CompilerOf(backend));
  std::unique_ptr<HloModule> module = program.module->Clone("");
  const bool is_sharded = HasShardings(*module);
  // The evaluator runs the whole program on one device.
  if (backend == "evaluator" || !is_sharded)
    module->mutable_config().set_num_partitions(1);
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<Executable> executable,
                      compiler.Compile(std::move(module)));
  if (backend == "cpu" &&
      program.module->input_output_alias().entries_size() > 0) {
    return RunDonating(*executable, program);
  }
  std::vector<const Literal*> arguments;
  for (const Literal& argument : program.arguments) {
    arguments.push_back(&argument);
  }
  if (backend == "cpu" && is_sharded) {
    TF_ASSIGN_OR_RETURN(
        Literal result,
        ExecuteSharded(
            *executable, arguments,
            program.module->entry_computation()->root_instruction()->shape(),
            {}));
    return Leaves(std::move(result));
  }
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable->Execute({arguments}, {}));
  return Leaves(std::move(results[0]));
}

absl::string_view Kind(absl::string_view failure) {
  return failure.substr(0, failure.find(':'));
}

}  // namespace

std::string Check(const Program& program) {
  const auto expected = Run("evaluator", program);
  if (!expected.ok()) {
    return absl::StrCat("generator: ", expected.status().ToString());
  }
  const auto actual = Run("cpu", program);
  if (!actual.ok()) {
    return absl::StrCat("refused: ", actual.status().ToString());
  }
  for (size_t i = 0; i < expected->size(); ++i) {
    const std::string difference =
        Difference((*expected)[i], (*actual)[i], program.results[i]);
    if (!difference.empty()) {
      return absl::StrCat("differs: ", i, ": ", difference);
    }
  }
  return "";
}

std::string CheckApart(const Program& program) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(kSecondsPerProgram);
    const std::string text = Check(program);
    if (write(ends[1], text.data(), text.size()) < 0) _exit(1);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, n);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) return text;
  if (WTERMSIG(status) == SIGALRM) return "hangs";
  return absl::StrCat("crashed: ", strsignal(WTERMSIG(status)));
}

namespace {

// Positions in the post order of the entry's instructions.
using Places = std::vector<int64_t>;
using Cuts = absl::flat_hash_set<int64_t>;

// `program` with the instructions `roots` as results. Arguments with the values
// in `known` replace those of `cuts` that it needs.
Program Cut(const Program& program, const Places& roots, const Cuts& cuts,
            const std::vector<Literal>& known) {
  Program small;
  small.module = program.module->Clone("");
  HloModule& module = *small.module;
  module.mutable_input_output_alias().Clear();
  // Clones keep names, not the order.
  absl::flat_hash_map<std::string, const HloInstruction*> by_name;
  for (const auto& instruction : module.entry_computation()->instructions()) {
    by_name[instruction->name()] = instruction;
  }
  std::vector<const HloInstruction*> order;
  absl::flat_hash_map<const HloInstruction*, int64_t> places;
  for (const HloInstruction* instruction :
       program.module->entry_computation()->MakeInstructionPostOrder()) {
    const HloInstruction* copy = by_name[instruction->name()];
    places[copy] = order.size();
    order.push_back(copy);
  }
  std::vector<bool> needed(order.size());
  for (int64_t root : roots) needed[root] = true;
  for (int64_t i = order.size() - 1; i >= 0; --i) {
    if (!needed[i] || cuts.contains(i)) continue;
    for (const HloInstruction* operand : order[i]->operands()) {
      needed[places[operand]] = true;
    }
  }
  auto entry = std::make_unique<HloComputation>("smaller");
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> copies;
  for (size_t i = 0; i < order.size(); ++i) {
    if (!needed[i]) continue;
    const HloInstruction* from = order[i];
    const bool argument = from->opcode() == HloOpcode::kParameter;
    if (argument || cuts.contains(i)) {
      const int64_t number = small.arguments.size();
      copies[from] = entry->AddInstruction(HloInstruction::CreateParameter(
          number, from->shape(), absl::StrCat("q", number)));
      small.arguments.push_back(
          argument ? program.arguments[from->parameter_number()].Clone()
                   : known[i].Clone());
      continue;
    }
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : from->operands()) {
      operands.push_back(copies[operand]);
    }
    copies[from] = entry->AddInstruction(
        from->CloneWithNewOperands(from->shape(), operands));
  }
  std::vector<HloInstruction*> results;
  for (int64_t root : roots) results.push_back(copies[order[root]]);
  entry->set_root_instruction(
      results.size() == 1
          ? results[0]
          : entry->AddInstruction(HloInstruction::CreateTuple(results)));
  HloComputation* added = module.AddEmbeddedComputation(std::move(entry));
  module.set_entry_computation(added);
  module.RemoveUnreachableComputations();
  module.mutable_config().SetComputationLayoutIfExists(
      added->ComputeProgramShape());
  return small;
}

Program Copy(const Program& program) {
  Program copy;
  copy.module = program.module->Clone("");
  for (const Literal& argument : program.arguments) {
    copy.arguments.push_back(argument.Clone());
  }
  copy.results = program.results;
  return copy;
}

// The values of all arrays of the entry; empty literals for tuples.
std::vector<Literal> AllValues(const Program& program) {
  Places arrays;
  int64_t place = 0;
  for (const HloInstruction* i :
       program.module->entry_computation()->MakeInstructionPostOrder()) {
    if (i->shape().IsArray()) arrays.push_back(place);
    ++place;
  }
  std::vector<Literal> values(place);
  auto results = Run("evaluator", Cut(program, arrays, {}, {}));
  if (!results.ok()) return values;
  for (size_t i = 0; i < arrays.size(); ++i) {
    values[arrays[i]] = std::move((*results)[i]);
  }
  return values;
}

HloComputation* ComputationAt(const HloModule& module, int64_t i) {
  return *std::next(module.computations().begin(), i);
}

class Minimizer {
 public:
  Minimizer(Program program, const std::string& failure)
      : program_(std::move(program)),
        values_(AllValues(program_)),
        kind_(Kind(failure)) {}

  Program Run() {
    absl::flat_hash_map<const HloInstruction*, int64_t> places;
    const HloComputation& entry = *program_.module->entry_computation();
    for (const HloInstruction* i : entry.MakeInstructionPostOrder()) {
      places[i] = order_.size();
      order_.push_back(i);
    }
    const HloInstruction* root = entry.root_instruction();
    if (root->opcode() == HloOpcode::kTuple) {
      for (const HloInstruction* i : root->operands()) {
        roots_.push_back(places[i]);
      }
    } else {
      roots_.push_back(places[root]);
    }
    known_ = program_.results;
    Program best = Copy(program_);
    // If the aliases matter, it does not fail in the same way.
    if (Try(best)) {
      DropResults(best);
      CutOperands(best);
    }
    ClearParts(best);
    return best;
  }

 private:
  bool Late() const { return std::chrono::steady_clock::now() > end_; }
  bool Fails(const Program& program) const {
    return Kind(CheckApart(program)) == kind_;
  }

  // Sets `best` to the program that the members describe if that still fails.
  bool Try(Program& best) {
    Program smaller = Cut(program_, roots_, cuts_, values_);
    smaller.results = known_;
    if (!Fails(smaller)) return false;
    best = std::move(smaller);
    return true;
  }

  void DropResults(Program& best) {
    for (size_t size = roots_.size() / 2; size > 0; size /= 2) {
      for (size_t i = 0; i + size <= roots_.size() && size < roots_.size();) {
        const Places roots = roots_;
        const std::vector<Knowledge> known = known_;
        roots_.erase(roots_.begin() + i, roots_.begin() + i + size);
        known_.erase(known_.begin() + i, known_.begin() + i + size);
        if (Try(best)) continue;
        roots_ = roots;
        known_ = known;
        i += size;
      }
    }
  }

  // Works from the results upwards: a cut there makes the ops above it
  // unnecessary.
  void CutOperands(Program& best) {
    for (int64_t i = order_.size() - 1; i >= 0 && !Late(); --i) {
      if (!order_[i]->shape().IsArray() ||
          order_[i]->opcode() == HloOpcode::kParameter) {
        continue;
      }
      cuts_.insert(i);
      if (!Try(best)) cuts_.erase(i);
    }
  }

  // Replaces instructions by zeros, also in called computations; first many at
  // once.
  void ClearParts(Program& best) const {
    for (int64_t c = best.module->computation_count() - 1; c >= 0; --c) {
      const HloComputation* body = ComputationAt(*best.module, c);
      for (int64_t size = body->instruction_count(); size > 0 && !Late();
           size /= 2) {
        if (!ClearRanges(best, c, size)) break;
      }
      c = std::min<int64_t>(c, best.module->computation_count());
    }
  }

  // Replaces ranges of `size` instructions of computation `c`; returns false if
  // that changed the computations.
  bool ClearRanges(Program& best, int64_t c, int64_t size) const {
    for (int64_t end = ComputationAt(*best.module, c)->instruction_count();
         end > 0 && !Late(); end -= size) {
      Program smaller = Copy(best);
      HloComputation& body = *ComputationAt(*smaller.module, c);
      const auto order = body.MakeInstructionPostOrder();
      end = std::min<int64_t>(end, order.size());
      bool cleared = false;
      for (int64_t i = std::max<int64_t>(end - size, 0); i < end; ++i) {
        cleared |= Clear(body, order[i]);
      }
      if (!cleared || !HloDCE().Run(smaller.module.get()).ok()) continue;
      if (!Fails(smaller)) continue;
      const bool same = smaller.module->computation_count() ==
                        best.module->computation_count();
      best = std::move(smaller);
      if (!same) return false;
    }
    return true;
  }

  static bool Clear(HloComputation& body, HloInstruction* instruction) {
    if (!instruction->shape().IsArray() ||
        instruction->opcode() == HloOpcode::kParameter ||
        instruction->opcode() == HloOpcode::kBroadcast ||
        instruction->opcode() == HloOpcode::kConstant) {
      return false;
    }
    const Shape& shape = instruction->shape();
    if (shape.dimensions().empty() && instruction->operand_count() == 0) {
      return false;
    }
    HloInstruction* zeros = body.AddInstruction(HloInstruction::CreateConstant(
        Literal(ShapeUtil::MakeShape(shape.element_type(), {}))));
    if (!shape.dimensions().empty()) {
      zeros = body.AddInstruction(
          HloInstruction::CreateBroadcast(shape, zeros, {}));
    }
    return instruction->ReplaceAllUsesWith(zeros).ok();
  }

  const Program program_;
  const std::vector<Literal> values_;
  const std::string kind_;
  const std::chrono::steady_clock::time_point end_ =
      std::chrono::steady_clock::now() + kMinimizing;
  std::vector<const HloInstruction*> order_;  // of program_'s entry
  Places roots_;
  std::vector<Knowledge> known_;
  Cuts cuts_;
};

}  // namespace

Program Minimize(Program program, const std::string& failure) {
  return Minimizer(std::move(program), failure).Run();
}

}  // namespace xla::fuzz
