import type { AccountResponse } from "@restwell/client"
import { Link } from "wouter"
import { useRotateApiKey } from "../api/account.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { NewKey } from "../components/new-key.tsx"
import { Step } from "./step.tsx"

/** Second: one key for everything that reads by itself. It is in this component's memory and nowhere else. */
export function KeyStep({ account: { api_key: stored } }: { account: AccountResponse }) {
  const rotate = useRotateApiKey()
  return (
    <Step number={2} title="Take your API key" isDone={stored !== null}>
      <p>For scripts, phone shortcuts, Home Assistant, cron: one GET request with this key reads your data.</p>
      {rotate.error && <FailureNotice error={rotate.error} />}
      {rotate.data !== undefined ? (
        <NewKey apiKey={rotate.data} />
      ) : stored === null ? (
        <div>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Make my key
          </Button>
        </div>
      ) : (
        <p>
          You have one: <code className="text-text">{stored.prefix}…</code>. To make another,{" "}
          <Link href="/developer" className="text-accent underline underline-offset-2">
            go to API
          </Link>
          .
        </p>
      )}
    </Step>
  )
}
