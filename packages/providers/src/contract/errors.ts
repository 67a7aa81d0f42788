/** Everything an adapter can throw. `temporary` tells whether the same call may succeed later without a person's help. */
export abstract class ProviderError extends Error {
  abstract readonly temporary: boolean
}

/** The vendor ended the grant, or refuses the refresh token: the person has to connect again. */
export class AuthorizationRevoked extends ProviderError {
  override readonly name = "AuthorizationRevoked"
  readonly temporary = false
}

/** The access token is not accepted: refresh once, then try once more. */
export class AccessTokenRejected extends ProviderError {
  override readonly name = "AccessTokenRejected"
  readonly temporary = true
}

/** The vendor's limits are used up. */
export class RateLimited extends ProviderError {
  override readonly name = "RateLimited"
  readonly temporary = true
  /** Seconds until a call may be made again. */
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** No usable answer: network, time-out, 5xx, or a body that is not what a working vendor sends. */
export class VendorUnavailable extends ProviderError {
  override readonly name = "VendorUnavailable"
  readonly temporary = true
  /** Seconds the vendor asked to wait; undefined where it did not say. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, options?: ErrorOptions & { readonly retryAfterSeconds?: number | undefined }) {
    super(message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds
  }
}

/** The vendor refuses the call itself: wrong client credentials, missing scope, a parameter it does not take. */
export class RequestRefused extends ProviderError {
  override readonly name = "RequestRefused"
  readonly temporary = false
}

/** A whole answer that works as HTTP and JSON but not as the vendor's documented shape. */
export class ContractViolation extends ProviderError {
  override readonly name = "ContractViolation"
  readonly temporary = true
  /** Where in the answer, as `records.0.start`. */
  readonly path: string

  constructor(message: string, path: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}
