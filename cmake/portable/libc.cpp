// Symbols of newer versions of glibc that libstdc++ refers to. A program that is linked with an older glibc needs them.

extern "C" {
// False: libstdc++ then always counts references atomically.
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
