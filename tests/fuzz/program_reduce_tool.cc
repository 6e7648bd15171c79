// Reduces a program on which the backends differ:
//
//   program_reduce_tool PROGRAM.hlo INPUTS.npz OUT
//
// PROGRAM.hlo is HLO text (`tessera translate --to text` makes it), the inputs
// are arg0, arg1, ... as `tessera run` takes them. Integers must be equal, real
// numbers equal to some thousand roundings of the greatest one. The smaller
// program, with calls inlined, is written to OUT.hlo, its arguments to OUT.npz.
// The exit status is 1 if the backends agree.
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "tests/fuzz/program_check.h"
#include "tests/fuzz/seed_runs.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_io.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla::fuzz {
namespace {

constexpr double kRoundings = 4096;

std::string Contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

absl::StatusOr<Program> Read(const std::string& path,
                             const std::string& inputs) {
  Program program;
  TF_ASSIGN_OR_RETURN(program.module,
                      ParseAndReturnUnverifiedModule(Contents(path)));
  TF_RETURN_IF_ERROR(CallInliner().Run(program.module.get()).status());
  const ProgramShape shape =
      program.module->entry_computation()->ComputeProgramShape();
  TF_ASSIGN_OR_RETURN(
      std::vector<NamedLiteral> arguments,
      ReadNpz(Contents(inputs), [&](absl::string_view name) -> const Shape* {
        for (int i = 0; i < shape.parameters_size(); ++i) {
          if (name == absl::StrCat("arg", i)) return &shape.parameters(i);
        }
        return nullptr;
      }));
  for (int i = 0; i < shape.parameters_size(); ++i) {
    for (const NamedLiteral& argument : arguments) {
      if (argument.first != absl::StrCat("arg", i)) continue;
      program.arguments.push_back(argument.second.Clone());
    }
  }
  if (static_cast<int>(program.arguments.size()) != shape.parameters_size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        inputs, " has ", program.arguments.size(), " of the ",
        shape.parameters_size(), " arguments that the program takes"));
  }
  std::vector<Shape> leaves = {shape.result()};
  if (shape.result().IsTuple()) leaves = shape.result().tuple_shapes();
  for (const Shape& leaf : leaves) {
    Knowledge known;
    if (!IsInteger(leaf.element_type()) && leaf.element_type() != PRED) {
      known.relative = known.error = kRoundings * UnitOf(leaf.element_type());
    }
    program.results.push_back(known);
  }
  return program;
}

int Main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: program_reduce_tool PROGRAM.hlo INPUTS.npz OUT\n";
    return 2;
  }
  auto program = Read(argv[1], argv[2]);
  if (!program.ok()) {
    std::cerr << program.status().ToString() << "\n";
    return 2;
  }
  const std::string failure = CheckApart(*program);
  if (failure.empty()) {
    std::cout << "the backends agree\n";
    return 1;
  }
  std::cout << failure << std::endl;
  const Program small = Minimize(std::move(*program), failure);
  if (const absl::Status saved =
          SaveProgram(*small.module, small.arguments, argv[3]);
      !saved.ok()) {
    std::cerr << saved.ToString() << "\n";
    return 2;
  }
  std::cout << argv[3] << ".hlo: "
            << small.module->entry_computation()->instruction_count()
            << " instructions\n"
            << CheckApart(small) << "\n";
  return 0;
}

}  // namespace
}  // namespace xla::fuzz

int main(int argc, char** argv) { return xla::fuzz::Main(argc, argv); }
