import { type HealthQuery, HealthQuerySchema } from "@restwell/client"
import { InvalidRequest } from "@restwell/core"
import { editDistance, nearest } from "../../text/edit-distance.ts"
import { shorten } from "../plumbing/query-parameters.ts"

export const HEALTH_PATH = "/api/v1/health"

const PARAMETERS = Object.keys(HealthQuerySchema.shape)

/** A name further away than this is not a misspelling of another. */
const FAR = 4

/** The query of a health read, from the raw query string, or the first fault in it. */
export function parseHealthQuery(search: string): HealthQuery | InvalidRequest {
  const parameters = new URLSearchParams(search)
  for (const name of new Set(parameters.keys())) {
    if (!PARAMETERS.includes(name)) return new InvalidRequest(describeUnknown(name), shorten(name))
    if (parameters.getAll(name).length > 1) return new InvalidRequest(`${name} is given more than once`, name)
  }
  const parsed = HealthQuerySchema.safeParse(Object.fromEntries(parameters))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = String(issue?.path[0] ?? "query")
  return new InvalidRequest(`${field} ${issue?.message ?? "is not valid"}`, field)
}

function describeUnknown(name: string): string {
  const plain = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const meant = nearest(plain, PARAMETERS)
  const hint = editDistance(plain, meant) <= FAR ? `, did you mean ${meant}` : `, there are ${PARAMETERS.join(", ")}`
  return `unknown parameter ${shorten(name)}${hint}`
}
