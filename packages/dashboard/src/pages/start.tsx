import type { AccountResponse } from "@restwell/client"
import { useEffect, useState } from "react"
import { Link } from "wouter"
import { useAccount } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { outcomeOf } from "../components/connection-notice.tsx"
import { useDraft } from "../components/draft.ts"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { DeviceStep } from "../start/device-step.tsx"
import { type Device, devicesBehind } from "../start/devices.ts"
import { LaterPanel } from "../start/later-panel.tsx"
import { WearStep } from "../start/wear-step.tsx"

/** The first steps of a person: what they wear, and the way of its data. Everything else can wait. */
export default function StartPage() {
  const account = useAccount()
  const hasRecords = account.data?.connections.some(({ history }) => history.records > 0)
  const skeleton = (
    <>
      <Skeleton className="h-72" label="Loading your account" />
      <Skeleton className="h-48" label="" />
    </>
  )
  const today = (
    <ButtonLink to="/" look="primary">
      Go to Today
    </ButtonLink>
  )
  return (
    <Page title="Get started" subtitle="Say what you wear, and your data come." {...(hasRecords && { actions: today })}>
      <Loaded query={account} skeleton={skeleton}>
        {(data) => <Steps account={data} />}
      </Loaded>
    </Page>
  )
}

function Steps({ account }: { account: AccountResponse }) {
  const [outcome] = useState(() => outcomeOf(window.location.search))
  const [vendor] = useState(() => providerOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  const connected = devicesBehind(account)
  const [chosen, keepChosen] = useDraft("worn devices")
  const ids = chosen?.split(",") ?? []
  const worn = account.devices.filter((device) => connected.includes(device) || ids.includes(device.id))
  const returnedTo = worn.find(({ ways }) => ways.some(({ provider }) => provider === vendor))
  const keep = (devices: readonly Device[]) => keepChosen(devices.map(({ id }) => id).join(","))
  return (
    <>
      {outcome && !returnedTo && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <ol className="flex flex-col gap-4">
        <WearStep devices={account.devices} worn={worn} connected={connected} onChange={keep} />
        {worn.map((device, index) => (
          <DeviceStep
            key={device.id}
            device={device}
            account={account}
            number={index + 2}
            outcome={device === returnedTo ? outcome : undefined}
          />
        ))}
      </ol>
      {worn.length > 0 && (
        <p className="px-1 text-sm text-muted">
          You can add more devices at any time, here or on{" "}
          <Link href="/connections" className="text-accent underline underline-offset-2">
            Connections
          </Link>
          .
        </p>
      )}
      <LaterPanel account={account} />
    </>
  )
}

/** The vendor whose page led back here, as the server names it in the URL. */
function providerOf(search: string): string | null {
  const parameters = new URLSearchParams(search)
  return parameters.get("connected") ?? parameters.get("provider")
}
