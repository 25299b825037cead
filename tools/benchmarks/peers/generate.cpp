// The data of the benchmarks, from seeds: the same sets and queries every time.
#include "generate.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "files.h"
#include "geometry.h"

// The same data on machines with and without fused multiplication.
#pragma GCC optimize("-ffp-contract=off")

namespace {

// G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  double uniform() { return (next() >> 11) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  // Evenly by order of magnitude.
  double length(double low, double high) { return low * std::pow(high / low, uniform()); }
  // Box and Muller's normal deviates, one at a time.
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * M_PI * uniform()); }
  size_t below(size_t count) { return next() % count; }

 private:
  uint64_t state;
};

constexpr size_t cities = 200;
constexpr size_t few = 30000;
constexpr double speed = 20;  // metres a second

// A plane good enough to lay out test data: what is measured and compared is where the points are, not how they came there.
Place moved(Place from, double east, double north) {
  double metres = 111195, latitude = std::fmin(89.5, std::fmax(-89.5, from.latitude + north / metres));
  double longitude = from.longitude + east / (metres * std::fmax(0.005, std::cos(latitude * degree)));
  return {latitude, longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude};
}

Place anywhere(SplitMix64& random) {
  return {std::asin(random.uniform(-1, 1)) / degree, random.uniform(-180, 180)};
}

Place city(size_t number) {
  SplitMix64 random(1000 + number);
  Place place;
  do place = anywhere(random);
  while (std::fabs(place.latitude) > 65);
  return place;
}

// Circle `number` of a set; a smaller set is the beginning of a larger one. City circles take turns among the cities.
Circle circle(const std::string& set, size_t number) {
  SplitMix64 random((set == "uniform" ? 1ull : set == "city" ? 2ull : 3ull) << 40 | number);
  for (int turn = 0; turn < 3; turn++) random.next();
  bool isInCity = set == "city" || (set == "mixed" && number % 2);
  double east = 20000 * random.normal(), north = 20000 * random.normal();
  Place centre = isInCity ? moved(city(set == "city" ? number % cities : number / 2 % cities), east, north) : anywhere(random);
  double radius = set == "uniform" ? random.length(50, 5000)
                  : set == "city"  ? random.length(25, 1000)
                                   : std::fmin(500000, 50 / (1 - random.uniform()));  // Pareto, alpha 1
  return {centre.latitude, centre.longitude, radius};
}

// Ten devices that wander at 20 m/s, a fix a second, each from a circle of the set.
std::vector<Place> walks(const std::vector<Circle>& circles, size_t count) {
  SplitMix64 random(11);
  std::vector<Place> places;
  while (places.size() < count) {
    Place here = circles[random.below(circles.size())].centre();
    double course = random.uniform(0, 360);
    for (size_t step = 0; step < (count + 9) / 10 && places.size() < count; step++) {
      places.push_back(here);
      course += 4 * random.normal();
      if (std::fabs(here.latitude) > 89) course += 90;
      here = moved(here, speed * std::sin(course * degree), speed * std::cos(course * degree));
    }
  }
  return places;
}

// One device that drives at 20 m/s from circle to circle of a city.
std::vector<Place> drive(const std::vector<Circle>& circles, size_t count) {
  SplitMix64 random(12);
  std::vector<Place> places;
  Place here = circles[0].centre();
  while (places.size() < count) {
    Place goal = circles[random.below((circles.size() + cities - 1) / cities) * cities].centre();
    double north = (goal.latitude - here.latitude) * 111195;
    double east = (goal.longitude - here.longitude) * 111195 * std::cos(here.latitude * degree);
    double metres = std::hypot(north, east);
    for (int steps = metres / speed; steps > 0 && places.size() < count; steps--) {
      here = moved(here, speed * east / metres, speed * north / metres);
      // Two metres of noise: a receiver never repeats a line.
      places.push_back(moved(here, 2 * random.normal(), 2 * random.normal()));
    }
  }
  return places;
}

std::string clock(size_t second, const char* format) {
  time_t time = 1767225600 + second;  // 2026-01-01T00:00:00Z
  char text[32];
  std::strftime(text, sizeof text, format, std::gmtime(&time));
  return text;
}

void writeNMEA(const std::string& path, const std::vector<Place>& places) {
  FILE* file = std::fopen(path.c_str(), "wb");
  for (size_t second = 0; second < places.size(); second++) {
    // 1e-5 minutes, whole numbers from here on: nothing hangs on how a library rounds.
    long long north = std::llround(std::fabs(places[second].latitude) * 6e6);
    long long east = std::llround(std::fabs(places[second].longitude) * 6e6);
    char where[64], text[160];
    std::snprintf(where, sizeof where, "%02lld%02lld.%05lld,%c,%03lld%02lld.%05lld,%c", north / 6000000,
                  north / 100000 % 60, north % 100000, places[second].latitude < 0 ? 'S' : 'N', east / 6000000,
                  east / 100000 % 60, east % 100000, places[second].longitude < 0 ? 'W' : 'E');
    std::string time = clock(second, "%H%M%S"), date = clock(second, "%d%m%y");
    auto write = [&] {
      unsigned char sum = 0;
      for (char* c = text; *c; c++) sum ^= *c;
      std::fprintf(file, "$%s*%02X\r\n", text, sum);
    };
    // In this order, or gpsbabel takes each position for that of the next second.
    std::snprintf(text, sizeof text, "GPGGA,%s.00,%s,1,09,0.9,431.2,M,47.0,M,,", time.c_str(), where);
    write();
    std::snprintf(text, sizeof text, "GPRMC,%s.00,A,%s,38.88,%05.1f,%s,,,A", time.c_str(), where,
                  second * 7 % 3600 / 10.0, date.c_str());
    write();
  }
  std::fclose(file);
}

void writeGPX(const std::string& path, const std::vector<Place>& places) {
  FILE* file = std::fopen(path.c_str(), "wb");
  std::fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"bench\" "
             "xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk><trkseg>\n", file);
  for (size_t second = 0; second < places.size(); second++) {
    std::fprintf(file, "<trkpt lat=\"%.7f\" lon=\"%.7f\">\n<ele>%d.%d</ele>\n<time>%s</time>\n</trkpt>\n",
                 places[second].latitude, places[second].longitude, 400 + int(second / 10 % 80), int(second % 10),
                 clock(second, "%Y-%m-%dT%H:%M:%SZ").c_str());
  }
  std::fputs("</trkseg></trk>\n</gpx>\n", file);
  std::fclose(file);
}

// Points within 1 mm to 1 m of a perimeter, on either side; radii up to 50 km.
std::vector<Place> nearPerimeters(const std::vector<Circle>& circles, size_t count) {
  SplitMix64 random(13);
  std::vector<Place> places;
  while (places.size() < count) {
    const Circle& circle = circles[random.below(circles.size())];
    if (circle.radius > 50000) continue;
    double offset = random.length(0.001, 1) * (random.next() % 2 ? 1 : -1);
    places.push_back(destination(circle.centre(), random.uniform(0, 360), circle.radius + offset));
  }
  return places;
}

// A circle that has gone elsewhere by at most its radius.
Circle strayed(const Circle& circle, SplitMix64& random) {
  Place place = destination(circle.centre(), random.uniform(0, 360), circle.radius * random.uniform());
  return {place.latitude, place.longitude, circle.radius};
}

}  // namespace

// Writes the set and its queries as FOLDER/SET-COUNT.*; `queries` places each.
void generateSet(const std::string& folder, const std::string& set, size_t count, size_t queries) {
  std::vector<Circle> circles;
  for (size_t number = 0; number < count; number++) circles.push_back(circle(set, number));
  std::string path = folder + "/" + set + "-" + std::to_string(count);
  writeAll(path + ".circles", circles);
  SplitMix64 random(10);
  std::vector<Place> places, segments, starts;
  for (size_t number = 0; number < queries; number++) {
    double spread = random.uniform(1000, 3000), east = spread * random.normal(), north = spread * random.normal();
    places.push_back(moved(circles[random.below(count)].centre(), east, north));
    double course = random.uniform(0, 2 * M_PI);
    segments.push_back(places.back());
    segments.push_back(moved(places.back(), 1000 * std::sin(course), 1000 * std::cos(course)));
  }
  writeAll(path + ".random", places);
  // For those that take their time.
  writeAll(path + ".few", std::vector<Place>(places.begin(), places.begin() + std::min(queries, few)));
  writeAll(path + ".segments", segments);
  writeAll(path + ".walk", walks(circles, (queries + 2) / 3));
  writeAll(path + ".perimeters", nearPerimeters(circles, queries));
  std::vector<int> edited;
  std::vector<bool> isEdited(count);
  for (size_t turn = 0; turn < (count < 200000 ? count / 10 : 20000); turn++) {
    size_t number = random.below(count);
    if (!isEdited[number]) edited.push_back(number), isEdited[number] = true;
  }
  writeAll(path + ".edits", edited);
  std::vector<Circle> after;
  for (int number : edited) after.push_back(strayed(circles[number], random));
  writeAll(path + ".moved", after);
}

// Writes a drive through the first city as FOLDER/drive-COUNT.{places,nmea,gpx}.
void generateDrive(const std::string& folder, size_t regions, size_t count) {
  std::vector<Circle> circles;
  for (size_t number = 0; number < regions; number++) circles.push_back(circle("city", number));
  std::vector<Place> places = drive(circles, count);
  std::string path = folder + "/drive-" + std::to_string(count);
  writeAll(path + ".places", places);
  writeNMEA(path + ".nmea", places);
  writeGPX(path + ".gpx", places);
}
