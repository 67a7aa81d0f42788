import { useEffect, useState } from "react"
import { useAccount } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { outcomeOf } from "../connections/connection-outcome.ts"
import { AssistantStep, ConnectStep, KeyStep, OwnerSteps } from "./start-steps.tsx"

/** The first steps of a person, and of the owner of a new installation. Each can be done later. */
export default function StartPage() {
  const account = useAccount()
  const isOwner = account.data?.is_owner ?? false
  const first = isOwner ? 3 : 1
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
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
    <Page
      title="Get started"
      subtitle={
        isOwner
          ? "Five steps to your data. Each can wait: you find all of them again on this page."
          : "Three steps to your data."
      }
      {...(hasRecords && { actions: today })}
    >
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Loaded query={account} skeleton={skeleton}>
        {(data) => {
          const steps = (
            <>
              <ConnectStep account={data} number={first} />
              <KeyStep account={data} number={first + 1} />
              <AssistantStep account={data} number={first + 2} />
            </>
          )
          return (
            <ol className="flex flex-col gap-4">
              {data.is_owner ? <OwnerSteps account={data}>{steps}</OwnerSteps> : steps}
            </ol>
          )
        }}
      </Loaded>
    </Page>
  )
}
