import Testing

@testable import FencelineDelivery

@Suite("Webhook signature") struct WebhookSignatureTests {
  /// What `standardwebhooks` 1.1.0 from PyPI gives; the first is the specification's own example.
  @Test func itIsThatOfTheStandard() throws {
    let secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "c2Vjb25kIHNlY3JldCwgb2xkZXI="]
    let signature = try #require(WebhookSignature(secrets: secrets))
    let headers = signature.headers(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array("{\"test\": 2432232314}".utf8))
    #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
    #expect(
      headers[2].value
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,TV0KdaGk35MOXKexl7NzZCb11PGFXCaLhLutwrqy9AM=")
    #expect(WebhookSignature(secrets: ["no base64!"]) == nil && WebhookSignature(secrets: ["whsec_"]) == nil)
  }
}
