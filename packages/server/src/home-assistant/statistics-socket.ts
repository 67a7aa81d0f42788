/** Home Assistant's WebSocket API, for its long-term statistics. https://developers.home-assistant.io/docs/api/websocket */
import type { HomeStatistic } from "@restwell/core"
import type { RawData, WebSocket } from "ws"
import { z } from "zod"
import { unlessAborted } from "../process/wait.ts"
import { describeFault, HomeAssistantFault } from "./fault.ts"

const CONNECT_MS = 10_000
/** Until Home Assistant has taken a year of one statistic. */
const ANSWER_MS = 30_000
/** Answers are short. */
const MAX_BYTES = 1_048_576

export interface HomeAssistantAddress {
  /** http:// or https:// */
  readonly url: string
  /** A long-lived access token of an administrator. */
  readonly token: string
}

/** A connection that is open and signed in. */
export interface StatisticsSocket {
  /** Resolves once Home Assistant has taken them. @throws {HomeAssistantFault} */
  send(statistics: readonly HomeStatistic[]): Promise<void>
  close(): void
}

const MessageSchema = z.union([
  z.object({ type: z.literal("auth_required") }),
  z.object({ type: z.literal("auth_ok"), ha_version: z.string() }),
  z.object({ type: z.literal("auth_invalid") }),
  z.object({ type: z.literal("result"), id: z.int(), success: z.literal(true) }),
  z.object({
    type: z.literal("result"),
    id: z.int(),
    success: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }),
  }),
])
type Message = z.infer<typeof MessageSchema>

/** Connects and signs in. @throws {HomeAssistantFault} */
export async function openStatistics(address: HomeAssistantAddress, signal: AbortSignal): Promise<StatisticsSocket> {
  const { WebSocket: Socket } = await import("ws")
  const { url, token } = address
  const socket = new Socket(`${url.replace(/^http/, "ws")}/api/websocket`, {
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_BYTES,
    followRedirects: false,
    perMessageDeflate: false,
  })
  const messages = readMessages(socket)
  const next = (milliseconds: number) =>
    unlessAborted(messages.next(), AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])).catch((cause) => {
      throw describeFault(cause, "Home Assistant")
    })
  try {
    const isModern = await signIn(socket, token, () => next(CONNECT_MS))
    let id = 0
    return {
      async send(statistics) {
        for (const statistic of statistics) {
          id += 1
          socket.send(JSON.stringify({ id, type: "recorder/import_statistics", ...inVersion(statistic, isModern) }))
          let answer = await next(ANSWER_MS)
          while (!("id" in answer) || answer.id !== id) answer = await next(ANSWER_MS)
          if (!answer.success) throw refusalOf(answer.error)
        }
      },
      close: () => socket.terminate(),
    }
  } catch (error) {
    socket.terminate()
    throw error
  }
}

/** @returns whether it is a version that asks for `mean_type` @throws {HomeAssistantFault} */
async function signIn(socket: WebSocket, token: string, next: () => Promise<Message>): Promise<boolean> {
  const hello = await next()
  if (hello.type !== "auth_required") throw new HomeAssistantFault("protocol", NOT_HOME_ASSISTANT)
  socket.send(JSON.stringify({ type: "auth", access_token: token }))
  const answer = await next()
  if (answer.type !== "auth_ok")
    throw new HomeAssistantFault(
      "refused",
      "Home Assistant refuses the token: make a long-lived access token on the page of an administrator's profile, under Security",
    )
  const [year = 0, month = 0] = answer.ha_version.split(".").map(Number)
  return year > MODERN.year || (year === MODERN.year && month >= MODERN.month)
}

const NOT_HOME_ASSISTANT = "another program than Home Assistant answers at this address"

/** From this version on the command knows `mean_type` and `unit_class`; earlier ones refuse unknown names. */
const MODERN = { year: 2025, month: 11 }

/** https://developers.home-assistant.io/blog/2025/10/16/recorder-statistics-api-changes */
function inVersion({ metadata, stats }: HomeStatistic, isModern: boolean) {
  if (isModern) return { metadata, stats }
  const { mean_type: _, unit_class: __, ...former } = metadata
  return { metadata: { ...former, has_mean: true }, stats }
}

const refusalOf = ({ code, message }: { code: string; message: string }): HomeAssistantFault =>
  code === "unauthorized"
    ? new HomeAssistantFault("refused", "the token is not one of an administrator, and only those may add statistics")
    : new HomeAssistantFault("protocol", `Home Assistant refuses the statistics: ${message} (${code})`)

/** The messages in their order. Fails when the connection does. */
function readMessages(socket: WebSocket): { next(): Promise<Message> } {
  const waiting: Message[] = []
  let ended: HomeAssistantFault | undefined
  let wake = () => {}
  const end = (error: unknown) => {
    ended ??= describeFault(error, "Home Assistant")
    wake()
  }
  socket.on("error", end)
  socket.on("unexpected-response", (_request, { statusCode }) => {
    end(new HomeAssistantFault("protocol", `${NOT_HOME_ASSISTANT}: it answers with status ${statusCode}`))
    socket.terminate()
  })
  socket.on("close", () => end(undefined))
  socket.on("message", (data) => {
    const parsed = MessageSchema.safeParse(parseJson(textOf(data)))
    if (parsed.success) waiting.push(parsed.data)
    else end(new HomeAssistantFault("protocol", NOT_HOME_ASSISTANT))
    wake()
  })
  return {
    async next() {
      for (;;) {
        const message = waiting.shift()
        if (message) return message
        if (ended) throw ended
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
