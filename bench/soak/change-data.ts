import { setTimeout as wait } from "node:timers/promises"
import { z } from "zod"
import { EMAIL } from "../processes/simulator.ts"
import type { BenchService } from "../service.ts"

const EVERY_MS = 15_000
const SLEEPS = z.object({ sleeps: z.array(z.looseObject({ id: z.string() })).nonempty() })

/**
 * Changes a night at the vendor, again and again, so that the person's data get other versions while they are read. The vendor tells of it, and
 * every second time the person asks for a sync as well.
 */
export async function changeData({ url, simulatorUrl, cookie }: BenchService, signal: AbortSignal): Promise<void> {
  const records = `${simulatorUrl}/_simulator/people/${EMAIL}/records`
  const { sleeps } = SLEEPS.parse(await (await fetch(records)).json())
  const night = sleeps.at(-1)?.id
  await expectOk(`${simulatorUrl}/_simulator/webhooks`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ urls: [`${url}/api/webhooks/whoop`] }),
  })
  for (let isNap = true; !signal.aborted; isNap = !isNap) {
    await expectOk(`${records}/sleeps/${night}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ nap: isNap }),
    })
    if (isNap) await expectOk(`${url}/api/connections/whoop/sync`, { method: "POST", headers: { cookie } })
    await wait(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

async function expectOk(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
}
