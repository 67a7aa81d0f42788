import type { AccountResponse } from "@restwell/client"
import { type ReactNode, useEffect, useState } from "react"
import { useAccount } from "../api/account.ts"
import { ButtonLink } from "../components/button.tsx"
import { NoVendorNotice } from "../components/instructions.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { AccessLogPanel, AssistantsPanel } from "../connections/access-panels.tsx"
import { AddDataPanel } from "../connections/add-data.tsx"
import { outcomeOf } from "../connections/connection-outcome.ts"
import { ConnectionPanel, VendorPanel } from "../connections/connection-panel.tsx"
import { ImportsPanel } from "../connections/imports-panel.tsx"
import { PushPanel } from "../connections/push-panel.tsx"

export default function ConnectionsPage() {
  const [outcome] = useState(() => outcomeOf(window.location.search))
  // Removes the outcome from the URL, so that a reload or a bookmark does not repeat it.
  useEffect(() => window.history.replaceState(null, "", window.location.pathname), [])
  return (
    <Page
      title="Connections"
      subtitle="Your data sources, and who can read your data."
      actions={<ButtonLink to="/sources">Choose between sources</ButtonLink>}
    >
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Loaded query={useAccount()} skeleton={<Skeleton className="h-48" label="Loading your connections" />}>
        {(account) => (
          <>
            <Sources account={account} />
            <AssistantsPanel account={account} />
            <AccessLogPanel />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** The person's connections and archives, then every way to add data. Vendors that can be connected come first. */
function Sources({ account }: { account: AccountResponse }) {
  const { connections, vendors } = account
  const others = vendors.filter(({ provider }) => !connections.some((each) => each.provider === provider))
  return (
    <>
      {vendors.every(({ is_set_up }) => !is_set_up) && <NoVendorNotice stepsAt="below" />}
      {connections.map((connection) => (
        <ConnectionPanel key={connection.provider} connection={connection} account={account} />
      ))}
      <AddDataPanel account={account} vendors={others} />
      {others.length > 0 && (
        <Way id="connect">
          {others
            .toSorted((one, other) => Number(other.is_set_up) - Number(one.is_set_up))
            .map((vendor) => (
              <VendorPanel key={vendor.provider} vendor={vendor} isOwner={account.is_owner} />
            ))}
        </Way>
      )}
      <Way id="archives">
        <ImportsPanel account={account} />
      </Way>
      <Way id="push">
        <PushPanel />
      </Way>
    </>
  )
}

/** What a link of "Add data" leads to. The bar of a phone covers nothing of it. */
const Way = ({ id, children }: { id: string; children: ReactNode }) => (
  <div id={id} className="flex scroll-mt-4 flex-col gap-4">
    {children}
  </div>
)
