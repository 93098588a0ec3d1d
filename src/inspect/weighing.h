#pragma once
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "archive/value.h"
#include "base/dtype.h"
#include "inspect/modules.h"

namespace cameo::inspect {

// Adds up tensors, each once, however many objects share it.
class Weighing {
 public:
  // `tensor` itself, with the parts of a sparse and the parameters of a quantised one. False if it was added
  // before.
  bool add(const archive::Tensor& tensor, Role role, Weights& weights);
  // Every tensor within `value`: lists, dictionaries, objects. Tensors inside a C++ object are packed. In
  // objects that archive::decode_packed_params knows, only weights and biases count.
  void add_all(archive::Ref value, Role role, Weights& weights);

  const std::map<DType, std::int64_t>& elements() const { return elements_; }

 private:
  bool count(const archive::Tensor& tensor, Role role, Weights& weights);
  void add_storage(const archive::Tensor& tensor, Role role, Weights& weights);
  std::map<DType, std::int64_t> elements_;
  std::set<std::tuple<const archive::Storage*, std::int64_t, std::int64_t>> seen_;  // offset, elements
  std::unordered_set<const archive::Storage*> storages_;
  std::unordered_set<archive::Ref> values_;
};

}  // namespace cameo::inspect
