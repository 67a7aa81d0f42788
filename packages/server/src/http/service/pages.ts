import { type Context, hasAccounts } from "@restwell/core"
import { z } from "zod"
import { type Dashboard, type Manual, MEMBER_PAGES, PUBLIC_PAGES } from "../../docs/built-pages.ts"
import type { OpenApiDocument } from "../../openapi/operation.ts"
import { success } from "../../openapi/responses.ts"
import { assetHandler } from "../plumbing/assets.ts"
import type { Handler, OpenEndpoint } from "../plumbing/endpoint.ts"

export interface PageServices {
  readonly context: Pick<Context, "database">
  readonly dashboard: Dashboard
  readonly description: OpenApiDocument
  /** The built manual; undefined if it was not built. */
  readonly manual: Manual | undefined
}

const SESSION_COOKIE = /(?:^|;\s*)(?:__Secure-)?restwell\.session_token=/

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

/** Browsers revalidate the document at each visit, so that a new version shows at once. */
const publicPage = ({ dashboard: { html } }: PageServices): Handler =>
  assetHandler({ contentType: "text/html; charset=utf-8", body: html }, "no-cache")

const memberPage = (services: PageServices): Handler =>
  signedInOnly(
    publicPage(services),
    rememberTrue(() => hasAccounts(services.context)),
  )

/** The dashboard's pages. Its script draws them. */
const dashboardEndpoints: readonly OpenEndpoint<PageServices>[] = [
  ...PUBLIC_PAGES.map((path) => ({ method: "GET", path, access: "anybody", handle: publicPage }) as const),
  ...MEMBER_PAGES.map((path) => ({ method: "GET", path, access: "anybody", handle: memberPage }) as const),
]

/** Pages for people, and what describes the service to programs. */
export const pageEndpoints: readonly OpenEndpoint<PageServices>[] = [
  ...dashboardEndpoints,
  {
    method: "GET",
    path: "/openapi.json",
    access: "anybody",
    id: "readDescription",
    summary: "This description",
    description: "OpenAPI 3.1, made from the schemas that the service itself uses.",
    tag: "Service",
    responses: {
      "200": success("The description", z.record(z.string(), z.unknown())),
      "304": { description: "Not changed since the ETag in If-None-Match" },
    },
    failures: ["methodNotAllowed"],
    handle: ({ description }) =>
      assetHandler({ contentType: "application/json; charset=utf-8", body: JSON.stringify(description) }),
  },
  {
    method: "GET",
    path: "/docs",
    access: "anybody",
    // The manual's pages are files, which `plumbing/assets.ts` serves. Without a built manual, the description is left.
    handle:
      ({ manual }) =>
      async (_request, reply) =>
        reply.redirect(manual === undefined ? "/openapi.json" : "/docs/", 302),
  },
]

/** The manual's list of pages for assistants. */
export const manualIndexEndpoint: OpenEndpoint<{ readonly manual: Manual }> = {
  method: "GET",
  path: "/llms.txt",
  access: "anybody",
  handle: ({ manual }) => assetHandler({ contentType: "text/plain; charset=utf-8", body: manual.llms }),
}
