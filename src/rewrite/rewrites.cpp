#include "cameo/rewrite.h"

#include "base/mapped_file.h"
#include "base/text.h"
#include "rewrite/rules.h"

namespace cameo {

Rewrites::Rewrites() : rules_(std::make_unique<rewrite::RuleSet>()) {}
Rewrites::~Rewrites() = default;

void Rewrites::read(const std::string& path) {
  const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
  const auto bytes = file->bytes();
  parse(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void Rewrites::parse(std::string name, std::string text) {
  if (!is_utf8(text))
    throw Error(Diagnostic{.code = Code::bad_rewrite,
                           .message = "a rules file is text in UTF-8, and this is not",
                           .file = std::move(name)});
  rules_->add(rewrite::parse(std::move(name), std::move(text)));
}

}  // namespace cameo
