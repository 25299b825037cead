import FencelineDelivery
import FencelineMQTTLink
import Testing

/// What is said where libmosquitto was left out; `tools/check-without-mqtt` builds the program so.
@Suite(.enabled(if: !MQTTLink.isAvailable, "built with MQTT")) struct MissingMQTTTests {
  @Test func whatWasLeftOutIsSaid() {
    let advice =
      "this program was built without MQTT. Install libmosquitto-dev and build it without '--disable-default-traits'."
    let context = ChannelContext(version: "1")
    for values in [
      ["broker": ["mqtt://localhost"]], ["broker": ["mqtt://localhost"], "receive": ["owntracks/#"]],
    ] {
      let setup = ChannelSetup(name: "home", values: values)
      #expect(throws: ChannelError("Channel 'home' cannot be used: \(advice)")) {
        try ChannelKind.mqtt.make(setup, context)
      }
    }
    let setup = ChannelSetup(
      name: "home", values: ["broker": ["mqtt://localhost"], "receive": ["owntracks/#"]])
    #expect(throws: ChannelError("Channel 'home' cannot be used: \(advice)")) {
      _ = try ChannelKind.ownTracksInput(setup, context)
    }
    #expect(throws: MQTTError(.unavailable, "This program" + advice.dropFirst("this program".count))) {
      _ = try MQTTLink(MQTTOptions(host: "localhost", port: 1883, clientID: "a")) { _ in }
    }
  }
}
