#pragma once

// The types of these headers that the C library's module has are that module's, whoever imports this one.
#pragma clang module import SwiftGlibc

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
