/* One way to the person: its name, what it needs, and a test. */
import type { Channel } from "@restwell/client"
import type { ReactNode } from "react"
import { useTestChannel } from "../api/notifications.ts"
import { Button } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { CHANNEL_WORDS } from "./channel-boxes.tsx"
import { ReceiverFailure } from "./receiver-failure.tsx"

/** One way, with its name. */
export const ChannelSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-3 py-5 text-sm first:pt-0 last:pb-0">
    <h3 className="font-medium">{title}</h3>
    {children}
  </section>
)

/** Sends a test, and says what the receiver answered. */
export function TestButton({ channel, isOwner, url }: { channel: Channel; isOwner: boolean; url?: string }) {
  const test = useTestChannel()
  return (
    <>
      <div>
        <Button
          aria-label={`Send a test by ${CHANNEL_WORDS[channel]}`}
          isBusy={test.isPending}
          onClick={() => test.mutate(channel)}
        >
          Send a test
        </Button>
      </div>
      {test.error && (
        <ReceiverFailure error={test.error} isOwner={isOwner} url={url} onAllowed={() => test.mutate(channel)} />
      )}
      {test.isSuccess && <Notice tone="good">Sent. It should be there in a moment.</Notice>}
    </>
  )
}
