#pragma once
#include <string>

void readWithExpat(const std::string& file);
void insertWithSQLite(const std::string& database, const std::string& copy);
