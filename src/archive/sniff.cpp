#include "archive/sniff.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "archive/byte_reader.h"

namespace cameo::archive {
namespace {

constexpr std::size_t kProbe = std::size_t{64} << 10;

std::string_view probe(Bytes bytes) { return as_text(bytes.first(std::min(bytes.size(), kProbe))); }

std::optional<std::uint64_t> varint(Bytes bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = std::to_integer<std::uint64_t>(bytes[at++]);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

// Length of the UTF-8 sequence that begins here, 0 if none does. A sequence that the end cuts off counts.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length && i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return std::min(length, text.size());
}

}  // namespace

bool looks_like_onnx(Bytes bytes) {
  bool ir_version = false, graph = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto tag = varint(bytes, at);
    if (!tag) return false;
    const std::uint64_t field = *tag >> 3, wire = *tag & 7;
    const auto value = varint(bytes, at);
    if (!value) return false;
    if (wire == 0 && (field == 1 || field == 5)) {
      ir_version |= field == 1 && *value >= 1 && *value < 100;
    } else if (wire == 2 && field >= 2 && field <= 30 && *value <= bytes.size() - at) {
      graph |= field == 7;
      at += *value;
    } else {
      return false;
    }
  }
  return ir_version && graph;
}

bool looks_like_safetensors(Bytes bytes) {
  if (bytes.size() < 10) return false;
  const auto header = load_le<std::uint64_t>(bytes, 0);
  return header >= 2 && header <= bytes.size() - 8 && as_text(bytes)[8] == '{';
}

bool looks_like_executorch(Bytes bytes) {
  const auto digit = [&](std::size_t at) { return std::isdigit(std::to_integer<int>(bytes[at])) != 0; };
  return bytes.size() >= 8 && starts_with(bytes, "ET", 4) && digit(6) && digit(7);
}

bool looks_like_tar(Bytes bytes) { return starts_with(bytes, "ustar", 257); }

bool looks_like_torch_tar(Bytes bytes) {
  if (!looks_like_tar(bytes)) return false;
  std::string_view name = as_text(bytes.first(100));
  name = name.substr(0, name.find('\0'));
  return name.ends_with("sys_info") || name == "pickle" || name == "tensors" || name == "storages";
}

bool looks_like_html(Bytes bytes) {
  std::string_view text = probe(bytes);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  std::string start(text.substr(0, 16));
  std::transform(start.begin(), start.end(), start.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return start.starts_with("<!doctype html") || start.starts_with("<html") || start.starts_with("<head") ||
         start.starts_with("<?xml");
}

bool looks_like_text(Bytes bytes) {
  std::string_view text = probe(bytes);
  if (text.empty()) return false;
  while (!text.empty()) {
    const auto c = static_cast<unsigned char>(text.front());
    if ((c < 0x20 && (c < '\t' || c > '\r')) || c == 0x7f) return false;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool looks_like_python(Bytes bytes) {
  if (!looks_like_text(bytes)) return false;
  for (std::string_view text = probe(bytes); !text.empty();) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const bool block = line.starts_with("def ") || line.starts_with("class ");
    if (block && line.find(':') != std::string_view::npos) return true;
    if (line.starts_with("import ") || line.starts_with("#!/usr/bin/env python")) return true;
    if (line.starts_with("from ") && line.find(" import ") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace cameo::archive
