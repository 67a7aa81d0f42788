// Requests whose clients are gone: they keep their place until their work ends, so that nobody gets more done by leaving.
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const MOST = 8
const PATH = "/api/account/sources"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 10 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
})
afterAll(() => service.close())

const ask = (signal?: AbortSignal, cookie = member.cookie): Promise<Response> =>
  fetch(service.url + PATH, { headers: { cookie }, ...(signal && { signal }) })

/** The same person in another browser, for requests of one session wait for each other. */
async function signInElsewhere(): Promise<string> {
  const { email, password } = member
  const browser = new Member(service, {}, email)
  const answer = await browser.send("POST", "/api/auth/sign-in/email", { email, password })
  expect(answer.status).toBe(200)
  return browser.cookie
}

/** True if it is refused. One that is begun waits for the lock, until its client leaves. */
const isRefused = async (patienceMs = 4_000): Promise<boolean> =>
  (await ask(AbortSignal.timeout(patienceMs)).catch(() => undefined))?.status === 429

test("expensive reads whose clients are gone count until they are computed", async () => {
  const client = await service.store.pool.connect()
  const gone = new AbortController()
  try {
    const browsers: string[] = []
    for (let count = 0; count < MOST; count += 1) browsers.push(await signInElsewhere())
    await client.query("begin")
    // What the reads are computed from, so that none of them ends.
    await client.query("lock table restwell.source_choice in access exclusive mode")
    const begun = browsers.map((cookie) =>
      ask(gone.signal, cookie).then(
        ({ status }) => status,
        () => "gone",
      ),
    )
    // The statement that waits for the lock is ended after five seconds, and its read makes room.
    await expect.poll(() => isRefused(250)).toBe(true)
    gone.abort()
    // One of them is refused where the poll came before it and took its place.
    for (const end of await Promise.all(begun)) expect(["gone", 429]).toContain(end)
    expect(await Promise.all(Array.from({ length: 20 }, () => isRefused()))).toEqual(Array(20).fill(true))
  } finally {
    await client.query("rollback")
    client.release()
  }
  await expect.poll(async () => (await ask()).status).toBe(200)
})
