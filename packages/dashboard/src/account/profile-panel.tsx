import type { AccountResponse } from "@restwell/client"
import type { Weekday } from "@restwell/client/calendar-dates"
import { capitalized, weekdaysFrom } from "@restwell/client/figures"
import { type ComponentProps, type ReactNode, useState } from "react"
import { useSetNotices } from "../api/account.ts"
import { useDaysOff, usePreferences, useSavePreferences } from "../api/preferences.ts"
import { useSignOut } from "../api/sign-in.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { Segmented, SeveralOf } from "../components/choice.tsx"
import { removeDrafts } from "../components/draft.ts"
import { FailureNotice } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"

const OPTIONS = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

type Theme = (typeof OPTIONS)[number]["value"]

/** The theme: the system's, or the one chosen in this browser. `start.js` applies it before the first paint. */
function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === "system") {
      localStorage.removeItem("theme")
      delete document.documentElement.dataset["theme"]
      return
    }
    localStorage.setItem("theme", next)
    document.documentElement.dataset["theme"] = next
  }
  return <Segmented label="Theme" options={OPTIONS} value={theme} onChange={choose} />
}

const storedTheme = (): Theme =>
  OPTIONS.find(({ value }) => value === document.documentElement.dataset["theme"])?.value ?? "system"

export function ProfilePanel({ user, isOwner }: Pick<AccountResponse, "user"> & { isOwner: boolean }) {
  const signOut = useSignOut()
  // A full page load clears the person's data from memory.
  const leave = () =>
    signOut.mutate(undefined, {
      onSuccess: () => {
        removeDrafts()
        window.location.assign("/sign-in")
      },
    })
  return (
    <Panel
      title={user.name}
      description={user.email}
      actions={
        <div className="flex flex-wrap gap-2">
          {isOwner && <ButtonLink to="/service">Manage this service</ButtonLink>}
          <Button isBusy={signOut.isPending} onClick={leave}>
            Sign out
          </Button>
        </div>
      }
    >
      {signOut.error && <FailureNotice error={signOut.error} />}
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="text-muted">Appearance</span>
        <ThemeSwitch />
      </div>
    </Panel>
  )
}

/** Which emails the person gets. */
export function NoticesPanel({ notices, email }: { notices: AccountResponse["notices"]; email: string }) {
  const set = useSetNotices()
  const isOn = set.isPending ? set.variables : notices.reconnect
  return (
    <Panel
      title="Emails"
      description={`To ${email}. Links that you ask for, and notices about passkeys, are always sent.`}
    >
      {set.error && <FailureNotice error={set.error} />}
      <label className="flex items-start gap-2 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4"
          checked={isOn}
          onChange={({ target }) => set.mutate(target.checked)}
        />
        Tell me when a connection needs to be renewed
      </label>
    </Panel>
  )
}

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

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm">
    <dt className="text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
)

const Choice = <Value extends string>(choice: ComponentProps<typeof Segmented<Value>>) => (
  <Row label={choice.label}>
    <Segmented {...choice} />
  </Row>
)

const optionOf = (value: Weekday) => ({ value, label: capitalized(value), short: capitalized(value).slice(0, 3) })

/** How figures and clock times are written. A change is saved at once. */
export function PreferencesPanel() {
  const stored = usePreferences()
  const { mutate, isPending, variables, error } = useSavePreferences()
  const daysOff = useDaysOff()
  // The change is visible while it is saved.
  const changed = isPending ? variables : {}
  const first = changed.first_weekday ?? stored.first_weekday
  const failure = error ?? daysOff.error
  return (
    <Panel
      title="Units and clock"
      description="For these pages, and for what assistants write and draw. The API stays metric, with 24 hours. Weekends of trends are your days off."
    >
      {failure && <FailureNotice error={failure} />}
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
          value={first}
          onChange={(value) => mutate({ first_weekday: value })}
        />
        <Row label="Days off">
          <SeveralOf
            label="Days off"
            options={weekdaysFrom(first).map(optionOf)}
            values={daysOff.daysOff}
            onChange={daysOff.choose}
          />
        </Row>
      </dl>
    </Panel>
  )
}
