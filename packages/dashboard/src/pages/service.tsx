import { useAccount } from "../api/account.ts"
import { Loaded } from "../components/loaded.tsx"
import { Notice } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { PeopleSections } from "../service/people-sections.tsx"

/** What the owner of this installation looks after. */
export default function ServicePage() {
  return (
    <Page title="Service" subtitle="This installation, for its owner.">
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-64" label="Loading your account" />}>
        {(account) =>
          account.is_owner ? (
            <PeopleSections />
          ) : (
            <Notice title="Only the owner of this server can open this page.">
              The owner is the person with the first account.
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}
