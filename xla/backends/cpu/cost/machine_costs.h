// MachineCosts: what a family of processors takes for the parts of a program.
// The tables are data, machines/*.inc, which `./dev bench machine` writes.
#ifndef XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_
#define XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::cpu {

// Element types that cost alike: by what a register holds while code computes
// with them. Halves are converted to f32 and rounded back.
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

// Where the bytes lie that code works on: level i of a cache, or memory.
inline constexpr int kMemoryLevels = 4;

// Nanoseconds are those of one thread. Rates by level are for what lies in the
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
  // Of the vector registers that were measured.
  int vector_bytes = 32;
  // Half a register takes half the time, down to so many bytes, which the
  // processor computes at once.
  int datapath_bytes = 32;
  // Caches, in bytes: for a target that does not say.
  int64_t l1_bytes = 32 << 10;
  int64_t l2_bytes = 1 << 20;
  int64_t l3_bytes = 32 << 20;

  // A run of a program of one short kernel.
  double run_ns = 0;
  // Of one vector register of elements, by cost class and kind.
  KindRates arithmetic{};
  KindRates division{};
  KindRates square_root{};
  KindRates remainder{};
  KindRates transcendental{};
  KindRates long_transcendental{};
  // Bytes that are read and written one after the other.
  LevelRates read_ns_per_byte{};
  LevelRates write_ns_per_byte{};
  // Bytes that are read across rows, for a transpose.
  LevelRates transposed_ns_per_byte{};
  // An element, or the start of a row, at an index that is data, by where the
  // whole array lies.
  LevelRates gathered_ns{};
  // One product and its addition in the library's contractions.
  KindRates product_ns{};
  // Functions that work on each other's results, one register at a time, take
  // so many times as long as one does.
  double dependent_factor = 1;
  // A product in a loop without a library call.
  double small_product_ns = 0;
  // A call of a library kernel.
  double library_call_ns = 0;
  // A transform of n complex numbers of f32 has n log2(n) of them.
  double butterfly_ns = 0;
  // A vector register of a scan along rows.
  double scan_ns_per_register = 0;
  // An element that is read at a distance from its neighbours.
  double strided_ns = 0;
  // An update of a scatter.
  double scattered_ns = 0;
  // A position of a convolution's window: to find the features there.
  double patch_ns = 0;
  // A byte of the keys of a sort, by where the row lies.
  LevelRates sort_ns_per_byte{};

  std::array<OpRate, 32> ops{};

  // Of what code computes and what it reads and writes, the lesser time is
  // hidden behind the other but for this share.
  double exposed_share = 0.2;
  // Beside the work of an instruction: to begin its loop.
  double instruction_ns = 1;
  // A row of a sort.
  double sort_row_ns = 250;
  // One more kernel for the same work: its call, and a loop of its own.
  double kernel_ns = 100;
  // To wake another thread for a part of a kernel.
  double wake_ns = 5'000;
};

// All tables; the last is for any processor.
absl::Span<const MachineCosts> AllMachineCosts();
// The table of the processor that LLVM calls `cpu`, or the one for any.
const MachineCosts& MachineCostsFor(absl::string_view cpu);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_COST_MACHINE_COSTS_H_
