import EventLoop
import HTTPCore

extension ClientAddress {
  init(_ address: IPAddress) { self.init(high: address.high, low: address.low) }
}
