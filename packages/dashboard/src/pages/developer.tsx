import type { AccountResponse } from "@restwell/client"
import { useAccount, useRotateApiKey } from "../api/account.ts"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Page } from "../components/page.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { ConsolePanel } from "../developer/console-panel.tsx"
import { KeyPanel } from "../developer/key-panel.tsx"
import { RecipesPanel } from "../developer/recipes-panel.tsx"
import { UsagePanel } from "../developer/usage-panel.tsx"

const SUBTITLE = "One GET request with your key, from anything that can send one."

export default function DeveloperPage() {
  const account = useAccount()
  return (
    <Page title="API" subtitle={SUBTITLE}>
      {account.isPending && (
        <>
          <Skeleton className="h-36" label="Your key and usage are being read" />
          <Skeleton className="h-56" label="" />
        </>
      )}
      {account.isError && <FailureNotice error={account.error} onRetry={() => account.refetch()} />}
      {account.isSuccess && <Panels account={account.data} />}
    </Page>
  )
}

/** A key that was just made goes to all panels that can use it, and is gone with the page. */
function Panels({ account }: { account: AccountResponse }) {
  const rotate = useRotateApiKey()
  return (
    <>
      <KeyPanel stored={account.api_key} rotate={rotate} />
      <UsagePanel plan={account.plan} usage={account.usage} />
      <ConsolePanel newKey={rotate.data} />
      <RecipesPanel newKey={rotate.data} />
    </>
  )
}
