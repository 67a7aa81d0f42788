// A receiver of webhooks: a server on loopback that verifies what it gets with the library of Standard Webhooks, and answers as it is told.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"
import { z } from "zod"

const EventSchema = z.strictObject({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.looseObject({
    mode: z.enum(["live", "backfill", "import"]),
    source: z.string().nullable(),
    kind: z.string().nullable(),
    id: z.string().nullable(),
    date: z.string().nullable(),
  }),
})

export interface Received {
  /** `webhook-id`. */
  readonly id: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly event: z.infer<typeof EventSchema>
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export const answerWith =
  (status: number, body = ""): Answer =>
  (response) =>
    void response.writeHead(status).end(body)

export class Receiver implements AsyncDisposable {
  readonly received: Received[] = []
  /** Called for each request, after it was stored. */
  answer: Answer = answerWith(204)
  readonly #server = createServer((request, response) => void this.#take(request, response))

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await receiver.listen(0)
    return receiver
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address()
    if (address === null || typeof address === "string") throw new Error("the receiver listens on no port")
    return address.port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** Listens again, at the same port after it was away. */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, "127.0.0.1", resolve))
  }

  /** Nothing listens any more, and open connections break. */
  async leave(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave()
  }

  types(): string[] {
    return this.received.map(({ event }) => event.type)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const event = EventSchema.parse(JSON.parse(body))
    this.received.push({ id: headers["webhook-id"] ?? "", headers, body, event })
    this.answer(response, request)
  }
}

/** Verifies a delivery as a receiver does. @throws for a signature that is not by this secret, or minutes old by the machine's clock */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers)

/** The same for a service whose clock was set ahead: the signature that the library makes at the time of the header is among them. */
export function isSigned(secret: string, { id, body, headers }: Received): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
  return (headers["webhook-signature"] ?? "").split(" ").includes(new Webhook(secret).sign(id, at, body))
}
