/* Where a message is sent: a box for each way, with the reason beside one that is not set up. */
import { CHANNELS, type Channel } from "@restwell/client"
import { createContext, useContext } from "react"
import { CheckBoxes } from "../components/check-boxes.tsx"

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

const OPTIONS = CHANNELS.map((channel) => [channel, CHANNEL_NAMES[channel]] as const)

export const ChannelBoxes = ({ chosen, onChange }: ChannelBoxesProps) => (
  <CheckBoxes
    legend="Send it by"
    options={OPTIONS}
    chosen={chosen}
    onChange={onChange}
    notes={useContext(ChannelGapsContext)}
    columns="grid-cols-1"
  />
)
