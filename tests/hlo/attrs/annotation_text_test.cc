// Texts of shardings and annotations as jaxlib prints them are read and printed
// again unchanged; invalid ones are refused with their place.
#include "xla/hlo/attrs/annotation_text.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/core/shape_text.h"
#include "xla/hlo/attrs/sharding_text.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Reads all of `text` and prints it again; returns the error if it fails.
template <typename Scan, typename Print>
std::string Again(absl::string_view text, const Scan& scan,
                  const Print& print) {
  TextScanner scanner(text);
  auto value = scan(scanner);
  if (!value.ok()) return std::string(value.status().message());
  if (!scanner.AtEnd()) return "not read to the end";
  std::string out;
  print(*value, &out);
  return out;
}

std::string Sharding(absl::string_view text) {
  return Again(text, ScanSharding, PrintSharding);
}
std::string Metadata(absl::string_view text) {
  return Again(text, ScanMetadata, PrintMetadata);
}
std::string Frontend(absl::string_view text) {
  return Again(text, ScanFrontendAttributes, PrintFrontendAttributes);
}
std::string Backend(absl::string_view text) {
  return Again(text, ScanBackendConfig, PrintBackendConfig);
}
std::string Statistics(absl::string_view text) {
  return Again(text, ScanStatistics, PrintStatistics);
}
TEST(ShardingTextTest, RoundTrips) {
  for (absl::string_view text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{unreduced}",
           "{maximal device=1}",
           "{devices=[2,1]1,0}",
           "{devices=[2,1]<=[2]}",
           "{devices=[2,2]<=[2,2]T(1,0)}",
           "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
           "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
           "{devices=[2,1,2]<=[4] last_tile_dims={unreduced}}",
           "{replicated shard_as 3}",
           "{devices=[2,1]<=[2] shard_like 4 metadata={op_name=\"a\"}}",
           "{replicated metadata={{op_name=\"a\"}, {op_type=\"b\"}}}",
           "{}",
           "{{replicated}, {maximal device=2}}",
           "{mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], "
           "replicated={'b':(2)2}}",
           "{mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0), [{}, {?}], "
           "unreduced={'a'}, manual={'b'}, metadata={{op_name=\"q\"}}}",
           "{mesh['a'=2,'b'=4], [{}], unreduced=max{'a'}, "
           "metadata={{op_name=\"q\"}}}",
           "{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), replicated}",
           "{maximal_mesh[device_id=3]}",
       }) {
    EXPECT_EQ(Sharding(text), text);
  }
  EXPECT_EQ(Sharding("{devices=[2,1,2]<=[4] last_tile_dims={replicated}}"),
            "{devices=[2,1,2]<=[4] last_tile_dim_replicate}");
  // All devices in order are equivalent to just the mesh.
  for (absl::string_view ids : {"[8]", "[4,2]"}) {
    EXPECT_EQ(Sharding(absl::StrCat("{mesh['a'=2,'b'=4], device_ids=(", ids,
                                    "), [{'a'}]}")),
              "{mesh['a'=2,'b'=4], [{'a'}]}");
  }
}

TEST(ShardingTextTest, Errors) {
  EXPECT_THAT(Sharding("{{{replicated}}}"), StartsWith("1:3: expected a name"));
  EXPECT_THAT(Sharding("{replicated manual}"), HasSubstr("one kind only"));
  EXPECT_THAT(Sharding("{devices=[2,2]0,1}"), HasSubstr("4 tiles but 2"));
  EXPECT_THAT(Sharding("{devices=[4611686018427387904,4]<=[2]}"),
              HasSubstr("numbers of tiles"));
  EXPECT_THAT(Sharding("{devices=[2]<=[2]T(1)}"), HasSubstr("permutation"));
  EXPECT_THAT(Sharding("{mesh['a'=2], [{'b'}]}"), HasSubstr("no axis"));
  for (absl::string_view ids :
       {"[3]", "[8,1,0]", "[-8]", "[-2,-4]", "[4294967296,4294967296]"}) {
    EXPECT_THAT(Sharding(absl::StrCat("{mesh['a'=2,'b'=4], device_ids=(", ids,
                                      "), [{'a'}]}")),
                StartsWith("1:34: there must be as many device_ids as devices"))
        << ids;
  }
  EXPECT_THAT(Sharding("{shard_as 1}"), HasSubstr("does not say its kind"));
}

TEST(AnnotationTextTest, Metadata) {
  for (absl::string_view text : {
           "{}",
           "{op_type=\"t\" op_name=\"a\" source_file=\"f\" source_line=1 "
           "source_end_line=2 source_column=3 source_end_column=4 "
           "profile_type={1,2} deduplicated_name=\"d\" stack_frame_id=3 "
           "scheduling_name=\"s\" metadata_payload=\"x\\\"y\"}",
           "{op_name=\"b\\\"\\n\\t\\001\\303\\251\"}",
       }) {
    EXPECT_EQ(Metadata(text), text);
  }
  EXPECT_EQ(Metadata("{op_name='b', op_type=\"c\"}"),
            "{op_type=\"c\" op_name=\"b\"}");
  EXPECT_THAT(Metadata("{foo=\"b\"}"), StartsWith("1:2: metadata has no"));
  EXPECT_THAT(Metadata("{op_name=\"b\" op_name=\"c\"}"),
              StartsWith("1:14: metadata field 'op_name' occurs twice"));
  EXPECT_THAT(Metadata("{source_line=9999999999}"), HasSubstr("32 bits"));
  EXPECT_THAT(Metadata("{profile_type={99999999999}}"), HasSubstr("profile"));
}

TEST(AnnotationTextTest, FrontendAttributesAndBackendConfig) {
  EXPECT_EQ(Frontend("{b=\"1\", a={\"x\": [1, \"}\"]}}"),
            "{a={\"x\": [1, \"}\"]},b=\"1\"}");
  EXPECT_EQ(Frontend("{a=\"{x}\"}"), "{a={x}}");
  EXPECT_EQ(Frontend("{a=\"{x\"}"), "{a=\"{x\"}");
  EXPECT_EQ(Frontend("{}"), "{}");
  EXPECT_THAT(Frontend("{a=\"1\",a=\"2\"}"), HasSubstr("occurs twice"));
  EXPECT_THAT(Frontend("{a=b}"), HasSubstr("double quotes"));
  EXPECT_EQ(Backend("{\"url\": http://x}"), "{\"url\": http://x}");
  EXPECT_EQ(Backend("\"a\\\"b\""), "\"a\\\"b\"");
  EXPECT_THAT(Backend("{\"a\": \"}"), HasSubstr("closes"));
}

TEST(AnnotationTextTest, Statistics) {
  EXPECT_EQ(Statistics("{visualizing_index=1,a=3.5,b=1e+30,c=0.1,d=nan}"),
            "{visualizing_index=1,a=3.5,b=1e+30,c=0.1,d=nan}");
  EXPECT_THAT(Statistics("{a=1}"), StartsWith("1:2: expected"));
}

}  // namespace
}  // namespace xla
