// Runs many small HLO modules on a backend for the differential tests:
//   differential_tool MODULES.hlo ARGUMENTS.npz RESULTS.npz [FIRST]
// Lines `// -----` separate the modules, which are numbered from 0; FIRST is
// the first one to run. Arrays are named MODULE.DEVICE.INDEX in both archives,
// in the arguments followed by a space and the shape; results are flattened.
// Prints "MODULE start", then "MODULE ok" or "MODULE error TEXT" for each, so
// that it is known which module ended the program. The caller compares the
// results.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "xla/backends/compiler.h"
#include "xla/base/status_macros.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_io.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace {

using Modules = std::vector<absl::StatusOr<std::unique_ptr<xla::HloModule>>>;
using Arrays = std::map<std::string, xla::Literal>;

std::string ReadFile(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in),
                     std::istreambuf_iterator<char>());
}

// The arrays of an archive, by the part of their names before a space; the part
// after it is the shape.
absl::StatusOr<Arrays> ReadArrays(const char* path) {
  std::list<xla::Shape> shapes;
  TF_ASSIGN_OR_RETURN(
      auto named,
      xla::ReadNpz(ReadFile(path),
                   [&](absl::string_view name) -> const xla::Shape* {
                     auto shape = xla::ParseShape(
                         name.substr(std::min(name.find(' '), name.size())));
                     if (!shape.ok()) return nullptr;
                     return &shapes.emplace_back(*std::move(shape));
                   }));
  Arrays arrays;
  for (xla::NamedLiteral& array : named) {
    arrays.emplace(array.first.substr(0, array.first.find(' ')),
                   std::move(array.second));
  }
  return arrays;
}

absl::StatusOr<std::vector<xla::Literal>> Run(
    size_t number, std::unique_ptr<xla::HloModule> module,
    const Arrays& arrays) {
  // Every partition runs the program unchanged.
  module->mutable_config().set_use_spmd_partitioning(false);
  const xla::HloModuleConfig& config = module->config();
  std::vector<std::vector<const xla::Literal*>> arguments(
      config.replica_count() * config.num_partitions());
  const int64_t count = module->entry_computation()->num_parameters();
  for (size_t device = 0; device < arguments.size(); ++device) {
    for (int64_t i = 0; i < count; ++i) {
      const auto it = arrays.find(absl::StrCat(number, ".", device, ".", i));
      if (it == arrays.end()) {
        return absl::InvalidArgumentError(
            absl::StrCat("no argument ", i, " of device ", device));
      }
      arguments[device].push_back(&it->second);
    }
  }
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<xla::Compiler> compiler,
                      xla::MakeCompiler(xla::DefaultCompilerName()));
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<xla::Executable> executable,
                      compiler->Compile(std::move(module)));
  return executable->Execute(arguments, xla::Executable::RunOptions());
}

void AddResults(size_t number, const std::vector<xla::Literal>& devices,
                std::vector<xla::NamedLiteral>* results) {
  for (size_t device = 0; device < devices.size(); ++device) {
    int index = 0;
    xla::ShapeUtil::ForEachSubshape(
        devices[device].shape(),
        [&](const xla::Shape& shape, const xla::ShapeIndex& at) {
          if (!shape.IsArray()) return;
          results->emplace_back(absl::StrCat(number, ".", device, ".", index++),
                                xla::LiteralSlice(devices[device], at).Clone());
        });
  }
}

absl::Status RunAll(char** argv, size_t first) {
  const std::string text = ReadFile(argv[1]);
  Modules modules;
  for (absl::string_view part : absl::StrSplit(text, "\n// -----\n")) {
    modules.push_back(xla::ParseAndReturnUnverifiedModule(part));
  }
  TF_ASSIGN_OR_RETURN(const Arrays arrays, ReadArrays(argv[2]));
  std::vector<xla::NamedLiteral> results;
  for (size_t i = first; i < modules.size(); ++i) {
    std::cout << i << " start" << std::endl;
    absl::Status status = modules[i].status();
    if (status.ok()) {
      auto devices = Run(i, *std::move(modules[i]), arrays);
      status = devices.status();
      if (status.ok()) AddResults(i, *devices, &results);
    }
    if (status.ok()) {
      std::cout << i << " ok" << std::endl;
      continue;
    }
    const std::string line =
        absl::StrReplaceAll(absl::StrCat(status.ToString()), {{"\n", " | "}});
    std::cout << i << " error " << line << std::endl;
  }
  TF_ASSIGN_OR_RETURN(const std::string bytes, xla::WriteNpz(results));
  std::ofstream(argv[3], std::ios::binary) << bytes;
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  size_t first = 0;
  if (argc < 4 || argc > 5 ||
      (argc == 5 && !absl::SimpleAtoi(argv[4], &first))) {
    std::cerr << "usage: differential_tool MODULES.hlo ARGUMENTS.npz "
                 "RESULTS.npz [FIRST]\n";
    return 1;
  }
  const absl::Status status = RunAll(argv, first);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
