import { deepStrictEqual } from "node:assert"
import { capture } from "../measuring/capture.ts"
import type { SentRequest } from "../measuring/requests.ts"
import { type ChildServer, startChild } from "./child.ts"

const PROGRAM = new URL("./limit-program.ts", import.meta.url)

/** Starts bare node:http that sends the service's response to this request: the same status, headers and body. */
export async function startLimit(
  port: number,
  request: SentRequest,
  status: number,
): Promise<ChildServer & { bytes: number }> {
  const answer = await capture(port, request)
  if (answer.status !== status) throw new Error(`expected ${status} and got ${answer.status}: ${answer.body}`)
  const limit = await startChild(PROGRAM, answer)
  deepStrictEqual(await capture(limit.port, request), answer)
  return { ...limit, bytes: answer.body.length }
}

/** Starts bare node:http that sends only the body and its type, to show the cost of the headers. */
export async function startPlainLimit(port: number, request: SentRequest): Promise<ChildServer> {
  const { status, body } = await capture(port, request)
  const headers = ["content-type", "application/json; charset=utf-8", "content-length", String(body.length)]
  return startChild(PROGRAM, { status, headers, body })
}
