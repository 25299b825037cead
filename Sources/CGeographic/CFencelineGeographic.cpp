#include "CFencelineGeographic.h"

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/Math.hpp>

using namespace GeographicLib;

struct fenceline_bearing fenceline_geodesic_inverse(
    double latitude1, double longitude1, double latitude2, double longitude2) {
  fenceline_bearing answer;
  double azimuth2, sine, cosine;
  Geodesic::WGS84().Inverse(latitude1, longitude1, latitude2, longitude2, answer.metres, answer.azimuth, azimuth2);
  Math::sincosd(answer.azimuth, sine, cosine);
  answer.east = answer.metres * sine;
  answer.north = answer.metres * cosine;
  return answer;
}

struct fenceline_point fenceline_geodesic_direct(
    double latitude, double longitude, double azimuth, double metres) {
  fenceline_point answer;
  Geodesic::WGS84().Direct(latitude, longitude, azimuth, metres, answer.latitude, answer.longitude);
  return answer;
}

double fenceline_azimuth(double east, double north) {
  return Math::atan2d(east, north);
}
