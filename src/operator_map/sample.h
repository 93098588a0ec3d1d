#pragma once
// Calls to try operators with.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aten/registry.h"
#include "cameo/input_spec.h"

namespace cameo::operator_map {

// The arguments of a call by name; those left out have their default. Dynamic sizes have one of the names
// batch, depth, height and width; a runtime number is a tensor without dimensions.
using Sample = std::vector<InputSpec>;

const InputSpec* find(const Sample& sample, std::string_view name);
// The sample with this argument instead.
Sample with(const Sample& sample, InputSpec argument);
// The element type of the tensors that hold data rather than indices or masks; and the sample with another.
std::optional<DType> main_type(const Sample& sample, const aten::Schema& schema);
Sample with_type(Sample sample, const aten::Schema& schema, DType dtype);
// The sample with known numbers instead of runtime values.
Sample fixed_sizes(Sample sample, const aten::Schema& schema);

// "self=f32[4,6,10,12], dim=1".
std::string to_text(const Sample& sample, const aten::Schema& schema);
std::string to_text(const InputSpec& argument, const aten::ParamSchema& parameter);

// Calls that might convert, the most general first: made from hints (hints.h), the schema's types, several
// ranks and element types.
std::vector<Sample> trial_samples(const aten::Op& op);

}  // namespace cameo::operator_map
