import { type Context, hasAccounts } from "@restwell/core"
import { type Dashboard, MEMBER_PAGES, PUBLIC_PAGES } from "../../dashboard/dashboard.ts"
import { assetHandler } from "./asset-handler.ts"
import type { Handler, Route } from "./route.ts"

const SESSION_COOKIE = /(?:^|;\s*)(?:__Secure-)?restwell\.session_token=/

export interface PageServices {
  readonly context: Pick<Context, "database">
  readonly dashboard: Dashboard
}

export function pageRoutes({ context, dashboard: { html } }: PageServices): Route[] {
  // Browsers revalidate the document at each visit, so that a new version shows at once.
  const publicPage = assetHandler({ contentType: "text/html; charset=utf-8", body: html }, "no-cache")
  const hasOwner = rememberTrue(() => hasAccounts(context))
  const memberPage = signedInOnly(publicPage, hasOwner)
  return [
    ...PUBLIC_PAGES.map((path): Route => ({ method: "GET", path, handle: publicPage })),
    ...MEMBER_PAGES.map((path): Route => ({ method: "GET", path, handle: memberPage })),
  ]
}

/** Redirects a browser without a session to the sign-in page, which comes back, before it loads anything. */
const signedInOnly =
  (send: Handler, hasOwner: () => Promise<boolean>): Handler =>
  async (request, reply) => {
    if (SESSION_COOKIE.test(request.headers.cookie ?? "")) return send(request, reply)
    if (!(await hasOwner())) return reply.header("cache-control", "no-store").redirect("/setup", 302)
    const next = request.url === "/" ? "" : `?next=${encodeURIComponent(request.url)}`
    return reply.header("cache-control", "no-store").redirect(`/sign-in${next}`, 302)
  }

/** Asks no more after the first "true". An installation rarely loses all of its accounts. */
function rememberTrue(ask: () => Promise<boolean>): () => Promise<boolean> {
  let answer = false
  return async () => {
    answer ||= await ask()
    return answer
  }
}
