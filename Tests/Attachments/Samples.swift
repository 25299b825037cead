import FencelineAttachments
import FencelineTestSupport
import Glibc
import Testing

/// A file that ffmpeg has made.
struct Sample: Sendable, CustomTestStringConvertible {
  var name: String
  /// nil for what cannot be attached.
  var type: AttachmentType?
  var bytes: [UInt8]
  var testDescription: String { name }

  /// A file of each kind, and of kinds that look like them: coloured bars, a tone, or both.
  static let all: [Sample] = make()

  /// Those that can be attached.
  static let good = all.filter { $0.type != nil }

  static func named(_ name: String) -> Sample {
    all.first { $0.name == name } ?? Sample(name: name, type: nil, bytes: [])
  }

  private static let bars = "-f lavfi -i testsrc=duration=0.4:size=48x32:rate=5"
  private static let tone = "-f lavfi -i sine=frequency=440:duration=0.3"
  private static let recipes: [(name: String, type: AttachmentType?, words: String)] = [
    ("a.jpg", .jpeg, "\(bars) -frames:v 1"),
    ("a.png", .png, "\(bars) -frames:v 1"),
    ("a.gif", .gif, bars),
    ("a.wav", .wav, tone),
    ("a.aiff", .aiff, tone),
    ("a.aifc", .aiff, "\(tone) -c:a pcm_mulaw -f aiff"),
    ("tagged.mp3", .mp3, "\(tone) -metadata title=Tone"),
    ("bare.mp3", .mp3, "\(tone) -id3v2_version 0 -write_xing 0"),
    ("low.mp3", .mp3, "\(tone) -ar 22050 -b:a 24k"),
    ("lowest.mp3", .mp3, "\(tone) -ar 8000 -b:a 8k -id3v2_version 0 -write_xing 0"),
    ("a.m4a", .m4a, tone),
    ("general.m4a", .m4a, "\(tone) -f mp4"),
    ("1.mpg", .mpeg, "\(bars) \(tone) -c:v mpeg1video -r 25"),
    ("2.vob", .mpeg, "\(bars) \(tone) -c:v mpeg2video -r 25"),
    ("1.m1v", .mpeg, "\(bars) -r 25"),
    ("2.m2v", .mpeg, "\(bars) -r 25"),
    ("a.mp4", .mp4, "\(bars) \(tone) -c:v mpeg4"),
    ("front.mp4", .mp4, "\(bars) -c:v mpeg4 -movflags +faststart"),
    ("fragments.mp4", .mp4, "\(bars) -c:v mpeg4 -movflags +frag_keyframe+empty_moov"),
    ("a.avi", .avi, "\(bars) \(tone)"),
    ("a.mov", nil, bars), ("a.mkv", nil, bars), ("a.ts", nil, bars), ("a.3gp", nil, "\(bars) -c:v mpeg4"),
    ("a.flac", nil, tone), ("a.ogg", nil, tone), ("a.mp2", nil, tone), ("a.aac", nil, tone),
    ("a.caf", nil, tone),
    ("a.bmp", nil, "\(bars) -frames:v 1"), ("a.tiff", nil, "\(bars) -frames:v 1"),
  ]

  private static func make() -> [Sample] {
    do {
      let folder = try TemporaryFolder()
      var script = "set -e\n"
      for recipe in recipes {
        script += "ffmpeg -nostdin -loglevel error -bitexact \(recipe.words) \(recipe.name)\n"
      }
      let maker = try ChildProcess(["sh", "-c", script], in: folder.path, error: folder.path("trouble"))
      guard maker.status(within: 120) == 0 else {
        Issue.record("ffmpeg has made no samples: \(folder.text("trouble"))")
        return []
      }
      return recipes.map { Sample(name: $0.name, type: $0.type, bytes: contents(of: folder.path($0.name))) }
    } catch {
      Issue.record("there are no samples: \(error)")
      return []
    }
  }
}

/// What a file holds; nothing where it cannot be read.
func contents(of path: String) -> [UInt8] {
  let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
  defer { close(file) }
  var bytes: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe read(file, &part, part.count)
    guard count > 0 else { return bytes }
    bytes += part[..<count]
  }
}
