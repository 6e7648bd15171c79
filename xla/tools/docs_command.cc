// tessera docs: prints the generated pages of docs/, which a test compares with
// the files.
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/transforms/registry.h"
#include "xla/tools/commands.h"

namespace xla::tools {
namespace {

std::string Code(std::string_view name) {
  return absl::StrCat("`", absl::string_view(name.data(), name.size()), "`");
}

std::string Names(const NameList& list) {
  std::string text;
  for (int i = 0; i < list.size(); ++i) {
    absl::StrAppend(&text, i > 0 ? ", " : "", Code(list.names[i]));
  }
  return text;
}

std::string AttributeNames(const AttrsDef& attrs) {
  return absl::StrJoin(attrs.fields(), ", ",
                       [](std::string* out, const FieldDef& field) {
                         absl::StrAppend(out, Code(field.name));
                       });
}

std::string OpRow(const OpDef& def) {
  auto text = [](std::string_view s) {
    return absl::StrReplaceAll(absl::string_view(s.data(), s.size()),
                               {{"|", "\\|"}});
  };
  return absl::StrCat("| ", Code(def.name), " | ", Names(def.operands), " | ",
                      AttributeNames(*def.attrs), " | ",
                      Names(def.computations), " | ", text(def.section), " | ",
                      text(def.summary), " |\n");
}

std::string OpsPage() {
  std::string page =
      "# Operations\n\n"
      "Made by `tessera docs ops` from the op definitions in `xla/hlo/ops`; "
      "do not edit.\n\n"
      "A name with `...` stands for any number of operands, one with `?` may "
      "be missing. The section is the heading in the operation semantics "
      "document, `-` where it has none.\n\n"
      "| op | operands | attributes | computations | section | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const OpDef* def : OpTable()) page += OpRow(*def);
  return page;
}

std::string PassesPage() {
  std::string page =
      "# Passes\n\n"
      "Made by `tessera docs passes` from `xla/hlo/transforms/registry.cc`; do "
      "not edit.\n\n"
      "| pass | what it does |\n| --- | --- |\n";
  for (const PassEntry& pass : RegisteredPasses()) {
    absl::StrAppend(&page, "| `", pass.name, "` | ", pass.summary, " |\n");
  }
  return page;
}

}  // namespace

void AddDocsCommand(CLI::App& app, Action* action) {
  auto page = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("docs", "Prints a generated page of docs/.");
  command->add_option("page", *page, "ops or passes")
      ->required()
      ->check(CLI::IsMember({"ops", "passes"}));
  command->callback([=] {
    *action = [=] {
      std::cout << (*page == "ops" ? OpsPage() : PassesPage());
      return absl::OkStatus();
    };
  });
}

}  // namespace xla::tools
