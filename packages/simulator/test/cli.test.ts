import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterEach, expect, test } from "vitest"

const CLI = fileURLToPath(new URL("../src/cli.ts", import.meta.url))
let child: ChildProcess | undefined

afterEach(() => {
  child?.kill("SIGKILL")
})

function run(...options: string[]): { output: () => string; errors: () => string; started: ChildProcess } {
  const started = spawn(process.execPath, [CLI, ...options], { stdio: ["ignore", "pipe", "pipe"] })
  child = started
  let output = ""
  let errors = ""
  started.stdout.on("data", (chunk) => {
    output += String(chunk)
  })
  started.stderr.on("data", (chunk) => {
    errors += String(chunk)
  })
  return { output: () => output, errors: () => errors, started }
}

test("prints its address and people, responds, and exits on SIGTERM", async () => {
  const { output, started } = run("--port", "0", "--now", "2026-11-20T12:00:00Z", "--days", "3", "--people", "2")
  await expect.poll(output, { timeout: 30_000 }).toContain("Controls:")
  expect(output()).toContain("lena@example.com")
  expect(output()).toContain("member-4@example.com")
  const url = /WHOOP_BASE_URL=(\S+)/.exec(output())?.[1] ?? ""
  const reply = await fetch(`${url}/_simulator/clock`)
  expect(await reply.json()).toEqual({ now: "2026-11-20T12:00:00.000Z" })
  started.kill("SIGTERM")
  expect(await once(started, "exit")).toEqual([0, null])
})

test("simulates Oura too, for the same people and by the same clock", async () => {
  const options = ["--port", "0", "--oura-port", "0", "--now", "2026-11-20T12:00:00Z", "--days", "3"]
  const { output, started } = run(...options)
  await expect.poll(output, { timeout: 30_000 }).toContain("Controls:")
  const [whoop, oura] = ["WHOOP", "OURA"].map((name) => new RegExp(`${name}_BASE_URL=(\\S+)`).exec(output())?.[1] ?? "")
  const moved = { method: "POST", headers: { "content-type": "application/json" }, body: '{"advanceMs":60000}' }
  await fetch(`${whoop}/_simulator/clock`, moved)
  expect(await (await fetch(`${oura}/_simulator/clock`)).json()).toEqual({ now: "2026-11-20T12:01:00.000Z" })
  expect(await (await fetch(`${oura}/_simulator/people/lena@example.com/records`)).json()).toHaveProperty("sleep")
  started.kill("SIGTERM")
  expect(await once(started, "exit")).toEqual([0, null])
})

test.each([
  [["--port", "many"], "--port needs a whole number"],
  [["--now", "tomorrow"], "--now needs an instant"],
  [["--colour", "red"], "--colour"],
])("explains what is wrong with %j", async (options, message) => {
  const { errors, started } = run(...options)
  expect(await once(started, "exit")).toEqual([1, null])
  expect(errors()).toContain(message)
})
