import FencelineTransfers
import Testing

@Suite("Internet address") struct InternetAddressTests {
  @Test(arguments: [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "169.254.0.1", "169.254.169.254", "::", "::1",
    "fe80::1",
    "febf::1", "::ffff:127.0.0.1", "::ffff:169.254.1.1", "::ffff:0.0.0.0", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::169.254.169.254", "2002:7f00:1::", "2002:a9fe:101::5",
  ])
  func leadsNowhereElse(_ text: String) throws {
    #expect(try #require(InternetAddress(text)).isLocal)
  }

  @Test(arguments: [
    "126.255.255.255", "128.0.0.1", "1.0.0.0", "169.253.255.255", "169.255.0.0", "10.0.0.1", "192.168.1.1",
    "fec0::1",
    "fe7f::1", "fc00::1", "2001:db8::1", "::ffff:10.0.0.1", "64:ff9b::808:808", "2002:808:808::", "1::1",
    "::1:0:0:0",
  ])
  func leadsElsewhere(_ text: String) throws {
    #expect(try !#require(InternetAddress(text)).isLocal)
  }

  @Test func whatIsNoAddressIsNone() {
    for text in ["", "localhost", "127.1", "2130706433", "fe80::1%eth0", "[::1]", "1.2.3.4.5"] {
      #expect(InternetAddress(text) == nil, "\(text)")
    }
    #expect(InternetAddress(bytes: [1, 2, 3]) == nil)
  }

  @Test func loopbackIsThisMachine() {
    let loopback = ["127.0.0.1", "127.9.9.9", "::1"].compactMap { InternetAddress($0) }
    #expect(loopback.count == 3 && loopback.allSatisfy(\.isLoopback))
    let others = ["128.0.0.1", "::", "::2", "fe80::1", "169.254.0.1"].compactMap { InternetAddress($0) }
    #expect(others.count == 5 && !others.contains(where: \.isLoopback))
  }
}
