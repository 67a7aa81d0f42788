/** Which vendors' scores are percentages. Others are points from 0 to 100. */

import { entryOf, type NamedMetric } from "./metric-table.ts"
import { figure } from "./numbers.ts"

const PERCENTAGES: readonly (string | null)[] = ["whoop"]

/** "%" for a score that is a percentage. Other vendors' scores are points. */
export const scoreUnit = (source: string | null): "%" | "" => (PERCENTAGES.includes(source) ? "%" : "")

/** What people of a source read as their recovery score: Oura calls it readiness. https://support.ouraring.com/hc/en-us/articles/360025589793 */
export const recoveryTitle = (source: string | null): "Recovery" | "Readiness" =>
  source === "oura" ? "Readiness" : "Recovery"

/** The metric as its source gives it: not every vendor's recovery is a percentage. */
export const ofSource = <Metric extends NamedMetric>(metric: Metric, provider: string): Metric =>
  entryOf(metric).isScore
    ? {
        ...metric,
        unit: scoreUnit(provider) || null,
        ...(metric.id === "recovery_score" && { title: recoveryTitle(provider) }),
      }
    : metric

/** "88 %", or "82" for a score that is no percentage. */
export const scoreText = (score: number, source: string | null): string =>
  [figure(score), scoreUnit(source)].filter((part) => part !== "").join(" ")
