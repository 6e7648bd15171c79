// Prints dimension numbers of protos that no rule has checked yet.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "xla/hlo/attrs/field_codec.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace {

// Returns the labels of input, kernel and output.
std::vector<std::string> Labels(const ConvolutionDimensionNumbers& numbers) {
  std::string text;
  FieldCodec<ConvolutionDimensionNumbers>::Print("dim_labels", numbers,
                                                 /*always=*/true, &text);
  const size_t start = text.find("dim_labels=") + 11;
  return absl::StrSplit(absl::StrReplaceAll(text.substr(start), {{"->", "_"}}),
                        '_');
}

TEST(DimLabelsTest, DimensionsWithoutARoleHaveQuestionMarks) {
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(3);
  numbers.set_input_feature_dimension(1);
  numbers.set_kernel_output_feature_dimension(1);
  numbers.set_output_feature_dimension(1);
  EXPECT_EQ(Labels(numbers), (std::vector<std::string>{"?f?b", "io", "bf"}));
}

TEST(DimLabelsTest, AreAtMost64) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(kLargest);
  numbers.add_kernel_spatial_dimensions(kLargest);
  for (int i = 0; i < 100; ++i) numbers.add_output_spatial_dimensions(-1);
  for (const std::string& labels : Labels(numbers)) {
    EXPECT_EQ(labels.size(), 64) << labels;
  }
}

}  // namespace
}  // namespace xla
