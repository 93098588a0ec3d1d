#include <charconv>

#include "aten/registry.h"
#include "base/index.h"
#include "cameo/diagnostic.h"

namespace cameo::aten {
namespace {

Arg number(std::int64_t value) { return Arg{Scalar{Dim(value)}}; }

// The text between brackets or quotes.
std::optional<std::string_view> enclosed(std::string_view text, char open, char close) {
  if (text.size() < 2 || text.front() != open || text.back() != close) return std::nullopt;
  return text.substr(1, text.size() - 2);
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const char* end = text.data() + text.size();
  if (text.empty() || std::from_chars(text.data(), end, value).ptr != end) return std::nullopt;
  return value;
}

enum class Pass { exact, converting };

bool is_number_type(std::string_view type) {
  return type == "int" || type == "SymInt" || type == "float" || type == "Scalar" || type == "ScalarType" ||
         type == "bool";
}

// The number in a tensor of one element, as TorchScript's implicit conversion takes it.
Scalar number_in(Emit& e, const Tensor& tensor) {
  if (tensor.complex) {
    if (!tensor->data) throw Unsupported("a complex number that is a runtime value is not supported");
    return Scalar{std::complex<double>(tensor->data->real(0), tensor->data->real(1))};
  }
  if (is_integral(tensor.dtype())) return Scalar{e.number(tensor)};
  if (tensor->data && tensor->data->numel() == 1) {
    if (tensor.dtype() == DType::boolean) return Scalar{tensor->data->integer(0) != 0};
    return Scalar{tensor->data->real(0)};
  }
  return Scalar{e.reshape(tensor, {})};
}

std::optional<Arg> fit_number(Emit& e, std::string_view type, const Arg& arg, Pass pass) {
  if (const Tensor* tensor = arg.get_if<Tensor>()) {
    if (pass == Pass::exact || tensor->quantizer) return std::nullopt;
    if (tensor->value->type.shape)
      for (const Dim& dim : tensor->shape())
        if (dim.as_constant().value_or(1) != 1) return std::nullopt;
    Scalar scalar = number_in(e, *tensor);
    if (type == "Scalar" || (type == "float" && scalar.is_float())) return Arg{scalar};
    return fit_number(e, type, Arg{scalar}, pass);
  }
  const Scalar* scalar = arg.get_if<Scalar>();
  if (!scalar) return std::nullopt;
  if (type == "Scalar") return arg;
  if (type == "bool")
    return scalar->is_bool() || pass == Pass::converting ? std::optional(arg) : std::nullopt;
  if (type == "float") {
    if (scalar->is_float()) return arg;
    if (pass == Pass::exact) return std::nullopt;
    if (std::optional<double> known = scalar->known()) return Arg{Scalar{*known}};
    if (const Dim* dim = std::get_if<Dim>(&scalar->value))
      return Arg{Scalar{e.cast(e.dim(*dim), DType::f64)}};
    return std::nullopt;
  }
  if (scalar->is_int()) return arg;
  if (pass == Pass::converting && scalar->is_bool() && scalar->known_int())
    return number(*scalar->known_int());
  return std::nullopt;
}

std::optional<Arg> fit_element(Emit& e, const ParamSchema& p, const Arg& arg, Pass pass) {
  if (arg.is_none()) return p.optional ? std::optional(arg) : std::nullopt;
  if (p.type == "Tensor") return arg.get_if<Tensor>() ? std::optional(arg) : std::nullopt;
  if (is_number_type(p.type)) return fit_number(e, p.type, arg, pass);
  if (is_packed_class(p.type)) {
    const PackedPtr* packed = arg.get_if<PackedPtr>();
    return packed && (*packed)->cls == p.type ? std::optional(arg) : std::nullopt;
  }
  if (p.type == "str") return arg.get_if<std::string>() ? std::optional(arg) : std::nullopt;
  return arg.get_if<Tensor>() || arg.get_if<ArgList>() || arg.get_if<PackedPtr>()
             ? std::nullopt
             : std::optional(Arg{Ignored{}});
}

std::optional<Arg> fit(Emit& e, const ParamSchema& p, const Arg& arg, Pass pass) {
  if (!p.list) return fit_element(e, p, arg, pass);
  if (arg.is_none()) return p.optional_list ? std::optional(arg) : std::nullopt;
  ArgList items;
  if (const ArgList* list = arg.get_if<ArgList>()) {
    for (const Arg& item : *list) {
      std::optional<Arg> fitted = fit_element(e, p, item, pass);
      if (!fitted) return std::nullopt;
      items.push_back(std::move(*fitted));
    }
    return Arg{std::move(items)};
  }
  if (!p.sized_list && !(is_number_type(p.type) && pass == Pass::converting)) return std::nullopt;
  std::optional<Arg> one = fit_element(e, p, arg, pass);
  if (!one) return std::nullopt;
  return Arg{ArgList{std::move(*one)}};
}

std::optional<Bound> bind_one(Emit& e, const Op& op, const Call& call, Pass pass) {
  const Schema& schema = op.schema;
  Bound bound{&op, std::vector<Arg>(schema.count), std::vector<std::optional<std::size_t>>(schema.count)};
  auto give = [&](std::size_t param, const Arg& arg, std::size_t source) {
    if (bound.sources[param]) return false;
    std::optional<Arg> fitted = fit(e, schema.params[param], arg, pass);
    if (!fitted) return false;
    bound.args[param] = std::move(*fitted);
    bound.sources[param] = source;
    return true;
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.positional.size(); ++i, ++next)
    if (next >= schema.count || schema.params[next].keyword_only || !give(next, call.positional[i], i))
      return std::nullopt;
  for (std::size_t k = 0; k < call.keywords.size(); ++k) {
    auto [name, arg] = call.keywords[k];
    std::size_t param = 0;
    while (param < schema.count && schema.params[param].name != name) ++param;
    if (param == schema.count && name == "input" && schema.count > 0 && schema.params[0].name == "self")
      param = 0;
    if (param == schema.count || !give(param, arg, call.positional.size() + k)) return std::nullopt;
  }
  for (std::size_t param = 0; param < schema.count; ++param) {
    if (bound.sources[param]) continue;
    if (!schema.params[param].has_default) return std::nullopt;
    const ParamSchema& p = schema.params[param];
    std::optional<Arg> standard = parse_default(p.default_value);
    if (!standard)
      throw InternalError("a schema's default value cannot be read: " + std::string(p.default_value));
    bound.args[param] = std::move(*standard);
    if (p.list && !bound.args[param].is_none() && !bound.args[param].get_if<ArgList>())
      bound.args[param] = Arg{ArgList{bound.args[param]}};
  }
  return bound;
}

}  // namespace

std::optional<Arg> parse_default(std::string_view text) {
  if (text == "None") return Arg{None{}};
  if (text == "True") return Arg{Scalar{true}};
  if (text == "False") return Arg{Scalar{false}};
  if (text == "Mean") return number(1);
  if (text == "contiguous_format" || text == "strided") return Arg{Ignored{}};
  if (std::optional<std::string_view> rest = enclosed(text, '[', ']')) {
    ArgList items;
    while (!detail::trim(*rest).empty()) {
      std::optional<Arg> item = parse_default(detail::take_item(*rest));
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
    }
    return Arg{std::move(items)};
  }
  for (char quote : {'\'', '"'})
    if (std::optional<std::string_view> inner = enclosed(text, quote, quote)) return Arg{std::string(*inner)};
  if (std::optional<std::int64_t> value = parse_number<std::int64_t>(text)) return number(*value);
  if (std::optional<double> value = parse_number<double>(text)) return Arg{Scalar{*value}};
  return std::nullopt;
}

const Arg* Bound::argument(std::string_view parameter) const {
  const ParamSchema* found = op->schema.parameter(parameter);
  return found ? &args[position_in(op->schema.params, found)] : nullptr;
}

Arg* Bound::argument(std::string_view parameter) {
  return const_cast<Arg*>(std::as_const(*this).argument(parameter));
}

std::optional<Bound> bind(Emit& e, std::span<const Op* const> overloads, const Call& call) {
  for (Pass pass : {Pass::exact, Pass::converting})
    for (const Op* op : overloads)
      if (std::optional<Bound> bound = bind_one(e, *op, call, pass)) return bound;
  return std::nullopt;
}

}  // namespace cameo::aten
