import { useAccount } from "../api/account.ts"
import { useNotifications } from "../api/notifications.ts"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page, Panel } from "../components/page.tsx"
import { BrowserChannel } from "../notifications/browser-channel.tsx"
import { WebhooksPanel } from "../notifications/webhooks-panel.tsx"

/** What Restwell says without being asked, and where. */
export default function NotificationsPage() {
  const skeleton = <Skeleton className="h-56" label="Loading your notifications" />
  const notifications = useNotifications()
  return (
    <Page title="Notifications" subtitle="What Restwell tells you without being asked, and where.">
      <Loaded query={useAccount()} skeleton={skeleton}>
        {(account) => (
          <>
            <Loaded query={notifications} skeleton={skeleton}>
              {({ push_public_key: publicKey }) => (
                <Panel title="Ways to reach you" description="Turn one on, and send yourself a test.">
                  <BrowserChannel publicKey={publicKey} />
                </Panel>
              )}
            </Loaded>
            <WebhooksPanel isOwner={account.is_owner} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
