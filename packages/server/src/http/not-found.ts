import { editDistance, nearest } from "@restwell/client"
import { type HealthReader, ServiceError } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Dashboard } from "../docs/built-pages.ts"
import { quotaHeaders } from "./health/answer-read.ts"
import { readBearer } from "./health/health-query.ts"
import type { Handler, Route } from "./plumbing/endpoint.ts"

/** A path that takes more edits is no misspelling of another. */
const MOST_EDITS = 5
const LONGEST_PATH = 80

interface NotFoundServices {
  readonly reader: HealthReader
  readonly dashboard: Dashboard
}

/**
 * Answers a request that no route takes: 405 with the methods of the path, or 404 with the path that was probably meant. A browser that opens
 * an address outside of the API gets the dashboard, which says that there is no such page.
 */
export const notFoundHandler =
  (routes: readonly Route[], { reader, dashboard }: NotFoundServices): Handler =>
  async (request, reply) => {
    reply.header("cache-control", "no-store")
    const [path = ""] = request.url.split("?")
    const matching = routes.filter((route) => !route.isRefusal && patternOf(route.path).test(path))
    const allowed = matching.flatMap(methodsOf)
    if (allowed.length > 0) {
      // Every response to a valid key has the quota.
      if (matching.some(({ access }) => access === "key")) await addQuota(reader, request, reply)
      const allow = allowed.join(", ")
      return reply
        .code(405)
        .header("allow", allow)
        .send({ error: "method_not_allowed", message: `${path} takes ${allow}` })
    }
    reply.header("vary", "accept")
    if (isPageVisit(request, path)) return reply.code(404).type("text/html; charset=utf-8").send(dashboard.html)
    const start = path.slice(0, LONGEST_PATH)
    const meant = nearest(
      start,
      routes.map((route) => route.path),
    )
    const hint = editDistance(start, meant) <= MOST_EDITS ? `did you mean ${meant}` : "the reference is at /docs"
    return reply.code(404).send({ error: "route_not_found", message: `there is nothing here, ${hint}` })
  }

/** Only browsers that open a page prefer HTML. Scripts and images accept anything. */
const isPageVisit = ({ method, headers }: FastifyRequest, path: string): boolean =>
  (method === "GET" || method === "HEAD") &&
  !/^\/(?:api|oauth|\.well-known)(?:\/|$)/.test(path) &&
  /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(headers.accept ?? "")

const methodsOf = ({ method, isVisit }: Route): string[] => (method === "GET" && !isVisit ? ["GET", "HEAD"] : [method])

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`)

/** Adds the quota of a valid key. An invalid key changes nothing here. */
async function addQuota(reader: HealthReader, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers.authorization === undefined) return
  try {
    reply.headers(quotaHeaders(await reader.readQuota({ keyHash: readBearer(request.raw) })))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}
