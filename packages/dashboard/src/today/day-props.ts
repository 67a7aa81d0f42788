import type { TrendDay } from "@restwell/client"

/** Properties of the parts of Today. */
export interface DayProps {
  readonly day: TrendDay
  readonly isToday: boolean
  /** True for a person with several sources: each figure names its own. */
  readonly namesSources: boolean
}
