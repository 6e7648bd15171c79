// Whether an output of a program may take over the buffer of a parameter.
#ifndef XLA_HLO_BUILDER_INPUT_OUTPUT_ALIAS_H_
#define XLA_HLO_BUILDER_INPUT_OUTPUT_ALIAS_H_

namespace xla {

class HloInputOutputAliasConfig {
 public:
  enum AliasKind {
    kMayAlias,   // if the caller donates the buffer
    kMustAlias,  // the caller has to donate it
  };
};

}  // namespace xla

#endif  // XLA_HLO_BUILDER_INPUT_OUTPUT_ALIAS_H_
