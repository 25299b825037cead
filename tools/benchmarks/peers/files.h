// Arrays of plain values in files, native byte order: written once by `generate`, read by every contender.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

template <class T>
std::vector<T> readAll(const std::string& path, size_t most = SIZE_MAX) {
  FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) {
    std::fprintf(stderr, "Cannot read '%s': generate the data first.\n", path.c_str());
    std::exit(66);
  }
  std::fseek(file, 0, SEEK_END);
  size_t count = std::ftell(file) / sizeof(T);
  std::vector<T> values(count < most ? count : most);
  std::rewind(file);
  if (std::fread(values.data(), sizeof(T), values.size(), file) != values.size()) std::exit(66);
  std::fclose(file);
  return values;
}

template <class T>
void writeAll(const std::string& path, const std::vector<T>& values) {
  FILE* file = std::fopen(path.c_str(), "wb");
  if (!file || std::fwrite(values.data(), sizeof(T), values.size(), file) != values.size() || std::fclose(file)) {
    std::fprintf(stderr, "Cannot write '%s'.\n", path.c_str());
    std::exit(73);
  }
}
