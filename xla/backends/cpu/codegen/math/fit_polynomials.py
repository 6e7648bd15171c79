"""Fits the polynomials of this folder and writes its *_table.h.

Needs mpmath, and gmpy2 to be fast enough. Run it by hand after changing a row
of FITS; the tables are checked in.

Each row is a minimax fit by Remez's exchange in 50-digit arithmetic on a grid,
weighted so that the error is relative to the function that the polynomial
serves. Coefficients are rounded to the type one by one, refitting the others
(or all at once, where that turns out better).
"""

import collections
import os
import struct
import textwrap

import mpmath as mp

mp.mp.dps = 50
# Grid points of a fit: many times the number of extrema, at most 26.
POINTS = 700
HALF = mp.mpf(1) / 2

Fit = collections.namedtuple(
    'Fit', 'file name text type degree low high function weight variable'
)


def round_to(value, kind):
  if value == 0:
    return mp.mpf(0)
  bits = 24 if kind == 'f32' else 53
  mantissa, exponent = mp.frexp(value)
  return mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), int(exponent) - bits)


class Remez:
  """Minimizes max |weight (values - polynomial)| on a grid."""

  def __init__(self, values, weights, variables, degree):
    self.values, self.weights, self.degree = values, weights, degree
    self.powers = [[mp.mpf(1)] * len(values)]
    for _ in range(degree):
      last = self.powers[-1]
      self.powers.append([a * b for a, b in zip(last, variables)])

  def errors(self, coefficients):
    return [
        w * (v - sum(c * self.powers[k][i] for k, c in coefficients.items()))
        for i, (v, w) in enumerate(zip(self.values, self.weights))
    ]

  def solve(self, fixed, iterations):
    """Returns the best free coefficients together with the fixed ones, as one
    dict."""
    free = [k for k in range(self.degree + 1) if k not in fixed]
    size, count = len(self.values), len(free)
    if not free:
      return dict(fixed)
    at = [
        int(mp.nint((size - 1) * (HALF - HALF * mp.cos(
            mp.pi * (2 * j + 1) / (2 * (count + 1))))))
        for j in range(count + 1)
    ]
    best, best_error = None, None
    for _ in range(iterations):
      matrix, right = mp.matrix(count + 1, count + 1), mp.matrix(count + 1, 1)
      for row, i in enumerate(at):
        w = self.weights[i]
        for column, k in enumerate(free):
          matrix[row, column] = self.powers[k][i] * w
        matrix[row, count] = (-1) ** row
        known = sum((c * self.powers[k][i] for k, c in fixed.items()), mp.mpf(0))
        right[row] = (self.values[i] - known) * w
      solution = mp.lu_solve(matrix, right)
      trial = dict(fixed)
      trial.update({k: solution[j] for j, k in enumerate(free)})
      errors = self.errors(trial)
      error = max(abs(e) for e in errors)
      if best is None or error < best_error:
        best, best_error = trial, error
      if error <= abs(solution[count]) * mp.mpf('1.02'):
        break
      at = self.exchange(errors, count + 1)
      if at is None:
        break
    return best

  @staticmethod
  def exchange(errors, wanted):
    """Returns the `wanted` largest alternating extrema, or None if there are
    fewer."""
    extrema, start = [], 0
    for i in range(1, len(errors) + 1):
      if i == len(errors) or (errors[i] > 0) != (errors[start] > 0):
        extrema.append(max(range(start, i), key=lambda t: abs(errors[t])))
        start = i
    size = lambda j: abs(errors[extrema[j]])
    while len(extrema) > wanted:
      if len(extrema) == wanted + 1:
        extrema.pop(0 if size(0) < size(-1) else -1)
        continue
      pairs = range(len(extrema) - 1)
      j = min(pairs, key=lambda j: max(size(j), size(j + 1)))
      del extrema[j : j + 2]
    return extrema if len(extrema) == wanted else None


def coefficients_of(fit):
  """Returns rounded coefficients and the logarithm of their error."""
  low, high = mp.mpf(fit.low), mp.mpf(fit.high)
  points = [
      low + (high - low) * (1 - mp.cos(mp.pi * (i + HALF) / POINTS)) / 2
      for i in range(POINTS)
  ]
  remez = Remez(
      [fit.function(t) for t in points],
      [fit.weight(t) for t in points],
      [fit.variable(t) for t in points],
      fit.degree,
  )
  free = remez.solve({}, 30)
  at_once = {k: round_to(c, fit.type) for k, c in free.items()}
  fixed, current = {}, free
  for k in range(fit.degree + 1):
    fixed[k] = round_to(current[k], fit.type)
    if k < min(fit.degree, 6):
      current = remez.solve(fixed, 8)
  error = lambda c: max(abs(e) for e in remez.errors(c))
  best = min(fixed, at_once, key=error)
  return [best[k] for k in sorted(best)], mp.log(error(best), 2)


def erfinv_by_w(w):
  """erfinv(x) / x where w = -log(1 - x^2)."""
  x = mp.sqrt(-mp.expm1(-w))
  if w < 3:
    return mp.erfinv(x) / x
  rest = mp.exp(-w) / (1 + x)
  y = mp.sqrt(w) * mp.mpf('0.9')
  for _ in range(60):
    slope = -2 / mp.sqrt(mp.pi) * mp.exp(-y * y) / mp.erfc(y)
    step = (mp.log(mp.erfc(y)) - mp.log(rest)) / slope
    y -= step
    if abs(step) < mp.mpf(10) ** -45:
      break
  return y / x


def rows():
  square = lambda t: t * t
  same = lambda t: t
  cube = lambda f: (lambda t: (f(t) - t) / t**3, lambda t: t**3 / f(t))
  tiny = mp.mpf('1e-6')
  wider = mp.mpf('1.003')
  ln2 = mp.log(2) / 2 * wider
  root = mp.sqrt(HALF)
  s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * wider

  exp = lambda r: (mp.expm1(r) - r) / r**2
  for_exp = lambda r: r * r / mp.exp(r)
  for_expm1 = lambda r: abs(r * r / mp.expm1(r))
  text = '(exp(r) - 1 - r) / r^2, |r| <= 1.003 ln(2)/2.'
  for name, weight, kind, degree in (
      ('kExpF32', for_exp, 'f32', 4), ('kExpF64', for_exp, 'f64', 9),
      ('kExpm1F32', for_expm1, 'f32', 4), ('kExpm1F64', for_expm1, 'f64', 10)):
    use = 'For exp: ' if weight is for_exp else 'For expm1: '
    yield Fit('exp', name, use + text, kind, degree, -ln2, ln2, exp, weight,
              same)

  yield Fit('log', 'kLogF32', '(log(1+f) - f + f^2/2) / f^3, '
            'sqrt(1/2) <= 1+f <= sqrt(2).', 'f32', 7, root - 1, mp.sqrt(2) - 1,
            lambda f: (mp.log1p(f) - f + f * f / 2) / f**3,
            lambda f: abs(f**3 / mp.log1p(f)), same)
  yield Fit('log', 'kLogF64',
            '(2 atanh(s) - 2s) / s^3 in s^2, |s| <= 3 - sqrt(8).', 'f64', 6,
            tiny, s, lambda s: (2 * mp.atanh(s) - 2 * s) / s**3,
            lambda s: s**3 / (2 * mp.atanh(s)), square)
  yield Fit('pow', 'kPowLog',
            '(2 atanh(s) - 2s - 2s^3/3) / s^5 in s^2, |s| <= 3 - sqrt(8).',
            'f64', 7, tiny, s,
            lambda s: (2 * mp.atanh(s) - 2 * s - s**3 * 2 / 3) / s**5,
            lambda s: s**5 / (2 * mp.atanh(s)), square)
  most = log_piece_bound() * wider
  for file, use, degree in (('log', 'kLogPieceF64', 7),
                            ('pow', 'kPowLogPiece', 8)):
    yield Fit(file, use, '(log(1+r) - r + r^2/2) / r^3, |r| <= '
              f'{mp.nstr(most, 5)}.', 'f64', degree, -most, most,
              lambda r: (mp.log1p(r) - r + r * r / 2) / r**3,
              lambda r: abs(r**3 / mp.log1p(r)), same)
  yield Fit('pow', 'kPowFloatLog2', 'For f32 in f64: log2(1+f) / f, '
            'sqrt(1/2) <= 1+f <= sqrt(2).', 'f64', 11, root - 1,
            mp.sqrt(2) - 1, lambda f: mp.log1p(f) / mp.log(2) / f,
            lambda f: abs(f * mp.log(2) / mp.log1p(f)), same)
  yield Fit('pow', 'kPowFloatExp2', 'For f32 in f64: 2^f, |f| <= 1/2.', 'f64',
            6, -HALF, HALF, lambda f: mp.mpf(2) ** f,
            lambda f: 1 / mp.mpf(2) ** f, same)

  text = '(sin(r) - r) / r^3 in r^2, |r| <= 1.003 pi/2.'
  yield Fit('trig', 'kSinF64', text, 'f64', 7, tiny, mp.pi / 2 * wider,
            *cube(mp.sin), square)
  yield Fit('trig', 'kSinFloat', 'For f32 in f64: sin(r) / r in r^2, '
            '|r| <= (1 + 2^-20) pi/2.', 'f64', 4, tiny,
            mp.pi / 2 * (1 + mp.mpf(2)**-20), lambda r: mp.sin(r) / r,
            lambda r: r / mp.sin(r), square)
  text = '(tan(r) - r) / r^3 in r^2, |r| <= 1.003 pi/4.'
  for kind, degree in (('f32', 5), ('f64', 13)):
    yield Fit('trig', 'kTan' + kind.upper(), text, kind, degree, tiny,
              mp.pi / 4 * wider, *cube(mp.tan), square)
  text = '(atan(z) - z) / z^3 in z^2, |z| <= 1.'
  for kind, degree in (('f32', 7), ('f64', 18)):
    yield Fit('inverse_trig', 'kAtan' + kind.upper(), text, kind, degree, tiny,
              1, *cube(mp.atan), square)
  text = '(asin(z) - z) / z^3 in z^2, |z| <= 1/2.'
  for kind, degree in (('f32', 4), ('f64', 11)):
    yield Fit('inverse_trig', 'kAsin' + kind.upper(), text, kind, degree, tiny,
              HALF, *cube(mp.asin), square)
  yield Fit('hyperbolic', 'kSinhF32', '(sinh(x) - x) / x^3 in x^2, |x| <= 1.',
            'f32', 3, tiny, 1, *cube(mp.sinh), square)

  text = '(erf(x) - x) / x in x^2, |x| <= 1.'
  for kind, degree in (('f32', 6), ('f64', 11)):
    yield Fit('erf', 'kErfSmall' + kind.upper(), text, kind, degree, tiny, 1,
              lambda x: (mp.erf(x) - x) / x, lambda x: x / mp.erf(x), square)
  for kind, degree, high, middle in (('f32', 6, '3.95', '2'),
                                     ('f64', 18, '6', '2.5')):
    yield Fit('erf', 'kErfLarge' + kind.upper(),
              f'log(1 - erf(x)) in x - {middle}, 1 <= x <= {high}, '
              'for the error of erf.', kind, degree, 1, high,
              lambda x: mp.log(mp.erfc(x)), lambda x: mp.erfc(x) / mp.erf(x),
              lambda x, middle=middle: x - mp.mpf(middle))
  erfcx = lambda t: mp.exp(t * t) * mp.erfc(t)
  for kind, degree, high, k, name, variable in (
      ('f32', 10, '10.24', 2, 'w', same),
      ('f64', 22, '27.31', 3, '1 - 6 w', lambda w: 1 - 6 * w)):
    yield Fit('erf', 'kErfc' + kind.upper(),
              f'exp(t^2) erfc(t) / w in {name}, w = 1 / (t + {k}), '
              f'0 <= t <= {high}.', kind, degree, 1 / (mp.mpf(high) + k),
              mp.mpf(1) / k, lambda w, k=k: erfcx(1 / w - k) / w,
              lambda w, k=k: w / erfcx(1 / w - k), variable)
  for name, kind, degree, low, high, power, middle in (
      ('Small', 'f32', 9, '1e-9', '5', 'w', '2.5'),
      ('Large', 'f32', 9, '5', '17', 'sqrt(w)', '3'),
      ('Small', 'f64', 24, '1e-20', '6.25', 'w', '3.125'),
      ('Mid', 'f64', 20, '6.25', '16', 'sqrt(w)', '3.25'),
      ('Large', 'f64', 18, '16', '38', 'sqrt(w)', '5')):
    if name == 'Small':
      where = f'w = -log(1 - x^2) <= {high}'
      variable = lambda w, middle=middle: w - mp.mpf(middle)
    else:
      where = f'{low} <= w <= {high}'
      variable = lambda w, middle=middle: mp.sqrt(w) - mp.mpf(middle)
    yield Fit('erf', 'kErfInv' + name + kind.upper(),
              f'erfinv(x) / x in {power} - {middle}, {where}.', kind, degree,
              low, high, erfinv_by_w, lambda w: 1 / erfinv_by_w(w), variable)


# The pieces of the interval [LOG_ROOT, 2 LOG_ROOT) in which logarithms look up:
# as many as two registers of AVX-512 have lanes. Equal steps of the mantissa,
# of which one has 1 in its middle.
LOG_PIECES = 16
LOG_ROOT_BITS = 0x3fe6555500000000


def log_bounds(i):
  """Returns the least number of piece i and the one after its greatest."""
  bits = (LOG_ROOT_BITS + (k << 48) for k in (i, i + 1))
  return [mp.mpf(struct.unpack('<d', struct.pack('<Q', b))[0]) for b in bits]


def log_inverse(i):
  """Returns a double near the inverse of the middle of piece i."""
  low, high = log_bounds(i)
  return mp.mpf(1) if low < 1 < high else round_to(2 / (low + high), 'f64')


def log_piece_bound():
  """Returns the greatest |x inverse - 1| of all pieces."""
  return max(abs(bound * log_inverse(i) - 1)
             for i in range(LOG_PIECES) for bound in log_bounds(i))


def log_pieces():
  inverses = [log_inverse(i) for i in range(LOG_PIECES)]
  logs = [-mp.log(inverse) for inverse in inverses]
  highs = [mp.ldexp(mp.nint(mp.ldexp(value, 42)), -42) for value in logs]
  lows = [round_to(a - b, 'f64') for a, b in zip(logs, highs)]
  text = ''
  for name, what, values in (
      ('Inverses', 'About the inverse of the middle of each piece.', inverses),
      ('Highs', 'Minus the logarithms of these, rounded to 42 bits behind the '
       'point,', highs),
      ('Lows', 'and the rests.', lows)):
    text += (f'// {what}\ninline constexpr double kLogPiece{name}[{LOG_PIECES}]'
             ' =\n' + braced(values, ';\n') + '\n')
  return text.removesuffix('\n')


# The pieces of erf: as many as lanes of a register of AVX-512, the last one
# beyond where erf rounds to 1.
ERF_PIECES = 16
ERF_SPACING = mp.mpf(17) / 64
ERF_DEGREE = 6


def erf_middle(i):
  """Returns a float near i ERF_SPACING whose erf is nearly a float, so that a
  polynomial around it has an exact first coefficient (Gal's method)."""
  ulp = mp.mpf(2) ** -24
  near = [i * ERF_SPACING + k * ulp * 16 for k in range(-2000, 2000)]
  off = lambda x: abs(mp.erf(x) - round_to(mp.erf(x), 'f32'))
  return min((round_to(x, 'f32') for x in near), key=off) if i else mp.mpf(0)


def erf_piece(i):
  """Returns the middle of piece i, its coefficients and the logarithm of its
  error."""
  middle = erf_middle(i)
  low, high = ((i + side * HALF) * ERF_SPACING for side in (-1, 1))
  if i > 0:
    return middle, *coefficients_of(Fit(
        'erf', None, None, 'f32', ERF_DEGREE, low, high, mp.erf,
        lambda x: 1 / mp.erf(x), lambda x: x - middle))
  rest, error = coefficients_of(Fit(
      'erf', None, None, 'f32', ERF_DEGREE - 1, mp.mpf('1e-6'), high,
      lambda x: (mp.erf(x) - x) / x, lambda x: x / mp.erf(x), lambda x: x))
  return middle, [mp.mpf(0)] + rest, error


def braced(values, comma):
  wrapped = textwrap.wrap('{' + ', '.join(map(hexadecimal, values)) + '}', 74)
  return '\n'.join(('    ' if n == 0 else '     ') + line
                   for n, line in enumerate(wrapped)) + comma


def erf_pieces():
  pieces = [erf_piece(i) for i in range(ERF_PIECES)]
  error = mp.nstr(max(error for _, _, error in pieces), 3)
  comment = lambda text: '\n'.join(
      '// ' + line for line in textwrap.wrap(text, 77))
  rows = [braced([c[k] for _, c, _ in pieces], ',')
          for k in range(ERF_DEGREE + 1)]
  return (
      comment(f'Numbers near multiples of {mp.nstr(ERF_SPACING, 10)} whose erf '
              'is nearly a float.')
      + f'\ninline constexpr double kErfMiddlesF32[{ERF_PIECES}] =\n'
      + braced([middle for middle, _, _ in pieces], ';\n\n')
      + comment(f'erf(x) in t = x - middle, x within '
                f'{mp.nstr(ERF_SPACING / 2, 10)} of that multiple; erf(x) - x '
                'of the first piece. Row k has the coefficients of t^k. Degree '
                f'{ERF_DEGREE}, relative error 2^{error}.')
      + f'\ninline constexpr double kErfPiecesF32[{ERF_DEGREE + 1}]'
      f'[{ERF_PIECES}] = {{\n' + '\n'.join(rows) + '\n};\n')


def hexadecimal(value):
  mantissa, exponent = float(value).hex().split('p')
  return mantissa.rstrip('0').rstrip('.') + 'p' + exponent


def table(fit):
  values, error = coefficients_of(fit)
  text = (f'{fit.text} Degree {fit.degree}, relative error '
          f'2^{mp.nstr(error, 3)}.')
  lines = textwrap.wrap(text, 77)
  wrapped = textwrap.wrap(', '.join(map(hexadecimal, values)) + '};', 76)
  return ('\n'.join('// ' + line for line in lines)
          + f'\ninline constexpr double {fit.name}[] = {{\n'
          + '\n'.join('    ' + line for line in wrapped) + '\n')


def write(file, tables):
  guard = f'XLA_BACKENDS_CPU_CODEGEN_MATH_{file.upper()}_TABLE_H_'
  path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      f'{file}_table.h')
  with open(path, 'w') as out:
    out.write(
        f'// Coefficients, lowest power first, of the polynomials of {file}.cc.'
        '\n// Made by fit_polynomials.py, which says how; do not edit.\n'
        f'#ifndef {guard}\n#define {guard}\n\nnamespace xla::cpu {{\n\n'
        + '\n'.join(tables)
        + f'\n}}  // namespace xla::cpu\n\n#endif  // {guard}\n')


def main():
  tables = collections.defaultdict(list)
  for fit in rows():
    tables[fit.file].append(table(fit))
  tables['erf'].append(erf_pieces())
  tables['log'].append(log_pieces())
  for file, parts in tables.items():
    write(file, parts)


if __name__ == '__main__':
  main()
