// Reads the files and fills literals with a linear congruential generator.
#include "tests/pjrt/whole_programs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

std::vector<WholeProgram> ReadPrograms() {
  const char* root = std::getenv("TESSERA_SRC");
  const std::filesystem::path folder =
      std::filesystem::path(root == nullptr ? "." : root) /
      "tests/pjrt/programs";
  std::vector<WholeProgram> programs;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hlo") continue;
    std::ifstream file(entry.path());
    programs.push_back({entry.path().stem().string(),
                        std::string(std::istreambuf_iterator<char>(file), {})});
  }
  std::sort(programs.begin(), programs.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return programs;
}

template <typename T, typename Make>
void Fill(Literal& literal, uint32_t state, Make make) {
  for (T& value : literal.data<T>()) {
    state = state * 1664525u + 1013904223u;
    value = make(state >> 8);
  }
}

std::vector<Literal> ArgumentsFor(const HloModule& module) {
  std::vector<Literal> arguments;
  const ProgramShape program =
      module.entry_computation()->ComputeProgramShape();
  for (const Shape& shape : program.parameters()) {
    Literal literal(shape);
    const uint32_t state = arguments.size() + 1;
    if (shape.element_type() == F32) {
      Fill<float>(literal, state, [](uint32_t bits) {
        return static_cast<float>(bits) / (1 << 23) - 1;
      });
    } else {
      CHECK(shape.element_type() == S32) << shape.ToString();
      Fill<int32_t>(literal, state, [](uint32_t bits) { return bits % 97; });
    }
    arguments.push_back(std::move(literal));
  }
  return arguments;
}

}  // namespace

const std::vector<WholeProgram>& WholePrograms() {
  static const auto* const kPrograms =
      new std::vector<WholeProgram>(ReadPrograms());
  return *kPrograms;
}

LoadedProgram::LoadedProgram(PjRtClient& client, const WholeProgram& program) {
  auto module = ParseAndReturnUnverifiedModule(program.text);
  CHECK_OK(module);
  PjRtMemorySpace* const space = client.memory_spaces()[0];
  for (const Literal& literal : ArgumentsFor(**module)) {
    arguments_.push_back(client.BufferFromHostLiteral(literal, space).value());
  }
  auto executable = client.CompileAndLoad(*std::move(module), CompileOptions());
  CHECK_OK(executable);
  executable_ = *std::move(executable);
}

absl::StatusOr<std::vector<std::string>> LoadedProgram::Run() const {
  std::vector<PjRtBuffer*> pointers;
  for (const auto& argument : arguments_) pointers.push_back(argument.get());
  TF_ASSIGN_OR_RETURN(const auto results,
                      executable_->Execute({{std::move(pointers)}}, {}));
  std::vector<std::string> bytes;
  for (const auto& buffer : results[0]) {
    TF_ASSIGN_OR_RETURN(const auto literal, buffer->ToLiteralSync());
    bytes.emplace_back(static_cast<const char*>(literal->untyped_data()),
                       literal->size_bytes());
  }
  return bytes;
}

}  // namespace xla
