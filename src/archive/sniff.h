#pragma once
// Recognises formats by a few bytes.
#include "base/mapped_file.h"

namespace cameo::archive {

bool looks_like_onnx(Bytes bytes);         // a protobuf message with the fields of an ONNX model
bool looks_like_safetensors(Bytes bytes);  // a length and a JSON header
bool looks_like_executorch(Bytes bytes);   // a flatbuffer whose identifier is ET and two digits
bool looks_like_tar(Bytes bytes);
bool looks_like_torch_tar(Bytes bytes);  // the tar that torch.save wrote before 0.2
bool looks_like_html(Bytes bytes);
bool looks_like_text(Bytes bytes);    // UTF-8 without control characters
bool looks_like_python(Bytes bytes);  // text with Python statements at the beginning of lines

}  // namespace cameo::archive
