// LocationPrinter: metadata of instructions as locations, by XLA's rules; what
// to_hlo/conversion/location_exporter.h reads.
#ifndef XLA_STABLEHLO_FROM_HLO_LOCATION_PRINTER_H_
#define XLA_STABLEHLO_FROM_HLO_LOCATION_PRINTER_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::stablehlo {

// Ops have aliases, so that equal locations and stack frames are printed once.
class LocationPrinter {
 public:
  // The module must outlive it.
  explicit LocationPrinter(const HloModule& module) : module_(module) {}

  // Returns " loc(#loc3)", what follows an op; "" if the metadata names neither
  // an op nor a line.
  std::string OfOp(const OpMetadata& metadata);
  // Returns " loc("x")", what follows an argument: of parameters only the name
  // is kept. "" without one.
  static std::string OfArgument(const OpMetadata& metadata);
  // Returns the lines that define the aliases so far.
  const std::string& definitions() const { return definitions_; }

 private:
  // Returns the alias of `location`, which is defined if it is new.
  std::string AliasOf(const std::string& location);
  // Returns the alias of a stack; "" if there is no such frame.
  std::string StackOf(int32_t frame);

  const HloModule& module_;
  std::string definitions_;
  absl::flat_hash_map<std::string, std::string> aliases_;  // by what they name
  absl::flat_hash_map<int32_t, std::string> stacks_;
};

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_FROM_HLO_LOCATION_PRINTER_H_
