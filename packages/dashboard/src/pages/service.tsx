import { useAccount } from "../api/account.ts"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { OperationSections } from "../service/sections.tsx"

/** What the owner of this installation looks after. */
export default function ServicePage() {
  return (
    <Page title="Service" subtitle="This installation, for its owner.">
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-64" label="Loading your account" />}>
        {(account) =>
          account.is_owner ? (
            <OperationSections account={account} />
          ) : (
            <Notice title="Only the owner of this server can open this page.">
              The owner is the person who has set this Restwell up.
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}
