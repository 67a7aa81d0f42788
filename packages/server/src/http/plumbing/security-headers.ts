import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import helmet, { type HelmetOptions } from "helmet"

const YEAR_SECONDS = 31_536_000

/** The security headers of every response, which depend on the public address. */
export function liveSecurityHeaders(baseUrl: () => string): () => Readonly<Record<string, string>> {
  let made: { readonly address: string; readonly headers: Readonly<Record<string, string>> } | undefined
  return () => {
    const address = baseUrl()
    if (made?.address !== address) made = { address, headers: securityHeadersOf(address) }
    return made.headers
  }
}

const securityHeadersOf = (baseUrl: string): Readonly<Record<string, string>> => headersFrom(optionsFor(baseUrl))

/** They are constant, so helmet makes them once and not for each request. */
function headersFrom(options: HelmetOptions): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** Pages load only our own files, turn no text into code, and cannot be framed. */
const DIRECTIVES = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  manifestSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  trustedTypes: ["'none'"],
}

/**
 * Returns the Content-Security-Policy of the manual. Its inline scripts are known by their hashes. Vue inserts the
 * manual's own text through a policy named vue. The icons of its theme are data: URLs, which run nothing.
 */
export function manualPolicyOf(scriptHashes: readonly string[]): string {
  const directives = {
    ...DIRECTIVES,
    scriptSrc: ["'self'", ...scriptHashes],
    imgSrc: ["'self'", "data:"],
    trustedTypes: ["vue"],
  }
  return headersFrom({ contentSecurityPolicy: { useDefaults: false, directives } })["content-security-policy"] ?? ""
}

const optionsFor = (baseUrl: string): HelmetOptions => ({
  contentSecurityPolicy: { useDefaults: false, directives: DIRECTIVES },
  strictTransportSecurity: baseUrl.startsWith("https:") ? { maxAge: YEAR_SECONDS } : false,
  referrerPolicy: { policy: "no-referrer" },
  xFrameOptions: { action: "deny" },
  // Other sites embed nothing. They read by CORS where that is allowed.
  crossOriginResourcePolicy: { policy: "same-origin" },
})
