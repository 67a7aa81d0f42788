import type { AccountResponse } from "@restwell/client"
import { useSetNotices } from "../api/account.ts"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Panel } from "../components/panel.tsx"

/** Which e-mails the person gets. */
export function NoticesPanel({ notices, email }: { notices: AccountResponse["notices"]; email: string }) {
  const set = useSetNotices()
  const isOn = set.isPending ? set.variables : notices.reconnect
  return (
    <Panel title="E-mails" description={`To ${email}. Links that you ask for are always sent.`}>
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
