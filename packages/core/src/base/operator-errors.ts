/** Errors that the operator reads, and not a client. */

/** An error whose message is written for the operator: it says what to do, and needs no stack. */
export abstract class OperatorMessage extends Error {}

/** Something outside the program is wrong, and the operator can correct it. */
export abstract class OperatorError extends OperatorMessage {
  readonly fault: string
  readonly remedy: string

  constructor(fault: string, remedy: string, options?: ErrorOptions) {
    super(`${fault}: ${remedy}`, options)
    this.fault = fault
    this.remedy = remedy
  }
}
