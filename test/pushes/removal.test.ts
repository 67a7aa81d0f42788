// The removal of all pushes while others arrive.
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, push, pushed, rowsOfNight } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T23:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const DATE = "2026-11-20"

async function person() {
  const member = new Member(service)
  await member.signUp()
  const { token } = await newToken(member)
  const importIds = async (): Promise<string[]> =>
    (await (await member.send("GET", "/api/imports")).json()).imports.map(({ id }: { id: string }) => id)
  return { member, token, importIds }
}

test("a push that waits for the removal of all former ones is stored", async () => {
  const { token, importIds } = await person()
  await pushed(service, { records: rowsOfNight("2026-11-12") }, { token })
  const [id] = await importIds()
  const removing = await service.store.pool.connect()
  try {
    await removing.query("begin")
    await removing.query("select from restwell.import where id = $1 for update", [id])
    const answer = push(service, { records: rowsOfNight(DATE) }, { token })
    await expect
      .poll(async () => {
        const waiting = "select count(*)::integer as count from pg_locks where not granted"
        return (await removing.query(waiting)).rows[0].count
      })
      .toBeGreaterThan(0)
    await removing.query("delete from restwell.import where id = $1", [id])
    await removing.query("commit")
    expect([(await answer).status, await importIds()]).toEqual([200, [expect.not.stringContaining(id ?? "")]])
  } finally {
    removing.release()
  }
})

test("pushes and removals at the same time are all answered, and what is pushed afterwards is stored", async () => {
  const { member, token, importIds } = await person()
  const rows = rowsOfNight(DATE)
  const pushAgain = async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 15; sent += 1) statuses.push((await push(service, { records: rows }, { token })).status)
    return statuses
  }
  const removeAgain = async () => {
    const statuses: number[] = []
    for (let round = 0; round < 30; round += 1)
      for (const id of await importIds()) statuses.push((await member.send("DELETE", `/api/imports/${id}`)).status)
    return statuses
  }
  const [first, second, removals] = await Promise.all([pushAgain(), pushAgain(), removeAgain()])
  expect(new Set([...first, ...second])).toEqual(new Set([200]))
  expect(removals.every((status) => status === 204 || status === 404)).toBe(true)
  for (const id of await importIds()) await member.send("DELETE", `/api/imports/${id}`)
  expect(await pushed(service, { records: rows }, { token })).toMatchObject({ stored: rows.length, unchanged: 0 })
})
