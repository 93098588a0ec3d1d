#include "rules/rules.h"

#include "rules/list.h"

namespace cameo::rules {

std::span<const Rule> all_rules() {
  static const std::vector<Rule> kRules = {
      {.name = "remove-identity",
       .doc = "Readers of an Identity read what it copies.",
       .operators = {"Identity"},
       .apply = remove_identity},
      {.name = "remove-cast",
       .doc = "A Cast to the type that is there already goes.",
       .operators = {"Cast"},
       .apply = remove_cast},
      {.name = "merge-casts",
       .doc = "Of two Casts in a row the first goes, if it loses nothing.",
       .operators = {"Cast"},
       .apply = merge_casts},
      {.name = "remove-transpose",
       .doc = "A Transpose that leaves every axis in place goes.",
       .operators = {"Transpose"},
       .apply = remove_transpose},
      {.name = "merge-transposes",
       .doc = "Two Transposes in a row become one.",
       .operators = {"Transpose"},
       .apply = merge_transposes},
      {.name = "remove-reshape",
       .doc = "A change of shape that gives the shape that was there goes, also over two steps.",
       .operators = {"Reshape", "Flatten", "Squeeze", "Unsqueeze"},
       .apply = remove_reshape},
      {.name = "merge-reshapes",
       .doc = "Of two changes of shape in a row the first goes.",
       .operators = {"Reshape"},
       .apply = merge_reshapes},
      {.name = "remove-slice",
       .doc = "A Slice that takes everything goes.",
       .operators = {"Slice"},
       .apply = remove_slice},
      {.name = "remove-expand",
       .doc = "An Expand to the shape that is there already goes.",
       .operators = {"Expand"},
       .apply = remove_expand},
      {.name = "remove-pad", .doc = "A Pad by nothing goes.", .operators = {"Pad"}, .apply = remove_pad},
      {.name = "merge-pad",
       .doc = "A Pad with zeros becomes the padding of the convolution or average pooling after it.",
       .operators = {"Conv", "AveragePool"},
       .apply = merge_pad},
      {.name = "fold-batch-norm",
       .doc =
           "A batch normalisation with fixed statistics goes into the weights of the convolution before it.",
       .operators = {"BatchNormalization"},
       .apply = fold_batch_norm_into_convolution,
       .changes_weights = true},
      {.name = "fold-batch-norm-linear",
       .doc =
           "A batch normalisation with fixed statistics goes into the weights of the linear layer before it.",
       .operators = {"BatchNormalization"},
       .apply = fold_batch_norm_into_linear,
       .changes_weights = true},
  };
  return kRules;
}

}  // namespace cameo::rules
