import type { Person } from "@restwell/simulator"
import { launchChromium, type Visit, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startTestService({ days: 40 })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

/** A connected member in front of a page, and the person that they are at the vendor. */
async function connected(path: string): Promise<{ person: Person; member: Member; key: string; window: Visit }> {
  const person = service.simulator.people.add({ email: `${crypto.randomUUID()}@vendor.example` })
  const { member, key } = await Member.connected(service, person)
  const window = await visit(browser, service, { member })
  await window.open(path)
  return { person, member, key, window }
}

const syncNow = ({ page }: Visit) => page.getByRole("button", { name: "Sync now" }).click()

async function untilStatus(member: Member, status: string): Promise<void> {
  const look = async () => (await (await member.send("GET", "/api/account")).json()).connections[0].status
  await expect.poll(look, { timeout: 30_000 }).toBe(status)
}

test("sync now brings what the vendor changed", async () => {
  const { person, window } = await connected("/connections")
  const { page } = window
  await page.getByText("In step", { exact: true }).waitFor()
  const shown = page.getByText("Records").locator("xpath=following-sibling::dd")
  const before = Number(await shown.innerText())
  const [workout] = service.simulator.records(person).workouts
  if (!workout) throw new Error("a person without workouts")
  service.simulator.edit.workout.delete(person, workout.id)
  await syncNow(window)
  await page.getByText("Asked for. New figures show here by themselves.").waitFor()
  await expect
    .poll(
      async () => {
        await page.reload()
        return Number(await shown.innerText())
      },
      { timeout: 20_000 },
    )
    .toBe(before - 1)
  expect(window.faults).toEqual([])
  await window.close()
})

test("a vendor that is down is said on every page, and what was stored stays there", async () => {
  const { person, member, window } = await connected("/connections")
  const { page, open } = window
  service.simulator.faults.add({ match: { path: /\/v2\//, personId: person.userId }, kind: "status", status: 503 })
  await syncNow(window)
  await untilStatus(member, "vendor_unavailable")
  for (const path of ["/", "/trends", "/connections"]) {
    await open(path)
    await page.getByText("WHOOP does not answer", { exact: true }).waitFor()
  }
  await open("/trends")
  await page.getByRole("slider", { name: /^Recovery, / }).waitFor()
  service.simulator.faults.clear()
  await open("/connections")
  await syncNow(window)
  await untilStatus(member, "ok")
  await page.reload()
  await page.getByText("In step", { exact: true }).waitFor()
  await window.close()
})

test("an authorization that ended is said with what to do, and connecting again goes on where it was", async () => {
  const { person, member, window } = await connected("/connections")
  const { page, open } = window
  service.simulator.tokens.revokeAll(person)
  await syncNow(window)
  await untilStatus(member, "reauthorization_required")
  for (const path of ["/", "/trends", "/start"]) {
    await open(path)
    await page.getByText("WHOOP ended the authorization").waitFor()
  }
  await open("/connections")
  await page.getByText("Needs you").waitFor()
  expect(await page.getByRole("link", { name: "Connect again" }).getAttribute("href")).toBe(
    "/api/connections/whoop/authorize",
  )
  await member.connect(person)
  await untilStatus(member, "ok")
  await page.reload()
  await page.getByText("In step", { exact: true }).waitFor()
  await window.close()
})

describe("disconnecting", () => {
  test("keeps the data when asked to, shows it, and the key says what is missing", async () => {
    const { key, window } = await connected("/connections")
    const { page, open } = window
    await page.getByRole("button", { name: "Disconnect" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click()
    await page.getByText("WHOOP is disconnected").waitFor()
    expect((await readHealth(service.url, key)).status).toBe(404)
    await open("/trends")
    await page.getByRole("slider", { name: /^Recovery, / }).waitFor()
    await window.close()
  })

  test("deletes the data when asked to", async () => {
    const { member, window } = await connected("/connections")
    const { page } = window
    await page.getByRole("button", { name: "Disconnect" }).click()
    await page.getByRole("radio", { name: /Delete what was stored/ }).click()
    await page.getByRole("button", { name: "Disconnect and delete" }).click()
    await page.getByRole("link", { name: "Connect WHOOP" }).waitFor()
    const { records } = await (await member.send("GET", "/api/account/export")).json()
    expect(records).toEqual([])
    await window.close()
  })

  test("can be thought better of, with Escape", async () => {
    const { member, window } = await connected("/connections")
    const { page } = window
    await page.getByRole("button", { name: "Disconnect" }).click()
    await page.getByRole("alertdialog").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").waitFor({ state: "hidden" })
    expect((await (await member.send("GET", "/api/account")).json()).connections[0].status).toBe("ok")
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Disconnect")
    await window.close()
  })
})

test("a person without a single record sees why, on every page", async () => {
  const person = service.simulator.people.add({ email: "new@vendor.example", history: "none" })
  const { member } = await Member.connected(service, person)
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/")
  await page.getByText("No night has arrived for today yet.").first().waitFor()
  await open("/trends")
  await page.getByText("Nothing was recorded in these dates").waitFor()
  await open("/connections")
  await page.getByText("In step", { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})
