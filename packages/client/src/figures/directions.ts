/** The words for the two directions of a metric: a level is higher, an amount is more, a time of day is later, a yes is more frequent. */
import { type Direction, entryOf, type NamedMetric } from "./metric-table.ts"

interface Words {
  /** "4 points higher" */
  readonly up: string
  readonly down: string
  /** Before the name: "a higher recovery". */
  readonly upBefore: string
  readonly downBefore: string
  readonly rising: string
  readonly falling: string
  readonly highest: string
  readonly lowest: string
  /** Beside a limit, and beside the usual range. */
  readonly above: string
  readonly below: string
}

/** Words of a metric whose values go up and down. */
const UP_AND_DOWN = {
  rising: "rising",
  falling: "falling",
  highest: "Highest",
  lowest: "Lowest",
  above: "above",
  below: "below",
}

const WORDS: Readonly<Record<Direction, Words>> = {
  level: {
    up: "higher",
    down: "lower",
    upBefore: "a higher",
    downBefore: "a lower",
    ...UP_AND_DOWN,
  },
  amount: {
    up: "more",
    down: "less",
    upBefore: "more",
    downBefore: "less",
    ...UP_AND_DOWN,
  },
  time: {
    up: "later",
    down: "earlier",
    upBefore: "a later",
    downBefore: "an earlier",
    rising: "getting later",
    falling: "getting earlier",
    highest: "Latest",
    lowest: "Earliest",
    above: "later",
    below: "earlier",
  },
  answer: {
    up: "yes more often",
    down: "yes less often",
    upBefore: "yes more often to",
    downBefore: "yes less often to",
    rising: "yes more and more often",
    falling: "yes less and less often",
    highest: "Yes",
    lowest: "No",
    above: "above",
    below: "below",
  },
}

export const wordsOf = (metric: NamedMetric): Words => WORDS[entryOf(metric).direction]

/** "higher", "less", "later": the word after the size of a difference. */
export function differenceWord(metric: NamedMetric, difference: number): string {
  const { up, down } = wordsOf(metric)
  return difference < 0 ? down : up
}

/** Before what is compared: "above" usual, "later than" usual. */
export function besideWord(metric: NamedMetric, side: "above" | "below"): string {
  const word = wordsOf(metric)[side]
  return metric.kind === "clock" ? `${word} than` : word
}
