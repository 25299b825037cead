"""Reads a log with a library from PyPI: how many fixes it has and the sums of their coordinates.

    python_readers.py pynmea2|gpxpy FILE
"""
import sys


def with_pynmea2(file):
    import pynmea2
    for line in file:
        sentence = pynmea2.parse(line)
        if sentence.sentence_type == "GGA":
            yield sentence.latitude, sentence.longitude


def with_gpxpy(file):
    import gpxpy
    for point in gpxpy.parse(file).walk(only_points=True):
        yield point.latitude, point.longitude


fixes, latitudes, longitudes = 0, 0.0, 0.0
with open(sys.argv[2], encoding="ascii") as file:
    for latitude, longitude in {"pynmea2": with_pynmea2, "gpxpy": with_gpxpy}[sys.argv[1]](file):
        fixes += 1
        latitudes += latitude
        longitudes += longitude
print(fixes, latitudes, longitudes)
