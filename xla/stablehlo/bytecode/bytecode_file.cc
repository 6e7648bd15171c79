// Parses the container format of MLIR bytecode.
#include "xla/stablehlo/bytecode/bytecode_file.h"

#include <array>
#include <bitset>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::stablehlo {
namespace {

enum SectionId : uint8_t {
  kStrings = 0,
  kDialects = 1,
  kEntries = 2,
  kEntryOffsets = 3,
  kIr = BytecodeFile::kIrSection,
  kProperties = 8,
  kSectionCount = 9,
};

constexpr uint8_t kAlignedBit = 0x80;
constexpr uint8_t kPadding = 0xCB;
constexpr uint64_t kMaxAlignment = 1 << 16;

absl::Status Malformed(absl::string_view section) {
  return InvalidArgumentStrCat("MLIR bytecode: the ", section,
                               " section is cut off or malformed");
}

using Sections = std::array<absl::string_view, kSectionCount>;

absl::StatusOr<Sections> ReadSections(ByteCursor& cursor,
                                      const char* file_begin) {
  Sections sections;
  std::bitset<kSectionCount> seen;
  while (cursor.remaining() > 0) {
    const BytecodeSection section = ReadBytecodeSection(cursor, file_begin);
    if (!cursor.ok()) {
      return InvalidArgumentStrCat("MLIR bytecode: section ",
                                   static_cast<int>(section.id),
                                   " runs past the end of the file");
    }
    if (section.id >= kSectionCount || seen[section.id]) {
      return InvalidArgumentStrCat("MLIR bytecode: unexpected section ",
                                   static_cast<int>(section.id));
    }
    seen[section.id] = true;
    sections[section.id] = section.content;
  }
  for (int id : {kStrings, kDialects, kEntries, kEntryOffsets, kIr}) {
    if (!seen[id]) {
      return InvalidArgumentStrCat("MLIR bytecode: section ", id,
                                   " is missing");
    }
  }
  return sections;
}

// The sizes come first, the last string's size before the others.
absl::Status ReadStrings(absl::string_view section, BytecodeFile& file) {
  ByteCursor cursor(section);
  file.strings.resize(cursor.Count());
  size_t end = section.size();
  for (size_t i = file.strings.size(); i-- > 0;) {
    const uint64_t size = cursor.Varint();  // includes the terminating 0
    if (size == 0 || size > end) return Malformed("string");
    end -= size;
    file.strings[i] = section.substr(end, size - 1);
  }
  // No string may begin within the sizes.
  if (!cursor.ok() || end < section.size() - cursor.remaining()) {
    return Malformed("string");
  }
  return absl::OkStatus();
}

absl::Status ReadDialects(absl::string_view section, BytecodeFile& file) {
  ByteCursor cursor(section);
  file.dialects.resize(cursor.Count());
  for (absl::string_view& dialect : file.dialects) {
    uint64_t name = cursor.Varint();
    bool has_version = false;
    if (file.version >= 1) {
      has_version = name & 1;
      name >>= 1;
    }
    if (!cursor.ok() || name >= file.strings.size())
      return Malformed("dialect");
    dialect = file.strings[name];
    if (has_version) ReadBytecodeSection(cursor, file.begin);
  }
  if (file.version >= BytecodeFile::kBlockArgumentLocation) {
    file.op_names.reserve(cursor.Count());
  }
  while (cursor.ok() && cursor.remaining() > 0) {
    const uint64_t dialect = cursor.Varint();
    const size_t count = cursor.Count();
    if (!cursor.ok() || dialect >= file.dialects.size()) {
      return Malformed("dialect");
    }
    for (size_t i = 0; i < count; ++i) {
      uint64_t name = cursor.Varint();
      bool registered = true;
      if (file.version >= BytecodeFile::kProperties) {
        registered = name & 1;
        name >>= 1;
      }
      if (!cursor.ok() || name >= file.strings.size()) {
        return Malformed("dialect");
      }
      file.op_names.push_back(
          {static_cast<uint32_t>(dialect), registered, file.strings[name]});
    }
  }
  return cursor.ok() ? absl::OkStatus() : Malformed("dialect");
}

absl::Status ReadEntries(absl::string_view offsets, absl::string_view data,
                         BytecodeFile& file) {
  ByteCursor cursor(offsets);
  ByteCursor contents(data);
  const size_t attribute_count = cursor.Count();
  const size_t type_count = cursor.Count();
  for (auto [entries, total] : {std::pair(&file.attributes, attribute_count),
                                std::pair(&file.types, type_count)}) {
    entries->reserve(total);
    while (cursor.ok() && entries->size() < total) {
      const uint64_t dialect = cursor.Varint();
      const size_t count = cursor.Count();
      if (!cursor.ok() || dialect >= file.dialects.size() ||
          count > total - entries->size()) {
        return Malformed("attribute and type offset");
      }
      for (size_t i = 0; i < count; ++i) {
        const uint64_t size = cursor.Varint();
        entries->push_back({static_cast<uint32_t>(dialect), (size & 1) == 0,
                            contents.Bytes(size >> 1)});
      }
    }
  }
  if (!cursor.ok() || !contents.ok()) {
    return Malformed("attribute and type offset");
  }
  return absl::OkStatus();
}

absl::Status ReadProperties(absl::string_view section, BytecodeFile& file) {
  if (section.empty()) return absl::OkStatus();
  ByteCursor cursor(section);
  file.properties.resize(cursor.Count());
  for (absl::string_view& properties : file.properties) {
    properties = cursor.Bytes(cursor.Varint());
  }
  return cursor.ok() ? absl::OkStatus() : Malformed("property");
}

}  // namespace

BytecodeSection ReadBytecodeSection(ByteCursor& cursor,
                                    const char* file_begin) {
  BytecodeSection section;
  const uint8_t id = cursor.Byte();
  const uint64_t size = cursor.Varint();
  if (id & kAlignedBit) {
    uint64_t alignment = cursor.Varint();
    if (alignment == 0 || alignment > kMaxAlignment ||
        (alignment & (alignment - 1)) != 0) {
      cursor.Fail();
      alignment = 1;
    }
    while (cursor.ok() && (cursor.position() - file_begin) % alignment != 0) {
      if (cursor.Byte() != kPadding) cursor.Fail();
    }
  }
  section.id = id & ~kAlignedBit;
  section.content = cursor.Bytes(size);
  return section;
}

absl::StatusOr<BytecodeFile> ReadBytecodeFile(absl::string_view bytes) {
  BytecodeFile file;
  file.begin = bytes.data();
  if (bytes.substr(0, kBytecodeMagic.size()) != kBytecodeMagic) {
    return absl::InvalidArgumentError(
        "not MLIR bytecode: it does not begin with \"ML\\xEFR\"");
  }
  ByteCursor cursor(bytes.substr(kBytecodeMagic.size()));
  file.version = cursor.Varint();
  if (!cursor.ok() || file.version > BytecodeFile::kNewest) {
    return InvalidArgumentStrCat("MLIR bytecode of version ", file.version,
                                 "; versions 0 to ", BytecodeFile::kNewest,
                                 " are read");
  }
  const absl::string_view rest(cursor.position(), cursor.remaining());
  const size_t producer_size = rest.find('\0');
  if (producer_size == absl::string_view::npos) return Malformed("producer");
  file.producer = cursor.Bytes(producer_size);
  cursor.Byte();
  TF_ASSIGN_OR_RETURN(Sections sections, ReadSections(cursor, file.begin));
  TF_RETURN_IF_ERROR(ReadStrings(sections[kStrings], file));
  TF_RETURN_IF_ERROR(ReadDialects(sections[kDialects], file));
  TF_RETURN_IF_ERROR(
      ReadEntries(sections[kEntryOffsets], sections[kEntries], file));
  TF_RETURN_IF_ERROR(ReadProperties(sections[kProperties], file));
  file.ir = sections[kIr];
  return file;
}

}  // namespace xla::stablehlo
