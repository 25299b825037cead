// The least that reading a GPX file and recording crossings can cost: bare expat, bare SQLite.
#include "logs.h"

#include <expat.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "peer.h"

// Parses a file with handlers that do nothing but count the points.
void readWithExpat(const std::string& path) {
  size_t points = 0;
  static char buffer[65536];
  Answer answer = measured(1, [&] {
    points = 0;
    FILE* file = std::fopen(path.c_str(), "rb");
    XML_Parser parser = XML_ParserCreate(nullptr);
    XML_SetUserData(parser, &points);
    XML_SetElementHandler(
        parser,
        [](void* points, const char* name, const char**) {
          if (!std::strcmp(name, "trkpt")) ++*static_cast<size_t*>(points);
        },
        [](void*, const char*) {});
    XML_SetCharacterDataHandler(parser, [](void*, const char*, int) {});
    while (size_t count = std::fread(buffer, 1, sizeof buffer, file))
      if (!XML_Parse(parser, buffer, int(count), count < sizeof buffer)) std::exit(65);
    XML_ParserFree(parser);
    std::fclose(file);
    return Answer();
  });
  std::printf("{\"ns\": %.3f, \"hits\": %zu}\n", answer.nanoseconds / points, points);
}

namespace {

void check(int code, sqlite3* database) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  std::fprintf(stderr, "SQLite: %s.\n", sqlite3_errmsg(database));
  std::exit(70);
}

}  // namespace

// Puts the crossings and visits of a journal into a copy of it that has none: one statement for each table, prepared once, ten
// thousand crossings in a transaction, as the journal does it. The rows are in memory before the clock starts.
void insertWithSQLite(const std::string& path, const std::string& copyPath) {
  sqlite3 *journal, *copy;
  check(sqlite3_open(path.c_str(), &journal), journal);
  check(sqlite3_open(copyPath.c_str(), &copy), copy);
  check(sqlite3_exec(copy, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", nullptr, nullptr, nullptr), copy);
  struct Table {
    const char *select, *insert;
    int columns;
    std::vector<sqlite3_value*> values;
  } tables[] = {
      {"SELECT * FROM crossing ORDER BY run, sequence", "INSERT INTO crossing VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", 14, {}},
      {"SELECT * FROM visit ORDER BY run, number", "INSERT INTO visit VALUES (?,?,?,?,?,?,?,?)", 8, {}},
  };
  for (Table& table : tables) {
    sqlite3_stmt* rows;
    check(sqlite3_prepare_v2(journal, table.select, -1, &rows, nullptr), journal);
    while (sqlite3_step(rows) == SQLITE_ROW)
      for (int column = 0; column < table.columns; column++)
        table.values.push_back(sqlite3_value_dup(sqlite3_column_value(rows, column)));
    sqlite3_finalize(rows);
  }
  size_t crossings = tables[0].values.size() / tables[0].columns;
  double began = threadTime();
  for (Table& table : tables) {
    sqlite3_stmt* insertion;
    check(sqlite3_prepare_v2(copy, table.insert, -1, &insertion, nullptr), copy);
    size_t count = table.values.size() / table.columns;
    for (size_t row = 0; row < count; row++) {
      if (row % 10000 == 0) check(sqlite3_exec(copy, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), copy);
      for (int column = 0; column < table.columns; column++)
        sqlite3_bind_value(insertion, column + 1, table.values[row * table.columns + column]);
      check(sqlite3_step(insertion), copy);
      check(sqlite3_reset(insertion), copy);
      if (row % 10000 == 9999 || row + 1 == count) check(sqlite3_exec(copy, "COMMIT", nullptr, nullptr, nullptr), copy);
    }
    sqlite3_finalize(insertion);
  }
  std::printf("{\"ns\": %.3f, \"hits\": %zu}\n", (threadTime() - began) / crossings, crossings);
  for (Table& table : tables) for (sqlite3_value* value : table.values) sqlite3_value_free(value);
  sqlite3_close(copy);
  sqlite3_close(journal);
}
