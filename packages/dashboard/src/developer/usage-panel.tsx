import { Meter } from "@base-ui/react/meter"
import type { AccountResponse } from "@restwell/client"
import { Panel } from "../components/panel.tsx"
import { instantText, shortInstantDate } from "../format/date.ts"
import { figure } from "../format/number.ts"
import { RequestsChart } from "./requests-chart.tsx"

/** From this fraction of the quota on, the bar turns yellow. */
const WARNING_FRACTION = 0.8

const PLANS = { free: "Free plan", pro: "Pro plan" } as const

/** The requests of this month, the quota, and when it resets. */
export function UsagePanel({ plan, usage }: Pick<AccountResponse, "plan" | "usage">) {
  const fraction = usage.limit === 0 ? 1 : usage.used / usage.limit
  const color = fraction >= 1 ? "bg-poor-mark" : fraction >= WARNING_FRACTION ? "bg-fair-mark" : "bg-accent"
  const text = `${figure(usage.used)} of ${figure(usage.limit)} requests`
  return (
    <Panel
      title="Usage this month"
      description={`${PLANS[plan]}. Only responses with data count. Unchanged responses (304) and errors are free.`}
    >
      <Meter.Root
        value={Math.min(usage.used, usage.limit)}
        max={Math.max(usage.limit, 1)}
        getAriaValueText={() => text}
      >
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
          <Meter.Label className="font-medium tabular-nums">{text}</Meter.Label>
          <span className="text-muted tabular-nums">
            {figure(usage.remaining)} left, resets{" "}
            <time dateTime={usage.reset} title={instantText(usage.reset)}>
              {shortInstantDate(usage.reset)}
            </time>
          </span>
        </div>
        <Meter.Track className="mt-2 h-2 overflow-hidden rounded-full bg-raised">
          <Meter.Indicator className={`h-full rounded-full ${color}`} />
        </Meter.Track>
      </Meter.Root>
      {fraction >= 1 && (
        <p role="status" className="mt-2 text-sm text-poor">
          The monthly quota is used up. The API responds with 429 until it resets. This dashboard keeps working.
        </p>
      )}
      <RequestsChart days={usage.by_day} />
    </Panel>
  )
}
