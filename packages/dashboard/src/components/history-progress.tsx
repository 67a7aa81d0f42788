import { Progress } from "@base-ui/react/progress"
import type { Connection } from "@restwell/client"
import { instantDate } from "../format/date.ts"
import { figure } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

/** Progress of the first sync. Vendors do not say where a history starts, so there is no percentage before it is complete. */
export function HistoryProgress({ connection: { provider, history } }: { connection: Connection }) {
  const text = history.complete
    ? `Complete: ${figure(history.records)} records`
    : history.fetched_back_to === null
      ? "Fetching the newest days"
      : `${figure(history.records)} records, back to ${instantDate(history.fetched_back_to)}`
  return (
    <Progress.Root value={history.complete ? 100 : null} getAriaValueText={() => text} className="mt-1 w-full max-w-md">
      <div className="flex justify-between gap-3 text-sm">
        <Progress.Label className="sr-only">{providerName(provider)} history</Progress.Label>
        <span className="tabular-nums">{text}</span>
      </div>
      <Progress.Track className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line">
        <Progress.Indicator className="h-full rounded-full bg-accent data-indeterminate:w-1/3 data-indeterminate:animate-[slide_1.4s_ease-in-out_infinite]" />
      </Progress.Track>
    </Progress.Root>
  )
}
