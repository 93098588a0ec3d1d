#pragma once
// The sub-commands. Each declares its options on the application, and a callback that runs after parsing.

#include "cli/options.h"

namespace cameo::cli {

enum ExitCode {
  kFine = 0,
  kInputAtFault = 1,
  kWrongUsage = 2,
  kOurBug = 3,
  kClosedPipe = 141,  // as a shell reports a program that SIGPIPE has ended
};

void add_cast(Command app);
void add_check(Command app);
void add_diff(Command app);
void add_doctor(Command app);
void add_export(Command app);
void add_extract(Command app);
void add_infer(Command app);
void add_inspect(Command app);
void add_io(Command app);
void add_linger(Command app);
void add_ops(Command app);
void add_print(Command app);
void add_probe(Command app);
void add_quantize(Command app);
void add_run(Command app);
void add_simplify(Command app);
void add_split(Command app);
void add_stats(Command app);
void add_verify(Command app);
void add_view(Command app);

}  // namespace cameo::cli
