import type { AccountResponse } from "@restwell/client"
import { useState } from "react"
import { useSetNotices } from "../api/account.ts"
import { useSignOut } from "../api/sign-in.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { Segmented } from "../components/choice.tsx"
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
  const leave = () => signOut.mutate(undefined, { onSuccess: () => window.location.assign("/sign-in") })
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
