import FencelineTestSupport
import Testing

/// A private authority, and what it has certified, made with openssl.
struct Certificates {
  let folder: TemporaryFolder
  /// The authority's own.
  var authority: String { folder.path("ca.pem") }

  init() throws {
    folder = try TemporaryFolder()
    try run(
      "openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj '/CN=Test authority' -addext basicConstraints=critical,CA:TRUE"
    )
  }

  /// The paths of a certificate and its key.
  ///
  /// - Parameters:
  ///   - name: Of its files.
  ///   - names: For whom: `IP:127.0.0.1`.
  /// - Returns: Two paths.
  /// - Throws: Where openssl does not do it.
  func issue(_ name: String, for names: String) throws -> [String] {
    try folder.write("\(name).ext", "subjectAltName=\(names)\n")
    try run("openssl req -newkey rsa:2048 -nodes -keyout \(name).key -out \(name).csr -subj '/CN=\(name)'")
    try run(
      "openssl x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile \(name).ext -out \(name).pem"
    )
    return [folder.path("\(name).pem"), folder.path("\(name).key")]
  }

  private func run(_ line: String) throws {
    let process = try ChildProcess(["sh", "-c", line], in: folder.path, error: folder.path("error"))
    try #require(process.status(within: 60) == 0, "\(folder.text("error"))")
  }
}
