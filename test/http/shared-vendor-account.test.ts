import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { approveAtVendor } from "@restwell/testing/vendor"
import { afterEach, expect, test } from "vitest"

let service: TestService
afterEach(() => service.close())

async function start(environment: Readonly<Record<string, string>> = {}) {
  service = await startTestService({ days: 10, environment })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const first = await Member.connected(service, person)
  const second = new Member(service)
  await second.signUp()
  return { person, first, second }
}

/** The second person comes back from the vendor, where somebody else's vendor account was signed in. */
async function comeBack(member: Member, person: { readonly email: string }, headers: Record<string, string>) {
  const begun = await member.send("GET", "/api/connections/whoop/authorize")
  const callback = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
  return member.send("GET", callback.pathname + callback.search, undefined, headers)
}

const accountOf = async (member: Member) => (await member.send("GET", "/api/account")).json()

test("a vendor account of another account is refused with an explanation that does not name the other one", async () => {
  const { person, first, second } = await start()
  const refused = await comeBack(second, person, { accept: "application/json" })
  expect(refused.status).toBe(409)
  const text = await refused.text()
  expect(JSON.parse(text)).toMatchObject({
    error: "conflict",
    message:
      "this account at WHOOP is already connected to another account on this server, sign in to that account or disconnect it there first",
  })
  expect(text).not.toContain(first.member.email)
  const page = await comeBack(second, person, { accept: "text/html" })
  expect(page.status).toBe(302)
  expect(page.headers.get("location")).toBe(`${service.url}/connections?provider=whoop&problem=already_connected`)
  expect((await accountOf(second)).connections).toEqual([])
  service.simulator.clock.advance(2 * 3_600_000)
  await first.member.send("POST", "/api/connections/whoop/sync")
  const source = async () => (await (await readHealth(service.url, first.key, "?type=sleep")).json()).source
  await expect
    .poll(async () => Date.parse((await source()).last_synced_at), { timeout: 30_000 })
    .toBeGreaterThan(service.simulator.clock.nowMs() - 60_000)
  expect((await source()).status).toBe("ok")
})

test("with SHARED_VENDOR_ACCOUNTS=allow, each account reads its own copy, and the end of one leaves the other", async () => {
  const { person, first, second } = await start({ SHARED_VENDOR_ACCOUNTS: "allow" })
  await second.connect(person)
  await second.untilHistoryIsComplete()
  expect((await accountOf(second)).connections[0].history.records).toBe(
    (await accountOf(first.member)).connections[0].history.records,
  )
  expect((await second.send("DELETE", "/api/connections/whoop")).status).toBe(204)
  service.simulator.clock.advance(2 * 3_600_000)
  await first.member.send("POST", "/api/connections/whoop/sync")
  await expect
    .poll(async () => Date.parse((await accountOf(first.member)).connections[0].last_synced_at), { timeout: 30_000 })
    .toBeGreaterThan(service.simulator.clock.nowMs() - 60_000)
  expect((await accountOf(first.member)).connections[0].status).toBe("ok")
})

test("another person's account than the stored data is 409, its grant ends, and the data stay until they are deleted", async () => {
  const { first } = await start()
  const before = await (await readHealth(service.url, first.key, "?type=sleep&days=5")).json()
  const other = service.simulator.people.add({ email: "bob@vendor.example" })
  const refused = await comeBack(first.member, other, { accept: "application/json" })
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ error: "conflict", message: expect.stringContaining("delete the stored data first") }),
  ])
  expect(service.simulator.tokens.counts()).toEqual({ codes: 0, accessTokens: 1, refreshTokens: 1 })
  const page = await comeBack(first.member, other, { accept: "text/html" })
  expect(page.headers.get("location")).toBe(`${service.url}/connections?provider=whoop&problem=another_person`)
  expect((await (await readHealth(service.url, first.key, "?type=sleep&days=5")).json()).records).toEqual(
    before.records,
  )
  expect((await accountOf(first.member)).connections).toMatchObject([{ provider: "whoop", status: "ok" }])

  expect((await first.member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
  expect((await comeBack(first.member, other, { accept: "application/json" })).status).toBe(409)
  expect((await first.member.send("DELETE", "/api/connections/whoop?data=delete")).status).toBe(204)
  expect((await comeBack(first.member, other, { accept: "application/json" })).status).toBe(302)
})

test("the address on which the browser ended connects once, in the session that began it alone", async () => {
  const { first, second } = await start()
  const person = service.simulator.people.add({ email: "cleo@vendor.example" })
  const begun = await second.send("GET", "/api/connections/whoop/authorize")
  const ended = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
  const paste = async (member: Member, url: unknown) => {
    const answer = await member.send("POST", "/api/connections/whoop/callback", { url })
    return [answer.status, await answer.json()]
  }
  const invalid = (field: string) => [400, expect.objectContaining({ error: "invalid_request", field })]
  for (const url of ["", "code", 7, undefined]) expect(await paste(second, url)).toEqual(invalid("url"))
  expect(await paste(second, service.url)).toEqual(invalid("state"))
  expect(await paste(second, `${ended.origin}${ended.pathname}?error=access_denied`)).toEqual(invalid("error"))
  expect(await paste(first.member, ended.href)).toEqual(invalid("state"))
  expect(await paste(second, ` ${ended.href} `)).toEqual([200, { provider: "whoop", status: "syncing" }])
  expect(await paste(second, ended.href)).toEqual(invalid("state"))
  await second.untilHistoryIsComplete()
  const stranger = await fetch(`${service.url}/api/connections/whoop/callback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: ended.href }),
  })
  expect(stranger.status).toBe(401)
  const keyVendor = await second.send("POST", "/api/connections/intervals/callback", { url: ended.href })
  expect([keyVendor.status, (await keyVendor.json()).error]).toEqual([404, "not_found"])
})
