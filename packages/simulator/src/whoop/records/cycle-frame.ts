import type { Life } from "../../model/life.ts"
import { type DayFrame, frameOf } from "../../records/day-frame.ts"

/** A day with the id of the cycle that begins with its night. */
export interface CycleFrame extends DayFrame {
  readonly cycleId: number
}

/** Returns the frame of a day, or nothing when the strap was off. `ordinal`, below one million, makes cycle ids unique. */
export function cycleFrameOf(life: Life, day: number, ordinal: number): CycleFrame | undefined {
  const frame = frameOf(life, day)
  // WHOOP's cycle ids are int64, so these exceed 32 bits too.
  return frame && { ...frame, cycleId: day * 1_000_000 + ordinal }
}
