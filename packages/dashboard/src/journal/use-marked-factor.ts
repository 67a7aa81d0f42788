import type { JournalDay } from "@restwell/client"
import { useState } from "react"
import { factorsOf, type Marks, marksOf } from "./marks.ts"

const STORED = "journal-factor"
/** The person wants no marks. */
export const NO_FACTOR = ""

/** The factor that charts mark: the one picked in this browser, or else the one with most yes. */
export function useMarkedFactor(days: readonly JournalDay[]): {
  readonly factors: readonly string[]
  readonly factor: string
  readonly marks: Marks | undefined
  readonly pick: (factor: string) => void
} {
  const [picked, setPicked] = useState(() => localStorage.getItem(STORED))
  const factors = factorsOf(days)
  const isKnown = picked === NO_FACTOR || (picked !== null && factors.includes(picked))
  const factor = isKnown ? picked : (factors[0] ?? NO_FACTOR)
  return {
    factors,
    factor,
    marks: factor === NO_FACTOR ? undefined : marksOf(days, factor),
    pick: (next) => {
      localStorage.setItem(STORED, next)
      setPicked(next)
    },
  }
}
