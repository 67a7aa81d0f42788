import type { HealthReader } from "@restwell/core"
import { ServiceError } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { editDistance } from "../config/misspelled.ts"
import { readBearer } from "./health/bearer.ts"
import { setQuota } from "./health/health-handlers.ts"
import { HEALTH_PATH } from "./health/health-query.ts"
import type { Route } from "./routes.ts"

const FAR = 5

/** Answers what no route takes: 405 with what the path allows, or 404 with the path that may have been meant. */
export const notFoundDoor =
  (routes: readonly Route[], reader: HealthReader) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header("cache-control", "no-store")
    const [path = ""] = request.url.split("?")
    const allowed = methodsOf(routes, path)
    if (allowed.length > 0) {
      if (path === HEALTH_PATH) await addQuota(reader, request, reply)
      const allow = allowed.join(", ")
      return reply
        .code(405)
        .header("allow", allow)
        .send({ error: "method_not_allowed", message: `${path} takes ${allow}` })
    }
    return reply.code(404).send({ error: "route_not_found", message: `there is nothing here${hintOf(routes, path)}` })
  }

/** The methods of all routes that match a path. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const taken = routes.filter((route) => !route.isRefusal && patternOf(route.path).test(path))
  const methods = taken.map(({ method }) => method)
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+").replaceAll(".", "\\.")}$`)

function hintOf(routes: readonly Route[], path: string): string {
  const paths = routes.map((route) => route.path)
  const [nearest] = paths.toSorted(
    (one, other) => editDistance(path.slice(0, 80), one) - editDistance(path.slice(0, 80), other),
  )
  if (nearest !== undefined && editDistance(path.slice(0, 80), nearest) <= FAR) return `, did you mean ${nearest}`
  return ", the reference is at /docs"
}

/** A valid key gets its quota whatever else is wrong. An invalid one changes nothing here. */
async function addQuota(reader: HealthReader, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.headers.authorization === undefined) return
  try {
    await setQuota(reader, { keyHash: readBearer(request.raw) }, reply)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}
