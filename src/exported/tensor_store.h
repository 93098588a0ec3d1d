#pragma once
// The weights or the constants of a program, by their qualified names.

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "archive/archive.h"
#include "exported/graph_reader.h"
#include "exported/saved.h"

namespace cameo::exported {

// Not for several threads at once: a tensor is made when it is first asked for, and then kept.
class TensorStore {
 public:
  // `archive` must outlive the store. `what` is for diagnostics: "weight".
  TensorStore(const archive::Archive& archive, std::string what)
      : archive_(archive), what_(std::move(what)) {}

  // Adds what torch.save wrote: a dict of tensors. A record of 0 bytes is an empty dict.
  void add_saved(std::string_view record);
  // Adds the tensors of a configuration: a JSON text that names, for each tensor, a record in the same folder. That
  // record holds the whole storage of the tensor.
  void add_configured(std::string_view record);
  // Adds one tensor that torch.save wrote, as base64 text.
  void add_base64(std::string_view name, std::string_view base64);

  const std::vector<std::string_view>& names() const { return names_; }
  // Null if the store has no entry of this name. Throws Error if the entry cannot be read as a tensor.
  archive::TensorPtr find(std::string_view name);

 private:
  struct Payload {
    std::string record;
    bool pickled = false;
    std::optional<TensorMeta> meta;
  };
  struct Entry {
    std::variant<archive::Ref, Payload> source;
    archive::TensorPtr tensor;  // null until it is asked for
  };

  void add(std::string_view name, std::variant<archive::Ref, Payload> source);
  Payload read_payload(JsonReader& json, std::string_view folder);
  archive::TensorPtr tensor_of(std::string_view name, archive::Ref value);
  archive::TensorPtr tensor_of(std::string_view name, const Payload& payload);
  archive::TensorPtr fake_tensor(std::string_view name, const archive::Call& call);
  archive::TensorPtr described(std::string_view name, const TensorMeta& meta,
                               std::shared_ptr<const archive::Storage> storage) const;
  std::shared_ptr<const archive::Storage> storage_of(std::string_view name, const Payload& payload);
  [[noreturn]] void fail(Code code, std::string_view name, std::string_view why, std::string_view record,
                         std::string hint) const;
  void check_dtype(std::string_view name, const TensorMeta& meta, std::string_view record) const;
  [[noreturn]] void fail_class(std::string_view name, archive::Ref value, std::string_view record) const;

  const archive::Archive& archive_;
  std::string what_;
  Arena arena_;
  std::deque<Saved> saved_;
  std::deque<std::vector<std::byte>> decoded_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, Entry> entries_;
  std::map<std::string, std::shared_ptr<const archive::Storage>> storages_;
};

}  // namespace cameo::exported
