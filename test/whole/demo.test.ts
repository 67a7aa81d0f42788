import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { access, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { spawnCommand } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let directory: string
let running: ChildProcess | undefined
beforeAll(async () => {
  directory = await makeFolder("demo")
})
afterAll(async () => {
  if (running) await stop()
  await rm(directory, { recursive: true })
})

/** Runs the demo until it has printed its curl line. Returns the address and the key of that line. */
async function demo(...args: string[]): Promise<{ url: string; key: string; printed: () => string }> {
  const settings = { PORT: "0", FREE_MONTHLY_REQUESTS: "123", PRO_MONTHLY_REQUESTS: "123" }
  const child = spawnCommand(["demo", ...args], settings, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] })
  running = child
  let text = ""
  const found = new Promise<{ url: string; key: string }>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the demo ended with ${code}: ${text}`)))
    child.stdout?.on("data", (chunk) => {
      text += chunk
      const [, key, url] = /curl -H "Authorization: Bearer (rw_\w+)" "(\S+)"/.exec(text) ?? []
      if (key && url) resolve({ url, key })
    })
  })
  return { ...(await found), printed: () => text }
}

async function stop(): Promise<void> {
  const child = running
  running = undefined
  if (!child) return
  expect(child.exitCode).toBeNull()
  child.removeAllListeners("exit")
  child.kill("SIGINT")
  expect(await once(child, "exit")).toEqual([0, null])
}

const read = ({ url, key }: { url: string; key: string }): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } })

let key: string

test("prints a curl line that works, an account, and the progress of the history", async () => {
  const first = await demo()
  key = first.key
  const answer = await read(first)
  expect(answer.status).toBe(200)
  // The demo follows the settings of the environment.
  expect(answer.headers.get("x-ratelimit-limit")).toBe("123")
  expect((await answer.json()).count).toBeGreaterThan(0)
  await expect.poll(first.printed, { timeout: 60_000 }).toMatch(/History complete: [23]\d{3} records/)
  expect(first.printed()).toMatch(/Account {4}\S+@\S+, password \S+/)
  await expect.poll(first.printed, { timeout: 60_000 }).toMatch(/Journal: \d+ mornings answered/)
  const relation = new URL("/api/v1/relate?outcome=recovery_score&factor=journal:alcohol", first.url)
  expect((await (await read({ url: relation.href, key })).json()).verdict).toBe("lower")
  await stop()
})

test("a setting of an installation is refused with its name", async () => {
  const child = spawnCommand(
    ["demo"],
    { PORT: "0", DATABASE_URL: "postgres://localhost/restwell", WHOOP_CLIENT_ID: "id" },
    { cwd: directory, stdio: ["ignore", "ignore", "pipe"] },
  )
  let text = ""
  child.stderr?.on("data", (chunk) => {
    text += chunk
  })
  const [code] = await once(child, "close")
  expect(code).not.toBe(0)
  for (const name of ["DATABASE_URL", "WHOOP_CLIENT_ID"]) expect(text).toContain(`${name} is not for the demo`)
})

test("a device that the demo does not have is refused with those that it has", async () => {
  const child = spawnCommand(
    ["demo", "--devices", "oura,fitbits"],
    {},
    { cwd: directory, stdio: ["ignore", "ignore", "pipe"] },
  )
  let text = ""
  child.stderr?.on("data", (chunk) => {
    text += chunk
  })
  expect(await once(child, "close")).toEqual([2, null])
  expect(text).toContain(
    '--devices takes whoop, oura, withings, polar, fitbit_live, intervals, ultrahuman, garmin, apple, android, fitbit, separated by commas, and not "fitbits"',
  )
})

test("a port that another program uses is said, with the one that the demo has instead", async () => {
  const other = createServer()
  other.listen(0, "127.0.0.1")
  await once(other, "listening")
  const address = other.address()
  const taken = typeof address === "object" ? (address?.port ?? 0) : 0
  const { url, printed } = await demo("--port", String(taken))
  const own = new URL(url).port
  expect(own).not.toBe(String(taken))
  expect(printed()).toContain(`Another program uses port ${taken}, so this demo has port ${own}`)
  await stop()
  other.close()
})

test("the next start keeps account, key and data", async () => {
  const again = await demo()
  expect(again.key).toBe(key)
  expect((await read(again)).status).toBe(200)
  await stop()
})

test("--fresh starts with a new account, even after a demo that was killed", async () => {
  await demo()
  running?.removeAllListeners("exit")
  running?.kill("SIGKILL")
  const fresh = await demo("--fresh")
  expect(fresh.key).not.toBe(key)
  expect((await read(fresh)).status).toBe(200)
  await stop()
  // Another start adds devices, and the next one finds their archives there.
  for (const lines of [3, 0]) {
    const several = await demo("--devices", "oura,garmin,apple,fitbit")
    expect(several.key).toBe(fresh.key)
    await expect.poll(several.printed, { timeout: 60_000 }).toMatch(/History complete/)
    const imported = () =>
      several.printed().match(/Archive (?:garmin|apple|fitbit)\.zip: \d{4} records\./g)?.length ?? 0
    await expect.poll(imported, { timeout: 180_000 }).toBe(lines)
    const url = several.url.replace(/\/api\/.*/, "/api/v1/health?type=cycle&days=30&source=all")
    const { sources, records } = await (await read({ url, key: several.key })).json()
    expect(sources.map(({ provider }: { provider: string }) => provider)).toEqual(
      expect.arrayContaining(["apple_health", "garmin", "google_health", "oura", "whoop"]),
    )
    expect(new Set(records.map(({ source }: { source: string }) => source)).size).toBe(5)
    await stop()
  }
  await access(join(directory, ".demo", "demo.json"))
})
