import type { AccountResponse, NotificationsResponse } from "@restwell/client"
import { useAccount } from "../api/account.ts"
import { usePushBrowsers } from "../api/browser-push.ts"
import { useNotifications } from "../api/notifications.ts"
import { useWebhooks } from "../api/webhooks.ts"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { BriefingPanel } from "../notifications/briefing-panel.tsx"
import { type ChannelGaps, ChannelGapsContext } from "../notifications/channel-boxes.tsx"
import { ChannelsPanel } from "../notifications/channels-panel.tsx"
import { HomeAssistantPanel } from "../notifications/home-assistant-panel.tsx"
import { QuietPanel } from "../notifications/quiet-panel.tsx"
import { RulesPanel } from "../notifications/rules-panel.tsx"
import { WebhooksPanel } from "../notifications/webhooks-panel.tsx"

/** What Restwell says without being asked, and where. */
export default function NotificationsPage() {
  const skeleton = <Skeleton className="h-56" label="Loading your notifications" />
  const notifications = useNotifications()
  return (
    <Page title="Notifications" subtitle="What Restwell tells you without being asked, and where.">
      <Loaded query={useAccount()} skeleton={skeleton}>
        {(account) => (
          <Loaded query={notifications} skeleton={skeleton}>
            {(stored) => <Panels account={account} notifications={stored} />}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

interface PanelsProps {
  readonly account: AccountResponse
  readonly notifications: NotificationsResponse
}

function Panels({ account, notifications }: PanelsProps) {
  return (
    <ChannelGapsContext value={useChannelGaps(account, notifications)}>
      <BriefingPanel stored={notifications.briefing} />
      <ChannelsPanel account={account} notifications={notifications} />
      <RulesPanel rules={notifications.rules} briefing={notifications.briefing} />
      <QuietPanel stored={notifications.quiet} />
      <HomeAssistantPanel account={account} isOn={notifications.home_assistant} />
      <WebhooksPanel isOwner={account.is_owner} />
    </ChannelGapsContext>
  )
}

/** Which ways are not set up. What is not known yet is no gap. */
function useChannelGaps({ notices }: AccountResponse, { ntfy }: NotificationsResponse): ChannelGaps {
  const browsers = usePushBrowsers().data?.subscriptions
  const webhooks = useWebhooks().data?.webhooks
  return {
    ...(!notices.can_send && { email: "This Restwell sends no email yet." }),
    ...(browsers?.length === 0 && { push: "Not turned on in any browser yet: turn it on under Ways to reach you." }),
    ...(ntfy === null && { ntfy: "Not set up yet: set it up under Ways to reach you." }),
    ...(webhooks?.length === 0 && { webhook: "None yet: add one under Webhooks." }),
  }
}
