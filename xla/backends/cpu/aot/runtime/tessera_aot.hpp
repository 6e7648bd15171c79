// A C++ interface (C++17) of programs that `tessera compile` made: owners of
// what tessera_aot.h hands out.
//
//   #include "net.h"
//   #include "tessera_aot.hpp"
//
//   tessera_aot::Instance net(net_program);  // throws std::runtime_error
//   tessera_aot::Arena arena(net);
//   net.Run({x}, {y}, arena.data());
#ifndef TESSERA_AOT_HPP_
#define TESSERA_AOT_HPP_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "tessera_aot.h"

namespace tessera_aot {

// A file in memory, read only; for constants.
class MappedFile {
 public:
  // Throws std::runtime_error if it cannot be mapped.
  explicit MappedFile(const std::string& path) {
    if (tessera_aot_map_file(path.c_str(), &data_, &bytes_) != TESSERA_AOT_OK) {
      throw std::runtime_error("cannot map " + path);
    }
  }
  ~MappedFile() { tessera_aot_unmap_file(data_, bytes_); }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  const void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// A program that is ready to run. Thread safe: each run has an arena of its
// own.
class Instance {
 public:
  // `options` is as for tessera_aot_load; its message is replaced. Throws
  // std::runtime_error with the message of an error.
  explicit Instance(const tessera_aot_program& program,
                    tessera_aot_options options = {})
      : program_(&program) {
    char message[512] = "cannot load the program";
    options.struct_size = sizeof(options);
    options.message = message;
    options.message_bytes = sizeof(message);
    if (tessera_aot_load(&program, &options, &instance_) != TESSERA_AOT_OK) {
      throw std::runtime_error(message);
    }
  }
  ~Instance() { tessera_aot_unload(instance_); }
  Instance(Instance&& other) noexcept
      : program_(other.program_),
        instance_(std::exchange(other.instance_, nullptr)) {}
  Instance& operator=(Instance&& other) noexcept {
    std::swap(program_, other.program_);
    std::swap(instance_, other.instance_);
    return *this;
  }

  std::size_t arena_bytes() const { return tessera_aot_arena_bytes(instance_); }
  const tessera_aot_instance* get() const { return instance_; }

  // Does not allocate. Throws std::invalid_argument for other numbers of arrays
  // than the program has, and for memory that is missing or not aligned.
  void Run(std::initializer_list<const void*> arguments,
           std::initializer_list<void*> results, void* arena) const {
    const auto is = [](std::size_t size, int32_t number) {
      return size == static_cast<std::size_t>(number);
    };
    if (!is(arguments.size(), tessera_aot_num_arguments(program_)) ||
        !is(results.size(), tessera_aot_num_results(program_))) {
      throw std::invalid_argument(
          std::string(tessera_aot_name(program_)) +
          " has another number of arguments or results");
    }
    if (tessera_aot_run(instance_, arguments.begin(), results.begin(), arena) !=
        TESSERA_AOT_OK) {
      throw std::invalid_argument(
          "memory is missing or does not begin at a multiple of 64 bytes");
    }
  }

 private:
  const tessera_aot_program* program_;
  tessera_aot_instance* instance_ = nullptr;
};

// Memory for one run at a time.
class Arena {
 public:
  explicit Arena(const Instance& instance)
      : data_(::operator new(instance.arena_bytes(), kAlignment)) {}
  ~Arena() { ::operator delete(data_, kAlignment); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* data() const { return data_; }

 private:
  static constexpr std::align_val_t kAlignment{TESSERA_AOT_ALIGNMENT};
  void* const data_;
};

}  // namespace tessera_aot

#endif  // TESSERA_AOT_HPP_
