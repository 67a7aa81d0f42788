import type { SourceDifference, SourceSettingsResponse, SourceType } from "@restwell/client"
import { addDays } from "../calendar/date-range.ts"
import { todayIn } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { chooseSources } from "../sources/choose.ts"
import { inOrder } from "../sources/preferences.ts"
import { readPreferences } from "../sources/read-preferences.ts"
import { readStoredSources, readTimeZone, readTrendFacts } from "../store/read-trend-rows.ts"
import type { SourcePreferences } from "../store/source-preferences.ts"
import { differencesIn } from "./source-differences.ts"

/** Dates with differences that are shown. */
const SHOWN_DATES = 90
/** Dates that are read at once. */
const WINDOW_DATES = 180

/** The person's order and choices, and the newest dates on which sources differ. */
export async function readSourceSettings(context: Context, userId: string): Promise<SourceSettingsResponse> {
  const preferences = await readPreferences(context, userId)
  return {
    order: {
      sleep: listed(preferences, "sleep"),
      recovery: listed(preferences, "recovery"),
      workout: listed(preferences, "workout"),
      cycle: listed(preferences, "cycle"),
    },
    choices: preferences.choices.map(({ provider, ...choice }) => ({ ...choice, source: provider })),
    differences: await readDifferences(context, userId, preferences),
  }
}

const listed = ({ order }: SourcePreferences, type: SourceType): string[] => [...(order[type] ?? [])]

/** Goes back from today until there are enough dates, or no date has two sources. */
async function readDifferences(
  context: Context,
  userId: string,
  preferences: SourcePreferences,
): Promise<SourceDifference[]> {
  const [zone, stored] = await Promise.all([readTimeZone(context, userId), readStoredSources(context, userId)])
  const sources = stored.filter(({ status }) => status !== "disconnected")
  const order = inOrder(sources, preferences.order.sleep).map(({ provider }) => provider)
  // Before the second oldest source there is nothing to compare.
  const since = sources.flatMap(({ oldestDate }) => (oldestDate === null ? [] : [oldestDate])).toSorted()[1]
  const found: SourceDifference[] = []
  let to = addDays(todayIn(zone, context.clock.now()), 1)
  while (since !== undefined && to >= since && new Set(found.map(({ date }) => date)).size < SHOWN_DATES) {
    const from = addDays(to, 1 - WINDOW_DATES)
    const facts = await readTrendFacts(context, { userId, providers: order, kinds: ["sleep", "recovery"], from, to })
    const choices = chooseSources(facts, preferences).filter(({ fact }) => fact.date >= from && fact.date <= to)
    found.push(...differencesIn(choices, order))
    to = addDays(from, -1)
  }
  const shown = new Set([...new Set(found.map(({ date }) => date))].slice(0, SHOWN_DATES))
  return found.filter(({ date }) => shown.has(date))
}
