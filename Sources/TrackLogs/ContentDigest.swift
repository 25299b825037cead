import CFencelineCrypto

/// The SHA-256 of a stream, built up piece by piece.
@safe
struct ContentDigest: ~Copyable {
  private let context: OpaquePointer

  init() {
    guard let context = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    else { preconditionFailure("libcrypto cannot be set up for SHA-256") }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Adds bytes.
  mutating func update(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { pointer in
      _ = unsafe EVP_DigestUpdate(context, pointer.baseAddress, pointer.count)
    }
  }

  /// The 32 bytes; nothing may be added afterwards.
  mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = unsafe digest.withUnsafeMutableBufferPointer { pointer in
      unsafe EVP_DigestFinal_ex(context, pointer.baseAddress, nil)
    }
    return digest
  }
}

@available(*, unavailable)
extension ContentDigest: Sendable {}
