import type { Connection } from "@restwell/client"
import { ReconnectLink } from "../components/connect-link.tsx"
import { Notice } from "../components/notice.tsx"
import { providerName } from "../format/provider-name.ts"
import { sentence } from "../format/sentence.ts"

/** What a vendor refuses to give, although its connection works. */
export const GapsNotice = ({ connection: { provider, gaps } }: { connection: Connection }) => (
  <Notice
    tone="fair"
    title={`${providerName(provider)} gives a part of your data only`}
    action={<ReconnectLink provider={provider} />}
  >
    <ul>
      {gaps.map(({ collection, reason }) => (
        <li key={collection}>{sentence(reason)}</li>
      ))}
    </ul>
  </Notice>
)
