#pragma once
// What is allocated; Swift's Glibc leaves this header out.
#include <malloc.h>
