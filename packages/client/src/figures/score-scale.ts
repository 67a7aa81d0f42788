/** Which vendors' scores are percentages. Others are points from 0 to 100. */
import { entryOf, type NamedMetric } from "./metric-table.ts"

const PERCENTAGES: readonly (string | null)[] = ["whoop"]

/** "%" for a score that is a percentage. Other vendors' scores are points. */
export const scoreUnit = (source: string | null): "%" | "" => (PERCENTAGES.includes(source) ? "%" : "")

/** The metric as its source gives it: not every vendor's recovery is a percentage. */
export const ofSource = <Metric extends NamedMetric>(metric: Metric, provider: string): Metric =>
  entryOf(metric).isScore ? { ...metric, unit: scoreUnit(provider) || null } : metric
