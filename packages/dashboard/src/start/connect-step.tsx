import type { AccountResponse } from "@restwell/client"
import { ExternalButtonLink } from "../components/button.tsx"
import { ConnectionNotice } from "../components/connection-notice.tsx"
import { HistoryProgress } from "../components/history-progress.tsx"
import { NoVendorNotice } from "../components/no-vendor-notice.tsx"
import { providerName } from "../format/provider-name.ts"
import { Step } from "./step.tsx"

/** First: the vendor says yes once, and the history comes by itself. */
export function ConnectStep({ account: { connections, providers } }: { account: AccountResponse }) {
  const connected = connections.filter(({ status }) => status !== "disconnected")
  return (
    <Step number={1} title="Connect your band" isDone={connected.some(({ history }) => history.complete)}>
      {connected.length === 0 && <Offer providers={providers} />}
      {connected.map((connection) =>
        connection.status === "ok" || connection.status === "syncing" ? (
          <div key={connection.provider} className="text-text">
            <p className="font-medium">{providerName(connection.provider)} is connected.</p>
            <HistoryProgress connection={connection} />
          </div>
        ) : (
          <ConnectionNotice key={connection.provider} connection={connection} />
        ),
      )}
    </Step>
  )
}

const Offer = ({ providers }: { providers: readonly string[] }) =>
  providers.length === 0 ? (
    <NoVendorNotice />
  ) : (
    <>
      <p>
        You say yes on the vendor's own page. Restwell may only read; it never sees your password there. Your whole
        history follows by itself, the newest days first.
      </p>
      <div className="flex flex-wrap gap-2">
        {providers.map((provider) => (
          <ExternalButtonLink key={provider} href={`/api/connections/${provider}/authorize`} look="primary">
            Connect {providerName(provider)}
          </ExternalButtonLink>
        ))}
      </div>
    </>
  )
