import { useAccount } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Page } from "../components/page.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { AssistantStep } from "../start/assistant-step.tsx"
import { ConnectStep } from "../start/connect-step.tsx"
import { KeyStep } from "../start/key-step.tsx"

/** The first run: three steps, each of which may be done now or later. */
export default function StartPage() {
  const account = useAccount()
  if (account.isPending)
    return (
      <Page title="Get started" subtitle="Three steps, then your data is yours.">
        <Skeleton className="h-36" label="Your account is being read" />
        <Skeleton className="h-36" label="" />
      </Page>
    )
  if (account.isError)
    return (
      <Page title="Get started">
        <FailureNotice error={account.error} onRetry={() => account.refetch()} />
      </Page>
    )
  const hasRecords = account.data.connections.some(({ history }) => history.records > 0)
  return (
    <Page
      title="Get started"
      subtitle="Three steps, then your data is yours."
      {...(hasRecords && {
        actions: (
          <ButtonLink to="/" look="primary">
            See your day
          </ButtonLink>
        ),
      })}
    >
      <ol className="flex flex-col gap-4">
        <ConnectStep account={account.data} />
        <KeyStep account={account.data} />
        <AssistantStep account={account.data} />
      </ol>
    </Page>
  )
}
