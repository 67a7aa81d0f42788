import { useAccount } from "../api/account.ts"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { AccessLogPanel, AssistantsPanel } from "../connections/access-panels.tsx"

/** Who can read the person's data, and every read. */
export default function AccessPage() {
  return (
    <Page title="Access" subtitle="Who can read your data, and every read of it.">
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-48" label="Loading your assistants" />}>
        {(account) => (
          <>
            <AssistantsPanel account={account} />
            <AccessLogPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}
