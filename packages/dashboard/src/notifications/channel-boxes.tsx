/* Where a message is sent: a box for each way, with the reason beside one that is not set up. */
import { CHANNELS, type Channel } from "@restwell/client"
import { createContext, useContext } from "react"

/** What the person calls each way. */
const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  email: "Email",
  push: "Browsers and phones",
  ntfy: "ntfy",
  webhook: "Webhooks",
}

/** Why nothing is sent by a way, in words. A way that is not in it is set up. */
export type ChannelGaps = Readonly<Partial<Record<Channel, string>>>

export const ChannelGapsContext = createContext<ChannelGaps>({})

/** Within a sentence. */
export const CHANNEL_WORDS: Readonly<Record<Channel, string>> = {
  email: "email",
  push: "notification",
  ntfy: "ntfy",
  webhook: "webhook",
}

/** "by email and ntfy" */
export const channelsText = (channels: readonly Channel[]): string =>
  channels.length === 0
    ? "but sent nowhere"
    : `by ${new Intl.ListFormat("en").format(channels.map((channel) => CHANNEL_WORDS[channel]))}`

interface ChannelBoxesProps {
  readonly chosen: readonly Channel[]
  readonly onChange: (chosen: Channel[]) => void
}

export function ChannelBoxes({ chosen, onChange }: ChannelBoxesProps) {
  const gaps = useContext(ChannelGapsContext)
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Send it by</legend>
      {CHANNELS.map((channel) => (
        <label key={channel} className="flex min-h-8 items-start gap-2 py-1 text-sm max-sm:min-h-11 max-sm:py-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={chosen.includes(channel)}
            onChange={({ target }) =>
              onChange(CHANNELS.filter((each) => (each === channel ? target.checked : chosen.includes(each))))
            }
          />
          <span>
            {CHANNEL_NAMES[channel]}
            {gaps[channel] !== undefined && <span className="block text-xs text-muted">{gaps[channel]}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
