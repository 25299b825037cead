/// What a service may say of itself.
enum Samples {
  /// Two devices, one of which has a fix, with names that are hard to print.
  static let status = #"""
    {"version":"0.1.0","process":123,"since":"2026-11-30T07:00:00.000Z","now":"2026-11-30T10:05:00.000Z",
     "database":"/home/x/fenceline.db","run":1,"clockSynchronised":true,
     "sources":[{"name":"gpsd localhost:2947","state":"3D","since":"2026-11-30T09:00:00.000Z","detail":null,
       "counts":{"reports without a fix":3,"quoted \"kind\"":0}},
      {"name":"tcp boat:10110","state":"connecting","since":"2026-11-30T10:04:48.000Z","detail":"connection refused","counts":{}}],
     "devices":[{"device":"default","source":"gpsd localhost:2947","receiver":"/dev/ttyUSB0","state":"3D",
       "stateSince":"2026-11-30T09:00:00.000Z",
       "fix":{"time":"2026-11-30T10:04:59.600Z","latitude":47.3769,"longitude":8.5417,"accuracy":4.2,"speed":1.2,
         "course":90,"altitude":410},"age":0.4,
       "inside":[{"region":"office","title":"Office, 3rd floor","since":"2026-11-30T08:00:00.000Z"},
         {"region":"town","title":null,"since":"2026-11-30T07:30:00.000Z"}],
       "nearest":[{"region":"gate","title":null,"distance":123.4},{"region":"de\"pot\\\n","title":"Depot","distance":2150}]},
      {"device":"van","source":null,"receiver":null,"state":"no fix","stateSince":null,"fix":null,"age":null,
       "inside":[],"nearest":[]}],
     "regions":12,
     "fixes":{"read":1100,"accepted":1097,"rejected":{"invalid":0,"coarse":1,"duplicate":1,"late":0,"jump":1,"future":0}},
     "crossings":{"entry":3,"exit":2,"dwell":0},
     "queues":{"fixes":{"waiting":0,"capacity":10000,"dropped":0},"watchers":{"clients":1,"dropped":0}},
     "deliveries":{"waiting":0},"journal":{"lastCommit":"2026-11-30T10:04:59.700Z","problem":null,"waiting":0},
     "latency":{"decision":{"count":1100,"p50":212.4,"p99":614.3,"max":1830.2,"sum":251000.5},
      "commit":{"count":1100,"p50":90,"p99":310.5,"max":900,"sum":110000},
      "synchronise":{"count":0,"p50":null,"p99":null,"max":null,"sum":0}},
     "memory":21000000,"problems":[]}
    """#

  /// A service that has just been started and is in trouble.
  static let trouble = #"""
    {"version":"0.1.0","process":7,"since":"2026-11-30T07:00:00.000Z","now":"2026-11-30T07:00:05.000Z",
     "database":"/home/x/fenceline.db","run":1,"clockSynchronised":false,"sources":[],"devices":[],"regions":0,
     "fixes":{"read":0,"accepted":0,"rejected":{}},"crossings":{"entry":0,"exit":0,"dwell":0},
     "queues":{"fixes":{"waiting":10000,"capacity":10000,"dropped":1234},"watchers":{"clients":0,"dropped":5}},
     "deliveries":{"waiting":1},"journal":{"lastCommit":null,"problem":"The disk is full.","waiting":3},"memory":null,
     "problems":["Cannot write to the journal '/home/x/fenceline.db': the disk is full. Free some space; what is waiting is written then.",
       "gpsd does not answer at localhost:2947.\u001b[2J"]}
    """#
}
