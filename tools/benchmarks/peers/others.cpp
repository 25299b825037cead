// S2's index of cells, GEOS' STR tree and SQLite's R*Tree.
#include <geos_c.h>
#include <s2/s2cap.h>
#include <s2/s2cell_index.h>
#include <s2/s2latlng.h>
#include <s2/s2latlng_rect.h>
#include <s2/s2region_coverer.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

#include "peer.h"

namespace {

template <int cells>
class S2Tree {
  S2CellIndex index;

 public:
  static constexpr bool isDynamic = false;

  explicit S2Tree(const std::vector<Circle>& circles) {
    S2RegionCoverer::Options options;
    options.set_max_cells(cells);
    S2RegionCoverer coverer(options);
    std::vector<S2CellId> covering;
    for (size_t id = 0; id < circles.size(); id++) {
      const Circle& circle = circles[id];
      S1Angle angle = S1Angle::Radians(circle.radius / smallestCurvature + 1e-11);
      S2Cap cap(S2LatLng::FromDegrees(circle.latitude, circle.longitude).ToPoint(), angle);
      coverer.GetCovering(cap, &covering);
      for (S2CellId cell : covering) index.Add(cell, id);
    }
    index.Build();
  }

  template <class Body>
  void at(Place place, Body body) const {
    S2CellIndex::RangeIterator range(&index);
    range.Seek(S2CellId(S2LatLng::FromDegrees(place.latitude, place.longitude)));
    S2CellIndex::ContentsIterator contents(&index);
    for (contents.StartUnion(range); !contents.done(); contents.Next()) body(contents.label());
  }

  template <class Body>
  void in(const Box& box, Body body) const {
    static S2RegionCoverer coverer = [] {
      S2RegionCoverer::Options options;
      options.set_max_cells(4);
      return S2RegionCoverer(options);
    }();
    S2LatLngRect rect(S2LatLng::FromDegrees(box.south, box.west), S2LatLng::FromDegrees(box.north, box.east));
    S2CellUnion covering = coverer.GetCovering(rect.is_valid() ? rect : S2LatLngRect::Full());
    index.VisitIntersectingCells(covering, [&](S2CellId, S2CellIndex::Label label) {
      body(label);
      return true;
    });
  }
};

class GEOSTree {
  GEOSContextHandle_t context = GEOS_init_r();
  GEOSSTRtree* tree = GEOSSTRtree_create_r(context, 10);

  template <class Body>
  void query(GEOSGeometry* shape, Body& body) const {
    GEOSSTRtree_query_r(context, tree, shape,
                        [](void* item, void* body) { (*static_cast<Body*>(body))(int(intptr_t(item)) - 1); }, &body);
    GEOSGeom_destroy_r(context, shape);
  }

 public:
  static constexpr bool isDynamic = false;

  explicit GEOSTree(const std::vector<Circle>& circles) {
    for (size_t id = 0; id < circles.size(); id++) {
      Box made[2];
      for (int part = 0, count = boxes(circles[id], made); part < count; part++) {
        const Box& box = made[part];
        GEOSGeometry* shape = GEOSGeom_createRectangle_r(context, box.west, box.south, box.east, box.north);
        GEOSSTRtree_insert_r(context, tree, shape, reinterpret_cast<void*>(id + 1));
        GEOSGeom_destroy_r(context, shape);
      }
    }
    // It is laid out when first asked.
    at({0, 0}, [](int) {});
  }
  ~GEOSTree() {
    GEOSSTRtree_destroy_r(context, tree);
    GEOS_finish_r(context);
  }

  template <class Body>
  void at(Place place, Body body) const {
    query(GEOSGeom_createPointFromXY_r(context, place.longitude, place.latitude), body);
  }

  template <class Body>
  void in(const Box& box, Body body) const {
    query(GEOSGeom_createRectangle_r(context, box.west, box.south, box.east, box.north), body);
  }
};

class SQLiteTree {
  sqlite3* database;
  sqlite3_stmt *select, *insertion, *deletion;

  void check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
    std::fprintf(stderr, "SQLite: %s.\n", sqlite3_errmsg(database));
    std::exit(70);
  }

  void run(const char* sql) { check(sqlite3_exec(database, sql, nullptr, nullptr, nullptr)); }

  // Each circle has room for two boxes; SQLite rounds them outwards itself.
  void put(int id, const Circle& circle) {
    Box made[2];
    for (int part = 0, count = boxes(circle, made); part < count; part++) {
      sqlite3_bind_int64(insertion, 1, 2 * int64_t(id) + part);
      sqlite3_bind_double(insertion, 2, made[part].west);
      sqlite3_bind_double(insertion, 3, made[part].east);
      sqlite3_bind_double(insertion, 4, made[part].south);
      sqlite3_bind_double(insertion, 5, made[part].north);
      check(sqlite3_step(insertion));
      check(sqlite3_reset(insertion));
    }
  }

 public:
  static constexpr bool isDynamic = true;

  explicit SQLiteTree(const std::vector<Circle>& circles) {
    check(sqlite3_open(":memory:", &database));
    run("CREATE VIRTUAL TABLE box USING rtree(id, west, east, south, north)");
    check(sqlite3_prepare_v2(database, "SELECT id FROM box WHERE west <= ? AND east >= ? AND south <= ? AND north >= ?",
                             -1, &select, nullptr));
    check(sqlite3_prepare_v2(database, "INSERT INTO box VALUES (?, ?, ?, ?, ?)", -1, &insertion, nullptr));
    check(sqlite3_prepare_v2(database, "DELETE FROM box WHERE id = ?", -1, &deletion, nullptr));
    run("BEGIN");
    for (size_t id = 0; id < circles.size(); id++) put(id, circles[id]);
    run("COMMIT; BEGIN");  // the edits that follow are one transaction
  }
  ~SQLiteTree() {
    for (sqlite3_stmt* statement : {select, insertion, deletion}) sqlite3_finalize(statement);
    sqlite3_close(database);
  }

  template <class Body>
  void in(const Box& box, Body body) const {
    sqlite3_bind_double(select, 1, box.east);
    sqlite3_bind_double(select, 2, box.west);
    sqlite3_bind_double(select, 3, box.north);
    sqlite3_bind_double(select, 4, box.south);
    while (sqlite3_step(select) == SQLITE_ROW) body(int(sqlite3_column_int64(select, 0) / 2));
    check(sqlite3_reset(select));
  }

  template <class Body>
  void at(Place place, Body body) const {
    in({place.latitude, place.longitude, place.latitude, place.longitude}, body);
  }

  void insert(int id, const Circle& circle) { put(id, circle); }

  void remove(int id, const Circle& circle) {
    Box made[2];
    for (int part = 0, count = boxes(circle, made); part < count; part++) {
      sqlite3_bind_int64(deletion, 1, 2 * int64_t(id) + part);
      check(sqlite3_step(deletion));
      check(sqlite3_reset(deletion));
    }
  }
};

}  // namespace

std::unique_ptr<Peer> makeOtherPeer(const std::string& name) {
  if (name == "s2-4") return std::make_unique<TreePeer<S2Tree<4>>>();
  if (name == "s2-8") return std::make_unique<TreePeer<S2Tree<8>>>();
  if (name == "geos") return std::make_unique<TreePeer<GEOSTree>>();
  if (name == "sqlite") return std::make_unique<TreePeer<SQLiteTree>>();
  return nullptr;
}
