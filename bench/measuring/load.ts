/**
 * The load: connections that stay open, each with one request on its way at a time. It reads no more of an answer than its head: a client of
 * node:http or autocannon takes longer for 30 kB than bare node:http does to send them, and would be the limit of whatever it measured.
 */
import { connect } from "node:net"
import { type AnswerReader, createAnswerReader } from "./answer-reader.ts"
import { interruption } from "./interruption.ts"

export interface Load {
  /** Where the server listens on 127.0.0.1. */
  readonly port: number
  readonly connections: number
  /** The bytes of the next request, whichever connection sends it. */
  readonly next: () => Buffer
  /** Of every answer; another one fails the benchmark. */
  readonly status: number
}

/** What one or more rounds have shown. */
export interface Sample {
  readonly elapsedMs: number
  /** From a request's bytes given to the system to the last byte of its answer. */
  readonly timesMs: readonly number[]
}

/** A round of some length. What is on its way at its end is waited for, so that every request has its answer. */
export async function run(load: Load, lengthMs: number): Promise<Sample> {
  interruption.throwIfAborted()
  const timesMs: number[] = []
  const startedAt = performance.now()
  const client = () => runClient(load, { until: startedAt + lengthMs, timesMs })
  await Promise.all(Array.from({ length: load.connections }, client))
  return { elapsedMs: performance.now() - startedAt, timesMs }
}

/** One after the other, and again from the start. */
export function inTurn(requests: readonly Buffer[]): () => Buffer {
  let index = 0
  return () => {
    const request = requests[index % requests.length]
    index += 1
    if (!request) throw new Error("there is no request to send")
    return request
  }
}

function runClient({ port, next, status }: Load, round: { until: number; timesMs: number[] }): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sentAt = 0
  let answer: AnswerReader
  const send = (): void => {
    answer = createAnswerReader()
    sentAt = performance.now()
    socket.write(next())
  }
  const take = (bytes: Buffer): void => {
    if (!answer.take(bytes)) return
    if (answer.status !== status) throw new Error(`expected ${status} and got ${answer.status}: ${answer.beginning}`)
    const now = performance.now()
    round.timesMs.push(now - sentAt)
    if (now < round.until) send()
    else socket.end(resolve)
  }
  const socket = connect({
    port,
    host: "127.0.0.1",
    noDelay: true,
    // One buffer for all that a connection reads: nothing is allocated for an answer.
    onread: {
      buffer: Buffer.alloc(65_536),
      callback: (length, buffer) => {
        try {
          take(Buffer.from(buffer.buffer, buffer.byteOffset, length))
        } catch (error) {
          socket.destroy()
          reject(error)
        }
        return true
      },
    },
  })
  socket.on("connect", send)
  socket.on("error", reject)
  socket.on("close", () => reject(new Error(`the server closed a connection: ${answer?.beginning ?? ""}`)))
  return promise
}
