#pragma once
// ONNX Runtime's C ABI: a table of function pointers that only grows at its end. The number of a slot
// therefore identifies its function in every version of the library.
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
struct MapInfo;
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

inline constexpr Call<3, int, const char*, Env**> kCreateEnv;
inline constexpr Call<7, const Env*, const char*, const SessionOptions*, Session**> kCreateSession;
inline constexpr Call<8, const Env*, const void*, std::size_t, const SessionOptions*, Session**>
    kCreateSessionFromArray;
inline constexpr Call<9, Session*, const void*, const char* const*, const Value* const*, std::size_t,
                      const char* const*, std::size_t, Value**>
    kRun;
inline constexpr Call<10, SessionOptions**> kCreateSessionOptions;
inline constexpr Call<11, SessionOptions*, const char*> kSetOptimizedModelPath;
inline constexpr Call<22, SessionOptions*, int> kSetLogSeverity;
inline constexpr Call<23, SessionOptions*, int> kSetOptimizationLevel;
inline constexpr Call<24, SessionOptions*, int> kSetIntraOpThreads;
inline constexpr Call<30, const Session*, std::size_t*> kInputCount;
inline constexpr Call<31, const Session*, std::size_t*> kOutputCount;
inline constexpr Call<33, const Session*, std::size_t, TypeInfo**> kInputType;
inline constexpr Call<34, const Session*, std::size_t, TypeInfo**> kOutputType;
inline constexpr Call<36, const Session*, std::size_t, Allocator*, char**> kInputName;
inline constexpr Call<37, const Session*, std::size_t, Allocator*, char**> kOutputName;
inline constexpr Call<48, Allocator*, const std::int64_t*, std::size_t, int, Value**> kCreateTensor;
inline constexpr Call<49, const MemoryInfo*, void*, std::size_t, const std::int64_t*, std::size_t, int,
                      Value**>
    kCreateTensorWithData;
inline constexpr Call<51, Value*, void**> kTensorData;
inline constexpr Call<53, const Value*, std::size_t*> kStringDataLength;
inline constexpr Call<54, const Value*, void*, std::size_t, std::size_t*, std::size_t> kStringContent;
inline constexpr Call<55, const TypeInfo*, const TensorInfo**> kAsTensorInfo;
inline constexpr Call<56, const TypeInfo*, Kind*> kTypeKind;
inline constexpr Call<60, const TensorInfo*, int*> kElementType;
inline constexpr Call<61, const TensorInfo*, std::size_t*> kRank;
inline constexpr Call<62, const TensorInfo*, std::int64_t*, std::size_t> kDimensions;
inline constexpr Call<63, const TensorInfo*, const char**, std::size_t> kSymbolicDimensions;
inline constexpr Call<65, const Value*, TensorInfo**> kTensorInfo;
inline constexpr Call<67, const Value*, Kind*> kValueKind;
inline constexpr Call<69, int, int, MemoryInfo**> kCreateCpuMemoryInfo;
inline constexpr Call<76, Allocator*, void*> kAllocatorFree;
inline constexpr Call<78, Allocator**> kDefaultAllocator;
inline constexpr Call<80, const Value*, int, Allocator*, Value**> kPart;  // of a map: its keys, its values
inline constexpr Call<81, const Value*, std::size_t*> kPartCount;
inline constexpr Call<82, const Value* const*, std::size_t, Kind, Value**> kCreateOfParts;
inline constexpr Call<103, const TypeInfo*, const MapInfo**> kAsMapInfo;
inline constexpr Call<104, const TypeInfo*, const SequenceInfo**> kAsSequenceInfo;
inline constexpr Call<105, const MapInfo*, int*> kMapKeyType;
inline constexpr Call<106, const MapInfo*, TypeInfo**> kMapValueType;
inline constexpr Call<107, const SequenceInfo*, TypeInfo**> kSequenceElementType;
inline constexpr Call<130, SessionOptions*, const char*, const char*> kAddSessionConfigEntry;
inline constexpr Call<192, const Value*, int*> kHasValue;
inline constexpr Call<250, const TypeInfo*, const OptionalInfo**> kAsOptionalInfo;
inline constexpr Call<251, const OptionalInfo*, TypeInfo**> kOptionalContentType;
inline constexpr Call<252, Value*, std::size_t, std::size_t, char**> kResizeString;

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

// The table, with statuses converted to SessionError.
class Api {
 public:
  Api() = default;
  explicit Api(const void* table) : slots_(static_cast<void* const*>(table)) {}

  template <int slot, typename... Args>
  void operator()(Call<slot, Args...>, std::type_identity_t<Args>... args) const {
    if (Status* status = function<Status*(Args...)>(slot)(args...)) raise(status);
  }

  // The result of a function that stores it through its last parameter.
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
