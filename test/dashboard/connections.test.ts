import type { Person } from "@restwell/simulator"
import {
  expectAccessible,
  expectGoodInEveryAppearance,
  openLine,
  useBrowser,
  type Visit,
  visit,
} from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { approveAtVendor } from "@restwell/testing/vendor"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 40 })
})
afterAll(() => service.close())

/** A connected member with an open page, and the same person at the vendor. */
async function connected(path: string): Promise<{ person: Person; member: Member; key: string; window: Visit }> {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  const window = await visit(browser, service, { member })
  await window.open(path)
  return { person, member, key, window }
}

const syncNow = ({ page }: Visit) => page.getByRole("button", { name: "Sync now" }).click()

async function untilStatus(member: Member, status: string): Promise<void> {
  const readStatus = async () => (await (await member.send("GET", "/api/account")).json()).connections[0].status
  await expect.poll(readStatus, { timeout: 30_000 }).toBe(status)
}

test("the only device is open, and “Add data” has a line for each way, with what it brings behind it", async () => {
  const { window } = await connected("/connections")
  const { page } = window
  await page.getByText(/New data of a connection arrives within the hour, because vendors cannot reach this/).waitFor()
  await page.getByRole("region", { name: "WHOOP" }).getByText("Records").waitFor()
  const ways = page.getByRole("region", { name: "Add data" })
  expect(await ways.getByRole("heading", { level: 3 }).allInnerTexts()).toEqual(
    expect.arrayContaining(["Oura", "intervals.icu", "Upload an archive", "Push from a phone"]),
  )
  expect(await page.getByLabel("Archive", { exact: true }).count()).toBe(0)
  await openLine(page, "Upload an archive")
  await ways.getByText(/^Brings your history until the day of the file/).waitFor()
  await page.getByLabel("Archive", { exact: true }).waitFor({ state: "attached" })
  await openLine(page, "intervals.icu")
  await ways.getByText("Does not deliver: ", { exact: false }).first().waitFor()
  await expectGoodInEveryAppearance(page)
  await page.getByRole("link", { name: "Who reads your data" }).click()
  await page.getByRole("heading", { name: "Access", exact: true }).waitFor()
  await page.getByRole("region", { name: "Access log" }).waitFor()
  expect(window.faults).toEqual([])
  await window.close()
})

test("a link to a device opens its line", async () => {
  const member = new Member(service)
  await member.signUp()
  const { page, open, close } = await visit(browser, service, { member })
  await open("/connections#intervals")
  await page.getByLabel("intervals.icu key").waitFor()
  await close()
})

test("“Sync now” applies a change at the vendor", async () => {
  const { person, window } = await connected("/connections")
  const { page } = window
  await page.getByText("Up to date", { exact: true }).waitFor()
  const records = page.getByText("Records").locator("xpath=following-sibling::dd")
  const before = Number(await records.innerText())
  const [workout] = service.simulator.records(person).workouts
  if (!workout) throw new Error("a person without workouts")
  service.simulator.edit.workout.delete(person, workout.id)
  await syncNow(window)
  await page.getByText("Sync requested. New data appears here automatically.").waitFor()
  await expect
    .poll(
      async () => {
        await page.reload()
        return Number(await records.innerText())
      },
      { timeout: 30_000 },
    )
    .toBe(before - 1)
  expect(window.faults).toEqual([])
  await window.close()
})

test("“Sync now” twice within a minute says when to press again", async () => {
  const { window } = await connected("/connections")
  const { page } = window
  await syncNow(window)
  await page.getByText("Sync requested. New data appears here automatically.").waitFor()
  await expect
    .poll(
      async () => {
        await syncNow(window)
        return page
          .getByText(/^The last sync was requested less than a minute ago. You can sync again in \d+ seconds\.$/)
          .count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  expect(await page.getByRole("alert").count()).toBe(0)
  await window.close()
})

test("a sync that waits for the vendor's calls says why and until when", async () => {
  const { member, window } = await connected("/connections")
  const { page } = window
  const account = await (await member.send("GET", "/api/account")).json()
  await service.store.pool.query(
    `update restwell.connection set waiting_reason = 'fair_share', waiting_until = $2,
       waiting_message = 'the vendor allows this service 400 calls a day for all people together, and your share is used up'
     where user_id = $1`,
    [account.user.id, new Date(service.simulator.clock.nowMs() + 3 * 3_600_000)],
  )
  await page.reload()
  await page.getByText("Waiting to sync").waitFor()
  const why = page.getByText(/^The vendor allows this service 400 calls a day .* The sync continues at about /)
  await why.waitFor()
  const leaveSyncing = (more: string) =>
    service.store.pool.query(`update restwell.connection set status = 'syncing'${more} where user_id = $1`, [
      account.user.id,
    ])
  await leaveSyncing("")
  await page.reload()
  await page.getByText("Syncing your WHOOP history").waitFor()
  await why.waitFor()
  await leaveSyncing(", history_complete = false, waiting_reason = null, waiting_message = null, waiting_until = null")
  await page.reload()
  await page
    .getByText("The history is read in the background, newest days first, in turn with other people's.", {
      exact: true,
    })
    .waitFor()
  const progress = page.getByRole("progressbar", { name: "WHOOP history" })
  expect(await progress.textContent()).toMatch(/[\d,]+ records, back to [A-Z][a-z]{2} \d+, \d{4}/)
  await window.close()
})

test("the page that a hanging vendor leads back to says that there is nothing to do", async () => {
  const { window } = await connected("/connections?connected=whoop&problem=not_answering")
  await window.page.getByText(/^WHOOP is connected, but it is not responding\. You have nothing to do: /).waitFor()
  await window.close()
})

test("every page reports a vendor that is down, and stored data stays available", async () => {
  const { person, member, window } = await connected("/connections")
  const { page, open } = window
  service.simulator.faults.add({ match: { path: /\/v2\//, personId: person.userId }, kind: "status", status: 503 })
  await syncNow(window)
  await untilStatus(member, "vendor_unavailable")
  for (const path of ["/", "/trends", "/connections"]) {
    await open(path)
    await page.getByText("WHOOP cannot be read now", { exact: true }).waitFor()
  }
  await open("/trends")
  await page.getByRole("slider", { name: /^Recovery, / }).waitFor()
  service.simulator.faults.clear()
  await open("/connections")
  service.skewClock(61_000)
  await syncNow(window)
  await untilStatus(member, "ok")
  await page.reload()
  await page.getByText("Up to date", { exact: true }).waitFor()
  await window.close()
})

test("every page reports a sync that failed unexpectedly, until one succeeds", async () => {
  const { member, window } = await connected("/connections")
  const { page, open } = window
  const { rows } = await service.store.pool.query(`select id from restwell."user" where email = $1`, [member.email])
  await service.store.pool.query(
    `alter table restwell.record add constraint refused check (user_id <> '${rows[0].id}') not valid`,
  )
  await syncNow(window)
  await untilStatus(member, "failing")
  for (const path of ["/", "/trends", "/start", "/connections"]) {
    await open(path)
    await page.getByText("Syncing WHOOP failed", { exact: true }).waitFor()
  }
  await page.getByText("Sync failed", { exact: true }).waitFor()
  await page
    .getByText(
      /^An unexpected error stopped the sync\. It is tried again at [A-Z][a-z]{2} \d+, \d{4}, .+\. Your stored/,
    )
    .waitFor()
  await expectAccessible(page)
  await open("/account")
  await page.getByText("WHOOP could not be synced").waitFor()
  await service.store.pool.query("alter table restwell.record drop constraint refused")
  service.simulator.clock.advance(61_000)
  await untilStatus(member, "ok")
  await open("/connections")
  await page.getByText("Up to date", { exact: true }).waitFor()
  expect(window.faults).toEqual([])
  await window.close()
})

test("every page asks to reconnect after a revoked authorization, and reconnecting resumes the sync", async () => {
  const { person, member, window } = await connected("/connections")
  const { page, open } = window
  service.simulator.tokens.revokeAll(person)
  await syncNow(window)
  await untilStatus(member, "reauthorization_required")
  for (const path of ["/", "/trends", "/start"]) {
    await open(path)
    await page.getByText("Reconnect WHOOP").waitFor()
  }
  await open("/connections")
  await page.getByText("Reconnect needed").waitFor()
  expect(await page.getByRole("link", { name: "Reconnect" }).getAttribute("href")).toBe(
    "/api/connections/whoop/authorize",
  )
  await member.connect(person)
  await untilStatus(member, "ok")
  await page.reload()
  await page.getByText("Up to date", { exact: true }).waitFor()
  await window.close()
})

test("connecting a vendor account of another account explains what to do", async () => {
  const { person } = await connected("/connections")
  const second = new Member(service)
  await second.signUp()
  const { page, context, close } = await visit(browser, service, { member: second })
  await context.route(/\/oauth\/oauth2\/auth/, async (route) =>
    route.fulfill({
      status: 302,
      headers: { location: (await approveAtVendor(new URL(route.request().url()), person)).href },
    }),
  )
  await page.goto("/api/connections/whoop/authorize")
  await page
    .getByText(
      "This WHOOP account is already connected to another account on this server. Sign in to that account, or disconnect WHOOP there first.",
    )
    .waitFor()
  await openLine(page, "WHOOP")
  await page.getByRole("link", { name: "Connect WHOOP" }).waitFor()
  await expectAccessible(page)
  await close()
})

test("a person whose browser cannot open the redirect URL pastes it, after a wrong one that stays in the field", async () => {
  const person = service.simulator.people.addOne()
  const member = new Member(service)
  await member.signUp()
  const begun = await member.send("GET", "/api/connections/whoop/authorize")
  const ended = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), person)
  const { page, open, close } = await visit(browser, service, { member })
  await open("/connections")
  const panel = page.getByRole("region", { name: "WHOOP" })
  await openLine(page, "WHOOP")
  await panel.getByText("The browser ended on a page that does not open?").click()
  const field = panel.getByLabel("Address after WHOOP")
  await field.fill("https://restwell.example/")
  await panel.getByRole("button", { name: "Complete" }).click()
  await panel.getByText(/not the response to an authorization/).waitFor()
  expect(await field.inputValue()).toBe("https://restwell.example/")
  await expectAccessible(page)
  await field.fill(ended.href)
  await panel.getByRole("button", { name: "Complete" }).click()
  await panel.getByText("Up to date", { exact: true }).waitFor({ timeout: 60_000 })
  await close()
})

describe("disconnecting", () => {
  test("keeps stored data visible, and the API key gets 404", async () => {
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

  test("deletes stored data when chosen", async () => {
    const { member, window } = await connected("/connections")
    const { page } = window
    await page.getByRole("button", { name: "Disconnect" }).click()
    await page.getByRole("radio", { name: /Delete stored data/ }).click()
    await page.getByRole("button", { name: "Disconnect and delete" }).click()
    await page.getByRole("link", { name: "Connect WHOOP" }).waitFor()
    const { records } = await (await member.send("GET", "/api/account/export")).json()
    expect(records).toEqual([])
    await window.close()
  })

  test("can be cancelled with Escape", async () => {
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

test("every page explains why there is no data for a person without records", async () => {
  const person = service.simulator.people.add({ email: "new@vendor.example", history: "none" })
  const { member } = await Member.connected(service, person)
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/")
  await page.getByText("No sleep has been recorded for last night yet.").first().waitFor()
  await open("/trends")
  await page.getByText("No data yet").waitFor()
  await open("/connections")
  await page.getByText("Up to date", { exact: true }).waitFor()
  expect(faults).toEqual([])
  await close()
})
