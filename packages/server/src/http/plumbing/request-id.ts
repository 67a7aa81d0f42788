import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Short, and of characters that mean nothing to a log, a terminal or a header. */
const GOOD_ID = /^[\w.:-]{1,64}$/

/** The id that the client or a proxy gave the request, so that their log and ours tell the same story; else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"]
  return typeof given === "string" && GOOD_ID.test(given) ? given : randomUUID()
}
