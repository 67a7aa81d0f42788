import { deepStrictEqual } from "node:assert"
import { capture } from "../measuring/capture.ts"
import type { Asked } from "../measuring/requests.ts"
import { type ChildServer, startChild } from "./child.ts"

const PROGRAM = new URL("./limit-program.ts", import.meta.url)

/** Bare node:http with what the service answers to this request: the same status, headers and body, byte by byte. */
export async function startLimit(port: number, asked: Asked, status: number): Promise<ChildServer & { bytes: number }> {
  const answer = await capture(port, asked)
  if (answer.status !== status) throw new Error(`expected ${status} and got ${answer.status}: ${answer.body}`)
  const limit = await startChild(PROGRAM, answer)
  deepStrictEqual(await capture(limit.port, asked), answer)
  return { ...limit, bytes: answer.body.length }
}

/** Bare node:http with the body and its type alone: what the headers cost. */
export async function startPlainLimit(port: number, asked: Asked): Promise<ChildServer> {
  const { status, body } = await capture(port, asked)
  const headers = ["content-type", "application/json; charset=utf-8", "content-length", String(body.length)]
  return startChild(PROGRAM, { status, headers, body })
}
