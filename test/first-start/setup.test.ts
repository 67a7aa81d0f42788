import { request as httpRequest } from "node:http"
import { deriveKey } from "@restwell/core"
import { setupCodeOf } from "@restwell/server/links"
import { Member } from "@restwell/testing/member"
import {
  runCommand,
  serviceEnvironment,
  startTestService,
  TEST_SECRET,
  type TestService,
} from "@restwell/testing/service"
import { VENDOR_APP as APP } from "@restwell/testing/vendor"
import { afterEach, expect, test } from "vitest"

const OWNER = {
  name: "Ada",
  email: "ada@example.com",
  password: "correct horse battery staple",
  code: setupCodeOf(TEST_SECRET),
}
const UNSET = { WHOOP_CLIENT_ID: "", WHOOP_CLIENT_SECRET: "" }

let service: TestService | undefined
afterEach(() => service?.close())

async function start(environment: Readonly<Record<string, string>> = {}): Promise<TestService> {
  service = await startTestService({ days: 3, environment: { ...UNSET, ...environment } })
  return service
}

const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/setup/owner`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })

/** Sends Host and Origin, which fetch does not let a caller choose. */
const postAs = (
  url: string,
  host: string,
  headers: Record<string, string>,
  body: object,
): Promise<{ status: number; cookies: string[]; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${url}/api/setup/owner`,
      { method: "POST", headers: { host, "content-type": "application/json", ...headers } },
      (answer) => {
        let text = ""
        answer.on("data", (part: Buffer) => (text += part.toString()))
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, cookies: answer.headers["set-cookie"] ?? [], text }),
        )
      },
    )
    sent.on("error", reject)
    sent.end(JSON.stringify(body))
  })

test("of two simultaneous first visitors, on two replicas, one becomes the owner and the other gets 409", async () => {
  const { url, startReplica } = await start()
  const second = await startReplica("api")
  const answers = await Promise.all([
    post(url, OWNER),
    post(second.url, { ...OWNER, email: "eve@example.com" }),
    post(url, { ...OWNER, email: "bob@example.com" }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  const { rows } = await (service as TestService).store.pool.query(
    'select count(*)::int as people from restwell."user"',
  )
  expect(rows).toEqual([{ people: 1 }])
  expect(await (await fetch(`${second.url}/api/setup`)).json()).toEqual({ has_owner: true })
  expect((await post(second.url, { ...OWNER, email: "late@example.com" })).status).toBe(409)
  const page = await fetch(`${url}/setup`, { redirect: "manual" })
  expect([page.status, page.headers.get("location")]).toEqual([302, "/start"])
})

test("where the operator opens sign-ups, they need no code and make no owner", async () => {
  const { url } = await start({ SIGN_UP: "open" })
  const eve = new Member({ url })
  await eve.signUp()
  expect((await eve.send("GET", "/api/service")).status).toBe(403)
  expect(await (await fetch(`${url}/api/setup`)).json()).toEqual({ has_owner: false })
  expect((await post(url, { ...OWNER, email: eve.email })).status).toBe(409)
  expect((await post(url, OWNER)).status).toBe(201)
  expect((await eve.send("GET", "/api/service")).status).toBe(403)
})

test("the operator makes an account the owner, in place of another one", async () => {
  const { url, store, simulator } = await start({ SIGN_UP: "open" })
  const [ada, eve] = [new Member({ url }), new Member({ url })]
  await ada.signUp()
  await eve.signUp()
  const environment = serviceEnvironment(store, simulator)
  for (const member of [ada, eve, ada]) {
    const { code, output } = await runCommand(["people", "set-owner", member.email.toUpperCase()], environment)
    expect([code, output]).toEqual([0, expect.stringContaining(" owns this Restwell")])
    expect((await member.send("GET", "/api/service")).status).toBe(200)
  }
  expect((await eve.send("GET", "/api/service")).status).toBe(403)
  expect((await post(url, OWNER)).status).toBe(409)
  expect(await (await eve.send("GET", "/api/account/security-log")).text()).toContain("owner_changed")
  const { code, output } = await runCommand(["people", "set-owner", "nobody@example.com"], environment)
  expect([code, output]).toEqual([1, expect.stringContaining("no account with the address nobody@example.com")])
})

test("after the owner's account is deleted, only the code makes another owner", async () => {
  const { url } = await start({ SIGN_UP: "open" })
  const [ada, eve] = [new Member({ url }), new Member({ url })]
  await ada.setUp()
  await eve.signUp()
  expect((await ada.send("DELETE", "/api/account", { password: ada.password })).status).toBe(204)
  expect((await eve.send("GET", "/api/service")).status).toBe(403)
  expect((await post(url, { ...OWNER, code: "0000-0000-0000" })).status).toBe(403)
  expect((await post(url, OWNER)).status).toBe(201)
})

test("the start prints a link with the code, which is made from the secret", async () => {
  const { url, log } = await start()
  const code = /\/setup#([\dA-F]{4}-[\dA-F]{4}-[\dA-F]{4})"/.exec(log.join("\n"))?.[1] ?? ""
  expect(log.join("\n")).toContain(`"setup":"${url}/setup#${code}"`)
  expect(code).toBe(
    deriveKey(TEST_SECRET, "set-up")
      .subarray(0, 6)
      .toString("hex")
      .toUpperCase()
      .replaceAll(/(.{4})(?=.)/g, "$1-"),
  )
  expect((await post(url, { ...OWNER, code: code.toLowerCase().replaceAll("-", " ") })).status).toBe(201)
})

test("a set-up that hangs does not stop the next one once its connection is gone", async () => {
  const { url, store } = await start()
  const gate = await store.pool.connect()
  await gate.query("begin")
  await gate.query("lock table restwell.owner in share row exclusive mode")
  const setUp = post(url, OWNER)
  const isWaiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(async () => (await store.pool.query(isWaiting)).rowCount, { timeout: 30_000 }).toBe(1)
  // As the server does for a process that was killed.
  gate.release(true)
  expect((await setUp).status).toBe(201)
})

test("another site cannot create the owner, by its own name or by a name that it points to this machine", async () => {
  const { url } = await start()
  expect((await post(url, OWNER, { origin: "https://evil.example" })).status).toBe(403)
  const rebound = await postAs(url, "evil.example", { origin: "http://evil.example" }, { ...OWNER, code: "1" })
  expect(rebound.status).toBe(403)
  expect(await (await fetch(`${url}/api/setup`)).json()).toEqual({ has_owner: false })
})

test("the address that the owner came by becomes the service's, in every replica without a restart", async () => {
  const { url, startReplica } = await start()
  const second = await startReplica("api")
  const created = await postAs(
    url,
    "restwell.example.com",
    { origin: "https://restwell.example.com", "sec-fetch-site": "same-origin" },
    OWNER,
  )
  expect(created.status, created.text).toBe(201)
  expect(created.cookies.join()).toContain("__Secure-restwell.session_token=")
  for (const address of [url, second.url])
    await expect
      .poll(async () => (await fetch(`${address}/.well-known/oauth-protected-resource`)).json(), { timeout: 30_000 })
      .toMatchObject({ authorization_servers: ["https://restwell.example.com"] })
})

test("BASE_URL and a vendor's app in the environment take precedence, and their values are never sent", async () => {
  service = await startTestService({ days: 3, environment: { BASE_URL: "http://localhost:3999" } })
  const owner = new Member(service)
  await owner.setUp()
  const answer = await (await owner.send("GET", "/api/service")).text()
  expect(JSON.parse(answer)).toMatchObject({
    address: { value: "http://localhost:3999", source: "environment" },
    vendors: expect.arrayContaining([
      expect.objectContaining({ provider: "whoop", source: "environment" }),
      expect.objectContaining({ provider: "oura", source: null }),
    ]),
  })
  expect(answer).not.toContain(APP.clientSecret)
  const app = { client_id: "a", client_secret: "b" }
  expect((await owner.send("PUT", "/api/service/vendors/whoop", app)).status).toBe(409)
  expect((await owner.send("PUT", "/api/service/address", { address: "https://a.example" })).status).toBe(409)
})

test("a vendor's app is tested, sealed, and used by every replica without a restart; only the owner sets it", async () => {
  const { url, simulator, startReplica, store } = await start()
  const second = await startReplica("api")
  const owner = new Member({ url })
  await owner.setUp()
  const other = new Member({ url })
  await other.signUp()
  const { clientId: client_id, clientSecret: client_secret } = APP
  for (const [method, path] of [
    ["GET", "/api/service"],
    ["PUT", "/api/service/vendors/whoop"],
    ["DELETE", "/api/service/vendors/whoop"],
    ["PUT", "/api/service/address"],
    ["POST", "/api/service/address/check"],
  ] as const)
    expect((await other.send(method, path, method === "GET" ? undefined : {})).status, path).toBe(403)
  const refused = await owner.send("PUT", "/api/service/vendors/whoop", { client_id, client_secret: "wrong" })
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ field: "client_secret" })
  const stored = await owner.send("PUT", "/api/service/vendors/whoop", { client_id, client_secret })
  expect(await stored.json()).toEqual({ check: "accepted" })
  const { rows } = await store.pool.query("select sealed from restwell.service_setting")
  expect(rows.length).toBe(2)
  for (const { sealed } of rows) expect(String(sealed)).not.toContain(client_secret)
  await expect
    .poll(async () => (await owner.at(second).send("GET", "/api/connections/whoop/authorize")).status)
    .toBe(302)
  await owner.connect(simulator.people.add({ email: "ada@vendor.example" }))
  await owner.untilHistoryIsComplete()
  const log = await (await owner.send("GET", "/api/account/security-log")).text()
  expect(log).toContain("vendor_app_changed")
  expect((await owner.send("DELETE", "/api/service/vendors/whoop")).status).toBe(204)
  expect((await owner.send("GET", "/api/connections/whoop/authorize")).status).toBe(404)
})

test("the check of an address says whether it leads here", async () => {
  const { url } = await start()
  const owner = new Member({ url })
  await owner.setUp()
  const check = async (address: string) => (await owner.send("POST", "/api/service/address/check", { address })).json()
  expect(await check(url)).toEqual({ is_reachable: true, is_https: false, reach: "this_computer", problem: null })
  expect(await check("http://localhost:9")).toMatchObject({ is_reachable: false, reach: "this_computer" })
  expect(await check("http://restwell.local:9")).toMatchObject({ is_reachable: false, reach: "home" })
  expect(await check("https://restwell.invalid")).toMatchObject({
    is_reachable: false,
    is_https: true,
    reach: "internet",
  })
  expect((await owner.send("POST", "/api/service/address/check", { address: "restwell/path" })).status).toBe(400)
})
