// OpMetadataToString: the metadata of an instruction as the text of a module
// has it.
#ifndef XLA_HLO_IR_DEBUG_HLO_OP_METADATA_H_
#define XLA_HLO_IR_DEBUG_HLO_OP_METADATA_H_

#include <string>

#include "xla/hlo/attrs/annotation_text.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// op_name="a" source_file="f.py" source_line=3, or the name of the op alone.
inline std::string OpMetadataToString(const OpMetadata& metadata,
                                      bool only_op_name = false) {
  OpMetadata printed;
  if (only_op_name) {
    printed.set_op_name(metadata.op_name());
  } else {
    printed = metadata;
  }
  std::string text;
  PrintMetadata(printed, &text);
  return text.substr(1, text.size() - 2);  // The rest is braces.
}

}  // namespace xla

#endif  // XLA_HLO_IR_DEBUG_HLO_OP_METADATA_H_
