// The peers' side of the benchmarks: takes a command a line, answers one line of JSON each, keeps what it has built.
//
//     generate FOLDER SET COUNT QUERIES    writes circles and queries
//     drive FOLDER REGIONS COUNT           writes a drive as places, NMEA and GPX
//     load PATH                            the circles of PATH.circles, for all peers from now on
//     build PEER                           its index of them, anew
//     points|segments|steps PEER FILE      queries of a file; `steps` are the ways between the fixes of a walk
//     remove|insert PEER FILE              circles, by their numbers in a file
//     update PEER PATH                     moves the circles PATH.edits to PATH.moved, asks for PATH.random, moves them back
//     truth PEER FILE OUT                  for each place of a file, the sum of id + 1 by the geodesic alone
//     gpx FILE, journal DATABASE COPY      see logs.cpp
#include <cinttypes>
#include <iostream>
#include <map>
#include <sstream>

#include "files.h"
#include "generate.h"
#include "logs.h"
#include "peer.h"

namespace {

std::map<std::string, std::unique_ptr<Peer>> peers;
Circles circles;

[[noreturn]] void refuse(const char* what, const std::string& name) {
  std::fprintf(stderr, "There is no %s '%s'.\n", what, name.c_str());
  std::exit(64);
}

Peer& peer(const std::string& name) {
  auto& place = peers[name];
  if (!place) place = makeBoostPeer(name);
  if (!place) place = makeOtherPeer(name);
  if (!place) refuse("peer", name);
  return *place;
}

size_t bytesInUse() {
  auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void build(const std::string& name) {
  peers.erase(name);
  size_t before = bytesInUse();
  double began = threadTime();
  peer(name).build(circles);
  double nanoseconds = (threadTime() - began) / circles.all.size();
  std::printf("{\"ns\": %.3f, \"bytes\": %.2f}\n", nanoseconds, double(bytesInUse() - before) / circles.all.size());
}

// What lies between two of the ten devices is no way.
std::vector<Place> steps(const std::vector<Place>& walk) {
  std::vector<Place> ends;
  size_t each = (walk.size() + 9) / 10;
  for (size_t fix = 1; fix < walk.size(); fix++) {
    if (fix % each == 0) continue;
    ends.push_back(walk[fix - 1]);
    ends.push_back(walk[fix]);
  }
  return ends;
}

void edit(const std::string& what, const std::string& name, const std::string& file) {
  auto ids = readAll<int>(file);
  double began = threadTime();
  if (what == "remove") peer(name).remove(circles, ids); else peer(name).insert(circles, ids);
  std::printf("{\"ns\": %.3f}\n", (threadTime() - began) / ids.size());
}

void print(const Answer& answer) {
  std::printf("{\"ns\": %.3f, \"hits\": %" PRIu64 ", \"checksum\": \"%" PRIu64 "\"}\n", answer.nanoseconds, answer.hits,
              answer.checksum);
}

void update(const std::string& name, const std::string& path) {
  auto ids = readAll<int>(path + ".edits");
  auto others = readAll<Circle>(path + ".moved");
  double began = threadTime();
  peer(name).exchange(circles, ids, others);
  double nanoseconds = (threadTime() - began) / ids.size();
  Answer answer = peer(name).points(circles, readAll<Place>(path + ".random"));
  answer.nanoseconds = nanoseconds;
  peer(name).exchange(circles, ids, others);
  print(answer);
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string command, first, second, third, fourth;
    words >> command >> first >> second >> third >> fourth;
    if (command == "generate") {
      generateSet(first, second, std::stoul(third), std::stoul(fourth));
      std::puts("{}");
    } else if (command == "drive") {
      generateDrive(first, std::stoul(second), std::stoul(third));
      std::puts("{}");
    } else if (command == "load") {
      peers.clear();
      circles.load(readAll<Circle>(first + ".circles"));
      std::puts("{}");
    } else if (command == "build") {
      build(first);
    } else if (command == "points") {
      print(peer(first).points(circles, readAll<Place>(second)));
    } else if (command == "segments") {
      print(peer(first).segments(circles, readAll<Place>(second)));
    } else if (command == "steps") {
      print(peer(first).segments(circles, steps(readAll<Place>(second))));
    } else if (command == "remove" || command == "insert") {
      edit(command, first, second);
    } else if (command == "update") {
      update(first, second);
    } else if (command == "truth") {
      writeAll(third, peer(first).truth(circles, readAll<Place>(second)));
      std::puts("{}");
    } else if (command == "gpx") {
      readWithExpat(first);
    } else if (command == "journal") {
      insertWithSQLite(first, second);
    } else {
      refuse("command", command);
    }
    std::fflush(stdout);
  }
}
