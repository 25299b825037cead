import FencelineTestSupport
import Glibc
import Testing

@testable import FencelineLiveSources

@Suite("Source addresses") struct SourceAddressTests {
  @Test(
    arguments: [
      ("localhost:2947", "gpsd://localhost:2947", "gpsd localhost:2947"),
      ("localhost", "gpsd://localhost:2947", "gpsd localhost:2947"),
      ("[::1]:2947:/dev/ttyUSB0", "gpsd://[::1]:2947/dev/ttyUSB0", "gpsd [::1]:2947:/dev/ttyUSB0"),
      ("gpsd://pi.local/dev/ttyACM0", "gpsd://pi.local:2947/dev/ttyACM0", "gpsd pi.local:2947:/dev/ttyACM0"),
      ("gpsd://pi.local:3000/", "gpsd://pi.local:3000", "gpsd pi.local:3000"),
      (
        "pi:2947:tcp://10.0.0.2:4000", "gpsd://pi:2947/tcp://10.0.0.2:4000",
        "gpsd pi:2947:tcp://10.0.0.2:4000"
      ),
      ("serial:///dev/ttyUSB0", "serial:///dev/ttyUSB0?baud=9600", "serial /dev/ttyUSB0"),
      ("serial:///dev/ttyS0?baud=460800", "serial:///dev/ttyS0?baud=460800", "serial /dev/ttyS0"),
      ("tcp://boat:10110", "tcp://boat:10110", "tcp boat:10110"),
      ("tcp://[fe80::1]:10110", "tcp://[fe80::1]:10110", "tcp [fe80::1]:10110"),
      ("udp://:10110", "udp://:10110", "udp *:10110"),
      ("udp://192.168.1.2:10110", "udp://192.168.1.2:10110", "udp 192.168.1.2:10110"),
      ("-", "-", "standard input"),
    ])
  func addressesAreReadAndWritten(_ text: String, _ canonical: String, _ name: String) throws {
    let address = try SourceAddress(parsing: text)
    #expect(address.description == canonical)
    #expect(try SourceAddress(parsing: canonical) == address)
    #expect(address.source(options: SourceOptions()).name == name)
  }

  @Test(
    arguments: [
      ("/dev/ttyUSB0", "For a serial port write 'serial:///dev/ttyUSB0'."),
      ("", "it names no host. Write it as 'localhost:2947'."),
      ("localhost:gps", "'gps' is no port. A port is a number from 1 to 65535."),
      ("localhost:70000", "'70000' is no port. A port is a number from 1 to 65535."),
      (
        "localhost:2947/dev/x",
        "'/dev/x' is no receiver. Write it as 'HOST:PORT:DEVICE' or 'gpsd://HOST:PORT/DEVICE'."
      ),
      ("[::1", "a ']' is missing. Write it as '[::1]:2947'."),
      ("http://localhost", "there is no kind 'http'. Use gpsd, serial, tcp or udp, or - for standard input."),
      ("serial://ttyUSB0", "it needs a path. Write it as 'serial:///dev/ttyUSB0'."),
      ("serial:///dev/ttyUSB0?speed=1", "'speed=1' is no setting. The only one is the speed: '?baud=9600'."),
      ("serial:///dev/ttyUSB0?baud=9601", "'9601' is no speed. Use one of 4800, 9600"),
      ("tcp://boat", "it needs a host and a port. Write it as 'tcp://HOST:PORT'."),
      ("udp://boat", "it needs a port. Write it as 'udp://:PORT', or 'udp://ADDRESS:PORT'."),
    ])
  func whatIsNoneSaysWhatOneLooksLike(_ text: String, _ reason: String) throws {
    let error = try #require(throws: LiveSourceError.self) { try SourceAddress(parsing: text) }
    #expect(error.code == .address)
    #expect(error.message.hasPrefix("Cannot use the source '\(text)': "))
    #expect(error.message.contains(reason), "\(error.message)")
  }
}

@Suite("Receiver names") struct ReceiverNamesTests {
  @Test func aLinkGivesAName() throws {
    let folder = try TemporaryFolder()
    let line = try PseudoTerminal()
    let links = try TemporaryFolder()
    try #require(unsafe symlink(line.path, links.path("usb-u-blox_7-if00")) == 0)
    let names = ReceiverNames(
      [("bow", "/dev/ttyACM*"), ("stern", "*/usb-u-blox*")], linkFolders: [folder.path("none"), links.path])
    #expect(names[line.path] == "stern")
    #expect(names["/dev/ttyACM3"] == "bow")
    #expect(names["/dev/ttyUSB0"] == nil)
  }
}
