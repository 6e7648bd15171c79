"""Ctrl-C: ends what the plugin compiles and runs, and raises KeyboardInterrupt as
ever.

While jaxlib waits for a result, it looks for Python's signals five times a
second, and raises KeyboardInterrupt. The program would run on, and later ones
wait for it. So the plugin's handler of SIGINT, in C, cancels all programs before
it calls Python's, which takes note of the signal. Python's own handlers
(signal.getsignal) do not change.
"""

import os
import signal
import sys
import threading

from jax_plugins.tessera import _abi

# Longer than jaxlib's wait between two looks for signals, so that
# KeyboardInterrupt is raised and not the error of the cancelled program.
_GRACE_NS = 400_000_000
_VARIABLE = "TESSERA_INTERRUPTS"


def wanted():
  """Whether the environment leaves Ctrl-C to the package. Errors: ValueError for
  TESSERA_INTERRUPTS other than 0 and 1."""
  value = os.environ.get(_VARIABLE) or "1"
  if value not in ("0", "1"):
    raise ValueError(f"Tessera: {_VARIABLE} must be 0 or 1, not {value!r}")
  return value == "1"


def _extension(c_api):
  api = _abi.Api.from_address(_abi.address_of(c_api))
  return api, _abi.find_extension(
      api, _abi.INTERRUPTS_EXTENSION, _abi.InterruptsExtension)


def cancel(c_api):
  """Ends all programs and compilations of the plugin."""
  api, extension = _extension(c_api)
  _abi.raise_error(api, _abi.call(extension.cancel, _abi.make(_abi.CancelArgs)),
                   "cancel")


def arm(c_api):
  """Puts the plugin's handler before that of the process. Errors: RuntimeError if
  SIGINT has no handler."""
  api, extension = _extension(c_api)
  args = _abi.make(_abi.CancelOnSignalArgs, signal=int(signal.SIGINT),
                   grace_ns=_GRACE_NS)
  _abi.raise_error(api, _abi.call(extension.cancel_on_signal, args),
                   "interrupts")


def _raises_keyboard_interrupt():
  return signal.getsignal(signal.SIGINT) is signal.default_int_handler


def install(c_api):
  """Arms the handler if the environment does not forbid it and Ctrl-C would raise
  KeyboardInterrupt: whoever has chosen another handler decides what ends."""
  if not wanted() or not _raises_keyboard_interrupt():
    return
  arm(c_api)
  _follow_ipython(c_api)


def _follow_ipython(c_api):
  """IPython's kernels set Python's handler anew for each cell."""
  ipython = sys.modules.get("IPython")
  shell = ipython.get_ipython() if ipython is not None else None
  if shell is None:
    return

  def before_cell(*_):
    if (threading.current_thread() is threading.main_thread()
        and _raises_keyboard_interrupt()):
      arm(c_api)

  shell.events.register("pre_run_cell", before_cell)
