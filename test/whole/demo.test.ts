import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { access, chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { freePort } from "../../packages/server/src/demo/free-port.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname

let directory: string
let running: ChildProcess | undefined
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "restwell-demo-"))
  await chmod(directory, 0o755)
})
afterAll(async () => {
  if (running) await stop()
  await rm(directory, { recursive: true })
})

/** Runs the demo until it has printed what it promises; resolves with the address and the key of its curl line. */
async function demo(...args: string[]): Promise<{ url: string; key: string; printed: () => string }> {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [PROGRAM, "demo", ...args], {
    cwd: directory,
    env: { PATH, PORT: String(await freePort(0)) },
    stdio: ["ignore", "pipe", "inherit"],
  })
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
  child?.removeAllListeners("exit")
  child?.kill("SIGINT")
  if (child) expect(await once(child, "exit")).toEqual([0, null])
}

const read = ({ url, key }: { url: string; key: string }): Promise<Response> =>
  fetch(url, { headers: { authorization: `Bearer ${key}` } })

let key: string

test("prints a curl line that works, an account, and how far the year has come", async () => {
  const first = await demo()
  key = first.key
  const answer = await read(first)
  expect(answer.status).toBe(200)
  expect((await answer.json()).count).toBeGreaterThan(0)
  await expect.poll(first.printed, { timeout: 60_000 }).toMatch(/History complete: 1\d{3} records/)
  expect(first.printed()).toMatch(/Account {4}\S+@\S+, password \S+/)
  await stop()
})

test("the next start keeps account, key and data", async () => {
  const again = await demo()
  expect(again.key).toBe(key)
  expect((await read(again)).status).toBe(200)
  await stop()
})

test("--fresh begins anew, also after a demo that was killed", async () => {
  await demo()
  running?.removeAllListeners("exit")
  running?.kill("SIGKILL")
  const fresh = await demo("--fresh")
  expect(fresh.key).not.toBe(key)
  expect((await read(fresh)).status).toBe(200)
  await stop()
  await access(join(directory, ".demo", "demo.json"))
})
