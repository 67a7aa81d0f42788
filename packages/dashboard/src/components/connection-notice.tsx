import { Progress } from "@base-ui/react/progress"
import type { AccountResponse, Connection } from "@restwell/client"
import { consentPageOf, figure } from "@restwell/client/figures"
import { type ReactElement, useLayoutEffect, useRef, useState } from "react"
import { isLive, isSetUp, sourcesOf } from "../api/account.ts"
import { instantDate } from "../format/date.ts"
import { sentence } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { ExternalButtonLink } from "./button.tsx"
import { Notice } from "./notice.tsx"
import { Instant, TimeAgo } from "./time-ago.tsx"

const authorizePath = (provider: string): string => `/api/connections/${provider}/authorize`

/** Starts a new connection at the vendor, which leads back to the page `from`. @param from @default Connections */
export const ConnectLink = ({ provider, from }: { provider: string; from?: "start" }) => (
  <ExternalButtonLink href={`${authorizePath(provider)}${from ? `?from=${from}` : ""}`} look="primary">
    Connect {providerName(provider)}
  </ExternalButtonLink>
)

/** Renews a connection that ended. */
export const ReconnectLink = ({ provider }: { provider: string }) => (
  <ExternalButtonLink href={authorizePath(provider)}>Reconnect</ExternalButtonLink>
)

/** The bar beside it says this with the date of the reader. */
const STORED_BACK_TO = /\. It is stored back to \d{4}-\d\d-\d\d$/

/** What a sync waits for or works on, and until when. */
export const WaitingText = ({ waiting: { message, until } }: { waiting: NonNullable<Connection["waiting"]> }) => (
  <>
    {sentence(message.replace(STORED_BACK_TO, ""))}
    {until !== null && (
      <>
        {" "}
        The sync continues at about <Instant at={until} />.
      </>
    )}
  </>
)

/** Progress of the first sync. Vendors do not say where a history starts, so there is no percentage before it is complete. */
export function HistoryProgress({ connection: { provider, history } }: { connection: Connection }) {
  const text = history.complete
    ? `Complete: ${figure(history.records)} records`
    : history.fetched_back_to === null
      ? "Fetching the newest days"
      : `${figure(history.records)} records, back to ${instantDate(history.fetched_back_to)}`
  return (
    <Progress.Root value={history.complete ? 100 : null} getAriaValueText={() => text} className="mt-1 w-full max-w-md">
      <div className="flex justify-between gap-3 text-sm">
        <Progress.Label className="sr-only">{providerName(provider)} history</Progress.Label>
        <span className="tabular-nums">{text}</span>
      </div>
      <Progress.Track className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line">
        <Progress.Indicator className="h-full rounded-full bg-accent data-indeterminate:w-1/3 data-indeterminate:animate-[slide_1.4s_ease-in-out_infinite]" />
      </Progress.Track>
    </Progress.Root>
  )
}

interface NoticeProps {
  readonly connection: Connection
  /** False for a vendor that nobody can connect on this server. */
  readonly isSetUp: boolean
}

/** The state of a connection when it needs attention. Nothing while it is up to date. */
export const ConnectionNotice = (props: NoticeProps) => (
  <Lasting vendor={providerName(props.connection.provider)}>{noticeOf(props)}</Lasting>
)

/** A notice that ends by itself says so in its place, so that nothing below moves while a person reads or taps. */
export function Lasting({ vendor, children }: { vendor: string; children: ReactElement | null }) {
  const [height, setHeight] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (children !== null) setHeight(place.current?.offsetHeight ?? 0)
  }, [children])
  if (children !== null) return <div ref={place}>{children}</div>
  if (height === 0) return null
  return (
    <div className="grid" style={{ minHeight: height }}>
      <Notice tone="good" title={`${vendor} is up to date`} />
    </div>
  )
}

const UTC = /(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/

/** The service's reason as a sentence. Its time is in UTC, and the page's in the reader's zone. */
function Reason({ text }: { text: string }) {
  const [before, date, time, after] = sentence(text).split(UTC)
  if (date === undefined) return before
  return (
    <>
      {before}
      <Instant at={`${date}T${time}:00Z`} />
      {after}
    </>
  )
}

function noticeOf({ connection, isSetUp }: NoticeProps): ReactElement | null {
  const { provider, last_synced_at: lastSyncedAt } = connection
  const vendor = providerName(provider)
  const why = connection.status_reason === null ? null : <Reason text={connection.status_reason} />
  const storedData = (
    <>
      Your stored data is still available
      {lastSyncedAt !== null && (
        <>
          , last synced <TimeAgo instant={lastSyncedAt} />
        </>
      )}
      .
    </>
  )
  switch (connection.status) {
    case "ok":
      return null
    case "syncing":
      return (
        <Notice title={`Syncing your ${vendor} history`}>
          <HistoryProgress connection={connection} />
          {connection.waiting !== null && (
            <p className="mt-1.5">
              <WaitingText waiting={connection.waiting} />
            </p>
          )}
        </Notice>
      )
    case "vendor_unavailable":
      return (
        <Notice tone="fair" title={`${vendor} cannot be read now`}>
          {why ?? "Restwell keeps trying."} {storedData}
        </Notice>
      )
    case "failing":
      return (
        <Notice tone="fair" title={`Syncing ${vendor} failed`}>
          {why ?? "Restwell tries again automatically."} {storedData}
        </Notice>
      )
    case "reauthorization_required":
      return (
        <Notice tone="fair" title={`Reconnect ${vendor}`} action={<ReconnectLink provider={provider} />}>
          {why ?? "Restwell's access has ended."} New data is not synced. {storedData}
        </Notice>
      )
    case "archive":
      return (
        <Notice
          title={`Your ${vendor} data comes from archives`}
          {...(isSetUp && { action: <ConnectLink provider={provider} /> })}
        >
          {isSetUp ? `New data is not synced until you connect ${vendor}.` : "New data comes with your next archive."}
        </Notice>
      )
    case "disconnected":
      return (
        <Notice title={`${vendor} is disconnected`} {...(isSetUp && { action: <ReconnectLink provider={provider} /> })}>
          New data is not synced. Your stored data is still available.
        </Notice>
      )
  }
}

/** The state of each connection that needs attention. A person without any live connection sees how to get one. */
export function ConnectionNotices({ account }: { account: AccountResponse }) {
  const live = account.connections.filter(isLive)
  const named = live.length > 0 ? live : [...sourcesOf(account), ...account.connections].slice(0, 1)
  return named.map((connection) => (
    <ConnectionNotice key={connection.provider} connection={connection} isSetUp={isSetUp(account, connection)} />
  ))
}

/** Texts by the `problem` that the server adds to the URL after a failed connection. */
const PROBLEMS: Readonly<Record<string, (vendor: string, consentsAt: string | undefined) => string>> = {
  access_denied: (vendor) => `You declined access at ${vendor}, so nothing was connected. You can connect at any time.`,
  expired: () => "The connection took too long or was started in another browser. Connect again.",
  scope_missing: (vendor) =>
    `${vendor} did not grant all permissions. Connect again and leave every box ticked, or some data will be missing.`,
  already_connected: (vendor) =>
    `This ${vendor} account is already connected to another account on this server. Sign in to that account, or disconnect ${vendor} there first.`,
  another_person: (vendor) =>
    `This ${vendor} account is another person's than the stored data. Sign in to your own one at ${vendor}, or disconnect ${vendor} here with its data first.`,
  vendor_unavailable: (vendor) => `${vendor} is not responding. Connect again in a few minutes.`,
  not_configured: (vendor) => `${vendor} is not set up on this server. Its owner does that on the page Service.`,
  not_allowed: (vendor, consentsAt) =>
    `${vendor} does not allow it yet. ${consentsAt ? `Give the consents that ${vendor} asks for at ${consentsAt}` : `Allow what ${vendor} asks for in your account there`}, then connect ${vendor} again.`,
  failed: (vendor) => `${vendor} rejected the authorization. Connect again.`,
}

/** The form of a provider's name. Other text of the URL is not repeated. */
const PROVIDER = /^[a-z_]{1,20}$/

/** Returns the message for the outcome in the URL, if it names a known one. */
export function outcomeOf(search: string): { tone: "good" | "fair"; text: string } | undefined {
  const parameters = new URLSearchParams(search)
  const connected = parameters.get("connected")
  if (connected !== null && PROVIDER.test(connected) && parameters.get("problem") === "not_answering")
    return {
      tone: "fair",
      text: `${providerName(connected)} is connected, but it is not responding. You have nothing to do: Restwell keeps trying, and your history appears when ${providerName(connected)} responds.`,
    }
  if (connected !== null && PROVIDER.test(connected))
    return {
      tone: "good",
      text: `${providerName(connected)} is connected. Your history is syncing, newest days first.`,
    }
  const provider = parameters.get("provider") ?? ""
  const text = PROBLEMS[parameters.get("problem") ?? ""]?.(
    PROVIDER.test(provider) ? providerName(provider) : "The vendor",
    consentPageOf(provider),
  )
  return text === undefined ? undefined : { tone: "fair", text }
}
