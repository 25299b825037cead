/// What carries the parcels of one channel: a connection to one peer.
///
/// It may be slow or hang: its channel has threads of its own. Nothing that it does delays another channel.
package protocol Carrier: AnyObject, Sendable {
  /// How many parcels it is given at once, 1 or more.
  var most: Int { get }

  /// Begins what it does beside carrying, such as to listen for answers. It is called once, before anything is carried, by the service alone:
  /// who only checks a set-up makes a carrier and lets go of it.
  ///
  /// - Throws: ``ChannelError`` where the system gives not what it needs; then it is stopped.
  func start() throws(ChannelError)

  /// Carries parcels, in their order, and reports each as soon as its outcome is known. It is called on a thread of the channel,
  /// by several at once where the channel has several, never with parcels of one device at the same time.
  ///
  /// Where one is not done, those behind it with the same ``Parcel/device`` are not tried: they are reported as postponed by 0 seconds,
  /// or not at all.
  ///
  /// - Parameters:
  ///   - parcels: At least one and at most ``most``.
  ///   - report: Takes an outcome; to be called for a parcel at most once and before `carry` returns. What was not reported counts as postponed.
  func carry(_ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void)

  /// Ends what hangs, from any thread: ``carry(_:report:)`` returns soon, and whatever else the carrier does has ended. It is not used
  /// again.
  func stop()

  /// The numbers of the notifications that it shows and can take back.
  var shown: [Int64] { get }

  /// Takes back a notification that it shows: it was answered or removed elsewhere. It does not wait for anything.
  func withdraw(_ notification: Int64)

  /// Takes note of where a device is. It does not wait for anything; only the latest is of interest.
  func note(_ position: LivePosition)
}

extension Carrier {
  /// There is nothing beside.
  package func start() throws(ChannelError) {}
  /// None.
  package var shown: [Int64] { [] }
  /// Nothing is shown.
  package func withdraw(_ notification: Int64) {}
  /// Nobody wants to know.
  package func note(_ position: LivePosition) {}

  /// Carries one after the other; after one that is not done, those of its device wait.
  package func carryEach(
    _ parcels: [Parcel], report: (Parcel, CarryOutcome) -> Void, one: (Parcel) -> CarryOutcome
  ) {
    var held: Set<String> = []
    for parcel in parcels where !held.contains(parcel.device) {
      let outcome = one(parcel)
      if outcome.result != .done { held.insert(parcel.device) }
      report(parcel, outcome)
    }
  }
}
