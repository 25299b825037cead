"""The peers from PyPI: takes commands a line as the other programs do. shapely's and scipy's trees are asked for all places at once.

    load PATH, build PEER, batch PEER FILE, read PEER FILE
"""
import json
import sys
import time

sys.dont_write_bytecode = True
from geographiclib.geodesic import Geodesic
import numpy
import scipy.spatial
import shapely

from circles import boxes

A, F = 6378137.0, 1 / 298.257223563
E2 = F * (2 - F)


def earth_points(latitudes, longitudes):
    latitudes, longitudes = numpy.radians(latitudes), numpy.radians(longitudes)
    sine, cosine = numpy.sin(latitudes), numpy.cos(latitudes)
    curvature = A / numpy.sqrt(1 - E2 * sine * sine)
    return numpy.stack([curvature * cosine * numpy.cos(longitudes), curvature * cosine * numpy.sin(longitudes),
                        curvature * (1 - E2) * sine], 1)


class Circles:
    def __init__(self, path):
        self.path = path
        self.latitudes, self.longitudes, self.radii = numpy.fromfile(path).reshape(-1, 3).T
        self.points = earth_points(self.latitudes, self.longitudes)
        mean = A * numpy.sqrt(1 - E2) / (1 - E2 * numpy.sin(numpy.radians(self.latitudes)) ** 2)
        self.chords = 2 * mean * numpy.sin(self.radii / (2 * mean))

    def exact(self, places, points, queries, numbers):
        """Which pairs of a place and a circle are right: by the chord, near the perimeter by the geodesic."""
        gaps = numpy.linalg.norm(points[queries] - self.points[numbers], axis=1) - self.chords[numbers]
        holds = gaps <= 0
        for pair in numpy.flatnonzero(abs(gaps) <= 8e-18 * self.radii[numbers] ** 3 + 1e-6):
            circle, (latitude, longitude) = numbers[pair], places[queries[pair]]
            distance = Geodesic.WGS84.Inverse(self.latitudes[circle], self.longitudes[circle], latitude, longitude)["s12"]
            holds[pair] = distance <= self.radii[circle]
        return queries[holds], numbers[holds]


class Shapely:
    def __init__(self, circles):
        numbers, *corners = numpy.array(list(boxes(circles.path))).T
        self.numbers = numbers.astype(int)
        self.tree = shapely.STRtree(shapely.box(*corners))

    def pairs(self, places, _):
        queries, entries = self.tree.query(shapely.points(places[:, 1], places[:, 0]))
        return queries, self.numbers[entries]


class SciPy:
    """A tree for each power of two of the radius, since one tree has one radius."""

    def __init__(self, circles):
        classes = numpy.ceil(numpy.log2(circles.radii))
        self.trees = []
        for size in numpy.unique(classes):
            numbers = numpy.flatnonzero(classes == size)
            self.trees.append((numbers, circles.chords[numbers].max() + 1e-3, scipy.spatial.cKDTree(circles.points[numbers])))

    def pairs(self, _, points):
        queries, found = [], []
        for numbers, reach, tree in self.trees:
            lists = tree.query_ball_point(points, reach, return_sorted=False)
            counts = [len(each) for each in lists]
            queries.append(numpy.repeat(numpy.arange(len(points)), counts))
            found.append(numbers[numpy.array([number for each in lists for number in each], dtype=int)])
        return numpy.concatenate(queries), numpy.concatenate(found)


def batch(circles, tree, path):
    places = numpy.fromfile(path).reshape(-1, 2)
    began = time.thread_time()
    points = earth_points(*places.T)
    queries, numbers = circles.exact(places, points, *tree.pairs(places, points))
    spent = time.thread_time() - began
    checksum = numpy.sum((numbers + 1).astype(numpy.uint64) * (2 * queries + 1).astype(numpy.uint64))
    return {"ns": spent * 1e9 / len(places), "hits": len(numbers), "checksum": str(checksum)}


circles, trees = None, {}
for line in sys.stdin:
    match line.split():
        case ["load", path]:
            circles, trees, answer = Circles(path + ".circles"), {}, {}
        case ["build", name]:
            trees[name], answer = {"shapely": Shapely, "scipy": SciPy}[name](circles), {}
        case ["batch", name, path]:
            answer = batch(circles, trees[name], path)
    print(json.dumps(answer), flush=True)
