import type { AccountResponse } from "@restwell/client"
import { Link } from "wouter"
import { ConnectLink } from "../components/connect-link.tsx"
import { ConnectionNotice } from "../components/connection-notice.tsx"
import { HistoryProgress } from "../components/history-progress.tsx"
import { NoVendorNotice } from "../components/no-vendor-notice.tsx"
import { providerName } from "../format/provider-name.ts"
import { isSetUp } from "../trends/sources.ts"
import { Step } from "./step.tsx"

/** connect a vendor. The history then syncs automatically. */
export function ConnectStep({ account, number }: { account: AccountResponse; number: number }) {
  const { connections, providers } = account
  const connected = connections.filter(({ status }) => status !== "disconnected")
  return (
    <Step number={number} title="Connect your device" isDone={connected.some(({ history }) => history.complete)}>
      {connected.length === 0 && <Offer providers={providers} isOwner={account.is_owner} />}
      {connected.map((connection) =>
        connection.status === "ok" || connection.status === "syncing" ? (
          <div key={connection.provider} className="text-text">
            <p className="font-medium">{providerName(connection.provider)} is connected.</p>
            <HistoryProgress connection={connection} />
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

function Offer({ providers, isOwner }: { providers: readonly string[]; isOwner: boolean }) {
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
