/// What a sentence says, by the letters at its head.
enum NMEAKind: Sendable {
  case rmc, gga, gll, gns, vtg, zda, gsa, gst, gbs
  case pgrme, pgrmf, pubx00, pubx04
  /// A sentence that is known and has no part in a position.
  case other
  case unknown
}

/// Who says it: the two letters of the talker, `GP` or `GN`.
struct NMEATalker: Hashable, Sendable {
  let code: UInt16

  /// Several constellations in one, or a receiver's own sentences: they speak for all talkers.
  var speaksForAll: Bool { self == .combined || self == .proprietary }

  static let combined = NMEATalker(code: 0x474e)
  static let proprietary = NMEATalker(code: 0x5000)
}

extension NMEASentence {
  /// What the sentence is and who speaks.
  ///
  /// Three letters behind two of any talker decide; sentences that begin with `P` are a maker's own and are known only by
  /// their whole name, except for the talker `PQ` (QZSS on some receivers).
  var address: (kind: NMEAKind, talker: NMEATalker) {
    let head = head
    let (first, second) = (head[0], head[1])
    guard range(0).count == 5, first != 0x50 || second == 0x51 else {
      return (first == 0x50 ? proprietaryKind : .unknown, .proprietary)
    }
    let formatter = UInt32(head[2]) << 16 | UInt32(head[3]) << 8 | UInt32(head[4])
    return (Self.kind(of: formatter), NMEATalker(code: UInt16(first) << 8 | UInt16(second)))
  }

  private var proprietaryKind: NMEAKind {
    if field(0, is: "PUBX") {
      return field(1, is: "00") ? .pubx00 : field(1, is: "04") ? .pubx04 : .other
    }
    if field(0, is: "PGRME") { return .pgrme }
    if field(0, is: "PGRMF") { return .pgrmf }
    for name in [
      "PGRM", "PMTK", "PSRF", "PASH", "PSTI", "PSTM", "PQTM", "PTNL", "PMGN", "PORZ", "PRWI", "PGLO",
    ] {
      if name.utf8.enumerated().allSatisfy({ byte(at: $0.offset) == $0.element }) { return .other }
    }
    return .unknown
  }

  private static func kind(of formatter: UInt32) -> NMEAKind {
    switch formatter {
    case letters("RMC"): .rmc
    case letters("GGA"): .gga
    case letters("GLL"): .gll
    case letters("GNS"): .gns
    case letters("VTG"): .vtg
    case letters("ZDA"): .zda
    case letters("GSA"): .gsa
    case letters("GST"): .gst
    case letters("GBS"): .gbs
    default: bystanders.contains(formatter) ? .other : .unknown
    }
  }

  /// The formatters of the standard that say nothing about a position of the receiver's own.
  private static let bystanders: Set<UInt32> = {
    let names = """
      AAM ABK ABM ACA ACK ACS AIR ALM ALR APA APB BBM BEC BOD BWC BWR BWW DBK DBS DBT DCN DPT DSC DSE DTM FSI GDC GLC
      GRS GSV HDG HDM HDT HSC HTC HTD ITS LCD MDA MHU MLA MMB MSK MSS MTA MTW MWD MWV OLN OSD RMA RMB ROT RPM RSA RSD
      RTE SFI SSD STN THS TLB TLL TRF TTM TUT TXT VBW VDM VDO VDR VER VHW VLW VPW VSD VTA VWR VWT WCV WNC WPL XDR XTE
      XTR ZDL ZFO ZTG
      """
    var codes: Set<UInt32> = []
    for name in names.split(whereSeparator: \.isWhitespace) {
      codes.insert(name.utf8.reduce(0) { $0 << 8 | UInt32($1) })
    }
    return codes
  }()
}

/// Three letters as one number.
@inline(__always)
private func letters(_ name: StaticString) -> UInt32 {
  name.withUTF8Buffer { bytes in
    unsafe UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
  }
}
