import { HEALTH_SCOPES, isHealthScope } from "@restwell/core"
import { resourceMeant } from "./addresses.ts"

/**
 * A request's parameters as the client means them: the one resource there is under one spelling, and for who asks for no data at all (older
 * clients send no scope) all that there is; the person decides. Every other parameter is left as it is, given twice or not.
 */
export function meantParameters(sent: URLSearchParams, baseUrl: string, endpoint: "authorization" | "token"): string {
  const meant = new URLSearchParams(
    [...sent].map(([name, value]) => [name, name === "resource" ? resourceMeant(value, baseUrl) : value]),
  )
  const resources = new Set(meant.getAll("resource"))
  if (resources.size === 1) meant.set("resource", [...resources].join(""))
  if (endpoint === "authorization") askForData(meant)
  return meant.toString()
}

function askForData(parameters: URLSearchParams): void {
  const scopes = parameters.getAll("scope")
  if (scopes.length > 1) return
  const asked = (scopes[0] ?? "").split(" ").filter((scope) => scope !== "")
  if (!asked.some(isHealthScope)) parameters.set("scope", [...asked, ...HEALTH_SCOPES].join(" "))
}
