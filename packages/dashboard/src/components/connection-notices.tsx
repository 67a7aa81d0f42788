import type { AccountResponse } from "@restwell/client"
import { isLive, isSetUp, sourcesOf } from "../trends/sources.ts"
import { ConnectionNotice } from "./connection-notice.tsx"

/** The state of each connection that needs attention. A person without any live connection sees how to get one. */
export function ConnectionNotices({ account }: { account: AccountResponse }) {
  const live = account.connections.filter(isLive)
  const named = live.length > 0 ? live : [...sourcesOf(account), ...account.connections].slice(0, 1)
  return named.map((connection) => (
    <ConnectionNotice key={connection.provider} connection={connection} isSetUp={isSetUp(account, connection)} />
  ))
}
