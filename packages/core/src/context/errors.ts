/** The closed family of what the product refuses or fails with. `code` and a class's own fields are API. `http/plumbing/errors.ts` has the statuses. */
export abstract class ServiceError extends Error {
  abstract readonly code: string
}

/** The credential is missing or wrong. */
export class Unauthorized extends ServiceError {
  override readonly name = "Unauthorized"
  readonly code = "unauthorized"
}

/** The account was deleted after the request's credential was checked. */
export const accountGone = (): Unauthorized => new Unauthorized("the account was deleted while the request ran")

/** The credential is valid, but lacks the permission. */
export class Forbidden extends ServiceError {
  override readonly name = "Forbidden"
  readonly code = "forbidden"
  /** The type of data that the key lacks, where that is the reason. */
  readonly scope: string | undefined
  /** The oldest date that the key reads, where older ones were asked for. */
  readonly fromDate: string | undefined

  constructor(message: string, options?: ErrorOptions & { readonly scope?: string; readonly fromDate?: string }) {
    super(message, options)
    this.scope = options?.scope
    this.fromDate = options?.fromDate
  }
}

/** A part of the request is invalid. */
export class InvalidRequest extends ServiceError {
  override readonly name = "InvalidRequest"
  readonly code = "invalid_request"
  /** The invalid parameter or part. */
  readonly field: string

  constructor(message: string, field: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** The requested thing does not exist: no connected provider, an unknown provider. */
export class NotFound extends ServiceError {
  override readonly name = "NotFound"
  readonly code = "not_found"
}

/** The month's requests are used up. */
export class QuotaExceeded extends ServiceError {
  override readonly name = "QuotaExceeded"
  readonly code = "rate_limited"
  /** Requests in a month. */
  readonly limit: number
  /** When the next month begins, UTC. */
  readonly reset: Date

  constructor(limit: number, reset: Date) {
    super(`monthly request limit of ${limit} exceeded, it resets at ${reset.toISOString()}`)
    this.limit = limit
    this.reset = reset
  }
}

/** The person asks for something more often, or for more of it at a time, than one person may. */
export class TooManyRequests extends ServiceError {
  override readonly name = "TooManyRequests"
  readonly code = "rate_limited"
  /** How many are allowed, in a minute or at a time as the message says. */
  readonly limit: number
  readonly retryAfterSeconds: number
  /** When the next one is allowed. Absent where another request has to end first. */
  readonly reset: Date | undefined

  constructor(
    message: string,
    options: { readonly limit: number; readonly retryAfterSeconds: number; readonly reset?: Date },
  ) {
    super(message)
    this.limit = options.limit
    this.retryAfterSeconds = options.retryAfterSeconds
    this.reset = options.reset
  }
}

/** Too many attempts at a secret that could be guessed. */
export class TooManyAttempts extends ServiceError {
  override readonly name = "TooManyAttempts"
  readonly code = "too_many_attempts"
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The thing to create exists already, or is another one than the stored one. */
export class Conflict extends ServiceError {
  override readonly name = "Conflict"
  readonly code = "conflict"
  /** Whose data a vendor account has, where that is the conflict. Pages explain it. */
  readonly member: "connected_elsewhere" | "of_another_person" | undefined

  constructor(message: string, options?: ErrorOptions & { readonly member?: Conflict["member"] }) {
    super(message, options)
    this.member = options?.member
  }
}

/** The database or the vendor is unavailable. A later try may succeed. */
export class Unavailable extends ServiceError {
  override readonly name = "Unavailable"
  readonly code = "unavailable"
  readonly retryAfterSeconds: number

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A receiver of the person's messages did not take one. The message says what it answered. */
export class ReceiverFailed extends ServiceError {
  override readonly name = "ReceiverFailed"
  readonly code = "receiver_failed"
}
