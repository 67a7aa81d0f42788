/** Hosts of programs on the person's own machine. RFC 8252 7.3 */
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])
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

export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK.has(url.hostname)

/** Where the response goes, in words a person recognises: a site, this machine, or a program. */
export const hostOf = (url: URL): string =>
  url.protocol === "https:" ? url.host : isLoopback(url) ? url.hostname : url.protocol.slice(0, -1)

/** What is wrong with a client's redirect URIs; undefined if nothing is. */
export function redirectUrisError(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0) return "redirect_uris must be a list of at least one address"
  if (uris.length > MOST) return `redirect_uris may hold at most ${MOST} addresses`
  return uris.map(redirectUriError).find((error) => error !== undefined)
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
      return LOOPBACK.has(url.hostname) ? "a redirect_uri on this machine is http" : undefined
    case "http:":
      return LOOPBACK_URI.test(uri) ? undefined : "a redirect_uri is https, or http on localhost, 127.0.0.1 or [::1]"
    default:
      return PRIVATE_SCHEMES.has(url.protocol) || REVERSED_DOMAIN.test(url.protocol)
        ? undefined
        : "a redirect_uri's scheme is https, http on this machine, or a program's own like com.example.app"
  }
}
