
import numpy as np

def _refuse(x):
  raise ValueError("no | such program")

def programs():
  x = np.ones((8, 16), np.float32)
  return [("double", lambda v: v * 2, (x,), 0),
          ("product", lambda a, b: a @ b.T, (x, x), 1e-6),
          ("refused", _refuse, (x,), 0)]

def donating_programs():
  return [("add_in_place", lambda v: v + 1, (np.ones(4096, np.float32),), 0,
           (0,))]
