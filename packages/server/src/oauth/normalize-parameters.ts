import { HEALTH_SCOPES, isHealthScope } from "@restwell/core"
import { normalizeResource } from "./addresses.ts"

/**
 * A request's parameters with one spelling of the only resource. An authorization request without a health scope gets all of them, because
 * older clients send no scope, and the person decides. All other parameters stay as they are.
 */
export function normalizeParameters(
  sent: URLSearchParams,
  baseUrl: string,
  endpoint: "authorization" | "token",
): string {
  const normalized = new URLSearchParams(
    [...sent].map(([name, value]) => [name, name === "resource" ? normalizeResource(value, baseUrl) : value]),
  )
  const resources = new Set(normalized.getAll("resource"))
  if (resources.size === 1) normalized.set("resource", [...resources].join(""))
  if (endpoint === "authorization") addHealthScopes(normalized)
  return normalized.toString()
}

function addHealthScopes(parameters: URLSearchParams): void {
  const scopes = parameters.getAll("scope")
  if (scopes.length > 1) return
  const requested = (scopes[0] ?? "").split(" ").filter((scope) => scope !== "")
  if (!requested.some(isHealthScope)) parameters.set("scope", [...requested, ...HEALTH_SCOPES].join(" "))
}
