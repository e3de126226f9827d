import AssetPacks

/// What a review does to the release of a version.
enum ReviewStep: String {
  case add, submit
  case beginReview = "begin-review"
  case accept, reject, resolve, remove
  /// Approved, and live at once.
  case goLive = "approve"
  /// Approved, and given to a part of the clients first.
  case stage

  /// The moves of a production release; those of a beta release, which has fewer states, stand beside them in
  /// `ReleaseMoves.swift`.
  var productionEvents: [ProductionStateMachine.Event] {
    switch self {
    case .add: [.add]
    case .submit: [.submit]
    case .beginReview: [.beginReview]
    case .accept: [.accept]
    case .reject: [.reject]
    case .resolve: [.resolve]
    case .remove: [.remove]
    case .goLive: [.approve, .finishProcessing]
    case .stage: [.approve]
    }
  }
}
