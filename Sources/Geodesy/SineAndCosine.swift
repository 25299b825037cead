/// The sine and cosine of an angle in degrees, the same to the last bit on every machine.
///
/// The C library's functions are not: they differ with the processor. Here the angle is brought to ±45° exactly, by a multiple of
/// 90°, and two polynomials in its square do the rest, without fused operations; so multiples of 90° give exactly 0 and ±1.
///
/// - Parameter degrees: Any angle of less than 2⁵⁰ degrees; NaN and infinities give NaN.
/// - Returns: Both within 2.3e-16 of the truth.
/// - Source: Chebyshev fits over x² in 0...45² of sin(x)/x (7 terms) and cos(x) (8 terms), their own error 5.5e-20, such as
///   mpmath's `chebyfit(f, [0, 2025], terms)` makes at 60 digits.
@inlinable @inline(__always)
public func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  let (sines, cosines) = sinesAndCosines(degrees: SIMD2(repeating: degrees))
  return (sines.x, cosines.x)
}

/// The sines and cosines of two angles at once: each as ``sineAndCosine(degrees:)`` gives it, in the time of one.
@inlinable @inline(__always)
public func sinesAndCosines(degrees: SIMD2<Double>) -> (sines: SIMD2<Double>, cosines: SIMD2<Double>) {
  // Adding 1.5 * 2⁵² leaves the nearest integer in the low bits; `rounded()` is a call where there is no SSE 4.1.
  let shifted = degrees * (1 / 90.0) + 0x1.8p52
  let x = degrees - 90 * (shifted - 0x1.8p52)
  let t = x * x
  // Estrin's scheme: pairs first, so that fewer operations wait for one another.
  let t2 = t * t
  let t4 = t2 * t2
  let s0 = 0.017453292519943295 + t * -8.860961557012953e-07
  let s1 = 1.3496016231611543e-11 + t * -9.788384855392072e-17
  let s2 = 4.141266538492003e-22 + t * -1.1467564823560734e-27
  let sine = x * ((s0 + t2 * s1) + t4 * (s2 + t2 * 2.2164560059574632e-33))
  let c1 = 3.866323851562974e-09 + t * -3.9258319857352385e-14
  let c2 = 2.135494302070431e-19 + t * -7.227873556860121e-25
  let c3 = 1.6678884883822062e-30 + t * -2.7631744625360612e-36
  let cosine = 1 + (t * -0.00015230870989335428 + (t2 * c1 + t4 * (c2 + t2 * c3)))
  let first = placed(sine.x, cosine.x, quarter: shifted.x.bitPattern)
  let second = placed(sine.y, cosine.y, quarter: shifted.y.bitPattern)
  return (SIMD2(first.sine, second.sine), SIMD2(first.cosine, second.cosine))
}

/// The sine and cosine of an angle by those of what it is more than so many quarter turns.
@inlinable @inline(__always)
func placed(_ sine: Double, _ cosine: Double, quarter: UInt64) -> (sine: Double, cosine: Double) {
  let isOdd = quarter & 1 != 0
  // The sign bits of the four quarters: sine + + - -, cosine + - - +.
  let sign = (quarter & 2) << 62
  let other = ((quarter &+ 1) & 2) << 62
  return (
    sine: Double(bitPattern: (isOdd ? cosine : sine).bitPattern ^ sign),
    cosine: Double(bitPattern: (isOdd ? sine : cosine).bitPattern ^ other)
  )
}
