// Rules in words: what each one waits for, and what it would have sent.
import type { DisplayPreferences, PreviewResponse, RuleKind, RuleRequest } from "@restwell/client"
import { clockText, figureText, metricNamed, plural } from "@restwell/client/figures"
import { tickDate } from "../format/date.ts"

/** In the order of the list. */
export const RULE_KIND_TEXTS: Readonly<Record<RuleKind, string>> = {
  limit: "A figure is above or below a limit",
  unusual: "A figure is unusual for me",
  missing: "My night has not arrived",
  connection: "A device has to be connected again",
  quota: "My API requests of the month run out",
}

type Preferences = Pick<DisplayPreferences, "units" | "clock">

/** "Recovery is below 34 %" */
export function ruleText(rule: RuleRequest, { units, clock }: Preferences): string {
  switch (rule.kind) {
    case "limit": {
      const metric = metricNamed(rule.metric)
      const side = metric.kind === "clock" ? (rule.direction === "above" ? "after" : "before") : rule.direction
      // "34 %", and not "34.0 %": it is a choice and no measurement.
      const decimals = Number.isInteger(rule.limit) ? 0 : metric.decimals
      return `${metric.title} is ${side} ${figureText({ ...metric, decimals, units, clock }, rule.limit)}`
    }
    case "unusual": {
      const metric = metricNamed(rule.metric)
      const side = rule.direction === null ? "unusual" : rule.direction === "above" ? "unusually high" : "unusually low"
      const mornings = rule.mornings === 1 ? "" : ` on ${plural(rule.mornings, "morning")} in a row`
      return `${metric.title} is ${side}${mornings}`
    }
    case "missing":
      return `No night has arrived by ${clockText(rule.at, clock)}`
    case "connection":
      return "A device has to be connected again, or its maker does not answer for six hours"
    case "quota":
      return `${rule.percent} % of the month's API requests are used`
  }
}

/** The name of a metric within a sentence, as a choice. */
export const metricChoice = (id: string): readonly [value: string, text: string] => [id, metricNamed(id).title]

const MOST_DATES = 8

/** "It would have told you 4 times in the last 90 days: Nov 3, Nov 9, Nov 10, and Nov 24." */
export function previewText({ dates, count, days }: PreviewResponse): string {
  if (count === 0) return `It would have told you nothing in the last ${days} days.`
  const named = dates.slice(0, MOST_DATES).toReversed().map(tickDate)
  const rest = count - named.length
  const list =
    rest > 0 ? `${named.join(", ")} and ${plural(rest, "earlier one")}` : new Intl.ListFormat("en").format(named)
  return `It would have told you ${count === 1 ? "once" : plural(count, "time")} in the last ${days} days: ${list}.`
}
