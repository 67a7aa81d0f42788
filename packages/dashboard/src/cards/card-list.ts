import type { Metric } from "@restwell/client"

/** The card of two metrics. Every other card has the id of its metric. */
export const STRAIN_AND_RECOVERY = "strain_and_recovery"

const CARDS = [
  "recovery_score",
  "asleep",
  "hrv",
  "resting_heart_rate",
  "strain",
  "bedtime",
  "skin_temp_deviation",
  STRAIN_AND_RECOVERY,
] as const

export type CardId = (typeof CARDS)[number]

/** The cards of a page: those with values. @param metrics undefined where the service has no catalogue. Then every card stays */
export function cardsOf(metrics: readonly Metric[] | undefined): readonly CardId[] {
  if (!metrics) return CARDS
  const hasValues = (id: string) => metrics.some((metric) => metric.id === id && metric.n > 0)
  return CARDS.filter((id) =>
    id === STRAIN_AND_RECOVERY ? hasValues("strain") && hasValues("recovery_score") : hasValues(id),
  )
}
