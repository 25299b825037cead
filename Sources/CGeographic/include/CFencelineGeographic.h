#pragma once

/// GeographicLib's exact geodesics on WGS 84 for callers that speak C. Angles are degrees, lengths metres.
/// Latitudes must lie in [-90, 90]; anything else, or a value that is not finite, gives NaN throughout.

#ifdef __cplusplus
extern "C" {
#endif

/// The shortest path between two points.
struct fenceline_geodesic_inverse {
  double metres;    ///< its length
  double azimuth1;  ///< its direction where it starts, clockwise from north, in [-180, 180]
  double azimuth2;  ///< its direction where it ends, going on the same way
};

/// The end of a path.
struct fenceline_geodesic_end {
  double latitude;
  double longitude;  ///< in [-180, 180]
};

struct fenceline_geodesic_inverse fenceline_geodesic_inverse_wgs84(
    double latitude1, double longitude1, double latitude2, double longitude2);

struct fenceline_geodesic_end fenceline_geodesic_direct_wgs84(
    double latitude, double longitude, double azimuth, double metres);

#ifdef __cplusplus
}
#endif
