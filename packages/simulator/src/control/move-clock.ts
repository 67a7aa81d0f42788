import type { SimulatedClock } from "../clock/clock.ts"

export type ClockMove = { readonly set: string } | { readonly advanceMs: number }

/** Moves the clock to an instant or forward by milliseconds. */
export function moveClock(clock: SimulatedClock, move: ClockMove): void {
  if ("set" in move) clock.set(new Date(move.set))
  else clock.advance(move.advanceMs)
}
