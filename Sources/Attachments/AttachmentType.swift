/// What a file can be that goes with a notification: the types of Apple's framework, with its limits.
package enum AttachmentType: String, Hashable, Sendable, CaseIterable {
  case jpeg, gif, png
  /// AIFF and AIFF-C.
  case aiff
  case wav, mp3
  /// MPEG-4 without pictures.
  case m4a
  /// MPEG-1 and MPEG-2, a program stream or bare video.
  case mpeg
  case mp4, avi

  /// What a person sees or hears.
  package enum Kind: String, Hashable, Sendable {
    case image, audio, movie
  }

  /// What a person sees or hears.
  package var kind: Kind {
    switch self {
    case .jpeg, .gif, .png: .image
    case .aiff, .wav, .mp3, .m4a: .audio
    case .mpeg, .mp4, .avi: .movie
    }
  }

  /// The name for HTTP and e-mail: `image/jpeg`.
  package var mimeType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .png: "image/png"
    case .aiff: "audio/aiff"
    case .wav: "audio/wav"
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .mpeg: "video/mpeg"
    case .mp4: "video/mp4"
    case .avi: "video/x-msvideo"
    }
  }

  /// How names of such files end, without the point: `jpg`.
  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .mpeg: "mpg"
    default: rawValue
    }
  }

  /// The largest file, in bytes: 10 MB for an image, 5 for audio, 50 for a movie, of 1,048,576 bytes each.
  package var limit: Int {
    switch kind {
    case .image: 10 << 20
    case .audio: 5 << 20
    case .movie: 50 << 20
    }
  }

  /// The largest file of any type, in bytes.
  package static let largest = 50 << 20

  /// As a sentence says it: `JPEG image`.
  package var description: String {
    switch self {
    case .jpeg: "JPEG image"
    case .gif: "GIF image"
    case .png: "PNG image"
    case .aiff: "AIFF sound"
    case .wav: "WAV sound"
    case .mp3: "MP3 sound"
    case .m4a: "M4A sound"
    case .mpeg: "MPEG movie"
    case .mp4: "MP4 movie"
    case .avi: "AVI movie"
    }
  }
}

extension AttachmentType: CustomStringConvertible {}

extension AttachmentType {
  /// The type of a file by what it holds, never by its name; nil where it is none of these.
  ///
  /// - Parameter bytes: The whole file.
  package init?(of bytes: [UInt8]) {
    func has(_ text: String, at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: text.utf8) }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: PNG.signature) {
      self = .png
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WAVE", at: 8) {
      self = .wav
    } else if has("RIFF"), has("AVI ", at: 8) {
      self = .avi
    } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
      self = .aiff
    } else if has("ftyp", at: 4), let type = MP4.type(of: bytes) {
      self = type
    } else if MPEGVideo.begins(bytes) {
      self = .mpeg
    } else if MP3.begins(bytes) {
      self = .mp3
    } else {
      return nil
    }
  }

  /// Goes through the structure of a file of this type.
  ///
  /// It does not decode: what a player makes of the pictures and sounds inside is not known.
  ///
  /// - Parameter bytes: The whole file.
  /// - Throws: ``Defect``.
  func check(_ bytes: [UInt8]) throws(Defect) {
    switch self {
    case .jpeg: try JPEG.check(bytes)
    case .gif: try GIF.check(bytes)
    case .png: try PNG.check(bytes)
    case .aiff: try Chunks.checkAIFF(bytes)
    case .wav: try Chunks.checkRIFF(bytes, needs: ["fmt ", "data"])
    case .avi: try Chunks.checkRIFF(bytes, needs: ["LIST hdrl", "LIST movi"])
    case .mp3: try MP3.check(bytes)
    case .m4a, .mp4: try MP4.check(bytes)
    case .mpeg: try MPEGVideo.check(bytes)
    }
  }
}

/// What is wrong with the structure of a file.
enum Defect: Error, Hashable {
  /// It ends where more must come.
  case cutOff
  /// Something stands where it cannot.
  case damaged
}
