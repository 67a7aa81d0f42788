import type { AccountResponse, Connection, Vendor } from "@restwell/client"
import { figure } from "@restwell/client/figures"
import { useState } from "react"
import { isSetUp } from "../api/account.ts"
import { useService } from "../api/service.ts"
import { ConnectionNotice, ConnectLink, HistoryProgress, WaitingText } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Disclosure } from "../components/page.tsx"
import { CallbackForm } from "../connections/callback-form.tsx"
import { ArchiveUpload, ImportList } from "../connections/imports-panel.tsx"
import { KeyForm } from "../connections/key-form.tsx"
import { PushTokens } from "../connections/push-panel.tsx"
import { providerName } from "../format/provider-name.ts"
import { AppForm } from "../service/app-form.tsx"
import { type Device, sourcesBehind, type Way } from "./devices.ts"
import { Step } from "./step.tsx"

interface DeviceStepProps {
  readonly device: Device
  readonly account: AccountResponse
  readonly number: number
  /** What the vendor's page led back with. */
  readonly outcome: { readonly tone: "good" | "fair"; readonly text: string } | undefined
}

/** The path of one device: how its data come, and while they come, how many there are. */
export function DeviceStep({ device, account, number, outcome }: DeviceStepProps) {
  const sources = sourcesBehind(device, account)
  const open = device.ways.filter(
    ({ kind, provider }) =>
      kind !== "vendor" || !sources.some((source) => source.provider === provider && source.status !== "archive"),
  )
  const [first, ...others] = open
  const isFirstOpen = sources.length === 0
  return (
    <Step
      number={number}
      title={sources.length === 0 ? `Your data from ${device.name}` : device.name}
      isDone={sources.some(({ history }) => history.records > 0)}
      isReturnedTo={outcome !== undefined}
    >
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      {sources.map((source) => (
        <Arriving key={source.provider} source={source} account={account} />
      ))}
      {first && isFirstOpen && <WayContent way={first} account={account} />}
      {(isFirstOpen ? others : open).map((way) => (
        <Disclosure key={`${way.kind} ${way.provider}`} summary={way.title} summaryClass="w-fit text-text">
          <div className="mt-3 flex flex-col gap-3">
            <WayContent way={way} account={account} />
          </div>
        </Disclosure>
      ))}
    </Step>
  )
}

/** The data of a source as they arrive, or what keeps them from it. */
function Arriving({ source, account }: { source: Connection; account: AccountResponse }) {
  const { provider, status, history, waiting } = source
  const isSynced = account.vendors.some((vendor) => vendor.provider === provider) && status !== "archive"
  if (!isSynced)
    return (
      <p className="font-medium text-text">
        {figure(history.records)} records of {providerName(provider)} are here.
      </p>
    )
  if (status !== "ok" && status !== "syncing")
    return <ConnectionNotice connection={source} isSetUp={isSetUp(account, source)} />
  return (
    <div className="text-text">
      <p className="font-medium">{providerName(provider)} is connected.</p>
      <HistoryProgress connection={source} />
      {waiting !== null && (
        <p className="mt-1.5 text-muted">
          <WaitingText waiting={waiting} />
        </p>
      )}
    </div>
  )
}

function WayContent({ way, account }: { way: Way; account: AccountResponse }) {
  if (way.program !== null)
    return (
      <>
        <p>A token can only send: it reads nothing. Make one, and enter it in the program on the phone.</p>
        <PushTokens program={way.program} />
      </>
    )
  if (way.kind === "archive") return <ArchiveWay provider={way.provider} account={account} />
  const vendor = account.vendors.find(({ provider }) => provider === way.provider)
  if (vendor === undefined) return null
  return vendor.key !== null ? <KeyForm vendor={vendor} /> : <VendorWay vendor={vendor} isOwner={account.is_owner} />
}

function VendorWay({ vendor, isOwner }: { vendor: Vendor; isOwner: boolean }) {
  const [wasSetUp] = useState(vendor.is_set_up)
  if (!vendor.is_set_up) return isOwner ? <OwnersApp vendor={vendor} /> : <NotSetUp vendor={vendor} />
  return (
    <>
      {!wasSetUp && (
        <Notice tone="good" title={`${vendor.display_name} is set up on this server`}>
          Now connect your own device.
        </Notice>
      )}
      <Consent vendor={vendor} />
    </>
  )
}

const Consent = ({ vendor }: { vendor: Vendor }) => (
  <>
    <p>
      You approve access on the vendor's own page. Restwell gets read-only access and never sees your password. Your
      whole history then syncs automatically, newest days first.
    </p>
    {vendor.grant_note !== null && <p>{vendor.grant_note}</p>}
    <div>
      <ConnectLink provider={vendor.provider} from="start" />
    </div>
    <CallbackForm vendor={vendor} />
  </>
)

/** Only the owner can do something about it. */
const NotSetUp = ({ vendor: { display_name: name } }: { vendor: Vendor }) => (
  <Notice tone="fair" title={`${name} is not set up on this server yet`}>
    Ask its owner to set it up, on the page Service. This takes ten minutes, once for everybody here. Then come back to
    this page.
  </Notice>
)

/** What the owner does once, before anybody can connect the vendor. */
function OwnersApp({ vendor }: { vendor: Vendor }) {
  const service = useService()
  const name = vendor.display_name
  return (
    <>
      <p>
        {name} gives data only to an app that you register there: free of charge, about ten minutes, once for everybody
        on this server. The button to connect then appears here.
      </p>
      <Loaded query={service} skeleton={<Skeleton className="h-[70vh]" label={`Loading the steps for ${name}`} />}>
        {({ vendors }) => {
          const app = vendors.find(({ provider }) => provider === vendor.provider)
          return app && <AppForm app={app} vendor={vendor} />
        }}
      </Loaded>
    </>
  )
}

function ArchiveWay({ provider, account }: { provider: string; account: AccountResponse }) {
  const archive = account.archives.find((each) => each.provider === provider)
  if (archive === undefined) return null
  return (
    <>
      <ol className="flex list-decimal flex-col gap-1 pl-5">
        {archive.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <ArchiveUpload of={archive.display_name} />
      <ImportList of={provider} isUploadHere />
    </>
  )
}
