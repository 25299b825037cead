#pragma once

#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, so they need these.

static inline CURLcode fenceline_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fenceline_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fenceline_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

/// A body that is posted; it is copied.
static inline CURLcode fenceline_set_body(CURL *handle, const void *bytes, size_t count) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode fenceline_set_writer(CURL *handle, curl_write_callback writer, void *context) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, writer);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

/// The answer's status, 0 before there is one.
static inline long fenceline_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// The system's error number of the last failure to connect, 0 where there was none.
static inline long fenceline_system_error(CURL *handle) {
  long number = 0;
  curl_easy_getinfo(handle, CURLINFO_OS_ERRNO, &number);
  return number;
}

static inline CURLcode fenceline_set_handle(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode fenceline_set_list(CURL *handle, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(handle, option, list);
}

/// Says what opens sockets.
static inline CURLcode fenceline_set_opener(CURL *handle, curl_opensocket_callback opener, void *context) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

/// Says who is asked now and then whether to go on.
static inline CURLcode fenceline_set_watcher(CURL *handle, curl_xferinfo_callback watcher, void *context) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watcher);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

/// Says where a body comes from, of so many bytes.
static inline CURLcode fenceline_set_reader(CURL *handle, curl_read_callback reader, void *context, curl_off_t size) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_READFUNCTION, reader);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_READDATA, context);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, size);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
}

/// Says who follows what is spoken on a connection.
static inline CURLcode fenceline_set_listener(CURL *handle, curl_debug_callback listener, void *context) {
  CURLcode result = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, listener);
  if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, context);
  return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

static inline long fenceline_number(CURL *handle, CURLINFO what) {
  long number = 0;
  curl_easy_getinfo(handle, what, &number);
  return number;
}

static inline curl_off_t fenceline_long_number(CURL *handle, CURLINFO what) {
  curl_off_t number = 0;
  curl_easy_getinfo(handle, what, &number);
  return number;
}

/// A text that lives as long as the transfer; NULL where there is none.
static inline const char *fenceline_text(CURL *handle, CURLINFO what) {
  char *text = NULL;
  curl_easy_getinfo(handle, what, &text);
  return text;
}

/// The bytes of an IP address: 4, 16, or 0 for an address of another kind.
static inline int fenceline_address(const struct curl_sockaddr *address, unsigned char bytes[16]) {
  if (address->family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

/// How the transfer has ended; -1 where it has not.
static inline int fenceline_end(CURLM *transfers) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(transfers, &left)) != NULL)
    if (message->msg == CURLMSG_DONE) return message->data.result;
  return -1;
}
