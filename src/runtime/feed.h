#pragma once
// Arrays for the inputs of a model, from specifications of the user:
//
//   x=@x.npy             the array in the file
//   x=rand[2,3,10,10]    numbers from 0 to 1 (integers from 0 to 9), the same each time; also randn (normally
//                        distributed), zeros, ones, arange
//   x=zeros              of the model's own shape, a dynamic size being 1
//   n=3                  a number, everywhere in the input
//
// The name may be left out: such inputs are taken in the model's order.

#include <span>
#include <string>
#include <vector>

#include "archive/npz.h"
#include "cameo/session.h"

namespace cameo::runtime {

struct FeedOptions {
  std::vector<std::string> specs;
  NamedArrays arrays;  // by name, for inputs without a specification
  std::uint64_t seed = 0;
};

// One array for each input of the model; inputs without a specification or an array are random. Throws Error
// (Code::bad_feed) for an unknown input, a spec that cannot be read or does not fit.
std::vector<Session::Feed> make_feeds(std::span<const ValueInfo> inputs, const FeedOptions& options);

}  // namespace cameo::runtime
