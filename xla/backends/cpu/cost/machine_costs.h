// MachineCosts: the times that a family of processors takes for the parts of a
// program. The tables are data, machines/*.inc, which `./dev bench machine`
// writes.
#ifndef XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_
#define XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Groups element types of equal cost by what a register holds while code
// computes with them. Halves are converted to f32 and rounded back.
enum class NumberKind : uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kBf16,
  kF16,
  kF32,
  kF64,
  kC64,
  kC128,
};
inline constexpr int kNumberKinds = 10;

NumberKind NumberKindOf(PrimitiveType type);
// Bytes of an element of `kind`, or of each part of a complex one, in a vector
// register.
int RegisterBytesOf(NumberKind kind);

// The places where the bytes that code works on may lie: three levels of cache,
// and memory.
inline constexpr int kMemoryLevels = 4;

// Nanoseconds are those of one thread. Rates by level are for bytes in the
// first, second and third cache, and in memory.
struct MachineCosts {
  using KindRates = std::array<double, kNumberKinds>;
  using LevelRates = std::array<double, kMemoryLevels>;

  // An op that takes more or less than others of its class, in nanoseconds of
  // a vector register of f32 and of f64.
  struct OpRate {
    absl::string_view op;  // as HloOpcodeString spells it
    double f32_ns = 0;
    double f64_ns = 0;
  };

  // LLVM's names of the processors, separated by commas; empty if the table is
  // for any.
  absl::string_view cpus;
  // The width of the vector registers that were measured.
  int vector_bytes = 32;
  // Half a register takes half the time, down to this width, which the
  // processor computes at once.
  int datapath_bytes = 32;
  // Sizes of the caches, for a target that does not state them.
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t l3_bytes = 32 << 20;

  // Running a program that has one short kernel.
  double run_ns = 0;
  // Computing one vector register of elements, by cost class and kind.
  KindRates arithmetic{};
  KindRates division{};
  KindRates square_root{};
  KindRates remainder{};
  KindRates transcendental{};
  KindRates long_transcendental{};
  // Reading and writing consecutive bytes.
  LevelRates read_ns_per_byte{};
  LevelRates write_ns_per_byte{};
  // Reading bytes across rows, for a transpose.
  LevelRates transposed_ns_per_byte{};
  // Reading an element, or starting to read a row, at an index that is data, by
  // where the whole array lies.
  LevelRates gathered_ns{};
  // One product and its addition in the library's contractions.
  KindRates product_ns{};
  // Functions that compute on each other's results take this many times as long
  // as independent ones, since their latencies add up.
  double dependent_factor = 1;
  // A product in a loop without a library call.
  double small_product_ns = 0;
  // A call of a library kernel.
  double library_call_ns = 0;
  // One step of an FFT; a transform of n complex numbers of f32 has n log2(n)
  // of them.
  double butterfly_ns = 0;
  // A vector register of a scan along rows.
  double scan_ns_per_register = 0;
  // Reading an element that does not lie beside the one read before.
  double strided_ns = 0;
  // An update of a scatter.
  double scattered_ns = 0;
  // Finding the features at one position of a convolution's window.
  double patch_ns = 0;
  // One byte of the keys of a sort, by where the row lies.
  LevelRates sort_ns_per_byte{};

  std::array<OpRate, 32> ops{};

  // The shorter of the time that code computes and the time that it reads and
  // writes is hidden behind the longer, except for this share.
  double exposed_share = 0.2;
  // Starting the loop of one instruction.
  double instruction_ns = 1;
  // A row of a sort.
  double sort_row_ns = 250;
  // Doing the same work in one more kernel: its call, and a loop of its own.
  double kernel_ns = 100;
  // Waking another thread for a part of a kernel.
  double wake_ns = 5'000;
};

// All tables; the last is for any processor.
absl::Span<const MachineCosts> AllMachineCosts();
// The table of the processor that LLVM calls `cpu`, or the one for any.
const MachineCosts& MachineCostsFor(absl::string_view cpu);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_
