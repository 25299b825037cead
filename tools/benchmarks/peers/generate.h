#pragma once
#include <cstddef>
#include <string>

void generateSet(const std::string& folder, const std::string& set, size_t count, size_t queries);
void generateDrive(const std::string& folder, size_t regions, size_t count);
