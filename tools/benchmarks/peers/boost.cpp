// Boost.Geometry's R-tree with several node sizes, over boxes of doubles and of floats.
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

#include "peer.h"

namespace {

namespace bg = boost::geometry;

template <class Number>
Number down(double value) {
  Number near = value;
  return near > value ? std::nextafter(near, Number(-1e9)) : near;
}

template <class Number>
Number up(double value) {
  Number near = value;
  return near < value ? std::nextafter(near, Number(1e9)) : near;
}

template <class Number, class Parameters>
class BoostTree {
  using Corner = bg::model::point<Number, 2, bg::cs::cartesian>;
  using Rectangle = bg::model::box<Corner>;
  using Value = std::pair<Rectangle, int>;
  bg::index::rtree<Value, Parameters> tree;

  static Rectangle rectangle(const Box& box) {
    return {{down<Number>(box.west), down<Number>(box.south)}, {up<Number>(box.east), up<Number>(box.north)}};
  }

  template <class Shape, class Body>
  void query(const Shape& shape, Body body) const {
    tree.query(bg::index::intersects(shape),
               boost::make_function_output_iterator([&](const Value& value) { body(value.second); }));
  }

 public:
  static constexpr bool isDynamic = true;

  explicit BoostTree(const std::vector<Circle>& circles) {
    std::vector<Value> values;
    values.reserve(circles.size());
    for (size_t id = 0; id < circles.size(); id++) {
      Box made[2];
      for (int part = 0, count = boxes(circles[id], made); part < count; part++)
        values.emplace_back(rectangle(made[part]), int(id));
    }
    tree = decltype(tree)(values.begin(), values.end());
  }

  template <class Body>
  void at(Place place, Body body) const {
    // A point of floats would be rounded out of some box.
    if constexpr (sizeof(Number) == sizeof(float))
      query(rectangle({place.latitude, place.longitude, place.latitude, place.longitude}), body);
    else
      query(Corner(place.longitude, place.latitude), body);
  }

  template <class Body>
  void in(const Box& box, Body body) const { query(rectangle(box), body); }

  void remove(int id, const Circle& circle) {
    Box made[2];
    for (int part = 0, count = boxes(circle, made); part < count; part++) tree.remove(Value(rectangle(made[part]), id));
  }

  void insert(int id, const Circle& circle) {
    Box made[2];
    for (int part = 0, count = boxes(circle, made); part < count; part++) tree.insert(Value(rectangle(made[part]), id));
  }
};

template <class Number, size_t size>
using RStar = TreePeer<BoostTree<Number, bg::index::rstar<size>>>;

}  // namespace

std::unique_ptr<Peer> makeBoostPeer(const std::string& name) {
  if (name == "boost-4") return std::make_unique<RStar<double, 4>>();
  if (name == "boost-8") return std::make_unique<RStar<double, 8>>();
  if (name == "boost-16") return std::make_unique<RStar<double, 16>>();
  if (name == "boost-8-float") return std::make_unique<RStar<float, 8>>();
  if (name == "boost-16-float") return std::make_unique<RStar<float, 16>>();
  // Slower to ask, faster to change.
  if (name == "boost-quadratic") return std::make_unique<TreePeer<BoostTree<double, bg::index::quadratic<16>>>>();
  if (name == "boost-linear") return std::make_unique<TreePeer<BoostTree<double, bg::index::linear<16>>>>();
  return nullptr;
}
