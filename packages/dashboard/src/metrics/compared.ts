import type { CompareResponse, DisplayPreferences, Metric } from "@restwell/client"
import { differenceWords } from "./plain-words.ts"

/** Whether a difference is one that is usually wanted. */
export type Tone = "good" | "poor" | "neutral"

/** A difference as words, and what it is worth. Only the answer's verdict says that there is one. */
export interface Compared {
  readonly words: string
  /** The word before what it is compared with: "4 points higher than the week before". */
  readonly than: "than" | "as" | "from" | "with"
  readonly tone: Tone
  /** Null where no difference is clear. */
  readonly direction: "up" | "down" | null
}

/** Standard deviations. The service calls no smaller change over a period a trend either. */
const SMALL_EFFECT = 0.2

const unclear = (words: string, than: Compared["than"]): Compared => ({ words, than, tone: "neutral", direction: null })

/** "4 points higher", "about the same", "no clear difference", "too few values to compare" */
export function comparedOf(
  metric: Metric,
  { verdict, difference, effect_size: effect }: Pick<CompareResponse, "verdict" | "difference" | "effect_size">,
  { units }: Pick<DisplayPreferences, "units">,
): Compared {
  if (verdict === "not_enough_data" || difference === null) return unclear("too few values to compare", "with")
  if (verdict === "no_clear_difference")
    return effect !== null && Math.abs(effect) >= SMALL_EFFECT
      ? unclear("no clear difference", "from")
      : unclear("about the same", "as")
  const isWanted = metric.better === verdict
  return {
    words: differenceWords(metric, difference, units),
    than: "than",
    tone: metric.better === "neither" ? "neutral" : isWanted ? "good" : "poor",
    direction: difference > 0 ? "up" : "down",
  }
}

/** Colour classes of words. The words say the same. */
export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  good: "text-good",
  poor: "text-poor",
  neutral: "text-muted",
}
