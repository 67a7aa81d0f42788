import type { AccountResponse } from "@restwell/client"
import type { UseMutationResult } from "@tanstack/react-query"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NewKey } from "../components/new-key.tsx"
import { Panel } from "../components/panel.tsx"
import { instantDate, instantText, timeAgo } from "../format/date.ts"
import { useNow } from "../format/use-now.ts"

/** The key: what is known of it, and another one in its place. */
export function KeyPanel({
  stored,
  rotate,
}: {
  stored: AccountResponse["api_key"]
  rotate: UseMutationResult<string, Error, void>
}) {
  return (
    <Panel
      title="API key"
      description="One key reads everything that is yours, and can change nothing."
      actions={
        stored === null ? (
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Make my key
          </Button>
        ) : (
          <ConfirmDialog
            trigger="Regenerate"
            title="Regenerate the key?"
            confirmLabel="Regenerate"
            onConfirm={() => rotate.mutateAsync()}
          >
            <p>
              The old key stops at once: every script, phone shortcut and Home Assistant sensor that uses it gets 401
              until you put the new one in. Assistants are not touched.
            </p>
          </ConfirmDialog>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {rotate.error && <FailureNotice error={rotate.error} />}
        {rotate.data !== undefined && <NewKey apiKey={rotate.data} />}
        {stored === null ? <p className="text-sm text-muted">You have no key yet.</p> : <KeyFacts stored={stored} />}
      </div>
    </Panel>
  )
}

function KeyFacts({ stored }: { stored: NonNullable<AccountResponse["api_key"]> }) {
  const now = useNow()
  return (
    <dl className="grid grid-cols-2 gap-4 text-sm sm:grid-cols-3">
      <div>
        <dt className="text-muted">Begins with</dt>
        <dd>
          <code>{stored.prefix}…</code>
        </dd>
      </div>
      <div>
        <dt className="text-muted">Made</dt>
        <dd className="font-medium">{instantDate(stored.created_at)}</dd>
      </div>
      <div>
        <dt className="text-muted">Last used</dt>
        <dd className="font-medium">
          {stored.last_used_at === null ? (
            "never"
          ) : (
            <time dateTime={stored.last_used_at} title={instantText(stored.last_used_at)}>
              {timeAgo(stored.last_used_at, now)}
            </time>
          )}
        </dd>
      </div>
    </dl>
  )
}
