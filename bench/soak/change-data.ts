import { setTimeout as wait } from "node:timers/promises"
import { z } from "zod"
import type { BenchService } from "../targets/bench-service.ts"
import { EMAIL } from "../targets/simulator.ts"

const EVERY_MS = 15_000
const SLEEPS = z.object({ sleeps: z.array(z.looseObject({ id: z.string() })).nonempty() })

/**
 * Changes a night at the vendor again and again, so that the person's data changes while it is read. The vendor sends a webhook for each
 * change, and for every second one the person requests a sync as well.
 */
export async function changeData({ url, simulatorUrl, member }: BenchService, signal: AbortSignal): Promise<void> {
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
    if (isNap)
      await expectOk(`${url}/api/connections/whoop/sync`, { method: "POST", headers: { cookie: member.cookie } })
    await wait(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

async function expectOk(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
}
