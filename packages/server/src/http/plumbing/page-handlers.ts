import { type Dashboard, MEMBER_PAGES, PUBLIC_PAGES } from "../../dashboard/dashboard.ts"
import { assetHandler } from "./asset-handler.ts"
import type { Handler, Route } from "./route.ts"

const SESSION_COOKIE = /(?:^|;\s*)(?:__Secure-)?restwell\.session_token=/

export interface PageServices {
  readonly dashboard: Dashboard
}

export function pageRoutes({ dashboard: { html } }: PageServices): Route[] {
  // Browsers revalidate the document at each visit, so that a new version shows at once.
  const publicPage = assetHandler({ contentType: "text/html; charset=utf-8", body: html }, "no-cache")
  const memberPage = signedInOnly(publicPage)
  return [
    ...PUBLIC_PAGES.map((path): Route => ({ method: "GET", path, handle: publicPage })),
    ...MEMBER_PAGES.map((path): Route => ({ method: "GET", path, handle: memberPage })),
  ]
}

/** Redirects a browser without a session to the sign-in page, which comes back, before it loads anything. */
const signedInOnly =
  (send: Handler): Handler =>
  async (request, reply) => {
    if (SESSION_COOKIE.test(request.headers.cookie ?? "")) return send(request, reply)
    const next = request.url === "/" ? "" : `?next=${encodeURIComponent(request.url)}`
    return reply.header("cache-control", "no-store").redirect(`/sign-in${next}`, 302)
  }
