import HTTPCore

/// Decides what a request is answered with. It runs on a loop's thread: it must not block, and on the
/// paths that devices use it must not allocate.
package typealias Responder = @Sendable (RequestView) -> ResponsePlan
