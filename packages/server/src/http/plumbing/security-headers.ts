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

/** They are constant, so helmet makes them once and not for each request. */
function securityHeadersOf(baseUrl: string): Readonly<Record<string, string>> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(optionsFor(baseUrl))(request, response, () => {})
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]))
}

/** Pages load only our own files, turn no text into code, and cannot be framed. */
const optionsFor = (baseUrl: string): HelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
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
    },
  },
  strictTransportSecurity: baseUrl.startsWith("https:") ? { maxAge: YEAR_SECONDS } : false,
  referrerPolicy: { policy: "no-referrer" },
  xFrameOptions: { action: "deny" },
  // Other sites embed nothing. They read by CORS where that is allowed.
  crossOriginResourcePolicy: { policy: "same-origin" },
})
