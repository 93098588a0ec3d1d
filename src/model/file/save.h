#pragma once
#include <string>

#include "model/file/open.h"
#include "write/files.h"

namespace cameo::model {

// Writes a model to a file, with all its fields. Long runs of bytes that point into the file that the model
// was read from are copied from file to file. External data in the folder of `path` or below stays where it
// is, and the new model names it; other external data is copied to "<path>.data". Computed
// elements of a model that does not fit one file are written there, too. The files appear under
// their names when they are complete and, with `sync`, on the disk. Throws Error (stage write, or stage read
// if external data is missing).
Written save(const Opened& opened, const std::string& path, bool sync = true);

}  // namespace cameo::model
