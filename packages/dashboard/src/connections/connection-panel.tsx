import { type AccountResponse, type Connection, DELIVERIES, type Delivery, type Vendor } from "@restwell/client"
import { figure, plural } from "@restwell/client/figures"
import { type ReactNode, useState } from "react"
import { hasSeveralSources, isSetUp, useDisconnect, useRequestSync } from "../api/account.ts"
import { ServiceFailure } from "../api/send.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { ConnectionNotice, ConnectLink, Lasting, ReconnectLink, WaitingText } from "../components/connection-notice.tsx"
import { Step, VendorSteps } from "../components/instructions.tsx"
import { FailureNotice, Notice } from "../components/notice.tsx"
import { Disclosure, Fact, Facts } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { fullDate, instantDate } from "../format/date.ts"
import { sentence, waitText } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { CallbackForm } from "./callback-form.tsx"
import { DeviceLine } from "./device-line.tsx"
import { GapsNotice } from "./gaps-notice.tsx"
import { ImportList } from "./imports-panel.tsx"
import { KeyForm } from "./key-form.tsx"
import { PushTokens } from "./push-panel.tsx"

/** What a source can deliver, as the page calls it. */
const DELIVERY_NAMES: Readonly<Record<Delivery, string>> = {
  sleep: "Sleep",
  sleep_phases: "Sleep phases",
  recovery: "Recovery",
  spo2: "Blood oxygen",
  temperature: "Skin temperature",
  workout: "Workouts",
  cycle: "Cycles",
  strain: "Strain",
  steps: "Steps",
  heart_rate: "Heart rate within the day",
  weight: "Weight",
  profile: "Profile",
}

/** What a vendor's connection or archive delivers, and what it does not. */
const Deliveries = ({
  source: { display_name: name, delivers },
  title,
}: {
  source: Pick<Vendor, "display_name" | "delivers">
  title: string
}) => {
  const missing = DELIVERIES.filter((delivery) => !delivers.includes(delivery)).map((each) => DELIVERY_NAMES[each])
  return (
    <div className="flex flex-col gap-1.5 text-sm text-muted">
      <p>{title}</p>
      <ul aria-label={`${name} delivers`} className="flex flex-wrap gap-1.5 text-xs">
        {delivers.map((delivery) => (
          <li key={delivery} className="rounded-full border border-line px-2.5 py-0.5">
            {DELIVERY_NAMES[delivery]}
          </li>
        ))}
      </ul>
      {missing.length > 0 && <p>Does not deliver: {missing.join(", ").toLowerCase()}.</p>}
    </div>
  )
}

/** What the vendor's terms ask to be shown beside its data. */
const Attribution = ({ vendor: { key } }: { vendor: Vendor }) =>
  key?.attribution != null && <p className="text-sm text-muted">{key.attribution}</p>

/** What people should know before they connect. */
const GrantNote = ({ vendor: { grant_note: note } }: { vendor: Vendor }) =>
  note !== null && <p className="text-sm text-muted">{note}</p>

/** What the operator enters at the vendor and in the settings, to copy. */
const OperatorSetup = ({ vendor }: { vendor: Vendor }) => {
  const { display_name: name, setup } = vendor
  if (setup === null) return null
  return (
    <Disclosure
      summary={`For the operator: ${vendor.is_set_up ? `settings and addresses of ${name}` : `how to set up ${name}`}`}
      summaryClass="w-fit text-muted hover:text-text"
    >
      <div className="mt-3 flex flex-col gap-4 text-muted">
        <VendorSteps vendor={vendor}>
          <Step text="Enter the app's credentials on the page Service, or start Restwell with them in these settings:">
            <CodeBlock label={`${name} settings`} text={setup.settings.map((setting) => `${setting}=`).join("\n")} />
          </Step>
        </VendorSteps>
      </div>
    </Disclosure>
  )
}

/** Values that the vendor sent and that cannot be used, or that it hides. */
const LeftOutNotice = ({ connection: { provider, left_out } }: { connection: Connection }) => (
  <Notice title={`${providerName(provider)} sent data that cannot be used`}>
    <ul>
      {left_out.map(({ type, reason, count, from_date: from, to_date: to }) => (
        <li key={`${type} ${reason}`}>
          {sentence(`${type.replaceAll("_", " ")}, ${fullDate(from)}${from === to ? "" : ` to ${fullDate(to)}`}`)}{" "}
          {sentence(`${plural(count, "value")}: ${reason}`)}
        </li>
      ))}
    </ul>
  </Notice>
)

/** What came of "Sync now". A second press within the minute is no failure. */
function SyncOutcome({ error, isRequested }: { error: Error | null; isRequested: boolean }) {
  if (error instanceof ServiceFailure && error.code === "rate_limited")
    return (
      <Text>
        The last sync was requested less than a minute ago. You can sync again in{" "}
        {waitText(error.retryAfterSeconds ?? 60)}.
      </Text>
    )
  if (error) return <FailureNotice error={error} />
  return isRequested ? <Text>Sync requested. New data appears here automatically.</Text> : null
}

const Text = ({ children }: { children: ReactNode }) => (
  <p role="status" className="text-sm text-muted">
    {children}
  </p>
)

type StoredData = "keep" | "delete"

const CHOICES: readonly { readonly value: StoredData; readonly label: string; readonly effect: string }[] = [
  { value: "keep", label: "Keep stored data", effect: "You can still view and export it. New data is not synced." },
  {
    value: "delete",
    label: "Delete stored data",
    effect: "Deletes every record of this vendor immediately. This cannot be undone.",
  },
]

/** Revokes the grant at the vendor, and keeps or deletes the stored data. */
function DisconnectDialog({
  vendor,
  isOnlySource,
  onDisconnect,
}: {
  vendor: string
  /** True when no other source answers. */
  isOnlySource: boolean
  onDisconnect: (data: StoredData) => Promise<unknown>
}) {
  const [data, setData] = useState<StoredData>("keep")
  return (
    <ConfirmDialog
      trigger="Disconnect"
      title={`Disconnect ${vendor}?`}
      confirmLabel={data === "keep" ? "Disconnect" : "Disconnect and delete"}
      onConfirm={() => onDisconnect(data)}
    >
      <p>
        Restwell will no longer read your {vendor} account.{" "}
        {isOnlySource
          ? "Requests with your API key get 404 until you connect a vendor again."
          : "Your other devices are used from now on."}
      </p>
      <fieldset className="flex flex-col gap-3 text-text">
        <legend className="sr-only">Stored data</legend>
        {CHOICES.map(({ value, label, effect }) => (
          <label key={value} className="flex cursor-pointer items-start gap-3">
            <input
              type="radio"
              name="data"
              checked={data === value}
              onChange={() => setData(value)}
              className="mt-0.5 size-5 shrink-0 accent-text"
            />
            <span>
              <span className="font-medium">{label}</span>
              <span className="block text-muted">{effect}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

const STATUSES: Readonly<Record<Connection["status"], { readonly label: string; readonly color: string }>> = {
  ok: { label: "Up to date", color: "text-good" },
  syncing: { label: "Syncing your history", color: "text-accent" },
  vendor_unavailable: { label: "Cannot be read now", color: "text-fair" },
  failing: { label: "Sync failed", color: "text-poor" },
  reauthorization_required: { label: "Reconnect needed", color: "text-poor" },
  archive: { label: "From an archive", color: "text-muted" },
  disconnected: { label: "Disconnected", color: "text-muted" },
}

/** One device of the person: a line with its state, and behind it what it brings, how it goes, and what can be done. */
export function ConnectionLine({
  connection,
  account,
  isOpen,
}: {
  connection: Connection
  account: AccountResponse
  isOpen: boolean
}) {
  const { provider, status, last_synced_at: syncedAt } = connection
  const { label, color } = STATUSES[status]
  return (
    <DeviceLine
      id={provider}
      name={providerName(provider)}
      isOpen={isOpen}
      state={
        <span className="text-right">
          <span className={`block font-medium ${color}`}>{label}</span>
          {status === "ok" && <TimeAgo instant={syncedAt} />}
        </span>
      }
    >
      <ConnectionContent connection={connection} account={account} />
    </DeviceLine>
  )
}

interface ContentProps {
  readonly connection: Connection
  readonly account: AccountResponse
}

function ConnectionContent({ connection, account }: ContentProps) {
  const { provider, status } = connection
  const vendor = account.vendors.find((each) => each.provider === provider)
  const archive = account.archives.find((each) => each.provider === provider)
  const isDisconnected = status === "disconnected" || status === "archive"
  const isToConnect = isDisconnected || status === "reauthorization_required"
  const canConnect = isSetUp(account, connection)
  return (
    <>
      <ConnectionState connection={connection} account={account} />
      {vendor && <Deliveries source={vendor} title={isDisconnected ? "Delivers when it is connected" : "Delivers"} />}
      {!vendor && archive && <Deliveries source={archive} title="The archive has" />}
      {vendor && <Attribution vendor={vendor} />}
      {vendor && canConnect && isToConnect && <CallbackForm vendor={vendor} />}
      {vendor?.key &&
        (isToConnect ? (
          <KeyForm vendor={vendor} />
        ) : (
          <Disclosure summary="Replace the key" summaryClass="w-fit text-muted hover:text-text">
            <div className="mt-3">
              <KeyForm vendor={vendor} />
            </div>
          </Disclosure>
        ))}
      <ImportList of={provider} />
      {vendor === undefined && archive === undefined && <PushTokens />}
      {vendor && account.is_owner && <OperatorSetup vendor={vendor} />}
    </>
  )
}

/** What of the connection needs attention, its facts, and its actions. */
function ConnectionState({ connection, account }: ContentProps) {
  const { provider, status, history } = connection
  const sync = useRequestSync(provider)
  const disconnect = useDisconnect(provider)
  const isDisconnected = status === "disconnected" || status === "archive"
  const isEmpty = isDisconnected && history.records === 0
  const vendor = account.vendors.find((each) => each.provider === provider)
  const canConnect = isSetUp(account, connection)
  // Phones push to it. There is nothing to sync or to disconnect.
  const isPushed = status === "ok" && !vendor
  return (
    <>
      {!isEmpty && <ConnectionNotice connection={connection} isSetUp={canConnect} />}
      {connection.notice !== null && (
        <Notice title="Your access may end soon">
          <p>{sentence(connection.notice)}</p>
          <ReconnectLink provider={provider} />
        </Notice>
      )}
      {vendor && canConnect && (isDisconnected || status === "reauthorization_required") && (
        <GrantNote vendor={vendor} />
      )}
      <GapsNotice connection={connection} />
      {connection.left_out.length > 0 && <LeftOutNotice connection={connection} />}
      <Lasting vendor={providerName(provider)}>
        {connection.waiting !== null && status !== "syncing" ? (
          <Notice title="Waiting to sync">
            <WaitingText waiting={connection.waiting} /> Your stored data is still available.
          </Notice>
        ) : null}
      </Lasting>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {!isDisconnected && !isPushed && status !== "reauthorization_required" && (
          <Button isBusy={sync.isPending} onClick={() => sync.mutate()}>
            Sync now
          </Button>
        )}
        {isEmpty && canConnect && vendor?.key === null && <ConnectLink provider={provider} />}
        {!isDisconnected && !isPushed && (
          <DisconnectDialog
            vendor={providerName(provider)}
            isOnlySource={!hasSeveralSources(account)}
            onDisconnect={(data) => disconnect.mutateAsync(data)}
          />
        )}
      </div>
      <SyncOutcome error={sync.error} isRequested={sync.isSuccess} />
      <ConnectionFacts connection={connection} isPushed={isPushed} />
    </>
  )
}

const ConnectionFacts = ({ connection, isPushed }: { connection: Connection; isPushed: boolean }) => {
  const { status, history, connected_at: connectedAt, last_synced_at: syncedAt } = connection
  const isArchive = status === "archive"
  return (
    <Facts className="grid-cols-2 sm:grid-cols-4">
      {!isArchive && (
        <Fact label={isPushed ? "Last push" : "Last synced"}>
          <TimeAgo instant={syncedAt} />
        </Fact>
      )}
      <Fact label={isArchive ? "Imported" : status === "disconnected" ? "Was connected" : "Connected since"}>
        {instantDate(connectedAt)}
      </Fact>
      <Fact label="Records">{figure(history.records)}</Fact>
      <Fact label="History">
        {history.complete ? "complete" : isPushed ? "as pushed" : isArchive ? "as uploaded" : "syncing"}
      </Fact>
    </Facts>
  )
}

/** A vendor without a connection: what it delivers, and how to get it. */
export const VendorLine = ({ vendor, isOwner }: { vendor: Vendor; isOwner: boolean }) => (
  <DeviceLine
    id={vendor.provider}
    name={vendor.display_name}
    state={vendor.key !== null ? "By your own key" : vendor.is_set_up ? "By signing in there" : "Not set up"}
  >
    <p className="text-sm text-muted">
      {vendor.key !== null
        ? "You connect it with a key of your own, which you make there. Restwell only reads."
        : vendor.is_set_up
          ? "You approve access on the vendor's own page. Restwell gets read-only access and never sees your password."
          : `Not set up on this server. ${isOwner ? "Set it up" : "Ask its owner"}, or upload an archive below.`}
    </p>
    {vendor.is_set_up && <GrantNote vendor={vendor} />}
    <div className="empty:hidden">
      {vendor.is_set_up && vendor.key === null && <ConnectLink provider={vendor.provider} />}
      {!vendor.is_set_up && isOwner && <ButtonLink to="/service">Set up</ButtonLink>}
    </div>
    <Deliveries source={vendor} title="Delivers when it is connected" />
    <Attribution vendor={vendor} />
    {vendor.is_set_up && <CallbackForm vendor={vendor} />}
    {isOwner && <OperatorSetup vendor={vendor} />}
    <KeyForm vendor={vendor} />
  </DeviceLine>
)
