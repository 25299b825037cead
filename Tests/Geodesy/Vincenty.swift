import FencelineGeodesy
import Glibc

/// The distance in metres by another method than the product's; nil near antipodes, where the method does not converge.
///
/// - Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid", Survey Review 23 (176), 1975.
func vincenty(_ from: Coordinate, _ to: Coordinate) -> Double? {
  let (a, f) = (6_378_137.0, 1 / 298.257223563)
  let b = a * (1 - f)
  let radians = Double.pi / 180
  let u1 = atan((1 - f) * tan(from.latitude * radians))
  let u2 = atan((1 - f) * tan(to.latitude * radians))
  let l = remainder(to.longitude - from.longitude, 360) * radians
  var lambda = l
  for _ in 0..<200 {
    let across = cos(u2) * sin(lambda)
    let along = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)
    let sinSigma = (across * across + along * along).squareRoot()
    guard sinSigma > 0 else { return 0 }
    let cosSigma = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda)
    let sigma = atan2(sinSigma, cosSigma)
    let sinAlpha = cos(u1) * cos(u2) * sin(lambda) / sinSigma
    let cos2Alpha = 1 - sinAlpha * sinAlpha
    let cos2M = cos2Alpha == 0 ? 0 : cosSigma - 2 * sin(u1) * sin(u2) / cos2Alpha
    let c = f / 16 * cos2Alpha * (4 + f * (4 - 3 * cos2Alpha))
    let before = lambda
    let middle = cos2M + c * cosSigma * (2 * cos2M * cos2M - 1)
    lambda = l + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * middle)
    guard abs(lambda) <= .pi else { return nil }
    guard abs(lambda - before) < 1e-13 else { continue }
    let u = cos2Alpha * (a * a - b * b) / (b * b)
    let large = 1 + u / 16384 * (4096 + u * (u * (320 - 175 * u) - 768))
    let small = u / 1024 * (256 + u * (u * (74 - 47 * u) - 128))
    let outer = cos2M * (4 * sinSigma * sinSigma - 3) * (4 * cos2M * cos2M - 3)
    let inner = cosSigma * (2 * cos2M * cos2M - 1) - small / 6 * outer
    return b * large * (sigma - small * sinSigma * (cos2M + small / 4 * inner))
  }
  return nil
}
