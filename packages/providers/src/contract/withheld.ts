// What a person did not open to Restwell.

/** Of one grant. */
export interface Withheld {
  /** Collections whose scope the grant lacks. An empty answer of them is a refusal. @default none */
  readonly withheld?: readonly string[]
}
