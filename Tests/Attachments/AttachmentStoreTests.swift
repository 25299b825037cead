import FencelineAttachments
import FencelineTestSupport
import Glibc
import Testing

@Suite("Attachment store") struct AttachmentStoreTests {
  private let folder: TemporaryFolder
  private let store: AttachmentStore
  private var names: [String] { names(in: "db-attachments") }

  init() throws {
    folder = try TemporaryFolder()
    store = AttachmentStore(database: folder.path("db"))
  }

  @Test(arguments: Sample.good) func aFileIsKeptUnderItsHash(_ sample: Sample) throws {
    // Whatever it is called.
    let source = try folder.write("a picture, so they say.jpg", sample.bytes)
    let stored = try store.add(path: source)
    #expect(stored.type == sample.type && stored.size == sample.bytes.count)
    #expect(stored.originalName == "a picture, so they say.jpg")
    let path = try store.path(of: stored.hash)
    #expect(path == folder.path("db-attachments/\(stored.hash.prefix(2))/\(stored.hash.dropFirst(2))"))
    #expect(try shell("sha256sum < '\(source)'").hasPrefix(stored.hash + " "))
    // The copy stays what it was; the source is the user's.
    #expect(contents(of: source) == sample.bytes)
    try folder.write("a picture, so they say.jpg", "changed in place")
    #expect(contents(of: path) == sample.bytes)
    unsafe unlink(source)
    #expect(contents(of: try store.path(of: stored.hash)) == sample.bytes)
    let own = "db-attachments/\(stored.hash.prefix(2))"
    #expect(folder.mode("db-attachments") == 0o700 && folder.mode(own) == 0o700)
    #expect(folder.mode("\(own)/\(stored.hash.dropFirst(2))") == 0o600)
  }

  @Test func aDatabaseHasOneStoreByAnyName() throws {
    try folder.write("db", "")
    try #require(unsafe symlink("db", folder.path("alias")) == 0)
    let stored = try AttachmentStore(database: folder.path("alias")).add(
      path: folder.write("a.gif", Sample.named("a.gif").bytes))
    #expect(
      try store.path(of: stored.hash)
        == folder.path("db-attachments/\(stored.hash.prefix(2))/\(stored.hash.dropFirst(2))"))
  }

  @Test func theSameContentIsOneFile() throws {
    let png = Sample.named("a.png").bytes
    let one = try store.add(path: folder.write("one.png", png))
    let two = try store.add(path: folder.write("two.png", png))
    #expect(one.hash == two.hash && two.originalName == "two.png")
    #expect(names.count == 1 && names(in: "db-attachments/\(names[0])").count == 1)
    // A copy that somebody has spoilt is put right by the next who adds it.
    let path = try store.path(of: one.hash)
    let file = unsafe open(path, O_WRONLY | O_TRUNC)
    close(file)
    _ = try store.add(path: folder.path("one.png"))
    #expect(contents(of: path) == png)
  }

  @Test func whatIsNotInTheStoreIsSaidToBe() throws {
    let known = try store.add(path: folder.write("a.gif", Sample.named("a.gif").bytes)).hash
    for hash in [String(repeating: "0", count: 64), "", "..", known.uppercased(), "../../db", known + "\n"] {
      let error = #expect(throws: AttachmentError.self) { try store.path(of: hash) }
      #expect(error?.code == .attachmentNotInDataStore && error?.code.rawValue == 103)
    }
    let error = #expect(throws: AttachmentError.self) { try store.path(of: "x\ny") }
    #expect(
      error?.message
        == "There is no attachment 'x?y' in '\(folder.path("db"))-attachments'. Add the notification again with its file."
    )
  }

  // MARK: What cannot be attached

  private func refuse(_ path: String, _ code: AttachmentError.Code, _ text: String) {
    let error = #expect(throws: AttachmentError.self) { try store.add(path: path) }
    #expect(error?.code == code, "\(path)")
    #expect(error?.message == text)
    #expect(folder.names.contains("db-attachments") == false)
  }

  private let advice =
    "Name an image (JPEG, GIF, PNG), a sound (AIFF, WAV, MP3, M4A) or a movie (MPEG, MP4, AVI)."

  @Test func whatIsNoFileIsRefused() throws {
    #expect(AttachmentError.Code.attachmentInvalidURL.rawValue == 100)
    let none = folder.path("none.png")
    refuse(
      none, .attachmentInvalidURL,
      "Cannot attach '\(none)': no such file or directory. Name a file that is there and can be read.")
    refuse("", .attachmentInvalidURL, "Cannot attach '': the path is empty. \(advice)")
    refuse("a\0b", .attachmentInvalidURL, "Cannot attach 'a?b': no file has such a name. \(advice)")
    refuse(
      folder.path, .attachmentInvalidURL,
      "Cannot attach '\(folder.path)': it is a folder and not a file. \(advice)")
    for device in ["/dev/zero", "/dev/null", "/dev/full"] {
      refuse(
        device, .attachmentInvalidURL, "Cannot attach '\(device)': it is a device and not a file. \(advice)")
    }
    let pipe = folder.path("pipe")
    try #require(unsafe mkfifo(pipe, 0o600) == 0)
    refuse(pipe, .attachmentInvalidURL, "Cannot attach '\(pipe)': it is a pipe and not a file. \(advice)")
    let loop = folder.path("loop.png")
    try #require(unsafe symlink("loop.png", loop) == 0)
    refuse(
      loop, .attachmentInvalidURL,
      "Cannot attach '\(loop)': too many levels of symbolic links. Name a file that is there and can be read."
    )
    let long = folder.path(String(repeating: "x", count: 300))
    refuse(
      long, .attachmentInvalidURL,
      "Cannot attach '\(long)': file name too long. Name a file that is there and can be read.")
  }

  @Test func aLinkToAFileIsTheFileAndAnyNameWillDo() throws {
    let name = "two\nlines \u{1b}[31m"
    try folder.write(name, Sample.named("a.png").bytes)
    try #require(unsafe symlink(name, folder.path("link")) == 0)
    #expect(try store.add(path: folder.path(name)).originalName == name)
    #expect(try store.add(path: folder.path("link")).originalName == "link")
    try folder.write(name, "text")
    let error = #expect(throws: AttachmentError.self) { try store.add(path: folder.path(name)) }
    #expect(error?.message.contains("/two?lines ?[31m': it is no image") == true)
  }

  @Test func whatIsNoneOfTheTypesIsRefused() throws {
    #expect(AttachmentError.Code.attachmentUnrecognizedType.rawValue == 101)
    for sample in Sample.all where sample.type == nil {
      // A name that promises something else does not help.
      let path = try folder.write("photo.jpg", sample.bytes)
      refuse(
        path, .attachmentUnrecognizedType,
        "Cannot attach '\(path)': it is no image, sound or movie that can be attached. \(advice)")
    }
  }

  @Test func sizesHaveTheirLimits() throws {
    #expect(AttachmentError.Code.attachmentInvalidFileSize.rawValue == 102)
    let empty = try folder.write("empty.png", "")
    refuse(empty, .attachmentInvalidFileSize, "Cannot attach '\(empty)': the file is empty. \(advice)")
    let path = folder.path("large")
    for (name, limit, words) in [
      ("a.jpg", 10, "an image"), ("a.wav", 5, "a sound"), ("1.mpg", 50, "a movie"),
    ] {
      // What stands behind the end, which a program stream may leave out, belongs to the file.
      try folder.write("large", Sample.named(name).bytes + (limit == 50 ? [0, 0, 1, 0xB9] : []))
      try #require(unsafe truncate(path, limit << 20) == 0)
      let stored = try store.add(path: path)
      #expect(stored.size == limit << 20)
      try remove("db-attachments")
      try #require(unsafe truncate(path, limit << 20 + 1) == 0)
      refuse(
        path, .attachmentInvalidFileSize,
        limit == 50
          ? "Cannot attach '\(path)': it has 52428801 bytes, and nothing may have more than 50 MB. Make it smaller."
          : "Cannot attach '\(path)': it has \(limit << 20 + 1) bytes, and \(words) may have \(limit) MB. Make it smaller."
      )
    }
    // It would take long to read.
    try #require(unsafe truncate(path, 1 << 40) == 0)
    refuse(
      path, .attachmentInvalidFileSize,
      "Cannot attach '\(path)': it has 1099511627776 bytes, and nothing may have more than 50 MB. Make it smaller."
    )
  }

  @Test func whatIsDamagedIsRefused() throws {
    #expect(AttachmentError.Code.attachmentCorrupt.rawValue == 105)
    let path = try folder.write("a.png", Array(Sample.named("a.png").bytes.dropLast(20)))
    refuse(
      path, .attachmentCorrupt,
      "Cannot attach '\(path)': the PNG image is cut off. Save or download it again.")
    try folder.write("a.png", "GIF89a, or rather some text that begins like one")
    refuse(
      path, .attachmentCorrupt,
      "Cannot attach '\(path)': it begins like a GIF image, and is damaged or something else further on. "
        + "Save or download it again.")
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() async throws {
    #expect(AttachmentError.Code.attachmentMoveIntoDataStoreFailed.rawValue == 104)
    let png = try folder.write("a.png", Sample.named("a.png").bytes)
    // Something else has the name.
    try folder.write("db-attachments", "")
    let error = #expect(throws: AttachmentError.self) { try store.add(path: png) }
    #expect(
      error?.message
        == "Cannot store attachments in '\(folder.path("db"))-attachments': not a directory. "
        + "Move away what is in its place, or name another database with --db.")
    guard geteuid() == 0 else { try Test.cancel("only the superuser can become somebody else") }
    // Rights are the whole process's: one of its own keeps them from other tests.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let png = try folder.write("a.png", Sample.named("a.png").bytes)
      unsafe chmod(folder.path, 0o755)
      unsafe chmod(png, 0o600)
      let store = AttachmentStore(database: folder.path("db"))
      seteuid(65_534)
      let unreadable = #expect(throws: AttachmentError.self) { try store.add(path: png) }
      #expect(unreadable?.code == .attachmentInvalidURL)
      #expect(
        unreadable?.message == "Cannot attach '\(png)': permission denied. Make it readable for this user.")
      seteuid(0)
      unsafe chmod(png, 0o644)
      seteuid(65_534)
      let unwritable = #expect(throws: AttachmentError.self) { try store.add(path: png) }
      #expect(unwritable?.code == .attachmentMoveIntoDataStoreFailed)
      #expect(
        unwritable?.message
          == "Cannot store attachments in '\(folder.path("db"))-attachments': permission denied. "
          + "Make it writable for this user, or name another database with --db.")
      seteuid(0)
    }
  }

  @Test func aFullDiskLeavesNothingBehind() throws {
    guard try shell("mkdir disk && mount -t tmpfs -o size=2m tmpfs disk && echo mounted") == "mounted\n"
    else {
      try Test.cancel("a file system of its own can be mounted by the superuser alone")
    }
    defer { _ = try? shell("umount disk || umount -l disk") }
    let store = AttachmentStore(database: folder.path("disk/db"))
    let large = try folder.write("large.wav", sound(3 << 20, seed: 1))
    let error = #expect(throws: AttachmentError.self) { try store.add(path: large) }
    #expect(error?.code == .attachmentMoveIntoDataStoreFailed)
    #expect(
      error?.message
        == "Cannot store attachments in '\(folder.path("disk/db"))-attachments': no space left on device. "
        + "Free some space and try again.")
    #expect(try shell("find disk -type f") == "")
    let small = try store.add(path: folder.write("small.wav", sound(1 << 20, seed: 2)))
    #expect(small.size == contents(of: try store.path(of: small.hash)).count)
  }

  @Test func itBelongsToTheOwnerOfTheDatabase() throws {
    guard geteuid() == 0 else { try Test.cancel("only the superuser can give files away") }
    try folder.write("db", "")
    try #require(unsafe chown(folder.path("db"), 1234, 4321) == 0)
    let stored = try store.add(path: folder.write("a.gif", Sample.named("a.gif").bytes))
    let path = try store.path(of: stored.hash)
    #expect(
      try shell("stat -c '%u:%g' db-attachments db-attachments/?? '\(path)' a.gif")
        == "1234:4321\n1234:4321\n1234:4321\n0:0\n")
  }

  // MARK: What nobody needs any more

  @Test func onlyWhatIsOldAndNotReferencedIsCollected() throws {
    #expect(store.collect(olderThan: 0) { _ in false } == (0, 0))
    let samples = ["a.png", "a.gif", "a.jpg"].map { Sample.named($0) }
    let hashes = try samples.map { try store.add(path: folder.write($0.name, $0.bytes)).hash }
    // Things that are none of the store's.
    for name in ["db-attachments/notes", "db-attachments/\(hashes[0].prefix(2))/notes"] {
      try folder.write(name, "x")
    }
    try folder.write("db-attachments/unfinished", "half of a file")
    for hash in hashes { try age(hash, hours: 2) }
    // One that is old and has just been added again.
    #expect(try store.add(path: folder.path("a.jpg")).hash == hashes[2])
    var asked: [String] = []
    let removed = store.collect(olderThan: 3600) { hash in
      asked.append(hash)
      return hash == hashes[1]
    }
    #expect(removed == (1, samples[0].bytes.count))
    #expect(Set(asked) == [hashes[0], hashes[1]])
    #expect(throws: AttachmentError.self) { try store.path(of: hashes[0]) }
    #expect(try contents(of: store.path(of: hashes[1])) == samples[1].bytes)
    #expect(try contents(of: store.path(of: hashes[2])) == samples[2].bytes)
    #expect(names.contains("notes") && !names.contains("unfinished"))
    #expect(names(in: "db-attachments/\(hashes[0].prefix(2))").contains("notes"))
    // While the references cannot be read, nothing goes.
    struct Busy: Error {}
    #expect(throws: Busy.self) { try store.collect(olderThan: 3600) { _ throws(Busy) in throw Busy() } }
    #expect(try contents(of: store.path(of: hashes[1])) == samples[1].bytes)
    // It comes back when it is added again.
    #expect(try store.add(path: folder.path("a.png")).hash == hashes[0])
    #expect(try contents(of: store.path(of: hashes[0])) == samples[0].bytes)
  }

  @Test func whatIsAddedWhileItIsCollectedStays() throws {
    let png = try folder.write("a.png", Sample.named("a.png").bytes)
    let hash = try store.add(path: png).hash
    try age(hash, hours: 2)
    let other = AttachmentStore(database: folder.path("db"))
    let removed = store.collect(olderThan: 3600) { _ in
      // Another process, after the look at the references.
      #expect(throws: Never.self) { try other.add(path: png) }
      return false
    }
    #expect(removed == (0, 0))
    #expect(try contents(of: store.path(of: hash)) == Sample.named("a.png").bytes)
  }

  @Test func manyThreadsMayAddAndCollect() throws {
    let sources = try (0..<4).map { try folder.write("\($0).wav", sound(100_000, seed: UInt64($0))) }
    let threads = (0..<4).map { number in
      BackgroundThread { [folder] in
        let store = AttachmentStore(database: folder.path("db"))
        for round in 0..<25 {
          let source = sources[(number + round) % sources.count]
          #expect(throws: Never.self) {
            let hash = try store.add(path: source).hash
            #expect(contents(of: try store.path(of: hash)) == contents(of: source))
          }
          store.collect(olderThan: 60) { _ in false }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(try shell("find db-attachments -type f | wc -l") == "4\n")
  }

  /// Three processes add and collect, and are killed in the middle of it, again and again.
  @Test func processesThatAreKilledLeaveWholeFilesOnly() throws {
    for number in 0..<4 {
      try folder.write("\(number).wav", sound(number * 1_300_000 + 50, seed: UInt64(number)))
    }
    var random = SplitMix64(seed: 17)
    for round in 0..<4 {
      let processes = try (0..<3).map { number in
        try ChildProcess(
          [
            "/proc/\(getpid())/exe", "--testing-library", "swift-testing", "--filter",
            "AttachmentStoreTests/WorkerTests",
          ],
          environment: [
            "FENCELINE_ATTACHING": folder.path, "SWIFT_BACKTRACE": "enable=no", "PATH": environment("PATH"),
            "LD_LIBRARY_PATH": environment("LD_LIBRARY_PATH"),
          ], output: folder.path("output\(round)-\(number)"))
      }
      for number in 0..<3 {
        let name = "output\(round)-\(number)"
        for _ in 0..<600 where processes[number].isRunning && !folder.text(name).contains("at work") {
          usleep(50_000)
        }
        try #require(folder.text(name).contains("at work"), "\(folder.text(name))")
      }
      usleep(UInt32.random(in: 100_000...400_000, using: &random))
      for process in processes { process.signal(SIGKILL) }
      for (number, process) in processes.enumerated() {
        #expect(process.status(within: 10) == 128 + SIGKILL, "\(folder.text("output\(round)-\(number)"))")
      }
      let wrong = try shell(
        """
        cd db-attachments
        for f in ??/*; do [ "$(sha256sum < "$f" | cut -c 1-64)" = "$(echo "$f" | tr -d /)" ] || echo "$f"; done
        ls | grep -vE '^[0-9a-f]{2}$' | grep -vx unfinished
        """)
      #expect(wrong == "")
      #expect(try shell("find db-attachments -type f -path '*/??/*' | wc -l") == "4\n")
    }
    _ = try store.add(path: folder.path("3.wav"))
    store.collect(olderThan: 60) { _ in false }
    #expect(try shell("find db-attachments -type f | wc -l") == "4\n")
  }

  /// What those processes do, until somebody ends them.
  @Suite("Worker", .enabled(if: unsafe getenv("FENCELINE_ATTACHING") != nil)) struct WorkerTests {
    @Test func addAndCollect() throws {
      let folder = unsafe getenv("FENCELINE_ATTACHING").map { unsafe String(cString: $0) } ?? ""
      let store = AttachmentStore(database: folder + "/db")
      for round in 0... {
        let hash = try store.add(path: "\(folder)/\(round % 4).wav").hash
        _ = try store.path(of: hash)
        if round % 7 == 6 { store.collect(olderThan: 60) { _ in false } }
        if round == 8 {
          print("at work")
          fflush(nil)
        }
      }
    }
  }

  // MARK: -

  /// A sound of noise with so many bytes of it.
  private func sound(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    var noise: [UInt8] = []
    while noise.count < count {
      unsafe withUnsafeBytes(of: random.next()) { unsafe noise.append(contentsOf: $0) }
    }
    noise.removeLast(noise.count - count)
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    let head =
      Array("WAVEfmt ".utf8) + number(16) + [1, 0, 1, 0] + number(8000) + number(8000) + [1, 0, 8, 0]
    let body = head + Array("data".utf8) + number(count) + noise
    return Array("RIFF".utf8) + number(body.count) + body
  }

  private func age(_ hash: String, hours: Int) throws {
    let path = try store.path(of: hash)
    _ = try shell("touch -d '\(hours) hours ago' '\(path)'")
  }

  private func remove(_ name: String) throws { _ = try shell("rm -r '\(name)'") }

  private func names(in name: String) -> [String] {
    ((try? shell("ls -A '\(name)'")) ?? "").split(separator: "\n").map(String.init)
  }

  /// What a shell in the folder prints.
  private func shell(_ script: String) throws -> String {
    let output = ".output-\(UInt64.random(in: 0...UInt64.max))"
    let process = try ChildProcess(["sh", "-c", script], in: folder.path, output: folder.path(output))
    _ = process.status(within: 60)
    defer { unsafe unlink(folder.path(output)) }
    return folder.text(output)
  }

  private func environment(_ name: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
  }
}
