// Sources: System V ABI, AMD64 supplement, section 4.4; ELF for the Arm 64-bit
// Architecture (aaelf64), section 5.7.
#include "xla/backends/cpu/jit/relocation.h"

#include <elf.h>

#include <cstring>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// One place to patch, with checked reads and writes of its first bytes.
class Patch {
 public:
  Patch(uint16_t machine, uint32_t type, absl::Span<uint8_t> place)
      : machine_(machine), type_(type), place_(place) {}

  uint64_t address() const { return reinterpret_cast<uint64_t>(place_.data()); }

  template <typename T>
  absl::Status Write(T value) {
    if (place_.size() < sizeof(T)) return TooShort();
    std::memcpy(place_.data(), &value, sizeof(T));
    return absl::OkStatus();
  }

  // Writes a 32-bit number, signed or unsigned.
  absl::Status WriteSigned32(int64_t value) {
    if (value != static_cast<int32_t>(value)) return TooFar(value);
    return Write(static_cast<int32_t>(value));
  }
  absl::Status WriteUnsigned32(uint64_t value) {
    if (value >> 32 != 0) return TooFar(static_cast<int64_t>(value));
    return Write(static_cast<uint32_t>(value));
  }

  // Inserts `bits` bits of value >> scale into the instruction at bit `at`; the
  // value must be a multiple of 1 << scale.
  absl::Status Insert(uint64_t value, int bits, int at, int scale) {
    if ((value & ((uint64_t{1} << scale) - 1)) != 0) {
      return Internal("relocation %d of machine %d: %d is not aligned", type_,
                      machine_, value);
    }
    const uint32_t mask = (uint32_t{1} << bits) - 1;
    return Edit(mask << at, (static_cast<uint32_t>(value >> scale) & mask)
                                << at);
  }

  // Inserts like Insert after checking that the signed value fits.
  absl::Status InsertSigned(int64_t value, int bits, int at, int scale) {
    const int64_t limit = int64_t{1} << (bits + scale - 1);
    if (value < -limit || value >= limit) return TooFar(value);
    return Insert(static_cast<uint64_t>(value), bits, at, scale);
  }

  // The immediate of ADR and ADRP, whose low two bits are apart from the
  // others.
  absl::Status InsertAdr(int64_t value) {
    // Bytes: the immediate is a signed number of 21 bits.
    constexpr int64_t kLimit = int64_t{1} << 20;
    if (value < -kLimit || value >= kLimit) return TooFar(value);
    const uint32_t bits = static_cast<uint32_t>(value);
    return Edit(0x60ffffe0, (bits & 3) << 29 | ((bits >> 2) & 0x7ffff) << 5);
  }

  absl::Status Unknown() const {
    return Unimplemented("relocation %d of machine %d", type_, machine_);
  }

 private:
  absl::Status Edit(uint32_t mask, uint32_t bits) {
    if (place_.size() < 4) return TooShort();
    uint32_t word;
    std::memcpy(&word, place_.data(), 4);
    return Write((word & ~mask) | bits);
  }
  absl::Status TooShort() const {
    return InvalidArgument("relocation %d of machine %d at a section's end",
                           type_, machine_);
  }
  absl::Status TooFar(int64_t value) const {
    return Internal("relocation %d of machine %d: %d is out of range", type_,
                    machine_, value);
  }

  uint16_t machine_;
  uint32_t type_;
  absl::Span<uint8_t> place_;
};

absl::Status RelocateX86(uint32_t type, uint64_t target, Patch patch) {
  const int64_t relative = static_cast<int64_t>(target - patch.address());
  switch (type) {
    case R_X86_64_NONE:
      return absl::OkStatus();
    case R_X86_64_64:
      return patch.Write(target);
    case R_X86_64_PC64:
      return patch.Write(relative);
    case R_X86_64_32:
      return patch.WriteUnsigned32(target);
    case R_X86_64_32S:
      return patch.WriteSigned32(static_cast<int64_t>(target));
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return patch.WriteSigned32(relative);
    default:
      return patch.Unknown();
  }
}

absl::Status RelocateAarch64(uint32_t type, uint64_t target, Patch patch) {
  // Bytes of a page as ADRP counts them, whatever the system's page size.
  constexpr uint64_t kPage = 4096;
  const int64_t relative = static_cast<int64_t>(target - patch.address());
  const int64_t pages = static_cast<int64_t>((target & ~(kPage - 1)) -
                                             (patch.address() & ~(kPage - 1))) /
                        static_cast<int64_t>(kPage);
  const uint64_t low = target & (kPage - 1);
  switch (type) {
    case R_AARCH64_NONE:
      return absl::OkStatus();
    case R_AARCH64_ABS64:
      return patch.Write(target);
    case R_AARCH64_PREL64:
      return patch.Write(relative);
    case R_AARCH64_ABS32:
      return patch.WriteUnsigned32(target);
    case R_AARCH64_PREL32:
      return patch.WriteSigned32(relative);
    case R_AARCH64_CALL26:
    case R_AARCH64_JUMP26:
      return patch.InsertSigned(relative, 26, 0, 2);
    case R_AARCH64_CONDBR19:
    case R_AARCH64_LD_PREL_LO19:
      return patch.InsertSigned(relative, 19, 5, 2);
    case R_AARCH64_TSTBR14:
      return patch.InsertSigned(relative, 14, 5, 2);
    case R_AARCH64_ADR_PREL_LO21:
      return patch.InsertAdr(relative);
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADR_GOT_PAGE:
      return patch.InsertAdr(pages);
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
      return patch.Insert(low, 12, 10, 0);
    case R_AARCH64_LDST16_ABS_LO12_NC:
      return patch.Insert(low, 12, 10, 1);
    case R_AARCH64_LDST32_ABS_LO12_NC:
      return patch.Insert(low, 12, 10, 2);
    case R_AARCH64_LDST64_ABS_LO12_NC:
    case R_AARCH64_LD64_GOT_LO12_NC:
      return patch.Insert(low, 12, 10, 3);
    case R_AARCH64_LDST128_ABS_LO12_NC:
      return patch.Insert(low, 12, 10, 4);
    default:
      return patch.Unknown();
  }
}

}  // namespace

RelocationNeed NeedOf(uint16_t machine, uint32_t type) {
  if (machine == EM_AARCH64) {
    switch (type) {
      case R_AARCH64_CALL26:
      case R_AARCH64_JUMP26:
        return RelocationNeed::kCall;
      case R_AARCH64_ADR_GOT_PAGE:
      case R_AARCH64_LD64_GOT_LO12_NC:
        return RelocationNeed::kSlot;
      default:
        return RelocationNeed::kAddress;
    }
  }
  switch (type) {
    case R_X86_64_PLT32:
      return RelocationNeed::kCall;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return RelocationNeed::kSlot;
    default:
      return RelocationNeed::kAddress;
  }
}

void WriteStub(uint16_t machine, uint64_t target, uint8_t* stub) {
  // ldr x16, .+8; br x16
  constexpr uint8_t kAarch64[] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1f, 0xd6};
  // jmp *0(%rip), then ud2
  constexpr uint8_t kX86[] = {0xff, 0x25, 2, 0, 0, 0, 0x0f, 0x0b};
  std::memcpy(stub, machine == EM_AARCH64 ? kAarch64 : kX86, 8);
  std::memcpy(stub + 8, &target, 8);
}

absl::Status Relocate(uint16_t machine, uint32_t type, uint64_t value,
                      int64_t addend, absl::Span<uint8_t> place) {
  const uint64_t target = value + static_cast<uint64_t>(addend);
  const Patch patch(machine, type, place);
  return machine == EM_AARCH64 ? RelocateAarch64(type, target, patch)
                               : RelocateX86(type, target, patch);
}

}  // namespace xla::cpu
