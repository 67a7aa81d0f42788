import type { AccountResponse } from "@restwell/client"
import { sourcesOf, useAccount, useRotateApiKey } from "../api/account.ts"
import { useShownFrom } from "../api/send.ts"
import { Button } from "../components/button.tsx"
import { NewKey } from "../components/code-block.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Fact, Facts, Page, Panel } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { ConsolePanel } from "../developer/console-panel.tsx"
import { KeysPanel } from "../developer/keys-panel.tsx"
import { RecipesPanel } from "../developer/recipes-panel.tsx"
import { UsagePanel } from "../developer/usage-panel.tsx"
import { instantDate } from "../format/date.ts"

export default function DeveloperPage() {
  const skeleton = (
    <>
      <Skeleton className="h-36" label="Loading your key and usage" />
      <Skeleton className="h-56" label="" />
    </>
  )
  return (
    <Page title="API" subtitle="Read your data with one GET request and your key.">
      <Loaded query={useAccount()} skeleton={skeleton}>
        {(account) => <Panels account={account} />}
      </Loaded>
    </Page>
  )
}

/** A new key is passed to every panel that uses it, and is gone when the page is left. */
function Panels({ account }: { account: AccountResponse }) {
  const rotate = useRotateApiKey()
  const sources = sourcesOf(account).map(({ provider }) => provider)
  return (
    <>
      <KeyPanel stored={account.api_key} rotate={rotate} />
      <KeysPanel />
      <UsagePanel {...account} />
      <ConsolePanel newKey={rotate.data} sources={sources} />
      <RecipesPanel newKey={rotate.data} sources={sources} />
    </>
  )
}

/** The API key: create, view its facts, regenerate. */
function KeyPanel({
  stored,
  rotate,
}: {
  stored: AccountResponse["api_key"]
  rotate: ReturnType<typeof useRotateApiKey>
}) {
  const description = "One key with read-only access to all your data."
  // What a browser keeps for offline has no key, so nobody knows whether there is one.
  const isOffline = useShownFrom() !== undefined
  if (isOffline && stored === null)
    return (
      <Panel title="API key" description={description}>
        <p className="text-sm text-muted">It is not shown while you are offline.</p>
      </Panel>
    )
  return (
    <Panel
      title="API key"
      description={description}
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
