// Loads all given files, copies of the plugin and libtessera.so in any order,
// into one process and compiles a program with each plugin.
#include "tests/pjrt/c/c_api_calls.h"

static const char kProgram[] =
    "HloModule add\n"
    "ENTRY e {\n"
    "  a = f32[2] parameter(0)\n"
    "  ROOT r = f32[2] add(a, a)\n"
    "}\n";
// A CompileOptionsProto whose env_option_overrides set xla_dump_to to "": the
// plugin looks that field up by reflection.
static const char kOptions[] = "\x3a\x11\x0a\x0bxla_dump_to\x12\x02\x0a\x00";

static void compile(void) {
  ARGS(Plugin_Initialize, initialize);
  CALL(Plugin_Initialize, initialize);
  ARGS(Client_Create, create);
  CALL(Client_Create, create);
  if (create.client == NULL) return;
  PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE};
  program.code = (char*)kProgram;
  program.code_size = sizeof(kProgram) - 1;
  program.format = "hlo";
  program.format_size = 3;
  ARGS(Client_Compile, compile);
  compile.client = create.client;
  compile.program = &program;
  compile.compile_options = kOptions;
  compile.compile_options_size = sizeof(kOptions) - 1;
  CALL(Client_Compile, compile);
  if (compile.executable == NULL) return;
  ARGS(LoadedExecutable_GetExecutable, get);
  get.loaded_executable = compile.executable;
  CALL(LoadedExecutable_GetExecutable, get);
  ARGS(Executable_Serialize, serialize);
  serialize.executable = get.executable;
  CALL(Executable_Serialize, serialize);
  serialize.serialized_executable_deleter(serialize.serialized_executable);
  ARGS(Executable_Destroy, destroy);
  destroy.executable = get.executable;
  CALL(Executable_Destroy, destroy);
  ARGS(LoadedExecutable_Destroy, unload);
  unload.executable = compile.executable;
  CALL(LoadedExecutable_Destroy, unload);
  ARGS(Client_Destroy, end);
  end.client = create.client;
  CALL(Client_Destroy, end);
}

int main(int argc, char** argv) {
  const PJRT_Api* apis[16] = {NULL};
  for (int i = 1; i < argc && i < 16; ++i) {
    // There must be one table per file: the files do not bind to each other.
    apis[i] = load(argv[i]);
    EXPECT(apis[i] != NULL);
    for (int j = 1; j < i; ++j) EXPECT(apis[i] != apis[j]);
  }
  // Loads all plugins before using any, then uses each twice, alternately.
  for (int round = 0; round < 2; ++round) {
    for (int i = 1; i < argc && i < 16; ++i) {
      api = apis[i];
      if (api != NULL) compile();
    }
  }
  return end_case("copies") != 0;
}
