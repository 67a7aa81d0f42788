/** What the simulated Ultrahuman sends. */

/** A figure or a series of a date. */
export interface WirePoint {
  readonly type: string
  readonly object: Readonly<Record<string, unknown>>
}

/** Everything of a date. */
export interface WireUltrahumanDay {
  /** Local date. */
  readonly id: string
  readonly metrics: readonly WirePoint[]
}

/** All days of a person that the vendor has at a moment. */
export interface UltrahumanRecords {
  /** Oldest first. */
  readonly days: readonly WireUltrahumanDay[]
}
