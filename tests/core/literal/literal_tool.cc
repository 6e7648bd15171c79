// Lets tests in other languages use literals.
//   literal_tool text: each line of stdin is a shape, a tab and a literal in
//     HLO text; prints what the literal prints as, or "error: ...".
//   literal_tool npz IN OUT [NAME=SHAPE...]: reads and writes an archive,
//     where the shapes give the types of raw bytes.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "absl/strings/str_split.h"
#include "xla/base/text_scanner.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_io.h"
#include "xla/core/literal/literal_text.h"
#include "xla/core/shape_text.h"

namespace {

int RunText() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::pair<std::string, std::string> parts =
        absl::StrSplit(line, absl::MaxSplits('\t', 1));
    xla::TextScanner scanner(parts.second);
    auto shape = xla::ParseShape(parts.first);
    if (!shape.ok()) return 1;
    auto literal = xla::ScanLiteral(scanner, *shape);
    if (!literal.ok()) {
      std::string message(literal.status().message());
      std::cout << "error: " << message.substr(0, message.find('\n')) << "\n";
      continue;
    }
    std::string out;
    xla::PrintLiteralForHlo(*literal, &out);
    std::cout << out << "\n";
  }
  return 0;
}

int RunNpz(int argc, char** argv) {
  std::ifstream in(argv[2], std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)),
                    std::istreambuf_iterator<char>());
  std::map<std::string, xla::Shape> shapes;
  for (int i = 4; i < argc; ++i) {
    std::pair<std::string, std::string> parts = absl::StrSplit(argv[i], '=');
    auto shape = xla::ParseShape(parts.second);
    if (!shape.ok()) return 1;
    shapes[parts.first] = *shape;
  }
  auto arrays = xla::ReadNpz(bytes, [&](absl::string_view name) {
    auto it = shapes.find(std::string(name));
    return it == shapes.end() ? nullptr : &it->second;
  });
  if (!arrays.ok()) {
    std::cerr << arrays.status() << "\n";
    return 1;
  }
  auto written = xla::WriteNpz(*arrays);
  if (!written.ok()) return 1;
  std::ofstream(argv[3], std::ios::binary) << *written;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc > 1 ? argv[1] : "";
  if (verb == "text") return RunText();
  if (verb == "npz" && argc > 3) return RunNpz(argc, argv);
  return 2;
}
