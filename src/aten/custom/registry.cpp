#include "cameo/converter.h"

#include "aten/custom/schema.h"

namespace cameo {

Registry::~Registry() = default;

void Registry::add(std::string schema, Converter converter, OpsetRange opsets) {
  aten::read_schema(schema);
  entries_.push_back({std::move(schema), std::move(converter), opsets});
}

void Registry::set_domain_version(std::string domain, int version) {
  domain_versions_.emplace_back(std::move(domain), version);
}

}  // namespace cameo
