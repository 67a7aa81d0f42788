// A figure of a morning that is far from usual, in calm words.
import type { DisplayPreferences } from "../account/preferences.ts"
import type { SignsResponse } from "../rest/summary.ts"
import { answerText, answerWriter } from "./answer-writer.ts"
import { metricNamed, nameOf } from "./metric-table.ts"
import { plural } from "./numbers.ts"
import { positionWord } from "./usual.ts"

type Sign = SignsResponse["records"][number]["figures"][number]

/** "HRV 41 ms below the usual 50.1 to 55.3 (n 30), for 2 mornings in a row": as the API has it, so its word holds for rounded figures too. */
export function signText(
  { metric: id, value, direction, usual, mornings }: Sign,
  preferences: DisplayPreferences,
): string {
  const metric = metricNamed(id)
  const { figure } = answerWriter(metric, preferences)
  const range = `${figure(usual.low)} to ${figure(usual.high)} (n ${usual.n})`
  const since = `for ${plural(mornings, "morning")}${mornings === 1 ? "" : " in a row"}`
  return `${nameOf(metric)} ${answerText(metric, value, preferences)} ${positionWord(metric, direction)} the usual ${range}, ${since}`
}
