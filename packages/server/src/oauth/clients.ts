import { plainText } from "@restwell/core"
import { unstorablePath } from "@restwell/providers"
import type { Client } from "oidc-provider"
import { z } from "zod"
import { isLoopback, LOOPBACK_HOSTS } from "./addresses.ts"
import { errors } from "./oidc-library.ts"

/** The only accepted spelling, because parsers disagree about others. */
const LOOPBACK_URI = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/
const HTTPS_URI = /^https:\/\/[^/?]/

/** Private schemes of desktop programs that register them; any other must be a reversed domain name (RFC 8252 7.1). */
const PRIVATE_SCHEMES = new Set(["cursor:", "vscode:", "vscode-insiders:", "windsurf:"])
const REVERSED_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/

const LONGEST = 2_048
const MOST = 20
/** Characters that parsers treat differently: white space, control characters and backslashes among them. */
const AMBIGUOUS = /[^\x21-\x7e]|[\\<>"`{}|^]/

/** Where the response goes, in words a person recognises: a site, this machine, or a program. */
const hostOf = (url: URL): string =>
  url.protocol === "https:" ? url.host : isLoopback(url) ? url.hostname : url.protocol.slice(0, -1)

/**
 * What is wrong with a client's redirect URIs; undefined if nothing is. It begins with `redirect_uris`: oidc-provider then answers
 * `invalid_redirect_uri`. RFC 7591 3.2.2
 */
function redirectUrisError(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0) return "redirect_uris must be a list of at least one address"
  if (uris.length > MOST) return `redirect_uris may hold at most ${MOST} addresses`
  const error = uris.map(redirectUriError).find((each) => each !== undefined)
  return error && `redirect_uris: ${error}`
}

/** @see RFC 9700 2.1 and 4.1, RFC 8252 7 and 8.3 */
function redirectUriError(uri: unknown): string | undefined {
  if (typeof uri !== "string" || uri.length > LONGEST) return `a redirect_uri is text of at most ${LONGEST} characters`
  const url = AMBIGUOUS.test(uri) ? null : URL.parse(uri)
  if (url === null) return "a redirect_uri is an absolute address in plain characters"
  if (uri.includes("#")) return "a redirect_uri has no fragment"
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/\/[^/?]*@/i.test(uri))
    return "a redirect_uri names no user"
  if (/\*/.test(url.host)) return "a redirect_uri is one address, without a wildcard"
  switch (url.protocol) {
    case "https:":
      if (!HTTPS_URI.test(uri)) return "a redirect_uri is written https://host/path"
      return LOOPBACK_HOSTS.has(url.hostname) ? "a redirect_uri on this machine is http" : undefined
    case "http:":
      return LOOPBACK_URI.test(uri) ? undefined : "a redirect_uri is https, or http on localhost, 127.0.0.1 or [::1]"
    default:
      return PRIVATE_SCHEMES.has(url.protocol) || REVERSED_DOMAIN.test(url.protocol)
        ? undefined
        : "a redirect_uri's scheme is https, http on this machine, or a program's own like com.example.app"
  }
}

/**
 * Rules for a client's metadata, from a registration (RFC 7591) or from a document at the client's own address. They are checked at each
 * read, so that stored clients follow the newest rules.
 */
const MetadataSchema = z.looseObject({
  redirect_uris: z.array(z.string()).default([]),
})

/** @throws {errors.InvalidClientMetadata | errors.InvalidRedirectUri} RFC 7591 3.2.2 */
export function checkClientMetadata(metadata: unknown): void {
  // oidc-provider adds fields without a value, which JSON leaves out.
  const unstorable = unstorablePath(z.json().parse(JSON.parse(JSON.stringify(metadata))))
  if (unstorable !== undefined)
    throw new errors.InvalidClientMetadata(`${unstorable} contains characters that are not text`)
  const parsed = MetadataSchema.safeParse(metadata)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new errors.InvalidClientMetadata(`${issue?.path.join(".") ?? "metadata"} ${issue?.message ?? "is not valid"}`)
  }
  const error = redirectUrisError(parsed.data.redirect_uris)
  if (error !== undefined) throw new errors.InvalidClientMetadata(error)
}

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
