/* The ways to the person: each with a test, and with what is wrong in words. */
import type { AccountResponse, NotificationsResponse } from "@restwell/client"
import { ButtonLink } from "../components/button.tsx"
import { Panel } from "../components/page.tsx"
import { BrowserChannel } from "./browser-channel.tsx"
import { ChannelSection, TestButton } from "./channel-section.tsx"
import { NtfyChannel } from "./ntfy-channel.tsx"

interface ChannelsPanelProps {
  readonly account: AccountResponse
  readonly notifications: NotificationsResponse
}

export const ChannelsPanel = ({ account, notifications: { ntfy, push_public_key: publicKey } }: ChannelsPanelProps) => (
  <Panel title="Ways to reach you" description="Set up at least one.">
    <div className="divide-y divide-line">
      <EmailChannel account={account} />
      <BrowserChannel publicKey={publicKey} />
      <NtfyChannel ntfy={ntfy} isOwner={account.is_owner} />
    </div>
  </Panel>
)

function EmailChannel({ account: { user, notices, is_owner: isOwner } }: Pick<ChannelsPanelProps, "account">) {
  return (
    <ChannelSection title="Email">
      {notices.can_send ? (
        <>
          <p className="text-muted">To {user.email}.</p>
          <TestButton channel="email" isOwner={isOwner} />
        </>
      ) : (
        <>
          <p className="text-muted">
            This Restwell sends no email yet{isOwner ? "." : ": its owner can set a mail server up."}
          </p>
          {isOwner && (
            <div>
              <ButtonLink to="/service">Set up a mail server</ButtonLink>
            </div>
          )}
        </>
      )}
    </ChannelSection>
  )
}
