import type { Metric } from "@restwell/client"

/** The card of two metrics. Every other card has the id of its metric. */
export const STRAIN_AND_RECOVERY = "strain_and_recovery"

/** The id of a metric, or `strain_and_recovery`. */
export type CardId = string

/** The cards of a person who has not chosen any. */
const FIRST_CARDS: readonly CardId[] = [
  "recovery_score",
  "asleep",
  "hrv",
  "resting_heart_rate",
  "strain",
  "bedtime",
  "skin_temp_deviation",
  STRAIN_AND_RECOVERY,
]

export interface Card {
  readonly id: CardId
  readonly title: string
}

/** Every card with values, those that are not about the journal first. */
export function availableCards(metrics: readonly Metric[]): readonly Card[] {
  const withValues = metrics.filter(({ n, kind }) => n > 0 && kind !== "yes_no")
  const has = (id: string) => withValues.some((metric) => metric.id === id)
  const ofTwo = { id: STRAIN_AND_RECOVERY, title: "Strain against recovery" }
  return [...withValues, ...(has("strain") && has("recovery_score") ? [ofTwo] : [])]
}

/** The cards of a page in the person's order. @param chosen null before the person has chosen */
export function cardsOf(metrics: readonly Metric[], chosen: readonly CardId[] | null): readonly Card[] {
  const available = availableCards(metrics)
  return (chosen ?? FIRST_CARDS).flatMap((id) => available.find((card) => card.id === id) ?? [])
}
