#pragma once
#include <sys/stat.h>

#include <string>

namespace cameo {

// Where the bytes of an output go.
struct Destination {
  enum class Kind {
    fresh,   // there is no file yet
    file,    // a regular file, which is replaced
    stream,  // a device, a FIFO, a socket: its bytes are written one after the other
    folder,  // nothing can be written there
  };
  Kind kind = Kind::fresh;
  std::string path;       // the file at the end of all symbolic links
  int fault = 0;          // errno, if the system cannot say what is there
  int descriptor = -1;    // of a stream that this process has open, such as /dev/stdout
  struct stat status {};  // of what is there; not for `fresh`
};

// Finds out where an output with this path goes. It follows symbolic links, also to a file that does not exist.
// /dev/stdout, /dev/stderr and /dev/fd/N are streams, even if they are open for a regular file.
Destination destination_of(const std::string& path);

}  // namespace cameo
