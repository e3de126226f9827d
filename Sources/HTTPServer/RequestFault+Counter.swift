import HTTPCore

extension RequestFault {
  static var tooSlow: RequestFault {
    RequestFault(
      status: 408, code: "REQUEST_TIMEOUT", detail: "The request did not arrive in time; send it again, without pauses."
    )
  }
}
