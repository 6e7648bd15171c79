// Converts raw numbers on standard input between float types, for
// float_types_test.py: `float_types_tool FROM TO`, with ml_dtypes' names.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <string>

#include "xla/base/convert_value.h"
#include "xla/base/types.h"

namespace {

template <typename From, typename To>
int ConvertStream() {
  From from;
  while (std::fread(&from, sizeof(from), 1, stdin) == 1) {
    const To to = xla::ConvertValue<To>(from);
    std::fwrite(&to, sizeof(to), 1, stdout);
  }
  return 0;
}

// Calls f with a value of the type `name`; returns 1 if there is none.
template <typename F>
int WithType(const std::string& name, F f) {
  if (name == "float32") return f(float());
  if (name == "float64") return f(double());
  if (name == "float16") return f(xla::half());
  if (name == "bfloat16") return f(xla::bfloat16());
  if (name == "float8_e3m4") return f(xla::float8_e3m4());
  if (name == "float8_e4m3") return f(xla::float8_e4m3());
  if (name == "float8_e4m3b11fnuz") return f(xla::float8_e4m3b11fnuz());
  if (name == "float8_e4m3fn") return f(xla::float8_e4m3fn());
  if (name == "float8_e4m3fnuz") return f(xla::float8_e4m3fnuz());
  if (name == "float8_e5m2") return f(xla::float8_e5m2());
  if (name == "float8_e5m2fnuz") return f(xla::float8_e5m2fnuz());
  if (name == "float8_e8m0fnu") return f(xla::float8_e8m0fnu());
  if (name == "float6_e2m3fn") return f(xla::float6_e2m3fn());
  if (name == "float6_e3m2fn") return f(xla::float6_e3m2fn());
  if (name == "float4_e2m1fn") return f(xla::float4_e2m1fn());
  std::fprintf(stderr, "unknown type %s\n", name.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: float_types_tool FROM TO\n");
    return 1;
  }
  return WithType(argv[1], [&](auto from) {
    return WithType(argv[2], [](auto to) {
      return ConvertStream<decltype(from), decltype(to)>();
    });
  });
}
