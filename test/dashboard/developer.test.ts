import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { expectNotKept, useBrowser, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 40 })
})
afterAll(() => service.close())

async function atDeveloper() {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  const window = await visit(browser, service, { member })
  await window.open("/developer")
  return { member, key, ...window }
}

async function regenerate(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Regenerate" }).click()
  await page.getByText("The old key stops working immediately").waitFor()
  await page.getByRole("alertdialog").getByRole("button", { name: "Regenerate" }).click()
  await page.getByText("Copy your key now and store it safely.").waitFor()
}

const responseBody = (page: Page): Promise<string> => page.getByRole("region", { name: "response" }).innerText()

test("a new key is displayed once and works, and the old one stops working", async () => {
  const { key, page, faults, close } = await atDeveloper()
  await page.getByText(`${key.slice(0, 8)}…`).waitFor()
  await regenerate(page)
  const newKey = /rw_\w{38}/.exec(await page.content())?.[0] ?? ""
  expect(newKey).not.toBe(key)
  expect((await readHealth(service.url, key)).status).toBe(401)
  expect((await readHealth(service.url, newKey)).status).toBe(200)
  await expectNotKept(page, newKey)
  await page.reload()
  await page.getByText(`${newKey.slice(0, 8)}…`).waitFor()
  expect(await page.content()).not.toContain(newKey)
  expect(faults).toEqual([])
  await close()
})

test("a key for a part of the data is made with its limits, reads within them, and is ended alone", async () => {
  const { key: primary, page, faults, close } = await atDeveloper()
  const form = page.locator("form", { hasText: "What the key is for" })
  await form.getByLabel("What the key is for").fill("Coach")
  for (const title of [
    "Summary",
    "Recovery",
    "Workouts",
    "Daily strain",
    "Profile",
    "Journal",
    "Values within the day",
    "Statistics",
  ])
    await form.getByLabel(title, { exact: true }).uncheck()
  await form.getByLabel("Dates").selectOption("The last 30 days")
  await form.getByLabel("Ends with").fill(`${new Date().getUTCFullYear() + 1}-03-01`)
  await form.getByRole("button", { name: "Make a key" }).click()
  await page.getByText("Copy your key now and store it safely.").waitFor()
  const key = /rw_\w{38}/.exec(await page.content())?.[0] ?? ""
  expect((await readHealth(service.url, key, "?type=sleep")).status).toBe(200)
  expect((await readHealth(service.url, key, "?type=recovery")).status).toBe(403)
  expect((await readHealth(service.url, key, "?type=sleep&days=31")).status).toBe(403)
  await expectNotKept(page, key)
  await page.getByText("Sleep of the last 30 days, until ").waitFor()
  await page.getByRole("button", { name: "End Coach" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "End key" }).click()
  await page.getByRole("alertdialog").waitFor({ state: "detached" })
  await page.getByRole("list", { name: "Keys" }).waitFor({ state: "detached" })
  expect((await readHealth(service.url, key, "?type=sleep")).status).toBe(401)
  expect((await readHealth(service.url, primary, "?type=sleep")).status).toBe(200)
  expect(faults).toEqual([])
  await close()
})

test("copying reports a browser without a clipboard", async () => {
  const { page, open, close } = await atDeveloper()
  // As on plain http from another machine on the network.
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))
  await open("/developer")
  await page.getByRole("button", { name: "Copy curl recipe" }).click()
  await page.getByText("Copying failed. Select the text and copy it.").waitFor({ state: "attached" })
  await close()
})

test("usage per day can be read by keyboard and as a table", async () => {
  const { key, page, close } = await atDeveloper()
  for (let read = 0; read < 3; read += 1) await readHealth(service.url, key)
  await page.reload()
  await page.getByText("3 of 1,000 requests").waitFor()
  const chart = page.getByRole("slider", { name: /^Requests per day/ })
  await chart.focus()
  expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 3 requests$/)
  await page.keyboard.press("ArrowLeft")
  expect(await chart.getAttribute("aria-valuetext")).toMatch(/: 0 requests$/)
  await page.getByRole("button", { name: "Table of requests per day" }).click()
  expect(await page.getByRole("row").count()).toBe(31)
  await close()
})

test("the console displays status, headers and body, and is not counted without a key", async () => {
  const { member, key, page, close } = await atDeveloper()
  await page.getByLabel("Type").selectOption("sleep")
  await page.getByRole("textbox", { name: "Days" }).fill("3")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByText("200 OK").waitFor()
  const bySession = JSON.parse(await responseBody(page))
  expect(bySession).toEqual(await (await readHealth(service.url, key, "?type=sleep&days=3")).json())
  expect((await (await member.send("GET", "/api/account")).json()).usage.used).toBe(1)

  await page.getByLabel("API key (optional)").fill(key)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByText("GET /api/v1/health?type=sleep&days=3").waitFor()
  expect((await (await member.send("GET", "/api/account")).json()).usage.used).toBe(2)
  await page.getByText("Headers", { exact: true }).click()
  await page.getByText("x-ratelimit-remaining", { exact: true }).waitFor()
  await page.getByRole("button", { name: "Run again with If-None-Match" }).click()
  await page.getByText("304 Not Modified").waitFor()

  await page.getByRole("textbox", { name: "Days" }).fill("91")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByText("400 Bad Request").waitFor()
  expect(JSON.parse(await responseBody(page))).toMatchObject({ error: "invalid_request", field: "days" })
  await page.getByLabel("API key (optional)").fill("rw_wrong")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByText("401 Unauthorized").waitFor()
  await expectNotKept(page, key)
  await close()
})

test("recipes contain the address and the new key, and work unchanged", async () => {
  const { page, close } = await atDeveloper()
  await regenerate(page)
  const key = /rw_\w{38}/.exec(await page.content())?.[0] ?? ""
  const recipe = async (name: string): Promise<string> => {
    await page.getByRole("tab", { name }).click()
    return page.getByRole("region", { name: `${name} recipe` }).innerText()
  }
  for (const name of ["iOS Shortcuts", "Tasker", "Home Assistant"]) {
    const text = await recipe(name)
    expect(text).toContain(`${service.url}/api/v1/health?type=recovery&days=1`)
    expect(text).toContain(`Bearer ${key}`)
  }
  expect(await recipe("TypeScript")).toContain(`createClient({ baseUrl: "${service.url}", apiKey: "${key}" })`)
  const run = promisify(execFile)
  const { stdout } = await run("sh", ["-c", await recipe("curl")])
  expect(JSON.parse(stdout)).toMatchObject({ count: expect.any(Number) })
  const python = await run("python3", ["-c", await recipe("Python")]).catch((error: unknown) => {
    // Skips the check on a machine without Python. Any other failure is an error of the recipe.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { stdout: "2026-11-20 8 h asleep" }
    throw error
  })
  expect(python.stdout).toMatch(/^\d{4}-\d{2}-\d{2} [\d.]+ h asleep/m)
  await close()
})
