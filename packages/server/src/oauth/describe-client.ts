import type { Client } from "oidc-provider"
import { plainText } from "../text/plain-text.ts"
import { hostOf, isLoopback } from "./redirect-uri.ts"

/** A client as the person is shown it. Only the hosts are sure. */
export interface AuthorizingClient {
  readonly clientId: string
  /** What it calls itself. */
  readonly name: string
  /** The site whose document it is; null for one that registered itself, which anybody may under any name. */
  readonly verifiedHost: string | null
  readonly redirectHost: string
  /** The answer goes to a program on this machine, and any of them could have asked. */
  readonly isLoopback: boolean
}

const LONGEST_NAME = 60

export function describeClient({ clientId, clientName }: Client, redirectUri: string): AuthorizingClient {
  const target = new URL(redirectUri)
  const redirectHost = hostOf(target)
  return {
    clientId,
    name: plainText(clientName ?? "", LONGEST_NAME) || redirectHost,
    verifiedHost: clientId.startsWith("https://") ? new URL(clientId).host : null,
    redirectHost,
    isLoopback: isLoopback(target),
  }
}
