import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Simulator } from "@restwell/simulator"
import { expect, vi } from "vitest"
import { z } from "zod"
import type { Member } from "./member.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname
const TWO_HOURS_MS = 2 * 3_600_000

const ConnectionsSchema = z.object({
  connections: z.array(z.object({ status: z.string(), last_synced_at: z.iso.datetime().nullable() })),
})

/** Runs a command as an operator would, beside the running service or without it. */
export async function restwell(
  command: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [PROGRAM, command], { env: { PATH, ...environment } })
  let said = ""
  const hear = (text: unknown) => {
    said += String(text)
  }
  child.stdout.on("data", hear)
  child.stderr.on("data", hear)
  const [code] = await once(child, "close")
  return { code: Number(code), said }
}

/** Has everybody synced after their access tokens have expired, and waits until all are in step by tokens that were refreshed. */
export async function refreshAll({ clock, requestLog }: Simulator, members: readonly Member[]): Promise<void> {
  const { refreshes } = requestLog.counters()
  clock.advance(TWO_HOURS_MS)
  const now = clock.now().getTime()
  const sync = async (member: Member) => {
    // One that is asked for while a sync from before runs is taken for that one.
    await member.send("POST", "/api/connections/whoop/sync")
    const answer = await (await member.send("GET", "/api/account")).json()
    const [connection] = ConnectionsSchema.parse(answer).connections
    expect(connection?.status).not.toBe("reauthorization_required")
    expect(Date.parse(connection?.last_synced_at ?? "")).toBeGreaterThanOrEqual(now)
  }
  await Promise.all(members.map((member) => vi.waitFor(() => sync(member), { timeout: 30_000, interval: 200 })))
  expect(requestLog.counters().refreshes).toBeGreaterThanOrEqual(refreshes + members.length)
}
