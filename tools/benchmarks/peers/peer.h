// A spatial index that the project's is compared with: it finds candidates by their boxes, the exact test decides.
#pragma once
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <memory>
#include <string>

#include "geometry.h"

// What one measurement has come to. The checksum is the sum over all queries q of (2 q + 1) times the sum of id + 1.
struct Answer {
  double nanoseconds = 0;  // each
  uint64_t hits = 0, checksum = 0;
};

// Nanoseconds of processor time that this thread has used: waiting for a processor does not count.
inline double threadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

// The median of three.
template <class Body>
Answer measured(size_t count, Body body) {
  double times[3];
  Answer answer;
  for (double& time : times) {
    double began = threadTime();
    answer = body();
    time = (threadTime() - began) / count;
  }
  std::sort(times, times + 3);
  answer.nanoseconds = times[1];
  return answer;
}

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void build(const Circles& circles) = 0;
  virtual Answer points(const Circles& circles, const std::vector<Place>& places) = 0;
  virtual Answer segments(const Circles& circles, const std::vector<Place>& ends) = 0;
  // For each place the sum of id + 1 of the circles that hold it, by the geodesic alone.
  virtual std::vector<uint64_t> truth(const Circles& circles, const std::vector<Place>& places) = 0;
  virtual void remove(const Circles& circles, const std::vector<int>& ids) = 0;
  virtual void insert(Circles& circles, const std::vector<int>& ids) = 0;
  // Moves circles; `others` are where they are to be, and afterwards where they were.
  virtual void exchange(Circles& circles, const std::vector<int>& ids, std::vector<Circle>& others) = 0;
};

// The loops for one kind of tree, which gives the ids of candidates: `at(place, body)`, `in(box, body)`.
template <class Tree>
class TreePeer : public Peer {
 public:
  void build(const Circles& circles) override {
    tree.reset();
    tree = std::make_unique<Tree>(circles.all);
  }

  Answer points(const Circles& circles, const std::vector<Place>& places) override {
    return measured(places.size(), [&] {
      Answer answer;
      for (size_t query = 0; query < places.size(); query++) {
        LazyPlace place(places[query]);
        uint64_t sum = 0;
        tree->at(place.place, [&](int id) {
          if (circles.holds(id, place)) sum += id + 1, answer.hits++;
        });
        answer.checksum += sum * (2 * query + 1);
      }
      return answer;
    });
  }

  Answer segments(const Circles& circles, const std::vector<Place>& ends) override {
    std::vector<int> found;
    return measured(ends.size() / 2, [&] {
      Answer answer;
      for (size_t query = 0; 2 * query < ends.size(); query++) {
        Point a = earthPoint(ends[2 * query]), b = earthPoint(ends[2 * query + 1]);
        double metres = std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
        Box box[2];
        int count = boxes(ends[2 * query], ends[2 * query + 1], metres, box);
        found.clear();
        for (int part = 0; part < count; part++) tree->in(box[part], [&](int id) {
          if (circles.meets(id, a, b)) found.push_back(id);
        });
        // A circle across the antimeridian has two boxes, and a covering several cells.
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        uint64_t sum = 0;
        for (int id : found) sum += id + 1;
        answer.hits += found.size();
        answer.checksum += sum * (2 * query + 1);
      }
      return answer;
    });
  }

  std::vector<uint64_t> truth(const Circles& circles, const std::vector<Place>& places) override {
    std::vector<uint64_t> sums;
    for (const Place& place : places) {
      uint64_t sum = 0;
      tree->at(place, [&](int id) {
        if (geodesicDistance(circles.all[id].centre(), place) <= circles.all[id].radius) sum += id + 1;
      });
      sums.push_back(sum);
    }
    return sums;
  }

  void remove(const Circles& circles, const std::vector<int>& ids) override {
    if constexpr (Tree::isDynamic) for (int id : ids) tree->remove(id, circles.all[id]);
  }

  // The exact record is part of what an insertion costs.
  void insert(Circles& circles, const std::vector<int>& ids) override {
    if constexpr (Tree::isDynamic) for (int id : ids) {
      circles.prepare(id);
      tree->insert(id, circles.all[id]);
    }
  }

  void exchange(Circles& circles, const std::vector<int>& ids, std::vector<Circle>& others) override {
    if constexpr (Tree::isDynamic) for (size_t place = 0; place < ids.size(); place++) {
      int id = ids[place];
      tree->remove(id, circles.all[id]);
      std::swap(circles.all[id], others[place]);
      circles.prepare(id);
      tree->insert(id, circles.all[id]);
    }
  }

 private:
  std::unique_ptr<Tree> tree;
};

std::unique_ptr<Peer> makeBoostPeer(const std::string& name);
std::unique_ptr<Peer> makeOtherPeer(const std::string& name);
