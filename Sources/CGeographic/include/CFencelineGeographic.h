#pragma once

/// GeographicLib on WGS 84 for callers that speak C. Angles are degrees, lengths metres, heights 0.
/// A latitude outside [-90, 90], or a value that is not finite, gives NaN throughout.

#ifdef __cplusplus
extern "C" {
#endif

/// A point seen from another one: the shortest path between them.
struct fenceline_bearing {
  double metres;   ///< how far away it is
  double azimuth;  ///< in which direction the path starts, clockwise from north, in [-180, 180]
  double east;     ///< metres * sin(azimuth): its place in the azimuthal equidistant plane
  double north;    ///< metres * cos(azimuth)
};

struct fenceline_point {
  double latitude;
  double longitude;  ///< in [-180, 180]
};

struct fenceline_bearing fenceline_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2);

struct fenceline_point fenceline_geodesic_direct(
    double latitude, double longitude, double azimuth, double metres);

/// The azimuth of a vector in the plane.
double fenceline_azimuth(double east, double north);

#ifdef __cplusplus
}
#endif
