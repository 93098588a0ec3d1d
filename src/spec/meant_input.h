#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cameo/value_info.h"

namespace cameo {

// The element type of a name: Cameo's (f32), PyTorch's (float32, torch.float), NumPy's (np.float32), or fp32.
// Case is ignored. Empty for other words, and for "int", which is i32 in PyTorch and i64 in Python.
std::optional<ElementType> element_type(std::string_view word);

// The specification that `text` was probably meant to be: "f32[1,3,64,64]" for "(1,3,64,64)", "1x3x64x64" and
// "torch.randn(1,3,64,64)", "x=f32[batch,3]" for "x:f32[-1,3]". Empty if there is none for which `is_valid`.
std::string meant_input(std::string_view text, const std::function<bool(const std::string&)>& is_valid);

// The text of an input of f32 with the sizes "1,3,-1,64"; -1, * and ? get a name.
std::string named_sizes(std::string_view sizes);

}  // namespace cameo
