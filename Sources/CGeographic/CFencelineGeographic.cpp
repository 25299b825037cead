#include "CFencelineGeographic.h"

#include <GeographicLib/Geodesic.hpp>

using GeographicLib::Geodesic;

struct fenceline_geodesic_inverse fenceline_geodesic_inverse_wgs84(
    double latitude1, double longitude1, double latitude2, double longitude2) {
  fenceline_geodesic_inverse answer;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, answer.metres, answer.azimuth1,
                            answer.azimuth2);
  return answer;
}

struct fenceline_geodesic_end fenceline_geodesic_direct_wgs84(
    double latitude, double longitude, double azimuth, double metres) {
  fenceline_geodesic_end answer;
  Geodesic::WGS84().Direct(latitude, longitude, azimuth, metres, answer.latitude, answer.longitude);
  return answer;
}
