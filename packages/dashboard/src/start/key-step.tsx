import type { AccountResponse } from "@restwell/client"
import { Link } from "wouter"
import { useRotateApiKey } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NewKey } from "../components/new-key.tsx"
import { Step } from "./step.tsx"

/** create an API key. The key stays in the memory of this component. */
export function KeyStep({ account: { api_key: stored }, number }: { account: AccountResponse; number: number }) {
  const rotate = useRotateApiKey()
  return (
    <Step number={number} title="Create your API key" isDone={stored !== null}>
      <p>For scripts, phone shortcuts, Home Assistant and cron jobs: one GET request with this key reads your data.</p>
      {rotate.error && <FailureNotice error={rotate.error} />}
      {rotate.data !== undefined ? (
        <NewKey apiKey={rotate.data} />
      ) : stored === null ? (
        <div>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Create key
          </Button>
        </div>
      ) : (
        <p>
          You have a key: <code className="text-text">{stored.prefix}…</code>. You can regenerate it on the{" "}
          <Link href="/developer" className="text-accent underline underline-offset-2">
            API page
          </Link>
          .
        </p>
      )}
    </Step>
  )
}
