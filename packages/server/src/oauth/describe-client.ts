import type { Client } from "oidc-provider"
import { plainText } from "../text/plain-text.ts"
import { hostOf, isLoopback } from "./redirect-uri.ts"

/** A client as the consent page shows it. Only the hosts are verified. */
export interface AuthorizingClient {
  readonly clientId: string
  /** The client's own claim. */
  readonly name: string
  /** The site that publishes the client's document; null for a client that registered itself, which anybody can do under any name. */
  readonly verifiedHost: string | null
  readonly redirectHost: string
  /** The response goes to a program on this machine, which may be any program. */
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
