import { type Context, hasAccounts } from "@restwell/core"
import { z } from "zod"
import { sessionCookies } from "../../accounts/better-auth.ts"
import { type Manual, MEMBER_PAGES, PUBLIC_PAGES } from "../../docs/built-pages.ts"
import { success } from "../../openapi/responses.ts"
import { type Asset, assetOf, sendAsset } from "../plumbing/assets.ts"
import type { Handler, OpenEndpoint } from "../plumbing/endpoint.ts"

export interface PageServices {
  readonly context: Pick<Context, "database">
  /** The dashboard's document. Browsers revalidate it at each visit, so that a new version shows at once. */
  readonly page: Asset
  /** The OpenAPI document. */
  readonly description: Asset
  /** The built manual; undefined if it was not built. */
  readonly manual: Manual | undefined
}

/** Redirects a browser without a session to the sign-in page, which comes back, before it loads anything. */
const memberPage: Handler<PageServices> = async ({ context, page }, call) => {
  const { request, reply } = call
  if (sessionCookies(request.headers.cookie).length > 0) return sendAsset(page, call)
  if (!(await hasAccounts(context))) return reply.redirect("/setup", 302)
  const next = request.url === "/" ? "" : `?next=${encodeURIComponent(request.url)}`
  return reply.redirect(`/sign-in${next}`, 302)
}

const publicPage: Handler<PageServices> = async ({ page }, call) => sendAsset(page, call)

/** The page of a share is nothing for search engines and caches. @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag */
const sharedPage: Handler<PageServices> = async ({ page }, call) => {
  call.reply.header("x-robots-tag", "noindex, nofollow, noarchive")
  return sendAsset({ ...page, cacheControl: "no-store" }, call)
}

/** The dashboard's pages. Its script draws them. */
const dashboardEndpoints: readonly OpenEndpoint<PageServices>[] = [
  ...PUBLIC_PAGES.map((path) => {
    const handle = path === "/shared" ? sharedPage : publicPage
    return { method: "GET", path, access: "anybody", handle } as const
  }),
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
    handle: async ({ description }, call) => sendAsset(description, call),
  },
  {
    method: "GET",
    path: "/docs",
    access: "anybody",
    // The manual's pages are files, which `plumbing/assets.ts` serves. Without a built manual, the description is left.
    handle: async ({ manual }, { reply }) => reply.redirect(manual === undefined ? "/openapi.json" : "/docs/", 302),
  },
]

/** The manual's list of pages for assistants. */
export const manualIndexEndpoint: OpenEndpoint<{ readonly manual: Manual }> = {
  method: "GET",
  path: "/llms.txt",
  access: "anybody",
  handle: async ({ manual }, call) => sendAsset(assetOf("text/plain; charset=utf-8", manual.llms), call),
}
