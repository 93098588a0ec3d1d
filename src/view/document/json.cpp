#include <charconv>
#include <cmath>

#include "base/overload.h"
#include "view/document/document.h"

namespace cameo::view {
namespace {

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      default: out += c;  // texts have no other control characters
    }
  }
  out += '"';
}

// Objects, member by member.
class Writer {
 public:
  std::string take() { return std::move(out_); }

  template <class Body>
  void object(Body&& body) {
    out_ += '{';
    first_ = true;
    body();
    out_ += '}';
    first_ = false;
  }
  template <class Body>
  void object(std::string_view key, Body&& body) {
    name(key);
    object(body);
  }
  template <class List, class Each>
  void objects(std::string_view key, const List& list, Each&& each) {
    name(key);
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ',';
      object([&] { each(list[i]); });
    }
    out_ += ']';
  }

  void put(std::string_view key, std::string_view text) {
    name(key);
    append_string(out_, text);
  }
  void put(std::string_view key, const std::string& text) { put(key, std::string_view(text)); }
  void put(std::string_view key, const char* text) { put(key, std::string_view(text)); }
  void put(std::string_view key, std::int64_t number) {
    name(key);
    append_number(out_, number);
  }
  void put_real(std::string_view key, double number) {
    name(key);
    append(number);
  }
  template <class T>
  void put(std::string_view key, const std::vector<T>& column) {
    name(key);
    append_all(column);
  }
  void put(std::string_view key, const std::deque<std::string>& column) {
    name(key);
    append_all(column);
  }
  void put(std::string_view key, const Lists& lists) {
    object(key, [&] {
      put("start", lists.start);
      put("items", lists.items);
    });
  }
  void put_null(std::string_view key) {
    name(key);
    out_ += "null";
  }

 private:
  void name(std::string_view key) {
    if (!first_) out_ += ',';
    first_ = false;
    append_string(out_, key);
    out_ += ':';
  }
  template <class Column>
  void append_all(const Column& column) {
    out_ += '[';
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (i > 0) out_ += ',';
      append(column[i]);
    }
    out_ += ']';
  }
  void append(int number) { append_number(out_, number); }
  void append(std::int64_t number) { append_number(out_, number); }
  void append(const std::string& text) { append_string(out_, text); }
  template <class Enumeration>
    requires std::is_enum_v<Enumeration>
  void append(Enumeration each) {
    append_number(out_, static_cast<std::int64_t>(each));
  }
  void append(double number) {
    if (!std::isfinite(number)) {
      out_ += "null";
      return;
    }
    std::array<char, 32> digits;
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
  }

  std::string out_;
  bool first_ = true;
};

void put(Writer& to, const Groups& groups) {
  to.put("parent", groups.parent);
  to.put("kind", groups.kind);
  to.put("path", groups.path);
  to.put("name", groups.name);
  to.put("type", groups.type);
  to.put("node", groups.node);
  to.put("equal", groups.equal);
  to.put("nodes", groups.nodes);
  to.put("parameters", groups.parameters);
  to.put("bytes", groups.bytes);
  to.put("multiplyAdds", groups.multiply_adds);
  to.put("width", groups.width);
  to.put("height", groups.height);
  to.put("items", groups.items);
  to.put("edges", groups.edges);
  to.put("ranks", groups.ranks);
  to.put("rankTop", groups.rank_top);
  to.put("rankHeight", groups.rank_height);
}

void put(Writer& to, const Items& items) {
  to.put("kind", items.kind);
  to.put("ref", items.ref);
  to.put("rank", items.rank);
  to.put("x", items.x);
  to.put("w", items.w);
  to.put("h", items.h);
  to.put("title", items.title);
  to.put("caption", items.caption);
}

void put(Writer& to, const Edges& edges) {
  to.put("from", edges.from);
  to.put("to", edges.to);
  to.put("x0", edges.x0);
  to.put("x1", edges.x1);
  to.put("stub", edges.stub);
  to.put("via", edges.via);
  to.put("lines", edges.lines);
  to.put("value", edges.value);
  to.put("fromPort", edges.from_port);
  to.put("toPort", edges.to_port);
}

void put(Writer& to, const Operators& operators) {
  to.put("domain", operators.domain);
  to.put("name", operators.name);
  to.put("category", operators.category);
  to.put("link", operators.link);
  to.put("doc", operators.doc);
  to.put("inputs", operators.inputs);
  to.put("outputs", operators.outputs);
}

void put(Writer& to, const Nodes& nodes) {
  to.put("operator", nodes.op);
  to.put("name", nodes.name);
  to.put("module", nodes.module);
  to.put("group", nodes.group);
  to.put("item", nodes.item);
  to.put("bodies", nodes.bodies);
  to.put("attributes", nodes.attributes);
  to.put("inputs", nodes.inputs);
  to.put("outputs", nodes.outputs);
  to.put("origin", nodes.origin);
}

void put(Writer& to, const Values& values) {
  to.put("name", values.name);
  to.put("type", values.type);
  to.put("kind", values.kind);
  to.put("producer", values.producer);
  to.put("weight", values.weight);
}

void put(Writer& to, const Weights& weights) {
  to.put("value", weights.value);
  to.put("type", weights.type);
  to.put("elements", weights.elements);
  to.put("bytes", weights.bytes);
  to.put("place", weights.place);
  to.put("text", weights.text);
  to.put("state", weights.state);
  to.put("min", weights.min);
  to.put("max", weights.max);
  to.put("mean", weights.mean);
  to.put("deviation", weights.deviation);
  to.put("zeros", weights.zeros);
  to.put("nans", weights.nans);
  to.put("histogram", weights.histogram);
  to.object("picture", [&] {
    to.put("width", weights.picture_width);
    to.put("height", weights.picture_height);
    to.put("data", weights.picture_data);
  });
}

void put(Writer& to, const Sources& sources) {
  to.objects("files", sources.files, [&](const SourceFile& file) {
    to.put("name", file.name);
    to.put("kind", file.kind);
    to.put("first", file.first);
    to.put("lines", file.lines);
  });
  to.put("file", sources.file);
  to.put("line", sources.line);
  to.put("node", sources.node);
  to.put("level", sources.level);
  to.put("emptyFile", sources.empty_file);
  to.put("emptyLine", sources.empty_line);
  to.put("emptyReason", sources.empty_reason);
}

void put(Writer& to, const Overlay& overlay) {
  to.put("id", overlay.id);
  to.put("name", overlay.name);
  to.put("unit", overlay.unit);
  to.put("scale", overlay.scale);
  to.put("good", overlay.good);
  to.put_real("least", overlay.least);
  to.put_real("most", overlay.most);
  to.put_real("limit", overlay.limit.value_or(NAN));
  to.put("node", overlay.node);
  to.put("nodeText", overlay.node_text);
  to.put("groupSum", overlay.group_sum);
  to.put("groupMax", overlay.group_max);
  to.put("combine", overlay.combine);
}

void put(Writer& to, const Comparison& compare) {
  to.put("older", compare.older);
  to.put("newer", compare.newer);
  to.put("node", compare.node);
  to.put("nodeText", compare.node_text);
  to.put("nodeRule", compare.node_rule);
  to.put("weight", compare.weight);
  to.put("weightText", compare.weight_text);
  to.put("group", compare.group);
  to.put("notes", compare.notes);
}

void put(Writer& to, const Messages& messages) {
  to.put("severity", messages.severity);
  to.put("code", messages.code);
  to.put("text", messages.text);
  to.put("hint", messages.hint);
  to.put("node", messages.node);
  to.put("file", messages.file);
  to.put("line", messages.line);
}

void put_head(Writer& to, const Document& document) {
  to.put("version", 1);
  to.put("title", document.title);
  to.put("producer", document.producer);
  to.put("made", document.made);
  to.objects("files", document.files, [&](const FileInfo& file) {
    to.put("name", file.name);
    to.put("kind", file.kind);
    to.put("bytes", file.bytes);
  });
  to.objects("facts", document.facts, [&](const Fact& fact) {
    to.put("name", fact.name);
    to.put("text", fact.text);
  });
  to.put("strings", document.strings.all());
  to.object("frame", [&] {
    to.put("header", kFrameHeader);
    to.put("padding", kFramePadding);
  });
}

}  // namespace

std::string to_json(const Document& document) {
  Writer to;
  const auto table = [&to](std::string_view key, const auto& rows) { to.object(key, [&] { put(to, rows); }); };
  to.object([&] {
    put_head(to, document);
    table("groups", document.groups);
    table("items", document.items);
    table("edges", document.edges);
    table("operators", document.operators);
    to.put("categories", document.categories);
    table("nodes", document.nodes);
    table("values", document.values);
    table("weights", document.weights);
    table("sources", document.sources);
    to.objects("overlays", document.overlays, [&](const Overlay& each) { put(to, each); });
    to.put("shownOverlay", document.shown_overlay);
    if (document.compare)
      table("compare", *document.compare);
    else
      to.put_null("compare");
    table("messages", document.messages);
  });
  return to.take();
}

}  // namespace cameo::view
