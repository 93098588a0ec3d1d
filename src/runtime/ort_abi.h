#pragma once
// ONNX Runtime's C ABI: a table of function pointers that only grows at its end, so that a slot's number says
// which function it is, whatever the library's version.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace cameo::runtime::ort {

struct Status;
struct Env;
struct MemoryInfo;
struct Session;
struct Value;
struct TypeInfo;
struct TensorInfo;
struct SequenceInfo;
struct OptionalInfo;
struct SessionOptions;
struct Allocator;

// The lowest version of the table that has all the slots below, but for those that name another.
inline constexpr std::uint32_t kApiVersion = 16;
inline constexpr std::uint32_t kApiVersionWithHasShape = 24;

enum class Kind : int { unknown, tensor, sequence, map, opaque, sparse_tensor, optional };

// A function that returns a status, null for success.
template <int slot, typename... Args>
struct Call {};

inline constexpr Call<3, int, const char*, Env**> create_env;
inline constexpr Call<7, const Env*, const char*, const SessionOptions*, Session**> create_session;
inline constexpr Call<8, const Env*, const void*, std::size_t, const SessionOptions*, Session**>
    create_session_from_array;
inline constexpr Call<9, Session*, const void*, const char* const*, const Value* const*, std::size_t,
                      const char* const*, std::size_t, Value**>
    run;
inline constexpr Call<10, SessionOptions**> create_session_options;
inline constexpr Call<22, SessionOptions*, int> set_log_severity;
inline constexpr Call<23, SessionOptions*, int> set_optimization_level;
inline constexpr Call<24, SessionOptions*, int> set_intra_op_threads;
inline constexpr Call<30, const Session*, std::size_t*> input_count;
inline constexpr Call<31, const Session*, std::size_t*> output_count;
inline constexpr Call<33, const Session*, std::size_t, TypeInfo**> input_type;
inline constexpr Call<34, const Session*, std::size_t, TypeInfo**> output_type;
inline constexpr Call<36, const Session*, std::size_t, Allocator*, char**> input_name;
inline constexpr Call<37, const Session*, std::size_t, Allocator*, char**> output_name;
inline constexpr Call<48, Allocator*, const std::int64_t*, std::size_t, int, Value**> create_tensor;
inline constexpr Call<49, const MemoryInfo*, void*, std::size_t, const std::int64_t*, std::size_t, int,
                      Value**>
    create_tensor_with_data;
inline constexpr Call<51, Value*, void**> tensor_data;
inline constexpr Call<53, const Value*, std::size_t*> string_data_length;
inline constexpr Call<54, const Value*, void*, std::size_t, std::size_t*, std::size_t> string_content;
inline constexpr Call<55, const TypeInfo*, const TensorInfo**> as_tensor_info;
inline constexpr Call<56, const TypeInfo*, Kind*> type_kind;
inline constexpr Call<60, const TensorInfo*, int*> element_type;
inline constexpr Call<61, const TensorInfo*, std::size_t*> rank;
inline constexpr Call<62, const TensorInfo*, std::int64_t*, std::size_t> dimensions;
inline constexpr Call<63, const TensorInfo*, const char**, std::size_t> symbolic_dimensions;
inline constexpr Call<65, const Value*, TensorInfo**> tensor_info;
inline constexpr Call<67, const Value*, Kind*> value_kind;
inline constexpr Call<69, int, int, MemoryInfo**> create_cpu_memory_info;
inline constexpr Call<76, Allocator*, void*> allocator_free;
inline constexpr Call<78, Allocator**> default_allocator;
inline constexpr Call<80, const Value*, int, Allocator*, Value**> sequence_element;
inline constexpr Call<81, const Value*, std::size_t*> sequence_length;
inline constexpr Call<82, const Value* const*, std::size_t, Kind, Value**> create_sequence;
inline constexpr Call<104, const TypeInfo*, const SequenceInfo**> as_sequence_info;
inline constexpr Call<107, const SequenceInfo*, TypeInfo**> sequence_element_type;
inline constexpr Call<192, const Value*, int*> has_value;
inline constexpr Call<250, const TypeInfo*, const OptionalInfo**> as_optional_info;
inline constexpr Call<251, const OptionalInfo*, TypeInfo**> optional_content_type;
inline constexpr Call<252, Value*, std::size_t, std::size_t, char**> resize_string;

template <typename T>
inline constexpr int kReleaseSlot = -1;
template <>
inline constexpr int kReleaseSlot<Env> = 92;
template <>
inline constexpr int kReleaseSlot<Status> = 93;
template <>
inline constexpr int kReleaseSlot<MemoryInfo> = 94;
template <>
inline constexpr int kReleaseSlot<Session> = 95;
template <>
inline constexpr int kReleaseSlot<Value> = 96;
template <>
inline constexpr int kReleaseSlot<TypeInfo> = 98;
template <>
inline constexpr int kReleaseSlot<TensorInfo> = 99;
template <>
inline constexpr int kReleaseSlot<SessionOptions> = 100;

// The table, with statuses turned into SessionError.
class Api {
 public:
  Api() = default;
  explicit Api(const void* table) : slots_(static_cast<void* const*>(table)) {}

  template <int slot, typename... Args>
  void operator()(Call<slot, Args...>, std::type_identity_t<Args>... args) const {
    if (Status* status = function<Status*(Args...)>(slot)(args...)) raise(status);
  }

  // The result of a function whose last parameter says where to put it.
  template <typename T, int slot, typename... All, typename... Args>
  T get(Call<slot, All...> call, Args... args) const {
    T result{};
    (*this)(call, args..., &result);
    return result;
  }

  template <typename T>
  struct Release {
    const Api* api = nullptr;
    void operator()(T* object) const { api->template function<void(T*)>(kReleaseSlot<T>)(object); }
  };
  // Releases the object; the table must outlive it.
  template <typename T>
  using Owned = std::unique_ptr<T, Release<T>>;

  template <typename T>
  Owned<T> own(T* object) const {
    static_assert(kReleaseSlot<T> >= 0);
    return Owned<T>(object, Release<T>{this});
  }
  template <typename T, int slot, typename... All, typename... Args>
  Owned<T> make(Call<slot, All...> call, Args... args) const {
    return own(get<T*>(call, args...));
  }

  template <typename Function>
  Function* function(int slot) const {
    return reinterpret_cast<Function*>(slots_[slot]);
  }

 private:
  [[noreturn]] void raise(Status* status) const;

  void* const* slots_ = nullptr;
};

template <typename T>
using Owned = Api::Owned<T>;

}  // namespace cameo::runtime::ort
