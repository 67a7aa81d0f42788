// A program on a phone, over HTTP alone, and what its pushes leave in the store.
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import {
  IngestTokenResponseSchema,
  type PushedRecordSchema,
  PushResponseSchema,
  PushStartedResponseSchema,
  PushStatusResponseSchema,
} from "@restwell/client"
import { LARGEST_PUSH, type Pusher, receivePush, runPush } from "@restwell/core"
import { expectDescribed, type Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import type { World } from "@restwell/testing/world"
import { expect } from "vitest"
import type { z } from "zod"
import { everythingOf } from "../imports/import-archive.ts"

export const TOKENS = "/api/account/ingest-tokens"

export async function newToken(member: Member, name = "Ada's phone") {
  const made = await member.send("POST", TOKENS, { name })
  expect(made.status).toBe(201)
  return IngestTokenResponseSchema.parse(await made.json())
}

interface PushOptions {
  readonly token: string
  readonly path?: string
  readonly isZipped?: boolean
  readonly headers?: Record<string, string>
}

export async function push(
  { url }: Pick<TestService, "url">,
  body: unknown,
  { token, path = "/api/ingest/records", isZipped = false, headers = {} }: PushOptions,
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const response = await fetch(url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(isZipped && { "content-encoding": "gzip" }),
      ...headers,
    },
    body: isZipped ? new Uint8Array(gzipSync(text)) : text,
  })
  await expectDescribed(url, "POST", path, response)
  return response
}

export async function pushed(service: Pick<TestService, "url">, body: unknown, options: PushOptions) {
  const response = await push(service, body, options)
  if (response.status === 202)
    return reportOf(service, PushStartedResponseSchema.parse(await response.json()).id, options)
  expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)])
  return PushResponseSchema.parse(await response.json())
}

/** The report of a slow push, once it has ended. */
export async function reportOf({ url }: Pick<TestService, "url">, id: string, { token }: PushOptions) {
  const read = async () => {
    const response = await fetch(`${url}/api/ingest/${id}`, { headers: { authorization: `Bearer ${token}` } })
    await expectDescribed(url, "GET", "/api/ingest/{id}", response)
    return PushStatusResponseSchema.parse(await response.json())
  }
  await expect.poll(async () => (await read()).status).not.toBe("queued")
  const { status, error, ...report } = await read()
  expect([status, error]).toEqual(["done", null])
  return report
}

/** Stores a push in the calling thread. */
export async function storePush(
  { context }: Pick<World, "context">,
  pusher: Pusher,
  body: object,
  provider = "phone",
): Promise<void> {
  const content = Readable.from([Buffer.from(JSON.stringify(body))])
  const received = await receivePush(context, pusher, { provider, isGzip: false, content })
  const options = { giveTurn: async () => {}, largestBytes: LARGEST_PUSH }
  expect(await runPush(context, received, options)).toMatchObject({ kind: "stored" })
}

export type Row = z.infer<typeof PushedRecordSchema>

/** A night of a watch in rows, with HRV, resting heart rate, steps, and a run. @param date of waking, in Berlin's winter */
export function rowsOfNight(date: string, { source = "Apple Watch", restingHeartRate = 52 } = {}): Row[] {
  const at = (clock: string, day = date) => `${day}T${clock}+01:00`
  const before = new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10)
  const segment = (start: string, end: string, value: string) => ({ type: "sleep_segment", start, end, value, source })
  return [
    segment(at("23:10:00", before), at("01:00:00"), "light"),
    segment(at("01:00:00"), at("02:30:00"), "deep"),
    segment(at("02:30:00"), at("02:40:00"), "awake"),
    segment(at("02:40:00"), at("04:10:00"), "rem"),
    segment(at("04:10:00"), at("06:40:00"), "light"),
    { type: "hrv_sdnn", start: at("02:00:00"), end: at("02:01:00"), value: 48, unit: "ms", source },
    { type: "hrv_sdnn", start: at("05:00:00"), end: at("05:01:00"), value: 52, unit: "ms", source },
    { type: "resting_heart_rate", start: at("06:50:00"), value: restingHeartRate, unit: "bpm", source },
    { type: "steps", start: at("08:00:00"), end: at("09:00:00"), value: 3000, unit: "count", source },
    { type: "steps", start: at("08:30:00"), end: at("09:00:00"), value: 1400, unit: "count", source: "Ada's iPhone" },
    { type: "workout", start: at("18:00:00"), end: at("18:45:00"), value: "running", source },
  ]
}

/** All rows of a person, without what is random or depends on when the pushes came. */
export async function storedOf(world: Pick<World, "store">, userId: string): Promise<string> {
  const everything = await everythingOf(world, userId)
  return (
    everything
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id")
      .replaceAll(/\\"(?:token_hash|prefix|number)\\":\s*(?:\\"[^"]*\\"|\d+)/g, "")
      .replaceAll(/\\"(?:created|arrived|pushed|last_used|connected|next_sync)_at\\":\s*\\"[^"]*\\"/g, "")
      .replaceAll(/\\"unchanged\\":\s*\d+/g, "")
      // A row that came in two versions was stored twice.
      .replaceAll(/\\"rows\\":\s*\d+/g, "")
  )
}
