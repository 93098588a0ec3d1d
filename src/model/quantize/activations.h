#pragma once
// Static quantisation: activations as integers, too.

#include <string>
#include <vector>

#include "model/quantize/quantize.h"
#include "model/rewrite/names.h"

namespace cameo::model {

// The values of the main graph whose ranges static quantisation needs: f32 inputs and results of nodes that
// compute with integers.
std::vector<std::string> values_to_calibrate(const Opened& opened);

// Quantises the weights of products and puts a QuantizeLinear and a DequantizeLinear after each activation
// that they and the nodes between them read and make. Throws Error if a range is not one, names no value, or
// nothing can be quantised.
QuantizeCounts quantize_activations(Opened& opened, const QuantizeOptions& options, Names& names);

}  // namespace cameo::model
