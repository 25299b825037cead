import FencelineTestSupport
import Testing

@testable import FencelineAttachments

@Suite("Attachment type") struct AttachmentTypeTests {
  /// What becomes of bytes: their type, or what is wrong.
  private enum Verdict: Equatable {
    case type(AttachmentType)
    case unrecognised
    case defect(Defect)
  }

  private func judge(_ bytes: [UInt8]) -> Verdict {
    guard let type = AttachmentType(of: bytes) else { return .unrecognised }
    do { try type.check(bytes) } catch { return .defect(error) }
    return .type(type)
  }

  @Test func thereIsASampleOfEachType() {
    #expect(Set(Sample.good.compactMap(\.type)) == Set(AttachmentType.allCases))
  }

  @Test(arguments: Sample.all) func realFilesAreWhatTheyHold(_ sample: Sample) {
    #expect(judge(sample.bytes) == sample.type.map { .type($0) } ?? .unrecognised)
  }

  @Test func aTypeHasNamesAndALimit() {
    let limits = AttachmentType.allCases.map {
      "\($0.fileExtension) \($0.mimeType) \($0.kind) \($0.limit >> 20)"
    }
    #expect(
      limits == [
        "jpg image/jpeg image 10", "gif image/gif image 10", "png image/png image 10",
        "aiff audio/aiff audio 5",
        "wav audio/wav audio 5", "mp3 audio/mpeg audio 5", "m4a audio/mp4 audio 5", "mpg video/mpeg movie 50",
        "mp4 video/mp4 movie 50", "avi video/x-msvideo movie 50",
      ])
    #expect(AttachmentType.allCases.map(\.limit).max() == AttachmentType.largest)
  }

  /// Every type whose files say how long they are, cut off anywhere.
  @Test(
    arguments: Sample.good.filter { sample in
      sample.type != .mp3 && sample.type != .mpeg && sample.name != "fragments.mp4"
    })
  func whatIsCutOffIsRefused(_ sample: Sample) {
    for count in stride(from: 0, to: sample.bytes.count, by: sample.bytes.count > 6000 ? 31 : 1) {
      if case .type(let type) = judge(Array(sample.bytes.prefix(count))) {
        Issue.record("\(count) of \(sample.bytes.count) bytes pass for \(type)")
        return
      }
    }
  }

  /// Those that may end anywhere are refused where nothing of them can be played.
  @Test func whatMayEndAnywhereHasABeginning() {
    for (name, least) in [
      ("tagged.mp3", 200), ("bare.mp3", 200), ("lowest.mp3", 60), ("1.mpg", 1000), ("2.vob", 1000),
      ("1.m1v", 12),
      ("2.m2v", 12), ("fragments.mp4", 800),
    ] {
      let bytes = Sample.named(name).bytes
      for count in 0..<min(least, bytes.count) {
        if case .type = judge(Array(bytes.prefix(count))) {
          Issue.record("\(count) bytes of \(name) pass")
          break
        }
      }
    }
    #expect(judge(Array(Sample.named("1.mpg").bytes.dropLast(5))) == .defect(.cutOff))
    #expect(judge(Array(Sample.named("bare.mp3").bytes.prefix(100))) == .defect(.cutOff))
    #expect(judge(Array(Sample.named("tagged.mp3").bytes.prefix(20))) == .defect(.cutOff))
  }

  @Test func whatStandsBehindTheEndDoesNotMatter() {
    let more = Array("PK\u{3}\u{4} an archive".utf8)
    for name in ["a.jpg", "a.png", "a.gif", "a.wav", "a.aiff", "a.avi"] {
      let sample = Sample.named(name)
      #expect(judge(sample.bytes + more) == sample.type.map { .type($0) }, "\(name)")
      #expect(judge(more + sample.bytes) == .unrecognised, "\(name)")
    }
  }

  @Test func filesThatOnlyBeginLikeOneAreDamaged() {
    let zeros = [UInt8](repeating: 0, count: 64)
    let gif = Array("GIF89a=1;alert('a script that a browser would run, and no picture');".utf8)
    #expect(judge(gif + zeros) == .defect(.damaged))
    #expect(judge([0xFF, 0xD8, 0xFF] + zeros) == .defect(.damaged))
    #expect(judge(PNG.signature + zeros) == .defect(.damaged))
    // A picture without pixels, by leaving out their chunk, and one that is nothing wide.
    let png = Sample.named("a.png").bytes
    #expect(judge(Array(png.prefix(33)) + Array(png.suffix(12))) == .defect(.damaged))
    #expect(judge(replaced(png, at: 16, [0, 0, 0, 0])) == .defect(.damaged))
    #expect(judge(replaced(png, at: 37, Array("ID T".utf8))) == .defect(.damaged))
    // Without the sound, and with one longer than the whole.
    let wav = Sample.named("a.wav").bytes
    #expect(judge(replaced(wav, at: 12, Array("fmt_".utf8))) == .defect(.damaged))
    #expect(judge(replaced(wav, at: 40, [0xFF, 0xFF, 0xFF, 0xFF])) == .defect(.damaged))
    #expect(judge(replaced(wav, at: 4, [0xFF, 0xFF, 0xFF, 0xFF])) == .defect(.cutOff))
    // Without an image, and with a scan before the frame.
    #expect(judge([0xFF, 0xD8, 0xFF, 0xD9]) == .defect(.damaged))
    #expect(judge([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9]) == .defect(.damaged))
    let mp4 = Sample.named("a.mp4").bytes
    #expect(judge(replaced(mp4, at: 0, [0, 0, 0, 7])) == .defect(.damaged))
    #expect(
      judge(Array(mp4.prefix(while: { _ in false })) + [0, 0, 0, 8] + Array("ftypisom".utf8)) != .type(.mp4))
  }

  @Test func threeFramesMustFollowUponEachOther() {
    let mp3 = Sample.named("bare.mp3").bytes
    // 128 kb/s at 44.1 kHz: 417 or 418 bytes.
    let second = mp3[400...].firstIndex(of: 0xFF) ?? 0
    #expect(second == 417 || second == 418)
    #expect(judge(replaced(mp3, at: second, [0])) == .unrecognised)
    #expect(judge(Array(mp3[..<second])) == .type(.mp3))
    // Layers I and II, a reserved version, a bit rate and a frequency that there are not.
    for (place, value) in [(1, 0xFF), (1, 0xFD), (1, 0xEB), (2, 0x00), (2, 0xF0), (2, 0x9C)] as [(Int, UInt8)]
    {
      #expect(judge(replaced(mp3, at: place, [value])) == .unrecognised, "\(place) \(value)")
    }
    // A tag before something else is no sound of this type.
    let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]
    #expect(judge(tag + mp3) == .type(.mp3))
    #expect(judge(tag + tag + mp3) == .type(.mp3))
    #expect(judge(tag + Sample.named("a.aac").bytes) == .unrecognised)
    #expect(judge(tag) == .defect(.cutOff))
    #expect(judge(tag + Array(mp3[..<second]) + [UInt8](repeating: 1, count: 500)) == .defect(.damaged))
    #expect(judge(Array("ID3".utf8) + [4, 0, 0, 0x80, 0, 0, 0] + mp3) == .unrecognised)
  }

  @Test func brandsTellSoundFromFilmFromTheRest() {
    let film = Sample.named("a.mp4").bytes
    for (brand, type) in [
      ("mp42", .mp4), ("M4V ", .mp4), ("M4A ", .m4a), ("M4B ", .m4a), ("qt  ", nil), ("heic", nil),
      ("avif", nil),
      ("3gp4", nil), ("jp2 ", nil),
    ] as [(String, AttachmentType?)] {
      #expect(
        judge(replaced(film, at: 8, Array(brand.utf8))) == type.map { .type($0) } ?? .unrecognised, "\(brand)"
      )
    }
  }

  @Test func noBytesBringItDown() {
    let samples = Sample.good
    forAll(seed: 6, count: 4000) { random, _ in
      guard var bytes = samples.randomElement(using: &random)?.bytes, !bytes.isEmpty else { return }
      // Mostly near the beginning, where the structure is.
      let reach = random.chance(0.7) ? min(bytes.count, 200) : bytes.count
      for _ in 0...Int.random(in: 0..<6, using: &random) {
        let place = Int.random(in: 0..<reach, using: &random)
        bytes[place] = random.chance(0.4) ? 0xFF : UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(0.3) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      _ = judge(bytes)
    }
  }

  private func replaced(_ bytes: [UInt8], at place: Int, _ piece: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard place + piece.count <= bytes.count else { return [] }
    bytes.replaceSubrange(place..<place + piece.count, with: piece)
    return bytes
  }
}
