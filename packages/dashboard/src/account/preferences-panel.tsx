import type { ComponentProps } from "react"
import { usePreferences, useSavePreferences } from "../api/preferences.ts"
import { Segmented } from "../components/choice.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"

const UNITS = [
  { value: "metric", label: "km, kg, °C" },
  { value: "imperial", label: "mi, lb, °F" },
] as const

const CLOCKS = [
  { value: "24h", label: "23:41" },
  { value: "12h", label: "11:41 PM" },
] as const

const FIRST_WEEKDAYS = [
  { value: "monday", label: "Monday" },
  { value: "sunday", label: "Sunday" },
  { value: "saturday", label: "Saturday" },
] as const

const Choice = <Value extends string>(choice: ComponentProps<typeof Segmented<Value>>) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
    <dt className="text-muted">{choice.label}</dt>
    <dd>
      <Segmented {...choice} />
    </dd>
  </div>
)

/** How figures and clock times are written. A change is saved at once. */
export function PreferencesPanel() {
  const stored = usePreferences()
  const { mutate, isPending, variables, error } = useSavePreferences()
  // The change is visible while it is saved.
  const changed = isPending ? variables : {}
  return (
    <Panel title="Units and clock" description="For these pages. The API and assistants stay metric, with 24 hours.">
      {error && <FailureNotice error={error} />}
      <dl className="grid max-w-xl gap-3">
        <Choice
          label="Units"
          options={UNITS}
          value={changed.units ?? stored.units}
          onChange={(value) => mutate({ units: value })}
        />
        <Choice
          label="Clock"
          options={CLOCKS}
          value={changed.clock ?? stored.clock}
          onChange={(value) => mutate({ clock: value })}
        />
        <Choice
          label="Week starts on"
          options={FIRST_WEEKDAYS}
          value={changed.first_weekday ?? stored.first_weekday}
          onChange={(value) => mutate({ first_weekday: value })}
        />
      </dl>
    </Panel>
  )
}
