import Testing

@testable import FencelineLiveSources

/// Which lines are given to libgps.
struct GPSDLineTests {
  @Test(
    arguments: [
      (#"{"class":"TPV","lat":47.5}"#, true),
      (#"{"class":"DEVICES","devices":[{"path":"/dev/a"},{"path":"/dev/b"}]}"#, true),
      (#"{"class":"ERROR","message":"a } and a \" and a {"}"#, true),
      // libgps 3.22 never returns from these.
      (#"{"class":"TPV"},{"class":"TPV"}"#, false),
      (#"{"class":"TPV","device":"/dev/{"class":"TPV","device":"/dev/a"}"#, false),
      (#"{"class":"TPV"}{"class":"TPV"}"#, false),
      (#"{"class":"TPV","lat":47"#, false),
      (#"{"class":"TPV","device":"/dev/a}"#, false),
      (#"}{"#, false), ("$GPGGA,1*00", false), ("{", false), ("", false),
    ] as [(String, Bool)])
  func onlyOneWholeObjectIs(_ line: String, _ isOne: Bool) {
    #expect(GPSDSession.isOneObject(ArraySlice(line.utf8)) == isOne)
  }
}
