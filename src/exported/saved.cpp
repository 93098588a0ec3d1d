#include "exported/saved.h"

#include <fmt/core.h>

#include "archive/byte_reader.h"
#include "cameo/diagnostic.h"

namespace cameo::exported {

Saved::Saved(const archive::Archive& outer, std::string_view name) {
  const Bytes bytes = outer.read(name);
  const Bytes whole = outer.file().bytes();
  const bool stored = bytes.data() >= whole.data() && bytes.data() < whole.data() + whole.size();
  open(bytes, stored ? &outer.file() : nullptr, outer.file().name(), name);
}

Saved::Saved(Bytes bytes, const std::string& file, std::string_view record) {
  open(bytes, nullptr, file, record);
}

void Saved::open(Bytes bytes, const MappedFile* whole, const std::string& file, std::string_view record) try {
  if (!archive::starts_with(bytes, "PK")) {
    throw Error(Diagnostic{.code = Code::bad_exported_program,
                           .message = fmt::format("torch.save did not write the record '{}'", record),
                           .hint = "the file is damaged: save or download it again"});
  }
  archive_ = std::make_unique<const archive::Archive>(
      archive::Archive::nested(MappedFile::wrap(bytes, file), whole));
  pickle_ = archive_->pickle("data");
} catch (Error& error) {
  for (Diagnostic& diagnostic : error.diagnostics()) {
    diagnostic.file = file;
    diagnostic.record =
        diagnostic.record.empty() ? std::string(record) : fmt::format("{}:{}", record, diagnostic.record);
  }
  throw;
}

}  // namespace cameo::exported
