import type { HealthReader } from "@restwell/core"
import { ServiceError } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { editDistance, nearest } from "../text/edit-distance.ts"
import { readBearer } from "./health/bearer.ts"
import { quotaHeaders } from "./health/health-handlers.ts"
import { HEALTH_PATH, JOURNAL_PATH } from "./health/health-query.ts"
import { INSIGHT_PATHS } from "./health/insight-query.ts"
import type { Handler, Route } from "./plumbing/route.ts"

/** A path that takes more edits is no misspelling of another. */
const MOST_EDITS = 5
const LONGEST_PATH = 80
/** Every response to a valid key has the quota there. */
const COUNTED_PATHS: readonly string[] = [HEALTH_PATH, JOURNAL_PATH, ...INSIGHT_PATHS]

/** Answers a request that no route takes: 405 with the methods of the path, or 404 with the path that was probably meant. */
export const notFoundHandler =
  (routes: readonly Route[], reader: HealthReader): Handler =>
  async (request, reply) => {
    reply.header("cache-control", "no-store")
    const [path = ""] = request.url.split("?")
    const allowed = methodsOf(routes, path)
    if (allowed.length > 0) {
      if (COUNTED_PATHS.includes(path)) await addQuota(reader, request, reply)
      const allow = allowed.join(", ")
      return reply
        .code(405)
        .header("allow", allow)
        .send({ error: "method_not_allowed", message: `${path} takes ${allow}` })
    }
    const start = path.slice(0, LONGEST_PATH)
    const meant = nearest(
      start,
      routes.map((route) => route.path),
    )
    const hint = editDistance(start, meant) <= MOST_EDITS ? `did you mean ${meant}` : "the reference is at /docs"
    return reply.code(404).send({ error: "route_not_found", message: `there is nothing here, ${hint}` })
  }

/** The methods of all routes that match a path. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const matching = routes.filter((route) => !route.isRefusal && patternOf(route.path).test(path))
  return matching.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}

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
