import { Forbidden } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { Handler } from "./route.ts"

/** Methods that change nothing may come from anywhere. */
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/** The handler for requests that this service's own pages, or programs that are no browsers, send. @throws {Forbidden} for all others */
export const refuseForeignOrigin =
  (baseUrl: () => string, handle: Handler): Handler =>
  async (request, reply) => {
    const address = baseUrl()
    if (isForeign(request, address))
      throw new Forbidden(`another site sent this change, so it is refused: this site is ${address}`)
    return handle(request, reply)
  }

/**
 * Browsers say which site sent a request. Other programs carry nobody's cookies by accident.
 * @see OWASP Cross-Site Request Forgery Prevention: Fetch Metadata, Origin
 */
function isForeign({ method, headers }: FastifyRequest, baseUrl: string): boolean {
  if (SAFE_METHODS.includes(method)) return false
  const { origin, "sec-fetch-site": site } = headers
  return (
    (origin !== undefined && origin !== new URL(baseUrl).origin) ||
    (site !== undefined && site !== "same-origin" && site !== "none")
  )
}
