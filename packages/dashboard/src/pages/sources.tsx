import type { AccountResponse } from "@restwell/client"
import { sourcesOf, useAccount } from "../api/account.ts"
import { useSources } from "../api/sources.ts"
import { ButtonLink } from "../components/button.tsx"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page, Panel } from "../components/page.tsx"
import { GapsNotice } from "../connections/gaps-notice.tsx"
import { providerName } from "../format/provider-name.ts"
import { DifferencesPanel } from "../sources/differences-panel.tsx"
import { WithMainDeviceQuestion } from "../sources/main-device-question.tsx"
import { OrderPanel } from "../sources/order-panel.tsx"

const SKELETON = (
  <>
    <Skeleton className="h-64" label="Loading your sources" />
    <Skeleton className="h-64" label="" />
  </>
)

/** Which source answers, by type and by date. */
export default function SourcesPage() {
  return (
    <Page title="Sources" subtitle="Which device to use when two recorded the same day.">
      <Loaded query={useAccount()} skeleton={SKELETON}>
        {(account) => (
          <>
            {sourcesOf(account).map((connection) => (
              <GapsNotice key={connection.provider} connection={connection} />
            ))}
            {sourcesOf(account).length > 1 ? <Settings account={account} /> : <Introduction account={account} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const Settings = ({ account }: { account: AccountResponse }) => (
  <Loaded query={useSources()} skeleton={SKELETON}>
    {(settings) => (
      <>
        <WithMainDeviceQuestion account={account} skeleton={SKELETON}>
          <OrderPanel account={account} settings={settings} />
          <DifferencesPanel settings={settings} />
        </WithMainDeviceQuestion>
      </>
    )}
  </Loaded>
)

function Introduction({ account }: { account: AccountResponse }) {
  const [source] = sourcesOf(account)
  return (
    <Panel
      title={source ? `${providerName(source.provider)} is your only source` : "You have no source yet"}
      description="With two or more devices, you choose here which one to use for sleep, recovery and activity, and see the days on which they differ."
      actions={
        source ? (
          <ButtonLink to="/connections">Go to Connections</ButtonLink>
        ) : (
          <ButtonLink to="/start" look="primary">
            Get started
          </ButtonLink>
        )
      }
    />
  )
}
