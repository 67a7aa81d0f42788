import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DAY_MS } from "@restwell/client/time-units"
import { appleArchive, appleRows, garminArchive, garminRows, startOuraSimulator } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { expectAccessible, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let folder: string
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  folder = await mkdtemp(join(tmpdir(), "restwell-upload-"))
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  await writeFile(join(folder, "my_whoop_data.zip"), whoopArchive(service.simulator.records(person)))
  await writeFile(join(folder, "sleeps.csv"), "a;b;c\n1;2;3\n")
  const rings = await startOuraSimulator({ seed: 3, now: service.simulator.clock.now(), days: 40 })
  const [wearer] = rings.people.list()
  if (!wearer) throw new Error("nobody at Oura")
  const others = [{ name: "1_LhaBackup_2.zip", bytes: Buffer.from("a backup") }]
  await writeFile(join(folder, "garmin.zip"), garminArchive(garminRows(rings.records(wearer)), { others }))
  await writeFile(join(folder, "export.zip"), appleArchive(appleRows(rings.records(wearer))))
  await rings.close()
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await service.close()
})

/** Where screenshots for people go, if anywhere. */
const SCREENSHOTS = process.env["RESTWELL_TEST_SCREENSHOTS"]

test.each([
  ["desktop", {}],
  ["phone", { viewport: PHONE, colorScheme: "dark" as const }],
])("an archive is uploaded, reported and undone on a %s", async (device, look) => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member, ...look })
  const { page } = window
  const shoot = async (name: string) => {
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${device}.png`), fullPage: true })
  }
  await window.open("/connections#archives")
  const chooser = page.getByLabel("Archive", { exact: true })
  // A database or an XML file can be chosen too, and one without an ending.
  expect(await chooser.getAttribute("accept")).toBeNull()
  await chooser.setInputFiles(join(folder, "sleeps.csv"))
  await page
    .getByText(
      /Failed: sleeps\.csv is no export that Restwell reads\. Its first line, "a;b;c", names no table that is known here/,
    )
    .waitFor()
  await page.getByLabel("Archive", { exact: true }).setInputFiles(join(folder, "my_whoop_data.zip"))
  await page
    .getByText(/Uploading|Waiting|Importing/)
    .first()
    .waitFor()
  await shoot("importing")
  await page.getByText(/[\d,]+ stored, 0 already here/).waitFor()
  await page.getByText("From an archive", { exact: true }).waitFor()
  await page.getByText(/rows left out/).click()
  await page.getByText(/answers about private topics/).waitFor()
  await expectAccessible(page)
  await shoot("report")
  await page.getByRole("button", { name: "Undo my_whoop_data.zip" }).click()
  await page.getByRole("button", { name: "Undo import" }).click()
  await expect
    .poll(() => page.getByRole("button", { name: "Undo my_whoop_data.zip" }).count(), { timeout: 30_000 })
    .toBe(0)
  await page.getByText("From an archive", { exact: true }).waitFor({ state: "detached" })
  expect(window.faults).toEqual([])
  await window.close()
})

test("Garmin's archive: how to get it, what it brought, and its data on a desktop", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  const { page } = window
  const shoot = async (name: string) => {
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-desktop.png`), fullPage: true })
  }
  await window.open("/connections#archives")
  await page.getByRole("tab", { name: "Garmin" }).click()
  await page.getByText(/Order it again every half year/).waitFor()
  await shoot("garmin-steps")
  await page.getByLabel("Archive", { exact: true }).setInputFiles(join(folder, "garmin.zip"))
  await page.getByText(/Garmin archive, uploaded/).waitFor()
  await page.getByText(/[\d,]+ stored, 0 already here/).waitFor()
  await page.getByText(/\d weights, [A-Z].* \d{4}$/).waitFor()
  await page.getByText("1 row left out").click()
  await page.getByText("backups of devices").waitFor()
  await page.getByRole("list", { name: "Garmin delivers" }).getByText("Steps").waitFor()
  await expectAccessible(page)
  await shoot("garmin-report")
  await window.open("/")
  await page.getByText(/comes from archives/).waitFor()
  await window.open("/account")
  await page.getByText("Garmin data comes from archives", { exact: true }).waitFor()
  await window.open("/")
  await shoot("garmin-today")
  expect(window.faults).toEqual([])
  await window.close()
})

test("an archive can be dropped onto the page, and Today shows its data", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  const { page } = window
  await window.open("/connections#archives")
  const person = service.simulator.people.list()[0]
  if (!person) throw new Error("nobody at the vendor")
  const base64 = whoopArchive(service.simulator.records(person)).toString("base64")
  const transfer = await page.evaluateHandle((text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
    const dropped = new DataTransfer()
    dropped.items.add(new File([bytes], "dropped.zip"))
    return dropped
  }, base64)
  const area = page.getByText("Drop a file here").locator("..")
  await area.dispatchEvent("drop", { dataTransfer: transfer })
  await page.getByText("dropped.zip").waitFor()
  await page.getByText(/[\d,]+ stored/).waitFor()
  await window.open("/")
  await page.getByText(/comes from archives/).waitFor()
  expect(window.faults).toEqual([])
  await window.close()
})

test("Apple Health's export: how to get it, what it brought, and its data on a phone", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member, viewport: PHONE, colorScheme: "dark" })
  const { page } = window
  const shoot = async (name: string) => {
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-phone.png`), fullPage: true })
  }
  await window.open("/connections#archives")
  await page.getByRole("tab", { name: "Apple Health" }).click()
  await page.getByText(/choose Export All Health Data/).waitFor()
  await page.getByLabel("Archive", { exact: true }).setInputFiles(join(folder, "export.zip"))
  await page.getByText(/Apple Health export, uploaded/).waitFor()
  await page.getByText(/[\d,]+ stored, 0 already here/).waitFor()
  await page.getByText(/Rows of Oura are copies/).waitFor()
  await page.getByRole("list", { name: "Apple Health delivers" }).getByText("Steps").waitFor()
  await expectAccessible(page)
  await shoot("apple-report")
  await window.open("/")
  await page.getByText(/comes from archives/).waitFor()
  await shoot("apple-today")
  expect(window.faults).toEqual([])
  await window.close()
})

test("a file that a proxy refuses as too large is told so, with the way that has no proxy", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  const { page } = window
  const refusal = { status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" }
  await page.route("**/api/imports", (route) =>
    route.request().method() === "POST" ? route.fulfill(refusal) : route.continue(),
  )
  await window.open("/connections#archives")
  await page
    .locator("input[type=file]")
    .setInputFiles({ name: "export.zip", mimeType: "application/zip", buffer: Buffer.from("PK") })
  await page.getByText(/a proxy in front of Restwell refuses files of this size/i).waitFor()
  await window.close()
})

test("the history of a Fitbit is found under its name", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  await window.open("/connections#archives")
  await window.page.getByRole("tab", { name: /Fitbit/ }).click()
  await window.page.getByText(/Fitbit's history is in Google Takeout/).waitFor()
  await window.close()
})

test("a token to push is shown once, stores what is sent, and ends on a phone", async () => {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member, viewport: PHONE, colorScheme: "dark" })
  const { page } = window
  await window.open("/connections#push")
  const panel = page.getByRole("region", { name: "Push from a phone" })
  // The phone cannot send to an address of this computer alone.
  await panel.getByText("Only this computer can open this address").waitFor()
  await panel.getByLabel("Name of the phone").fill("Ada's phone")
  await panel.getByRole("button", { name: "Make a token" }).click()
  await panel.getByText("Copy the token now. You cannot view it again.").waitFor()
  const authorization = await panel.getByText(/^Bearer rwi_/).innerText()
  await panel.getByRole("tab", { name: "Shortcuts, Tasker" }).click()
  const address = await panel.getByText(/\/api\/ingest\/records$/).innerText()
  await panel.getByText("not used yet").waitFor()
  await expectAccessible(page)
  const records = [9, 2].map((days) => ({
    ...{ type: "weight", start: new Date(Date.now() - days * DAY_MS).toISOString() },
    ...{ value: 71.2, unit: "kg", source: "Scale" },
  }))
  const push = (path: string, method: string) =>
    fetch(path, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(method === "POST" && { body: JSON.stringify({ records }) }),
    })
  const pushed = await push(address, "POST")
  expect([pushed.status, await pushed.json()]).toEqual([200, { stored: 2, unchanged: 0, ignored: [] }])
  expect((await push(`${service.url}/api/v1/health?type=sleep`, "GET")).status).toBe(401)
  await page.reload()
  await panel.getByText(/last push/).waitFor()
  expect(await page.getByText(authorization.replace("Bearer ", "")).count()).toBe(0)
  await panel.getByRole("button", { name: "End Ada's phone" }).click()
  await page.getByRole("button", { name: "End token" }).click()
  // While the dialog is open, the panel behind it has no role.
  await page.getByRole("alertdialog").waitFor({ state: "hidden" })
  await panel.getByText("last push").waitFor({ state: "detached" })
  expect((await push(address, "POST")).status).toBe(401)
  // A person weighs now and then: a date without a weight lacks nothing.
  await window.open("/trends?metric=weight&days=30")
  const weights = page.getByRole("region", { name: "Weight", exact: true })
  await weights.getByRole("slider", { name: /^Weight, / }).waitFor()
  expect(await weights.getByText("no data", { exact: true }).count()).toBe(0)
  expect(window.faults).toEqual([])
  await window.close()
})
