"""Runs ONNX models on ONNX Runtime and OpenVINO, as far as these are installed.

Both keep their usual settings but for the number of threads, which is that of
CPUs, and for arithmetic in f32. Neither is needed: `runners` gives those that
can be imported.
"""

import importlib.metadata
import importlib.util
import os
import sys

# The distribution and module of each.
PACKAGES = {"ONNX Runtime": "onnxruntime", "OpenVINO": "openvino"}


def installed():
  """{name: version} of those that are here, with the package onnx."""
  if importlib.util.find_spec("onnx") is None:
    return {}
  return {name: importlib.metadata.version(package)
          for name, package in PACKAGES.items()
          if importlib.util.find_spec(package) is not None}


def threads():
  return len(os.sched_getaffinity(0))


def _onnx_runtime(model, inputs):
  import onnxruntime

  options = onnxruntime.SessionOptions()
  options.intra_op_num_threads = threads()
  options.log_severity_level = 3
  session = onnxruntime.InferenceSession(model, options,
                                         providers=["CPUExecutionProvider"])
  feed = {each.name: value
          for each, value in zip(session.get_inputs(), inputs, strict=True)}
  return lambda: session.run(None, feed)


def _openvino(model, inputs):
  import openvino

  core = openvino.Core()
  compiled = core.compile_model(
      core.read_model(model), "CPU",
      {"INFERENCE_NUM_THREADS": threads(), "NUM_STREAMS": 1,
       "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"})
  request = compiled.create_infer_request()
  for i, value in enumerate(inputs):
    request.set_input_tensor(i, openvino.Tensor(value, shared_memory=True))

  def run():
    request.infer()
    return [request.get_output_tensor(i).data
            for i in range(len(compiled.outputs))]

  return run


def runners(model, inputs):
  """{name: function that runs the model and returns its outputs}; a peer that
  fails is reported and left out."""
  made = {}
  for name, make in (("ONNX Runtime", _onnx_runtime), ("OpenVINO", _openvino)):
    if name not in installed():
      continue
    try:
      made[name] = make(model, inputs)
    except Exception as error:  # One that fails does not end the others.
      print(f"{name}: {str(error).splitlines()[0][:150]}", file=sys.stderr)
  return made
