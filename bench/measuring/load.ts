/**
 * The load: connections that stay open, each with one request in flight. It parses only the head of a response, because node:http and
 * autocannon take longer to read 30 kB than bare node:http takes to send them, and would limit what they measure.
 */
import { connect } from "node:net"
import { type AnswerReader, createAnswerReader } from "./answer-reader.ts"
import { interruption } from "./interruption.ts"

export interface Load {
  /** Where the server listens on 127.0.0.1. */
  readonly port: number
  readonly connections: number
  /** The bytes of the next request, on any connection. */
  readonly next: () => Buffer
  /** The status of every response. Another one fails the benchmark. */
  readonly status: number
}

/** The measurements of one round. */
export interface Sample {
  readonly elapsedMs: number
  /** From sending a request to the last byte of its response. */
  readonly timesMs: readonly number[]
}

/** Runs a round, and waits for the last responses. */
export async function run(load: Load, lengthMs: number): Promise<Sample> {
  interruption.throwIfAborted()
  const timesMs: number[] = []
  const startedAt = performance.now()
  const client = () => runClient(load, { until: startedAt + lengthMs, timesMs })
  await Promise.all(Array.from({ length: load.connections }, client))
  return { elapsedMs: performance.now() - startedAt, timesMs }
}

/** The requests one after the other, and again from the start. */
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
    // One buffer per connection, so that no memory is allocated for a response.
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
