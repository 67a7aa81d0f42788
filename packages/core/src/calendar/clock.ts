/** The time, as an argument. Only the composition root reads the real one. */
export interface Clock {
  now(): Date
}
