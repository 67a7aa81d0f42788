// The collections that a vendor does not give although its connection works, each with its reason and what helps.
import type { Connection } from "@restwell/client"
import { ReconnectLink } from "../components/connection-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { sentence } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"

/** Nothing for a connection without gaps. */
export function GapsNotice({ connection: { provider, gaps } }: { connection: Connection }) {
  if (gaps.length === 0) return null
  return (
    <Notice
      tone="fair"
      title={`${providerName(provider)} gives a part of your data only`}
      {...(gaps.some((gap) => gap.helps_reconnect) && { action: <ReconnectLink provider={provider} /> })}
    >
      <ul>
        {gaps.map(({ collection, reason, next_step: nextStep }) => (
          <li key={collection}>
            {sentence(reason)} {sentence(nextStep)}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
