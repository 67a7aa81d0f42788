import { useAccount } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Page } from "../components/page.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { AssistantStep } from "../start/assistant-step.tsx"
import { ConnectStep } from "../start/connect-step.tsx"
import { KeyStep } from "../start/key-step.tsx"

/** The first run in three steps, each of which can be done later. */
export default function StartPage() {
  const account = useAccount()
  const hasRecords = account.data?.connections.some(({ history }) => history.records > 0)
  const skeleton = (
    <>
      <Skeleton className="h-36" label="Loading your account" />
      <Skeleton className="h-36" label="" />
    </>
  )
  const today = (
    <ButtonLink to="/" look="primary">
      Go to Today
    </ButtonLink>
  )
  return (
    <Page title="Get started" subtitle="Three steps to your data." {...(hasRecords && { actions: today })}>
      <Loaded query={account} skeleton={skeleton}>
        {(data) => (
          <ol className="flex flex-col gap-4">
            <ConnectStep account={data} />
            <KeyStep account={data} />
            <AssistantStep account={data} />
          </ol>
        )}
      </Loaded>
    </Page>
  )
}
