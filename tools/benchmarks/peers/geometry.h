// What all peers share: circles, the boxes that hold them, and the exact answer.
#pragma once
#include <geodesic.h>

#include <cmath>
#include <cstdint>
#include <vector>

constexpr double degree = M_PI / 180;
// WGS 84: semi-major axis in metres, flattening, eccentricity squared, and the smallest radius of curvature.
constexpr double semiMajor = 6378137, flattening = 1 / 298.257223563, e2 = flattening * (2 - flattening);
constexpr double smallestCurvature = 6335439;

struct Place {
  double latitude, longitude;  // degrees
};

struct Circle {
  double latitude, longitude, radius;  // degrees and metres
  Place centre() const { return {latitude, longitude}; }
};

struct Point {
  double x, y, z;  // metres from the Earth's centre
};

inline Point earthPoint(Place place) {
  double sine = std::sin(place.latitude * degree), cosine = std::cos(place.latitude * degree);
  double curvature = semiMajor / std::sqrt(1 - e2 * sine * sine);
  return {curvature * cosine * std::cos(place.longitude * degree),
          curvature * cosine * std::sin(place.longitude * degree), curvature * (1 - e2) * sine};
}

// The straight distance that stands for the radius: 2 R sin(r / 2R), R the mean radius of curvature at the centre.
inline double chord(const Circle& circle) {
  double sine = std::sin(circle.latitude * degree), w = 1 - e2 * sine * sine;
  double mean = semiMajor * std::sqrt(1 - e2) / w;
  return 2 * mean * std::sin(circle.radius / (2 * mean));
}

inline double geodesicDistance(Place a, Place b) {
  static const geod_geodesic ellipsoid = [] {
    geod_geodesic made;
    geod_init(&made, semiMajor, flattening);
    return made;
  }();
  double metres;
  geod_inverse(&ellipsoid, a.latitude, a.longitude, b.latitude, b.longitude, &metres, nullptr, nullptr);
  return metres;
}

inline Place destination(Place from, double azimuth, double metres) {
  geod_geodesic ellipsoid;
  geod_init(&ellipsoid, semiMajor, flattening);
  Place to;
  geod_direct(&ellipsoid, from.latitude, from.longitude, azimuth, metres, &to.latitude, &to.longitude, nullptr);
  return to;
}

// A place whose point in space is computed when a candidate first asks for it: on a walk, most queries have none.
struct LazyPlace {
  Place place;
  Point point;
  bool isKnown = false;
  explicit LazyPlace(Place place) : place(place) {}
  const Point& get() {
    if (!isKnown) point = earthPoint(place), isKnown = true;
    return point;
  }
};

// Circles, ready for the exact test: the chord decides but in a narrow band round the perimeter, where the geodesic does.
class Circles {
 public:
  struct alignas(32) Record {
    double x, y, z, squaredChord;
  };
  std::vector<Circle> all;

  void load(std::vector<Circle> circles) {
    all = std::move(circles);
    records.resize(all.size());
    for (size_t id = 0; id < all.size(); id++) prepare(id);
  }

  void prepare(size_t id) {
    Point point = earthPoint(all[id].centre());
    double length = chord(all[id]);
    records[id] = {point.x, point.y, point.z, length * length};
  }

  bool holds(int id, LazyPlace& place) const {
    const Record& record = records[id];
    const Point& point = place.get();
    double dx = point.x - record.x, dy = point.y - record.y, dz = point.z - record.z;
    double gap = dx * dx + dy * dy + dz * dz - record.squaredChord;
    // Wider than 2 d eps below for every radius from 1 m to 1,000 km.
    double band = 2e-5 * record.squaredChord + 1e-4;
    if (gap > band) return false;
    if (gap < -band) return true;
    return holdsNearPerimeter(id, place.place, gap + record.squaredChord);
  }

  // Whether the straight way from a to b comes within the chord.
  bool meets(int id, const Point& a, const Point& b) const {
    const Record& record = records[id];
    double ex = b.x - a.x, ey = b.y - a.y, ez = b.z - a.z, length2 = ex * ex + ey * ey + ez * ez;
    double along = (record.x - a.x) * ex + (record.y - a.y) * ey + (record.z - a.z) * ez;
    double u = length2 > 0 ? std::fmin(1, std::fmax(0, along / length2)) : 0;
    double dx = a.x + u * ex - record.x, dy = a.y + u * ey - record.y, dz = a.z + u * ez - record.z;
    return dx * dx + dy * dy + dz * dz <= record.squaredChord;
  }

 private:
  std::vector<Record> records;

  __attribute__((noinline)) bool holdsNearPerimeter(int id, Place place, double squared) const {
    const Circle& circle = all[id];
    double gap = std::sqrt(squared) - std::sqrt(records[id].squaredChord);
    // The chord differs from the geodesic by at most 0.00674 r^3 / 24 R^2; a micrometre is for rounding.
    double eps = 8e-18 * circle.radius * circle.radius * circle.radius + 1e-6;
    if (std::fabs(gap) > eps) return gap < 0;
    return geodesicDistance(circle.centre(), place) <= circle.radius;
  }
};

struct Box {
  double south, west, north, east;  // degrees
};

// One box that holds the disc, or two where it crosses the antimeridian. The disc lies in the spherical one of angle
// r / 6,335,439 m on geodetic latitude and longitude, that being the smallest radius of curvature.
inline int boxes(const Circle& circle, Box made[2]) {
  constexpr double margin = 1e-9;
  double angle = circle.radius / smallestCurvature, height = angle / degree + margin;
  double south = circle.latitude - height, north = circle.latitude + height;
  if (south <= -90 || north >= 90) {
    made[0] = {std::fmax(south, -90), -180, std::fmin(north, 90), 180};
    return 1;
  }
  double width = std::asin(std::fmin(1, std::sin(angle) / std::cos(circle.latitude * degree))) / degree + margin;
  double west = circle.longitude - width, east = circle.longitude + width;
  if (west >= -180 && east <= 180) {
    made[0] = {south, west, north, east};
    return 1;
  }
  made[0] = {south, west < -180 ? west + 360 : west, north, 180};
  made[1] = {south, -180, north, east > 180 ? east - 360 : east};
  return 2;
}

// The boxes of the straight way between two places: it leaves the box of its ends by less than L^2 / 8 R tan(latitude).
inline int boxes(Place a, Place b, double metres, Box made[2]) {
  double cosine = std::cos(std::fmax(std::fabs(a.latitude), std::fabs(b.latitude)) * degree);
  double bulge = (metres * metres / (8 * smallestCurvature * std::fmax(cosine, 1e-3)) + 0.01) / smallestCurvature / degree;
  double width = bulge / std::fmax(cosine, 1e-3);
  double south = std::fmin(a.latitude, b.latitude) - bulge, north = std::fmax(a.latitude, b.latitude) + bulge;
  double west = std::fmin(a.longitude, b.longitude), east = std::fmax(a.longitude, b.longitude);
  if (east - west <= 180) {
    made[0] = {south, west - width, north, east + width};
    return 1;
  }
  made[0] = {south, east - width, north, 180};
  made[1] = {south, -180, north, west + width};
  return 2;
}
