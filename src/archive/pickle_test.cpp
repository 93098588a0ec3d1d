#include "archive/pickle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "archive/byte_reader.h"
#include "archive/testing.h"
#include "cameo/diagnostic.h"

namespace cameo::archive {
namespace {

using namespace std::string_literals;
using ::testing::HasSubstr;

class PickleTest : public ::testing::Test {
 protected:
  Ref read(std::string body) {
    kept_.push_back(std::move(body));
    pickles_.emplace_back(as_bytes(kept_.back()), PickleSource{.name = "data.pkl", .storage = {}});
    EXPECT_EQ(pickles_.back().consumed(), kept_.back().size());
    return pickles_.back().root();
  }
  template <class T>
  T get(std::string body) {
    const T* value = read(std::move(body))->get_if<T>();
    return value != nullptr ? *value : (ADD_FAILURE() << "a value of another type", T{});
  }
  std::string error(std::string body) {
    try {
      read(std::move(body));
    } catch (const Error& error) {
      EXPECT_EQ(error.diagnostics().front().code, Code::bad_pickle);
      EXPECT_EQ(error.diagnostics().front().record, "data.pkl");
      EXPECT_TRUE(error.diagnostics().front().offset.has_value());
      return error.what();
    }
    return "";
  }

 private:
  std::deque<std::string> kept_;
  std::deque<Pickle> pickles_;
};

std::vector<std::int64_t> ints_of(const std::vector<Ref>& items) {
  std::vector<std::int64_t> values;
  for (Ref item : items) values.push_back(std::get<std::int64_t>(item->data));
  return values;
}

TEST_F(PickleTest, Scalars) {
  EXPECT_TRUE(read("\x80\x02N.")->is_none());
  EXPECT_EQ(get<bool>("\x88."), true);
  EXPECT_EQ(get<bool>("\x89."), false);
  EXPECT_EQ(get<bool>("I01\n."), true);
  EXPECT_EQ(get<bool>("I00\n."), false);
  EXPECT_EQ(get<std::int64_t>("K\xff."), 255);
  EXPECT_EQ(get<std::int64_t>("M\x01\x80."), 0x8001);
  EXPECT_EQ(get<std::int64_t>("J\xfe\xff\xff\xff."), -2);
  EXPECT_EQ(get<std::int64_t>("\x8a\x00."s), 0);
  EXPECT_EQ(get<std::int64_t>("\x8a\x01\xff."), -1);
  EXPECT_EQ(get<std::int64_t>("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\x7f\x00."s),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(get<std::int64_t>("\x8b\x02\x00\x00\x00\x00\x80."s), -32768);
  EXPECT_EQ(get<std::int64_t>("I-12\n."), -12);
  EXPECT_EQ(get<std::int64_t>("L77L\n."), 77);
  EXPECT_EQ(get<double>("G\x3f\xf8\x00\x00\x00\x00\x00\x00."s), 1.5);
  EXPECT_EQ(get<double>("F-2.5e3\n."), -2500);
  EXPECT_EQ(get<BigInt>("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.").little_endian.size(), 10u);
}

TEST_F(PickleTest, Strings) {
  EXPECT_EQ(get<String>("X\x02\x00\x00\x00hi."s).text, "hi");
  EXPECT_EQ(get<String>("\x8c\x02hi.").text, "hi");
  EXPECT_EQ(get<String>("\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi."s).text, "hi");
  EXPECT_EQ(get<String>("T\x02\x00\x00\x00hi."s).text, "hi");
  EXPECT_EQ(get<String>("U\x02hi.").text, "hi");
  EXPECT_EQ(get<String>("S'a\\n\\x41\\101\\''\n.").text, "a\nAA'");
  EXPECT_EQ(get<String>("Va\\u00e9\\U0001F600\n.").text, "a\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(get<ByteString>("B\x02\x00\x00\x00hi."s).bytes, "hi");
  EXPECT_EQ(get<ByteString>("C\x02hi.").bytes, "hi");
  EXPECT_EQ(get<ByteString>("\x8e\x02\x00\x00\x00\x00\x00\x00\x00hi."s).bytes, "hi");
  EXPECT_EQ(get<ByteString>("\x96\x02\x00\x00\x00\x00\x00\x00\x00hi."s).bytes, "hi");
}

TEST_F(PickleTest, Containers) {
  EXPECT_TRUE(get<Tuple>(").").items.empty());
  EXPECT_EQ(ints_of(get<Tuple>("K\1\x85.").items), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(ints_of(get<Tuple>("K\1K\2\x86.").items), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ints_of(get<Tuple>("K\1K\2K\3\x87.").items), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(ints_of(get<Tuple>("(K\1K\2K\3K\4t.").items), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(ints_of(get<List>("](K\1K\2e.").items), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ints_of(get<List>("]K\1aK\2a.").items), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ints_of(get<List>("(K\1K\2l.").items), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ints_of(get<Set>("\x8f(K\1K\2\x90.").items), (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(get<Set>("(K\1\x91.").frozen);
  for (const char* body : {"}(U\1aK\1U\1bK\2u.", "}U\1aK\1sU\1bK\2s.", "(U\1aK\1U\1bK\2d."}) {
    const Dict dict = get<Dict>(body);
    ASSERT_EQ(dict.items.size(), 2u);
    EXPECT_EQ(std::get<std::int64_t>(find(dict, "b")->data), 2);
    EXPECT_EQ(find(dict, "c"), nullptr);
  }
  const Dict twice = get<Dict>("}(U\1aK\1U\1aK\2u.");
  EXPECT_EQ(std::get<std::int64_t>(find(twice, "a")->data), 2);
}

TEST_F(PickleTest, StackAndMemo) {
  EXPECT_EQ(get<std::int64_t>("K\1K\2"
                              "0."),
            1);
  EXPECT_EQ(get<std::int64_t>("K\1(K\2K\3"
                              "1."),
            1);
  EXPECT_EQ(get<std::int64_t>("K\1(0."), 1);
  for (const std::string& body : {"]q\x01h\x01\x86."s, "]r\1\0\0\0j\1\0\0\0\x86."s, "]p1\ng1\n\x86."s,
                                  "\x95\0\0\0\0\0\0\0\0]\x94h\0\x86."s, "]2\x86."s}) {
    const Tuple tuple = get<Tuple>(body);
    ASSERT_EQ(tuple.items.size(), 2u);
    EXPECT_EQ(tuple.items[0], tuple.items[1]);
  }
  const Ref cycle = read("]q\0h\0a."s);
  EXPECT_EQ(cycle->get_if<List>()->items[0], cycle);
}

TEST_F(PickleTest, Objects) {
  const Object object = get<Object>("c__torch__.m\nNet\n)\x81}U\1aK\1sb.");
  EXPECT_EQ(qualified_name(object.cls), "__torch__.m.Net");
  EXPECT_NE(find(*object.state->get_if<Dict>(), "a"), nullptr);
  EXPECT_EQ(qualified_name(get<Object>("U\1mU\1C\x93)}\x92.").cls), "m.C");
  EXPECT_EQ(ints_of(get<Object>("(K\1im\nC\n.").args->get_if<Tuple>()->items),
            (std::vector<std::int64_t>{1}));
  EXPECT_EQ(ints_of(get<Object>("(cm\nC\nK\1o.").args->get_if<Tuple>()->items),
            (std::vector<std::int64_t>{1}));
  const EnumValue color = get<EnumValue>("c__torch__.m\nColor\nK\2R.");
  EXPECT_EQ(qualified_name(color.cls), "__torch__.m.Color");
  EXPECT_EQ(std::get<std::int64_t>(color.value->data), 2);
  const Call call = get<Call>("cos\nsystem\nU\2ls\x85R}b.");
  EXPECT_EQ(qualified_name(*call.callee->get_if<Global>()), "os.system");
  EXPECT_NE(call.state, nullptr);
  EXPECT_EQ(get<PersistentId>("U\1xQ.").id->get_if<String>()->text, "x");
  EXPECT_EQ(get<PersistentId>("Px\n.").id->get_if<String>()->text, "x");
}

TEST_F(PickleTest, KnownGlobals) {
  EXPECT_EQ(get<List>("ctorch.jit._pickle\nbuild_intlist\n](K\1e\x85R.").type, "List[int]");
  EXPECT_EQ(get<List>("ctorch.jit._pickle\nbuild_tensorlist\n]\x85R.").type, "List[Tensor]");
  EXPECT_EQ(get<List>("ctorch.jit._pickle\nbuild_doublelist\n]\x85R.").type, "List[float]");
  EXPECT_EQ(get<List>("ctorch.jit._pickle\nbuild_boollist\n]\x85R.").type, "List[bool]");
  EXPECT_EQ(get<Dict>("ctorch.jit._pickle\nrestore_type_tag\n}U\4Dict\x86R.").type, "Dict");
  EXPECT_EQ(get<Dict>("ccollections\nOrderedDict\n)R(U\1aK\1u}b.").items.size(), 1u);
  EXPECT_EQ(get<Dict>("ccollections\nOrderedDict\n]](U\1aK\1ea\x85R.").items.size(), 1u);
  EXPECT_EQ(get<Dict>("ccollections\ndefaultdict\ncbuiltins\nlist\n\x85RU\1aK\1s.").items.size(), 1u);
  EXPECT_EQ(get<Tuple>("ctorch\nSize\nK\2K\3\x86\x85R.").items.size(), 2u);
  EXPECT_EQ(get<Device>("ctorch\ndevice\nU\3cpu\x85R.").text, "cpu");
  EXPECT_EQ(get<Device>("ctorch\ndevice\nU\4cudaK\1\x86R.").text, "cuda:1");
  EXPECT_EQ(get<Complex>("cbuiltins\ncomplex\nF1\nF2\n\x86R.").imag, 2);
  EXPECT_EQ(get<Set>("c__builtin__\nset\n](K\1e\x85R.").items.size(), 1u);
  EXPECT_TRUE(get<Set>("cbuiltins\nfrozenset\n]\x85R.").frozen);
  EXPECT_EQ(get<Global>("ctorch\nfloat32\n.").name, "float32");
}

TEST_F(PickleTest, RefusesNonsense) {
  EXPECT_THAT(error(""), HasSubstr("ends in the middle"));
  EXPECT_THAT(error("X\xff\xff\xff\xffhi"), HasSubstr("ends in the middle"));
  EXPECT_THAT(error("\x8d\xff\xff\xff\xff\xff\xff\xff\xffhi"), HasSubstr("ends in the middle"));
  EXPECT_THAT(error("cmodule"), HasSubstr("middle of a line"));
  EXPECT_THAT(error("."), HasSubstr("not pushed"));
  EXPECT_THAT(error("K\1\x86."), HasSubstr("not pushed"));
  EXPECT_THAT(error("K\1(R."), HasSubstr("not pushed"));
  EXPECT_THAT(error("t."), HasSubstr("not opened"));
  EXPECT_THAT(error("}(K\1u."), HasSubstr("key without a value"));
  EXPECT_THAT(error("h\1."), HasSubstr("memo entry 1"));
  EXPECT_THAT(error("Nr\xff\xff\xff\xff."), HasSubstr("memo index"));
  EXPECT_THAT(error("\x80\x07N."), HasSubstr("protocol"));
  EXPECT_THAT(error("\xff."), HasSubstr("0xff is unknown"));
  EXPECT_THAT(error("Ix\n."), HasSubstr("malformed integer"));
  EXPECT_THAT(error("S'x\n."), HasSubstr("malformed string"));
  EXPECT_THAT(error("(o."), HasSubstr("without a class"));
}

TEST_F(PickleTest, DeepNestingNeedsNoStack) {
  const std::string deep = std::string(1000000, ']') + std::string(999999, 'a') + ".";
  EXPECT_EQ(get<List>(deep).items.size(), 1u);
  constexpr int kDepth = 100000;
  std::string subclass;  // function, type, (function, type, (…))
  for (int i = 0; i < kDepth; ++i) subclass += "ctorch._tensor\n_rebuild_from_type_v2\nN";
  subclass += ")";
  for (int i = 0; i < kDepth - 1; ++i) subclass += "\x87";
  EXPECT_NE(read("ctorch._tensor\n_rebuild_from_type_v2\n" + subclass + "\x87R."), nullptr);
}

TEST_F(PickleTest, CopiesAreLimited) {
  std::string body = "](" + std::string(5000, 'N') + "e\x85q\x01" + "cbuiltins\nset\nq\x02";
  for (int i = 0; i < 5000; ++i) body += "h\x02h\x01R";
  EXPECT_THAT(error(body + "."), HasSubstr("beyond its own size"));
}

}  // namespace
}  // namespace cameo::archive
