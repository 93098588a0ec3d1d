#include "cameo/model.h"

#include "model/file/open.h"
#include "model/file/save.h"
#include "onnx/proto/encode.h"

namespace cameo {

Model::Model(const std::string& path) : state_(std::make_shared<model::Opened>(MappedFile::open(path))) {}

Model::Model(std::span<const std::byte> bytes, std::string name, std::shared_ptr<const void> owner) {
  auto opened = std::make_shared<model::Opened>(MappedFile::wrap(bytes, std::move(name)));
  opened->kept.push_back(std::move(owner));
  state_ = std::move(opened);
}

const model::Opened& Model::with_graph() const {
  state_->require_graph();
  return *state_;
}

std::shared_ptr<model::Opened> Model::copy() const { return std::make_shared<model::Opened>(with_graph()); }

SavedModel Model::save(const std::string& path, const SaveOptions& options) const {
  const Written written = model::save(with_graph(), path, options.sync);
  return {.bytes = written.bytes, .external_bytes = written.external_bytes};
}

const std::string& Model::path() const { return state_->file->name(); }

std::string Model::to_bytes() const { return encode(with_graph().model); }

}  // namespace cameo
