import type { AccountResponse } from "@restwell/client"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { useRotateApiKey } from "../api/account.ts"
import { useShownFrom } from "../api/send.ts"
import { useService } from "../api/service.ts"
import { Button } from "../components/button.tsx"
import { NewKey } from "../components/code-block.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { ConnectorGuide } from "../connections/connector-guide.tsx"
import { AddressForm } from "../service/address-form.tsx"

/** What nobody needs to see their data. The public address is the owner's, and the last. */
export const LaterPanel = ({ account }: { account: AccountResponse }) => (
  <Panel
    title="Later"
    description={`None of this is needed to see your data. You find it again under ${account.is_owner ? "API, Access and Service" : "API and Access"}.`}
  >
    <div className="flex flex-col divide-y divide-line">
      <Item title="Create an API key" isDone={account.api_key !== null}>
        <KeyForm account={account} />
      </Item>
      <Item title="Add the connector to your assistant" isDone={account.assistants.length > 0}>
        <p>Paste this address into your assistant once. Then sign in, choose what it can read, and press Authorize.</p>
        <ConnectorGuide account={account} />
      </Item>
      {account.is_owner && (
        <Item title="Choose the public address" isDone={account.address.reach === "internet"}>
          <p>
            For a phone on the way, for assistants on the web, and for new data within seconds. Without one, Restwell
            works on this machine and in your home network.
          </p>
          <Address />
        </Item>
      )}
    </div>
  </Panel>
)

const Item = ({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) => (
  <Disclosure
    className="py-1.5"
    summaryClass="text-text"
    summary={
      <>
        <span className="flex-1 font-medium">{title}</span>
        {isDone && <span className="text-good">Done</span>}
      </>
    }
  >
    <div className="flex flex-col gap-3 pt-2 pb-3 text-muted">{children}</div>
  </Disclosure>
)

const LINK = "text-accent underline underline-offset-2"

/** The key stays in the memory of this component. */
function KeyForm({ account: { api_key: stored } }: { account: AccountResponse }) {
  const rotate = useRotateApiKey()
  const isOffline = useShownFrom() !== undefined
  return (
    <>
      <p>For scripts, phone shortcuts, Home Assistant and cron jobs: one GET request with this key reads your data.</p>
      {rotate.error && <FailureNotice error={rotate.error} />}
      {rotate.data !== undefined ? (
        <NewKey apiKey={rotate.data} />
      ) : stored !== null ? (
        <p>
          You have a key: <code className="text-text">{stored.prefix}…</code>. You can regenerate it on the{" "}
          <Link href="/developer" className={LINK}>
            API page
          </Link>
          .
        </p>
      ) : isOffline ? (
        <p>It is not shown while you are offline.</p>
      ) : (
        <div>
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            Create key
          </Button>
        </div>
      )}
    </>
  )
}

const Address = () => (
  <Loaded query={useService()} skeleton={<Skeleton className="h-32" label="Loading the address" />}>
    {({ address }) => <AddressForm address={address} />}
  </Loaded>
)
