import type { AccountResponse } from "@restwell/client"
import { Check } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { Link } from "wouter"
import { isSetUp, useAccount, useRotateApiKey } from "../api/account.ts"
import { useShownFrom } from "../api/send.ts"
import { useService } from "../api/service.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { NewKey } from "../components/code-block.tsx"
import {
  ConnectionNotice,
  ConnectLink,
  HistoryProgress,
  outcomeOf,
  WaitingText,
} from "../components/connection-notice.tsx"
import { NoVendorNotice } from "../components/instructions.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Disclosure, Page } from "../components/page.tsx"
import { ConnectorGuide } from "../connections/connector-guide.tsx"
import { KeyForm } from "../connections/key-form.tsx"
import { providerName } from "../format/provider-name.ts"
import { AddressForm } from "../service/address-form.tsx"
import { VendorAppList } from "./service.tsx"

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

/** One step of the first run. */
const Step = ({
  number,
  title,
  isDone,
  children,
}: {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}) => (
  <li className="flex gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-6">
    <span
      aria-hidden="true"
      className={`flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${
        isDone ? "bg-good-soft text-good" : "bg-raised text-text"
      }`}
    >
      {isDone ? <Check size={16} /> : number}
    </span>
    <div className="min-w-0 flex-1">
      <h2 className="font-semibold">
        {title}
        {isDone && <span className="sr-only">, done</span>}
      </h2>
      <div className="mt-2 flex flex-col gap-3 text-sm text-muted">{children}</div>
    </div>
  </li>
)

/** connect a vendor. The history then syncs automatically. */
function ConnectStep({ account, number }: { account: AccountResponse; number: number }) {
  const { connections } = account
  const connected = connections.filter(({ status }) => status !== "disconnected")
  return (
    <Step number={number} title="Connect your device" isDone={connected.some(({ history }) => history.complete)}>
      {connected.length === 0 && <Offer account={account} />}
      {connected.map((connection) =>
        connection.status === "ok" || connection.status === "syncing" ? (
          <div key={connection.provider} className="text-text">
            <p className="font-medium">{providerName(connection.provider)} is connected.</p>
            <HistoryProgress connection={connection} />
            {connection.waiting !== null && (
              <p className="mt-1.5 text-muted">
                <WaitingText waiting={connection.waiting} />
              </p>
            )}
          </div>
        ) : (
          <ConnectionNotice key={connection.provider} connection={connection} isSetUp={isSetUp(account, connection)} />
        ),
      )}
      <p>
        You can add more devices, and archives with your history, on{" "}
        <Link href="/connections" className="text-accent underline underline-offset-2">
          Connections
        </Link>
        .
      </p>
    </Step>
  )
}

const ON_CONNECTIONS = (
  <>
    on{" "}
    <Link href="/connections" className="text-accent underline underline-offset-2">
      Connections
    </Link>
  </>
)

/** Vendors with an app of the operator, then those that people connect with a key of their own. */
function Offer({ account: { vendors, is_owner: isOwner } }: { account: AccountResponse }) {
  return (
    <>
      <AppOffer
        providers={vendors.flatMap(({ provider, setup, is_set_up }) => (setup && is_set_up ? provider : []))}
        isOwner={isOwner}
      />
      {vendors.map(
        ({ provider, is_set_up, grant_note: note }) => is_set_up && note !== null && <p key={provider}>{note}</p>,
      )}
      {vendors.flatMap((vendor) =>
        vendor.key === null ? (
          []
        ) : (
          <Disclosure
            key={vendor.provider}
            summary={`Connect ${vendor.display_name} with your own key`}
            summaryClass="w-fit text-text"
          >
            <div className="mt-3">
              <KeyForm vendor={vendor} />
            </div>
          </Disclosure>
        ),
      )}
    </>
  )
}

function AppOffer({ providers, isOwner }: { providers: readonly string[]; isOwner: boolean }) {
  if (providers.length === 0)
    return isOwner ? (
      <p>First set up a vendor in the step above. Its button then appears here.</p>
    ) : (
      <NoVendorNotice stepsAt={ON_CONNECTIONS} />
    )
  return (
    <>
      <p>
        You approve access on the vendor's own page. Restwell gets read-only access and never sees your password. Your
        whole history then syncs automatically, newest days first.
      </p>
      <div className="flex flex-wrap gap-2">
        {providers.map((provider) => (
          <ConnectLink key={provider} provider={provider} from="start" />
        ))}
      </div>
    </>
  )
}

/** create an API key. The key stays in the memory of this component. */
function KeyStep({ account: { api_key: stored }, number }: { account: AccountResponse; number: number }) {
  const rotate = useRotateApiKey()
  const isOffline = useShownFrom() !== undefined
  return (
    <Step number={number} title="Create your API key" isDone={stored !== null}>
      <p>For scripts, phone shortcuts, Home Assistant and cron jobs: one GET request with this key reads your data.</p>
      {rotate.error && <FailureNotice error={rotate.error} />}
      {rotate.data !== undefined ? (
        <NewKey apiKey={rotate.data} />
      ) : stored === null && isOffline ? (
        <p>It is not shown while you are offline.</p>
      ) : stored === null ? (
        <div>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Create key
          </Button>
        </div>
      ) : (
        <p>
          You have a key: <code className="text-text">{stored.prefix}…</code>. You can regenerate it on the{" "}
          <Link href="/developer" className="text-accent underline underline-offset-2">
            API page
          </Link>
          .
        </p>
      )}
    </Step>
  )
}

/** add the connector to an assistant. */
const AssistantStep = ({ account, number }: { account: AccountResponse; number: number }) => (
  <Step number={number} title="Add the connector to your assistant" isDone={account.assistants.length > 0}>
    <p>Paste this address into your assistant once. Then sign in, choose what it can read, and press Authorize.</p>
    <ConnectorGuide account={account} />
  </Step>
)

/** The steps of the owner, the public address and the apps at vendors, and then those of everybody, which would move if they came first. */
const OwnerSteps = ({ account, children }: { account: AccountResponse; children: ReactNode }) => (
  <Loaded
    query={useService()}
    skeleton={<Skeleton className="h-[70vh]" label="Loading the settings" />}
    frame={(content) => <li>{content}</li>}
  >
    {({ address, vendors }) => (
      <>
        <Step number={1} title="Choose the public address" isDone={address.source !== null}>
          <p>
            Vendors send people back to this address, and assistants find their data there. You can skip this step and
            use Restwell on this machine only.
          </p>
          <AddressForm address={address} />
        </Step>
        <Step number={2} title="Set up a vendor" isDone={vendors.some(({ source }) => source !== null)}>
          <p>
            A vendor gives data only to an app that you register there, free of charge. One vendor is enough to begin.
            You find these forms again on the page Service.
          </p>
          <VendorAppList apps={vendors} vendors={account.vendors} />
        </Step>
        {children}
      </>
    )}
  </Loaded>
)
