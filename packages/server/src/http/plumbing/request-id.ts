import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Short, and safe in a log, a terminal and a header. */
const GOOD_ID = /^[\w.:-]{1,64}$/

/** The request's id from the client or a proxy, so that their log and ours share it, or else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"]
  return typeof given === "string" && GOOD_ID.test(given) ? given : randomUUID()
}
