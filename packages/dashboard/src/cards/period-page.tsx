import type { AccountResponse, Metric } from "@restwell/client"
import { type ReactNode, useState } from "react"
import { dataVersion, useTrends } from "../api/account.ts"
import { useMetrics } from "../api/insights.ts"
import { usePreferences } from "../api/preferences.ts"
import { useUrlState } from "../components/choice.tsx"
import { Loaded } from "../components/notice.tsx"
import { RangePicker } from "../components/range-picker.tsx"
import { firstWeekday } from "../format/preferred.ts"
import { type Dates, type Period, periodOf, periodParameters, type TrendDays } from "../trends/days.ts"
import { type CardView, cardView } from "./card-view.ts"

/** The period in the page's URL, and the choice of another one. @param usual the period of a URL that names none */
export function usePeriod(usual: TrendDays) {
  const [url, change] = useUrlState()
  const period = periodOf(url, usual)
  const [askedAt, setAskedAt] = useState<string>()
  /** @param dates the dates of the page */
  const pickRange = (dates: Dates | undefined) => (
    <RangePicker
      period={period}
      dates={dates}
      askedAt={askedAt}
      onAsk={setAskedAt}
      onChange={(chosen) => change(periodParameters(chosen), "push")}
    />
  )
  return { url, change, period, pickRange }
}

export interface PeriodContent {
  readonly view: CardView
  /** Undefined where the service computes no statistics. */
  readonly metrics: readonly Metric[] | undefined
  /** Whether these are the days of the period before, until the new one is loaded. */
  readonly isStale: boolean
}

interface WithPeriodProps {
  readonly account: AccountResponse
  readonly period: Period
  readonly skeleton: ReactNode
  /** Wraps the skeleton and an error. */
  readonly frame: (content: ReactNode) => ReactNode
  readonly children: (content: PeriodContent) => ReactNode
}

/** The days of a period and the person's metrics. */
export function WithPeriod({ account, period, skeleton, frame, children }: WithPeriodProps) {
  const version = dataVersion(account)
  const trends = useTrends(period, version)
  const catalogue = useMetrics(version)
  const { first_weekday: first } = usePreferences()
  // After a disconnect the service computes no statistics. The charts of the stored days stay.
  const hasStatistics = account.connections.some(({ status }) => status !== "disconnected")
  return (
    <Loaded query={trends} skeleton={skeleton} frame={frame}>
      {(answer) => {
        const content = {
          view: cardView(answer, period, { version, firstWeekday: firstWeekday(first) }),
          isStale: trends.isPlaceholderData,
        }
        if (!hasStatistics) return children({ ...content, metrics: undefined })
        return (
          <Loaded query={catalogue} skeleton={skeleton} frame={frame}>
            {({ metrics }) => children({ ...content, metrics })}
          </Loaded>
        )
      }}
    </Loaded>
  )
}
