import type { AccountResponse } from "@restwell/client"
import type { useRotateApiKey } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { NewKey } from "../components/code-block.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { Fact, Facts, Panel } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"

/** The API key: create, view its facts, regenerate. */
export function KeyPanel({
  stored,
  rotate,
}: {
  stored: AccountResponse["api_key"]
  rotate: ReturnType<typeof useRotateApiKey>
}) {
  return (
    <Panel
      title="API key"
      description="One key with read-only access to all your data."
      actions={
        stored === null ? (
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Create key
          </Button>
        ) : (
          <ConfirmDialog
            trigger="Regenerate"
            title="Regenerate the key?"
            confirmLabel="Regenerate"
            onConfirm={() => rotate.mutateAsync()}
          >
            <p>
              The old key stops working immediately. Every script, phone shortcut and Home Assistant sensor that uses it
              gets 401 until you enter the new key. Assistants are not affected.
            </p>
          </ConfirmDialog>
        )
      }
    >
      <div className="flex flex-col gap-4">
        {rotate.error && <FailureNotice error={rotate.error} />}
        {rotate.data !== undefined && <NewKey apiKey={rotate.data} />}
        {stored === null ? (
          <p className="text-sm text-muted">You have no key yet.</p>
        ) : (
          <Facts className="grid-cols-2 sm:grid-cols-3">
            <Fact label="Starts with">
              <code>{stored.prefix}…</code>
            </Fact>
            <Fact label="Created">{instantDate(stored.created_at)}</Fact>
            <Fact label="Last used">
              <TimeAgo instant={stored.last_used_at} />
            </Fact>
          </Facts>
        )}
      </div>
    </Panel>
  )
}
