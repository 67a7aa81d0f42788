import type { Simulator } from "@restwell/simulator"
import type { Member } from "@restwell/testing/member"
import { expect, vi } from "vitest"
import { z } from "zod"

const TWO_HOURS_MS = 2 * 3_600_000

const ConnectionsSchema = z.object({
  connections: z.array(
    z.object({ provider: z.string(), status: z.string(), last_synced_at: z.iso.datetime().nullable() }),
  ),
})

/** Lets all access tokens expire, requests a sync of every connection, and waits until all are synced with refreshed tokens. */
export async function refreshAll({ clock, requestLog }: Simulator, members: readonly Member[]): Promise<void> {
  const { refreshes } = requestLog.counters()
  clock.advance(TWO_HOURS_MS)
  const now = clock.now().getTime()
  const sync = async (member: Member) => {
    const answer = await (await member.send("GET", "/api/account")).json()
    const late = ConnectionsSchema.parse(answer).connections.filter((connection) => {
      expect(connection.status).not.toBe("reauthorization_required")
      return !(Date.parse(connection.last_synced_at ?? "") >= now)
    })
    // A request during an earlier sync starts no other one: request it again until the time of the sync is new.
    for (const { provider } of late) await member.send("POST", `/api/connections/${provider}/sync`)
    expect(late).toEqual([])
  }
  await Promise.all(members.map((member) => vi.waitFor(() => sync(member), { timeout: 30_000, interval: 200 })))
  expect(requestLog.counters().refreshes).toBeGreaterThanOrEqual(refreshes + members.length)
}
