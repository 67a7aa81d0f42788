import { Forbidden } from "@restwell/core"

/** Methods that change nothing may come from anywhere. */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/**
 * Refuses a change that another site sent in a visitor's name. Browsers say where a request comes from; other programs carry
 * nobody's cookies by accident. @see OWASP Cross-Site Request Forgery Prevention: Fetch Metadata, Origin @throws {Forbidden}
 */
export function refuseForeignSite(method: string, headers: Headers, baseUrl: string): void {
  if (SAFE_METHODS.includes(method)) return
  const origin = headers.get("origin")
  const site = headers.get("sec-fetch-site")
  const isForeign =
    (origin !== null && origin !== new URL(baseUrl).origin) ||
    (site !== null && site !== "same-origin" && site !== "none")
  if (isForeign) throw new Forbidden(`this change was sent by another site and is refused, this one is ${baseUrl}`)
}
