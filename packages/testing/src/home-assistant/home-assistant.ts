/**
 * A stand-in for Home Assistant's WebSocket API: it signs programs in, checks `recorder/import_statistics` as Home Assistant does, and stores
 * the statistics by their start. https://developers.home-assistant.io/docs/api/websocket
 */
import { once } from "node:events"
import { createServer } from "node:http"
import { type WebSocket, WebSocketServer } from "ws"
import { z } from "zod"

/** `VALID_STATISTIC_ID` of https://github.com/home-assistant/core/blob/dev/homeassistant/components/recorder/statistics.py */
const STATISTIC_ID = /^(?!.+__)(?!_)[\da-z_]+(?<!_):(?!_)[\da-z_]+(?<!_)$/

/** The units of each class. https://github.com/home-assistant/core/blob/dev/homeassistant/util/unit_conversion.py */
const UNIT_CLASSES: Readonly<Record<string, readonly (string | null)[]>> = {
  duration: ["h", "min", "s", "ms", "μs", "d", "w"],
  mass: ["kg", "g", "mg", "μg", "oz", "lb", "st"],
  temperature_delta: ["°C", "°F", "K"],
  unitless: [null, "%", "ppm", "ppb"],
}

/** A whole hour with an offset: `_async_import_statistics` refuses others. */
const start = z.iso.datetime({ offset: true }).regex(/T\d{2}:00:00[+-]/)

const former = {
  has_sum: z.boolean(),
  name: z.string().nullable(),
  source: z.string(),
  statistic_id: z.string().regex(STATISTIC_ID),
  unit_of_measurement: z.string().nullable(),
}

/** Before 2025.11, and since. */
const METADATA = {
  former: z.strictObject({ ...former, has_mean: z.boolean() }),
  modern: z
    .strictObject({
      ...former,
      mean_type: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      unit_class: z.string().nullable(),
    })
    .refine(
      ({ unit_class: name, unit_of_measurement: unit }) => name === null || UNIT_CLASSES[name]?.includes(unit) === true,
      "the unit is not one of the unit class",
    ),
}

const importOf = (
  metadata: z.ZodType<{
    source: string
    statistic_id: string
    unit_of_measurement: string | null
    name: string | null
  }>,
) =>
  z
    .strictObject({
      id: z.int(),
      type: z.literal("recorder/import_statistics"),
      metadata,
      stats: z.array(
        z.strictObject({
          start,
          mean: z.number().optional(),
          min: z.number().optional(),
          max: z.number().optional(),
          state: z.number().optional(),
          sum: z.number().optional(),
        }),
      ),
    })
    .refine(
      ({ metadata: { source, statistic_id: id } }) => id.startsWith(`${source}:`),
      "the source is not that of the id",
    )

/** A statistic as it is stored. */
export interface StoredStatistic {
  readonly name: string | null
  readonly unit: string | null
  /** Means by their start. */
  readonly means: Map<string, number>
}

export interface TestHomeAssistant {
  /** http:// with the port. */
  readonly url: string
  readonly token: string
  readonly statistics: ReadonlyMap<string, StoredStatistic>
  /** Commands that were taken. */
  imports(): number
  /** Messages that Home Assistant would refuse. */
  readonly refused: readonly string[]
  /** Answers nobody until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export interface HomeAssistantOptions {
  /** A version before 2025.11, which knows other metadata. @default false */
  readonly isFormer?: boolean
  /** @default true */
  readonly isAdministrator?: boolean
}

export async function startHomeAssistant(options: HomeAssistantOptions = {}): Promise<TestHomeAssistant> {
  const { isFormer = false, isAdministrator = true } = options
  const version = isFormer ? "2025.6.1" : "2026.11.2"
  const token = "a-long-lived-access-token"
  const statistics = new Map<string, StoredStatistic>()
  const refused: string[] = []
  let imports = 0
  const ImportSchema = importOf(isFormer ? METADATA.former : METADATA.modern)

  const take = (text: string): object => {
    const message = z.looseObject({ id: z.int(), type: z.string() }).parse(JSON.parse(text))
    const { id } = message
    const refuse = (code: string, reason: string) => {
      refused.push(reason)
      return { id, type: "result", success: false, error: { code, message: reason } }
    }
    if (message.type === "auth/current_user")
      return { id, type: "result", success: true, result: { id: "1", name: "Test", is_admin: isAdministrator } }
    if (!isAdministrator) return refuse("unauthorized", "Unauthorized")
    const parsed = ImportSchema.safeParse(message)
    if (!parsed.success) return refuse("invalid_format", z.prettifyError(parsed.error))
    imports += 1
    const { metadata, stats } = parsed.data
    const known = statistics.get(metadata.statistic_id)
    const means = known?.means ?? new Map<string, number>()
    for (const { start: at, mean } of stats) if (mean !== undefined) means.set(at, mean)
    statistics.set(metadata.statistic_id, { name: metadata.name, unit: metadata.unit_of_measurement, means })
    return { id, type: "result", success: true, result: null }
  }

  const serve = (socket: WebSocket) => {
    let isSignedIn = false
    const answer = (message: object) => socket.send(JSON.stringify(message))
    answer({ type: "auth_required", ha_version: version })
    socket.on("message", (data) => {
      const text = data.toString()
      if (isSignedIn) return answer(take(text))
      const given = z.object({ type: z.literal("auth"), access_token: z.string() }).safeParse(JSON.parse(text))
      isSignedIn = given.data?.access_token === token
      if (isSignedIn) return answer({ type: "auth_ok", ha_version: version })
      answer({ type: "auth_invalid", message: "Invalid access token or password" })
      socket.close()
    })
  }

  let port = 0
  let stop = async () => {}
  const start = async () => {
    const server = createServer((_request, response) => response.writeHead(404).end())
    const sockets = new WebSocketServer({ server, path: "/api/websocket" })
    sockets.on("connection", serve)
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    port = address !== null && typeof address === "object" ? address.port : 0
    stop = async () => {
      for (const client of sockets.clients) client.terminate()
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    statistics,
    refused,
    imports: () => imports,
    stop: () => stop(),
    start,
    close: () => stop(),
  }
}
