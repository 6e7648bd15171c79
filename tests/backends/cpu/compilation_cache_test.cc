// CpuCompiler with the compilation cache: what a hit gives, what the key
// depends on, and which programs are not kept.
#include "xla/backends/cache/compilation_cache.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/backends/cache/cache_test_folder.h"
#include "xla/backends/cpu/compilation_key.h"
#include "xla/backends/cpu/cpu_compiler.h"
#include "xla/backends/cpu/native_code.h"
#include "xla/base/logging.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"
#include "xla/proto/parse_message.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/thread_pool.h"

namespace xla::cpu {
namespace {

constexpr char kProgram[] = R"(
HloModule program
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[4,3]{1,0} parameter(0)
  y = f32[4,3]{1,0} exponential(x), metadata={op_name="exp" source_line=7}
  zero = f32[] constant(0)
  r = f32[4]{0} reduce(y, zero), dimensions={1}, to_apply=sum
  ROOT t = f32[4]{0} sqrt(r)
})";

std::unique_ptr<HloModule> Parse(const std::string& text) {
  auto module = ParseAndReturnUnverifiedModule(text);
  CHECK_OK(module);
  return *std::move(module);
}

std::shared_ptr<CompilationCache> CacheIn(
    const CacheTestFolder& folder,
    int64_t max_bytes = CompilationCache::kDefaultMaxBytes) {
  return std::make_shared<CompilationCache>(folder.path(), max_bytes);
}

std::unique_ptr<Executable> CompileWith(
    const std::shared_ptr<CompilationCache>& cache,
    std::unique_ptr<HloModule> module) {
  CpuCompiler compiler({.cache = cache});
  auto executable = compiler.Compile(std::move(module));
  CHECK_OK(executable);
  return *std::move(executable);
}

bool FromCache(const Executable& executable) {
  return executable.compile_report()->from_cache;
}

Literal Argument() {
  return LiteralUtil::CreateR2<float>(
      {{0, 1, 2}, {3, -1, 0.5f}, {-2, 0, 4}, {1, 1, 1}});
}

Literal ResultOf(const Executable& executable) {
  const Literal argument = Argument();
  const std::vector<std::vector<const Literal*>> arguments = {{&argument}};
  auto results = executable.Execute(arguments, {});
  CHECK_OK(results);
  return std::move((*results)[0]);
}

TEST(CompilationCacheTest, HitIsTheExecutableThatCompilingGives) {
  CacheTestFolder folder;
  const auto compiled = CompileWith(CacheIn(folder), Parse(kProgram));
  const auto cache = CacheIn(folder);
  const auto loaded = CompileWith(cache, Parse(kProgram));
  EXPECT_FALSE(FromCache(*compiled));
  EXPECT_TRUE(FromCache(*loaded));
  EXPECT_TRUE(loaded->compile_report()->passes.empty());
  EXPECT_EQ(cache->statistics().hits, 1);
  EXPECT_EQ(cache->statistics().misses, 0);
  EXPECT_EQ(ResultOf(*loaded), ResultOf(*compiled));
  EXPECT_EQ(loaded->module().ToString(), compiled->module().ToString());
  EXPECT_EQ(loaded->SerializeCode().value(), compiled->SerializeCode().value());
  EXPECT_EQ(loaded->memory_stats().temp_bytes,
            compiled->memory_stats().temp_bytes);
  EXPECT_EQ(loaded->compile_report()->run_nanoseconds,
            compiled->compile_report()->run_nanoseconds);
}

TEST(CompilationCacheTest, HitHasTheConfigOfItsModule) {
  CacheTestFolder folder;
  // No pass goes by these, so that they are not in the key.
  const auto module = [](int launch_id, int64_t memory_bytes) {
    auto made = Parse(kProgram);
    made->mutable_config().set_launch_id(launch_id);
    made->mutable_config().set_device_memory_size(memory_bytes);
    return made;
  };
  CompileWith(CacheIn(folder), module(1, 1000));
  const auto loaded = CompileWith(CacheIn(folder), module(2, 2000));
  EXPECT_TRUE(FromCache(*loaded));
  EXPECT_EQ(loaded->module().config().launch_id(), 2);
  EXPECT_EQ(loaded->module().config().device_memory_size(), 2000);
}

// Changes of a module, each of which changes what compiling gives.
std::vector<std::pair<const char*, std::function<void(HloModule&)>>> Changes() {
  return {
      {"replicas",
       [](HloModule& m) { m.mutable_config().set_replica_count(2); }},
      {"partitions",
       [](HloModule& m) { m.mutable_config().set_num_partitions(2); }},
      {"spmd",
       [](HloModule& m) {
         m.mutable_config().set_use_spmd_partitioning(true);
       }},
      {"parameters' shardings",
       [](HloModule& m) {
         m.mutable_config().set_allow_spmd_sharding_propagation_to_parameters(
             {true});
       }},
      {"results' shardings",
       [](HloModule& m) {
         m.mutable_config().set_allow_spmd_sharding_propagation_to_output(
             {true});
       }},
      {"seed", [](HloModule& m) { m.mutable_config().set_seed(3); }},
      {"processes",
       [](HloModule& m) { m.mutable_config().set_process_of_device({0, 1}); }},
      {"devices",
       [](HloModule& m) {
         m.mutable_config().set_static_device_assignment(
             DeviceAssignment(1, 1));
       }},
      {"optimization level",
       [](HloModule& m) {
         m.mutable_config()
             .mutable_debug_options()
             .set_xla_backend_optimization_level(1);
       }},
      {"isa",
       [](HloModule& m) {
         m.mutable_config().mutable_debug_options().set_xla_cpu_max_isa(
             "SSE4_2");
       }},
      {"extra option",
       [](HloModule& m) {
         (*m.mutable_config()
               .mutable_debug_options()
               .mutable_xla_backend_extra_options())
             ["xla_tessera_check_thunks"] = "";
       }},
      {"entry layout",
       [](HloModule& m) {
         ProgramShape shape =
             m.config().entry_computation_layout().ComputeProgramShape();
         *shape.mutable_parameters(0)->mutable_layout() =
             LayoutUtil::MakeLayout({0, 1});
         m.mutable_config().SetComputationLayoutIfExists(shape);
       }},
      {"donor",
       [](HloModule& m) {
         m.mutable_buffer_donor().add_entries()->set_parameter_number(0);
       }},
      {"name", [](HloModule& m) { m.set_name("other"); }},
      {"name of an instruction",
       [](HloModule& m) {
         m.SetAndUniquifyInstrName(m.entry_computation()->root_instruction(),
                                   "other");
       }},
      {"metadata",
       [](HloModule& m) {
         OpMetadata metadata;
         metadata.set_source_line(8);
         m.entry_computation()->root_instruction()->set_metadata(metadata);
       }},
      {"frontend attribute",
       [](HloModule& m) { m.add_frontend_attribute("key", "value"); }},
  };
}

TEST(CompilationKeyTest, IsThatOfEqualModulesAlone) {
  const TargetInfo target = HostTarget();
  const CacheKey key = CompilationKey(*Parse(kProgram), target);
  EXPECT_EQ(CompilationKey(*Parse(kProgram), target), key);
  EXPECT_EQ(CompilationKey(*Parse(kProgram)->Clone(""), target), key);
  std::set<std::string> keys = {key.ToString()};
  for (const auto& [name, change] : Changes()) {
    const auto module = Parse(kProgram);
    change(*module);
    EXPECT_TRUE(keys.insert(CompilationKey(*module, target).ToString()).second)
        << name;
  }
  for (const auto& [from, to] : {std::pair("sqrt", "cbrt"),
                                 {"constant(0)", "constant(1)"},
                                 {"f32[4,3]", "f32[4,5]"},
                                 {"source_line=7", "source_line=9"}}) {
    const auto module = Parse(absl::StrReplaceAll(kProgram, {{from, to}}));
    EXPECT_TRUE(keys.insert(CompilationKey(*module, target).ToString()).second)
        << to;
  }
}

TEST(CompilationKeyTest, DependsOnTheWholeTarget) {
  const auto module = Parse(kProgram);
  std::set<std::string> keys = {
      CompilationKey(*module, HostTarget()).ToString()};
  const auto expect_other = [&](const char* name, const auto& change) {
    TargetInfo target = HostTarget();
    change(target);
    EXPECT_TRUE(keys.insert(CompilationKey(*module, target).ToString()).second)
        << name;
  };
  expect_other("cpu", [](TargetInfo& t) { t.cpu += "x"; });
  expect_other("features", [](TargetInfo& t) { t.features.pop_back(); });
  expect_other("vectors", [](TargetInfo& t) { t.vector_bytes *= 2; });
  expect_other("registers", [](TargetInfo& t) { ++t.num_vector_registers; });
  expect_other("first cache", [](TargetInfo& t) { ++t.l1_bytes; });
  expect_other("second cache", [](TargetInfo& t) { ++t.l2_bytes; });
  expect_other("last cache", [](TargetInfo& t) { ++t.l3_bytes; });
  expect_other("costs", [](TargetInfo& t) { t.cost_table += "x"; });
  expect_other("fma", [](TargetInfo& t) { t.has_fma = !t.has_fma; });
}

XLA_FFI_Error* Nothing(XLA_FFI_CallFrame*) { return nullptr; }

std::string CustomCall(const char* target) {
  return absl::StrCat(R"(
HloModule custom
ENTRY e {
  x = f32[4,3]{1,0} parameter(0)
  ROOT c = f32[4,3]{1,0} custom-call(x), custom_call_target=")",
                      target, R"(", api_version=API_VERSION_TYPED_FFI
})");
}

TEST(CompilationCacheTest, ProgramsOfThisProcessAloneAreNotKept) {
  CHECK_OK(ffi::RegisterHandler("tessera_test_cached_call", "Host",
                                {nullptr, nullptr, nullptr, Nothing}));
  CHECK_OK(ffi::RegisterHandler("tessera_test_uncached_call", "Host",
                                {nullptr, nullptr, nullptr, Nothing},
                                ffi::kRunsOnCaller));
  CacheTestFolder folder;
  const auto cache = CacheIn(folder);
  CompileWith(cache, Parse(CustomCall("tessera_test_uncached_call")));
  EXPECT_EQ(cache->statistics().uncached, 1);
  EXPECT_EQ(cache->statistics().misses, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
  // Handlers that have names are found by them in every process.
  CompileWith(cache, Parse(CustomCall("tessera_test_cached_call")));
  EXPECT_TRUE(FromCache(
      *CompileWith(cache, Parse(CustomCall("tessera_test_cached_call")))));
  EXPECT_FALSE(MayBeCached(
      *Parse(CustomCall(std::string(kCustomPartitioningTarget).c_str()))));
}

TEST(CompilationCacheTest, DumpsNeedPassesAndSoNoCache) {
  CacheTestFolder folder;
  const auto cache = CacheIn(folder);
  CompileWith(cache, Parse(kProgram));
  const std::string dumps = folder / "dumps";
  auto module = Parse(kProgram);
  module->mutable_config().mutable_debug_options().set_xla_dump_to(dumps);
  EXPECT_FALSE(FromCache(*CompileWith(cache, std::move(module))));
  EXPECT_EQ(cache->statistics().uncached, 1);
  EXPECT_FALSE(std::filesystem::is_empty(dumps));
}

TEST(CompilationCacheTest, CodeThatDoesNotFitIsCompiledAgain) {
  CacheTestFolder folder;
  const auto cache = CacheIn(folder);
  const auto compiled = CompileWith(cache, Parse(kProgram));
  const CacheKey key = CompilationKey(*Parse(kProgram), HostTarget());
  const auto expect_again = [&](const std::string& code) {
    cache->Store(key, code);
    const CompilationCacheStatistics before = cache->statistics();
    const auto again = CompileWith(cache, Parse(kProgram));
    EXPECT_FALSE(FromCache(*again));
    EXPECT_EQ(ResultOf(*again), ResultOf(*compiled));
    EXPECT_EQ(cache->statistics().errors, before.errors + 1);
    EXPECT_EQ(cache->statistics().misses, before.misses + 1);
    // It took the place of the entry.
    EXPECT_TRUE(FromCache(*CompileWith(cache, Parse(kProgram))));
  };
  NativeCode code = UnpackNativeCode(*compiled->SerializeCode()).value();
  code.build = "another build";
  expect_again(PackNativeCode(code));
  code.build = ThisBuild();
  code.plan_hash += 1;
  expect_again(PackNativeCode(code));
  expect_again("no code at all");
  expect_again("");
}

// Modules of entries are not verified again, so that nothing but the checksum
// stands between a damaged one and the compiler.
TEST(CompilationCacheTest, DamagedModulesAreCompiledAgain) {
  constexpr int kPlaces = 24;
  CacheTestFolder folder;
  const auto cache = CacheIn(folder);
  const auto compiled = CompileWith(cache, Parse(kProgram));
  const CacheKey key = CompilationKey(*Parse(kProgram), HostTarget());
  const auto file = folder / absl::StrCat(key.ToString(), ".program");
  const std::string whole = CacheTestFolder::Contents(file);
  const std::string module =
      UnpackNativeCode(*compiled->SerializeCode()).value().module;
  const size_t begin = whole.find(module);
  ASSERT_NE(begin, std::string::npos);
  for (int i = 0; i < kPlaces; ++i) {
    std::string damaged = whole;
    damaged[begin + i * (module.size() - 1) / (kPlaces - 1)] ^= 1 << (i % 8);
    CacheTestFolder::Overwrite(file, damaged);
    const int64_t errors = cache->statistics().errors;
    const auto again = CompileWith(cache, Parse(kProgram));
    EXPECT_FALSE(FromCache(*again)) << i;
    EXPECT_EQ(cache->statistics().errors, errors + 1) << i;
    EXPECT_EQ(ResultOf(*again), ResultOf(*compiled)) << i;
  }
}

// Code that users bring has no checksum, and is verified.
TEST(CompilationCacheTest, ModulesFromAnywhereAreVerified) {
  const auto compiled = CompileWith(nullptr, Parse(kProgram));
  NativeCode code = UnpackNativeCode(*compiled->SerializeCode()).value();
  HloModuleProto proto;
  ASSERT_TRUE(ParseMessage(code.module, &proto));
  // No op makes a result of this shape.
  for (auto& computation : *proto.mutable_computations()) {
    if (computation.id() != proto.entry_computation_id()) continue;
    for (auto& hlo : *computation.mutable_instructions()) {
      if (hlo.opcode() == "parameter") continue;
      hlo.mutable_shape()->set_element_type(PRED);
    }
  }
  code.module = proto.SerializeAsString();
  EXPECT_FALSE(ModuleOf(code, CodeOrigin::kAnywhere, {}).ok());
  EXPECT_TRUE(ModuleOf(code, CodeOrigin::kThisCompiler, {}).ok());
  EXPECT_FALSE(CpuCompiler().Load(PackNativeCode(code), {}).ok());
}

TEST(CompilationCacheTest, InvalidProgramsFailAsWithoutACache) {
  CacheTestFolder folder;
  const auto cache = CacheIn(folder);
  const std::string wrong =
      absl::StrReplaceAll(kProgram, {{"f32[4]{0} sqrt", "f32[5]{0} sqrt"}});
  const auto fails_with = [&](CpuCompilerOptions options) {
    return CpuCompiler(std::move(options)).Compile(Parse(wrong)).status();
  };
  EXPECT_FALSE(fails_with({}).ok());
  EXPECT_EQ(fails_with({.cache = cache}), fails_with({}));
  EXPECT_EQ(cache->statistics().stores, 0);
}

// Code that was compiled on eight threads is found by a compiler without.
TEST(CompilationCacheTest, NumberOfThreadsDoesNotCount) {
  CacheTestFolder folder;
  ThreadPool pool(8);
  CpuCompiler parallel(
      {.runner = &pool, .pool = &pool, .cache = CacheIn(folder)});
  const auto compiled = parallel.Compile(Parse(kProgram));
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  const auto loaded = CompileWith(CacheIn(folder), Parse(kProgram));
  EXPECT_TRUE(FromCache(*loaded));
  EXPECT_EQ(ResultOf(*loaded), ResultOf(**compiled));
}

// Eight threads compile some programs with caches too small for all of them.
TEST(CompilationCacheTest, ThreadsShareAFolder) {
  constexpr int kThreads = 8, kPrograms = 6, kRounds = 12;
  CacheTestFolder folder;
  const auto program = [](int number) {
    return absl::StrReplaceAll(
        kProgram, {{"constant(0)", absl::StrCat("constant(", number, ")")}});
  };
  std::vector<Literal> want;
  for (int i = 0; i < kPrograms; ++i) {
    want.push_back(ResultOf(*CompileWith(nullptr, Parse(program(i)))));
  }
  CompileWith(CacheIn(folder), Parse(kProgram));
  const int64_t bound = 4 * folder.EntryBytes();
  const std::vector<std::shared_ptr<CompilationCache>> caches = {
      CacheIn(folder, bound), CacheIn(folder, bound)};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < kRounds; ++round) {
        const int number = (t + round * (t % 3 + 1)) % kPrograms;
        const auto executable =
            CompileWith(caches[t % 2], Parse(program(number)));
        EXPECT_EQ(ResultOf(*executable), want[number]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int64_t found = 0, evictions = 0;
  for (const auto& cache : caches) {
    const CompilationCacheStatistics all = cache->statistics();
    EXPECT_EQ(all.errors, 0);
    EXPECT_EQ(all.stores, all.misses);
    found += all.hits + all.misses;
    evictions += all.evictions;
  }
  EXPECT_EQ(found, kThreads * kRounds);
  EXPECT_GT(evictions, 0);
  EXPECT_LE(folder.EntryBytes(), bound);
}

}  // namespace
}  // namespace xla::cpu
