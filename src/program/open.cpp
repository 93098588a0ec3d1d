#include "program/open.h"

#include "archive/kind.h"
#include "exported/lower/source.h"

namespace cameo {

script::Program open_program(const std::shared_ptr<const MappedFile>& file,
                             std::vector<archive::Borrowed> borrowed) {
  const archive::Kind kind = archive::kind_of(file);
  if (!archive::holds_program(kind)) throw Error(archive::explain(kind, *file));
  if (kind == archive::Kind::exported_program)
    return script::Program(
        std::make_unique<exported::ExportedSource>(exported::Program(file, {}, std::move(borrowed))));
  return script::Program(std::make_shared<archive::Archive>(file, std::move(borrowed)));
}

}  // namespace cameo
