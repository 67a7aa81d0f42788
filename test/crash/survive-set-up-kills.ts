import { setTimeout as wait } from "node:timers/promises"
import { setupCodeOf } from "@restwell/server/links"
import { randomFor } from "@restwell/simulator"
import { createTestDatabase } from "@restwell/testing/database"
import { TEST_SECRET } from "@restwell/testing/service"
import { KillableService } from "./killable-service.ts"

const OWNER = { name: "Ada", email: "ada@example.com", password: "correct horse battery staple" }
/** Longer than a set-up takes, so that some kills come after it. */
const LONGEST_MS = 400

/** Outcomes of set-ups that were killed, and of the next visit. */
export interface SetUpKills {
  /** The set-up was still open, and the same entries created the owner. */
  readonly repeated: number
  /** The owner existed, and signed in. */
  readonly done: number
}

/** Kills the service at random moments of a set-up. @throws what a person would be stuck with */
export async function surviveSetUpKills(kills: number, seed: string): Promise<SetUpKills> {
  const random = randomFor(seed, "set-up")
  const store = await createTestDatabase()
  const service = new KillableService({ DATABASE_URL: store.url, RESTWELL_SECRET: TEST_SECRET, SIGN_UP: "" })
  const figures = { repeated: 0, done: 0 }
  try {
    await service.startReady()
    for (let kill = 1; kill <= kills; kill += 1) {
      const afterMs = random.between(0, LONGEST_MS)
      const begun = setUp(service.url).catch(() => undefined)
      await wait(afterMs)
      await service.kill()
      await begun
      await service.startReady()
      figures[await visitAgain(service.url, `killed after ${afterMs.toFixed(0)} ms`)] += 1
      await store.pool.query('delete from restwell."user"')
    }
    return figures
  } finally {
    await service.stop()
    await store.drop()
  }
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

const setUp = (url: string): Promise<Response> =>
  post(`${url}/api/setup/owner`, { ...OWNER, code: setupCodeOf(TEST_SECRET) })

/** Opens the page again and goes on, as it says. */
async function visitAgain(url: string, when: string): Promise<keyof SetUpKills> {
  const page = await fetch(`${url}/setup`, { redirect: "manual" })
  const isOpen = page.status === 200
  const answer = isOpen ? await setUp(url) : await post(`${url}/api/auth/sign-in/email`, OWNER)
  if (answer.status !== (isOpen ? 201 : 200))
    throw new Error(`${when}, the next visit got ${answer.status}: ${await answer.text()}`)
  return isOpen ? "repeated" : "done"
}
