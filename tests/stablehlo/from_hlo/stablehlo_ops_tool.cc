// Writes the valid modules of tests/ops/*.hlo as StableHLO text, one file each:
//
//   stablehlo_ops_tool FOLDER
#include <fstream>
#include <iostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/ops/op_cases.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/stablehlo/from_hlo/print_module.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: stablehlo_ops_tool FOLDER\n";
    return 2;
  }
  int count = 0;
  for (const auto& [stem, contents] : xla::test::OpFiles()) {
    const auto cases = xla::test::ParseOpCases(stem, contents);
    if (!cases.ok()) return 1;
    for (const auto& op_case : *cases) {
      if (!op_case.error.empty()) continue;
      const auto module = xla::ParseAndReturnUnverifiedModule(op_case.text);
      if (!module.ok()) return 1;
      (*module)->mutable_config().set_replica_count(op_case.replicas);
      (*module)->mutable_config().set_num_partitions(op_case.partitions);
      const auto text = xla::stablehlo::PrintStablehlo(**module);
      if (!text.ok()) {
        std::cout << op_case.name << ": " << text.status().message() << "\n";
        continue;
      }
      std::ofstream(absl::StrCat(argv[1], "/", op_case.name, ".mlir")) << *text;
      ++count;
    }
  }
  std::cout << count << " files\n";
  return 0;
}
