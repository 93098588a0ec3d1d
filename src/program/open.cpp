#include "program/open.h"

#include "archive/kind.h"
#include "exported/lower/source.h"
#include "legacy/source.h"

namespace cameo {

script::Program open_program(const std::shared_ptr<const MappedFile>& file,
                             std::vector<archive::Borrowed> borrowed) {
  const archive::Kind kind = archive::kind_of(file);
  if (!archive::holds_program(kind)) throw Error(archive::explain(kind, *file));
  if (kind == archive::Kind::exported_program)
    return script::Program(
        std::make_unique<exported::ExportedSource>(exported::Program(file, {}, std::move(borrowed))));
  auto archive = std::make_shared<archive::Archive>(file, std::move(borrowed));
  if (kind == archive::Kind::torchscript_old)
    return script::Program(std::make_unique<legacy::LegacySource>(std::move(archive)));
  return script::Program(std::move(archive));
}

}  // namespace cameo
