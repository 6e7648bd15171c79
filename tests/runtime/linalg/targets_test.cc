// The table of LAPACK targets, and their errors for invalid calls.
#include "xla/runtime/linalg/targets.h"

#include "gmock/gmock.h"
#include "tests/runtime/linalg/linalg_test_base.h"

namespace xla::linalg {
namespace {

using ::testing::HasSubstr;

TEST(TargetsTest, SortedAndFound) {
  absl::string_view last;
  for (const Target& target : Targets()) {
    EXPECT_LT(last, target.name);
    EXPECT_EQ(FindTarget(target.name), target.handler);
    last = target.name;
  }
  EXPECT_EQ(Targets().size(), 61);
  EXPECT_EQ(FindTarget("lapack_spotrf"), nullptr);
  EXPECT_EQ(FindTarget(""), nullptr);
}

// No target crashes on an empty call.
TEST(TargetsTest, EmptyCallsAreRefused) {
  for (const Target& target : Targets()) {
    absl::Status status = Call(std::string(target.name)).Run();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(std::string(target.name)));
  }
}

TEST(TargetsTest, WrongShapesAreNamed) {
  Matrix<float> a(3, 2), b(3, 2);
  std::vector<int> info;
  EXPECT_THAT(std::string(Call("lapack_spotrf_ffi")
                              .Argument(a)
                              .Result(b)
                              .Result<int>({}, info)
                              .Run("{uplo = 76 : ui8}")
                              .message()),
              HasSubstr("must be square, but has 3 rows and 2 columns"));
  Matrix<float> square(3, 3);
  EXPECT_THAT(std::string(Call("lapack_spotrf_ffi")
                              .Argument(square)
                              .Result(b)
                              .Result<int>({}, info)
                              .Run("{uplo = 76 : ui8}")
                              .message()),
              HasSubstr("result 0 is f32[3,2], expected 1 times f32[3,3]"));
  Matrix<double> other(3, 3);
  EXPECT_THAT(std::string(Call("lapack_spotrf_ffi")
                              .Argument(other)
                              .Result(square)
                              .Result<int>({}, info)
                              .Run("{uplo = 76 : ui8}")
                              .message()),
              HasSubstr("operand 0 is f64[3,3], expected a matrix of f32"));
}

TEST(TargetsTest, WrongAttributesAreNamed) {
  Matrix<float> a = Matrix<float>::Identity(2), b(2, 2);
  std::vector<int> info;
  Call call("lapack_spotrf_ffi");
  call.Argument(a).Result(b).Result<int>({}, info);
  EXPECT_THAT(std::string(call.Run("").message()),
              HasSubstr("attribute \"uplo\" of type u8 is missing"));
  EXPECT_THAT(std::string(call.Run("{uplo = 76 : i32}").message()),
              HasSubstr("attribute \"uplo\" is s32, not u8"));
  EXPECT_THAT(std::string(call.Run("{uplo = 65 : ui8}").message()),
              HasSubstr("expected one of the letters LU"));
}

TEST(TargetsTest, NothingToDo) {
  for (int64_t n : {0, 3}) {
    for (int64_t count : {0, 2}) {
      std::vector<float> a(count * n * n, 1), out, w;
      std::vector<int> info;
      EXPECT_TRUE(Call("lapack_ssyevd_ffi")
                      .Argument<float>({count, n, n}, a)
                      .Result<float>({count, n, n}, out)
                      .Result<float>({count, n}, w)
                      .Result<int>({count}, info)
                      .Run("{mode = 86 : ui8, uplo = 76 : ui8}")
                      .ok());
      std::vector<float> tau;
      EXPECT_TRUE(
          Call("lapack_sgehrd_ffi")
              .Argument<float>({count, n, n}, a)
              .Result<float>({count, n, n}, out)
              .Result<float>({count, std::max<int64_t>(n - 1, 0)}, tau)
              .Result<int>({count}, info)
              .Run("{low = 1 : i32, high = " + std::to_string(n) + " : i32}")
              .ok());
    }
  }
}

TEST(TargetsTest, TooLargeForLapack) {
  Call call("lapack_sgeqrf_ffi");
  std::vector<float> none;
  const int64_t huge = int64_t{1} << 40;
  absl::Status status = call.Argument<float>({huge, 0}, none)
                            .Result<float>({0}, none)
                            .Result<float>({0}, none)
                            .Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace xla::linalg
