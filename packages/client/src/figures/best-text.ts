// A personal best in a sentence, the same on the page and from the connector.
import type { Best } from "../rest/day.ts"
import type { Figure } from "../rest/insights.ts"
import { wholeMinutes } from "../rest/rounding.ts"
import { metricNamed, nameOf } from "./metric-table.ts"
import { figure, minutesText } from "./numbers.ts"
import { sourceName } from "./source-table.ts"
import { withUnit } from "./units.ts"

/** Words of a metric's best where its name alone is no word for it. */
const WORDS: Readonly<Record<string, string>> = { "asleep highest": "longest sleep" }

/** "Your lowest resting heart rate from Oura so far: 42 bpm. Before, it was 43 bpm on Mar 12, 2026." @param dateText writes a date */
export function bestText(best: Best, dateText: (date: string) => string): string {
  const { metric: id, kind, span, value, former, source } = best
  const metric = metricNamed(id)
  if (kind === "count") return `This is your ${figure(Number(value))}th recorded night.`
  const text = (each: Figure): string =>
    id === "asleep" ? minutesText(wholeMinutes(Number(each))) : withUnit(figure(Number(each)), metric.unit)
  const name = `${WORDS[`${id} ${kind}`] ?? `${kind} ${nameOf(metric)}`}${source === null ? "" : ` from ${sourceName(source)}`}`
  const what = `Your ${name} ${span === "year" ? "in a year" : "so far"}: ${text(value)}.`
  if (former === null) return what
  const when = dateText(former.date)
  return span === "year"
    ? `${what} The last one as long was ${text(former.value)}, on ${when}.`
    : `${what} Before, it was ${text(former.value)} on ${when}.`
}
