import { reachOf } from "../network/reach.ts"

/** True if passwords and records would cross a public network readable for everybody on the way. */
export function isPlainOnPublicAddress(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === "http:" && reachOf(hostname) === "internet"
}
