import type { AccountResponse } from "@restwell/client"
import { sourcesOf, useAccount, useRotateApiKey } from "../api/account.ts"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { ConsolePanel } from "../developer/console-panel.tsx"
import { KeyPanel } from "../developer/key-panel.tsx"
import { RecipesPanel } from "../developer/recipes-panel.tsx"
import { UsagePanel } from "../developer/usage-panel.tsx"

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
      <UsagePanel {...account} />
      <ConsolePanel newKey={rotate.data} sources={sources} />
      <RecipesPanel newKey={rotate.data} sources={sources} />
    </>
  )
}
