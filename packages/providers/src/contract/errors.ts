/** All errors of adapters. `temporary`: the same call may succeed later without a person's help. */
export abstract class ProviderError extends Error {
  abstract readonly temporary: boolean
}

/** The vendor ended the grant or refuses the refresh token. The person has to connect again. */
export class AuthorizationRevoked extends ProviderError {
  override readonly name = "AuthorizationRevoked"
  readonly temporary = false
}

/** The vendor refuses the access token. Refresh it and try once more. */
export class AccessTokenRejected extends ProviderError {
  override readonly name = "AccessTokenRejected"
  readonly temporary = true
}

/** What a call waits for: the vendor itself, the app's minute or day, or the person's fair share of them. */
const WAIT_REASONS = ["vendor_limit", "minute_limit", "day_limit", "fair_share"] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** The vendor's limits are used up. */
export class RateLimited extends ProviderError {
  override readonly name = "RateLimited"
  readonly temporary = true
  /** Seconds until a call may be made again. */
  readonly retryAfterSeconds: number
  readonly reason: WaitReason

  constructor(message: string, retryAfterSeconds: number, reason: WaitReason = "vendor_limit") {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
    this.reason = reason
  }
}

/** No usable answer: network error, timeout, 5xx, or an unusable body. */
export class VendorUnavailable extends ProviderError {
  override readonly name = "VendorUnavailable"
  readonly temporary = true
  /** Seconds that the vendor asked to wait, or undefined. */
  readonly retryAfterSeconds: number | undefined
  /** True if the time for an answer was used up. A repeat at once would only take as long again. */
  readonly isTooSlow: boolean

  constructor(
    message: string,
    options?: ErrorOptions & { readonly retryAfterSeconds?: number | undefined; readonly isTooSlow?: boolean },
  ) {
    super(message, options)
    this.retryAfterSeconds = options?.retryAfterSeconds
    this.isTooSlow = options?.isTooSlow ?? false
  }
}

/** Why a vendor refuses a person's data, and what the person does about it. Both without a full stop. */
export interface Advice {
  readonly reason: string
  readonly nextStep: string
}

/** The vendor refuses the call: wrong client credentials, missing scope, invalid parameter. */
export class RequestRefused extends ProviderError {
  override readonly name = "RequestRefused"
  readonly temporary = false
  /** True for a 403: the access token is valid, and this data is not for it. */
  readonly isForbidden: boolean
  /** True for a 426: the vendor's own app on the person's phone is too old. */
  readonly needsAppUpdate: boolean
  /** For a refusal that only this vendor has. */
  readonly advice: Advice | undefined

  constructor(
    message: string,
    options?: ErrorOptions & {
      readonly isForbidden?: boolean
      readonly needsAppUpdate?: boolean
      readonly advice?: Advice
    },
  ) {
    super(message, options)
    this.isForbidden = options?.isForbidden ?? false
    this.needsAppUpdate = options?.needsAppUpdate ?? false
    this.advice = options?.advice
  }
}

/** The vendor does not know the operator's app, or its secret is wrong. */
export class AppRefused extends RequestRefused {}

/** A JSON answer that does not have the vendor's documented shape. */
export class ContractViolation extends ProviderError {
  override readonly name = "ContractViolation"
  readonly temporary = true
  /** Path in the answer, such as `records.0.start`. */
  readonly path: string

  constructor(message: string, path: string, options?: ErrorOptions) {
    super(message, options)
    this.path = path
  }
}
