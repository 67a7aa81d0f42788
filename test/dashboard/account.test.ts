import { readFile } from "node:fs/promises"
import { addAuthenticator, expectAccessible, expectNotKept, useBrowser, visit } from "@restwell/testing/browser"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 20 })
})
afterAll(() => service.close())

async function atAccount() {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  await window.open("/account")
  return { member, ...window }
}

const signIn = (email: string, password: string) =>
  new Member(service).send("POST", "/api/auth/sign-in/email", { email, password })

test("signing out deletes the session cookie and the page from the history", async () => {
  const { page, context, close } = await atAccount()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  expect((await context.cookies()).filter(({ name, value }) => /session/.test(name) && value !== "")).toEqual([])
  await page.goBack()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  await close()
})

describe("the password", () => {
  test("can be changed, and the old one stops working", async () => {
    const { member, page, close } = await atAccount()
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Password saved.").waitFor()
    expect((await signIn(member.email, member.password)).status).toBe(401)
    expect((await signIn(member.email, "staple battery horse")).status).toBe(200)
    await close()
  })

  test("that anybody tries first is refused at its field", async () => {
    const { member, page, close } = await atAccount()
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("Restwell2026!")
    await page.getByRole("button", { name: "Change password" }).click()
    await page
      .getByText(/^The new password must not be your email address, a part of it, the name of this service/)
      .waitFor()
    expect(await page.getByLabel("New password").getAttribute("aria-invalid")).toBe("true")
    await close()
  })

  test("is changed, and the page offers to replace the API key", async () => {
    const { member, page, faults, open, close } = await atAccount()
    const key = await member.newKey()
    await open("/account")
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Replace the API key too?").waitFor()
    await page.getByRole("button", { name: "Replace the API key" }).click()
    const newKey = await page.getByRole("region", { name: "API key" }).innerText()
    expect(newKey).not.toBe(key)
    expect((await readHealth(service.url, key)).status).toBe(401)
    expect((await readHealth(service.url, newKey)).status).toBe(404)
    await expectNotKept(page, newKey)
    expect(faults).toEqual([])
    await close()
  })

  test("is not changed without the current one", async () => {
    const { page, close } = await atAccount()
    await page.getByLabel("Current password").fill("not it at all")
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("Incorrect current password.").waitFor()
    await close()
  })
})

test("a passkey can be added, and deleted after a confirmation", async () => {
  const { member, page, faults, close } = await atAccount()
  await addAuthenticator(page)
  await page.getByText("No passkeys yet.").waitFor()
  await addPasskey(page, "not the password")
  await page.getByText("Incorrect password.").waitFor()
  await addPasskey(page, member.password)
  await page.getByRole("button", { name: "Delete Laptop" }).click()
  const dialog = page.getByRole("alertdialog")
  const confirm = dialog.getByRole("button", { name: "Delete" })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel("Your password").fill("not the password")
  await confirm.click()
  await dialog.getByText("Incorrect current password").waitFor()
  await dialog.getByLabel("Your password").fill(member.password)
  await confirm.click()
  await page.getByText("No passkeys yet.").waitFor()
  expect(faults).toEqual([])
  await close()
})

async function addPasskey(page: Page, password: string): Promise<void> {
  const panel = page.getByRole("region", { name: "Passkeys" })
  await panel.getByLabel("Name of the new passkey").fill("Laptop")
  await panel.getByLabel("Your password").fill(password)
  await panel.getByRole("button", { name: "Add a passkey" }).click()
}

test("an existing passkey confirms the deletion of a passkey in place of the password", async () => {
  const { member, page, faults, close } = await atAccount()
  await addAuthenticator(page)
  await addPasskey(page, member.password)
  await page.getByRole("button", { name: "Delete Laptop" }).click()
  const dialog = page.getByRole("alertdialog")
  await dialog.getByRole("button", { name: "Confirm with a passkey instead" }).click()
  await dialog.getByRole("button", { name: "Delete" }).click()
  await page.getByText("No passkeys yet.").waitFor()
  expect(faults).toEqual([])
  await close()
})

test("a password change lists the passkeys, which still sign in, and deletes them with it on request", async () => {
  const { member, page, faults, close } = await atAccount()
  await addAuthenticator(page)
  await addPasskey(page, member.password)
  const panel = page.getByRole("region", { name: "Password" })
  const change = async (current: string, next: string) => {
    await panel.getByLabel("Current password").fill(current)
    await panel.getByLabel("New password").fill(next)
    await panel.getByRole("button", { name: "Change password" }).click()
  }
  await panel.getByLabel("Delete my passkey too").waitFor()
  await change(member.password, "staple battery horse")
  await panel.getByText("Your passkeys still sign in").waitFor()
  await panel.getByRole("button", { name: "Delete Laptop" }).waitFor()
  await expectAccessible(page)
  await panel.getByLabel("Delete my passkey too").check()
  await change("staple battery horse", "horse staple battery")
  await page.getByText("No passkeys yet.").waitFor()
  expect(await panel.getByText("Your passkeys still sign in").count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})

test("the export contains every record as JSON, and each type as CSV", async () => {
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  const { member } = await Member.connected(service, person)
  const { page, open, close } = await visit(browser, service, { member })
  await open("/account")
  const text = async (link: string): Promise<string> => {
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: link }).click()
    return readFile(await (await download).path(), "utf8")
  }
  const { user, records } = JSON.parse(await text("All data (JSON)"))
  expect(user.email).toBe(member.email)
  const count = (kind: string) => records.filter((record: { kind: string }) => record.kind === kind).length
  for (const [link, kind] of [
    ["Sleep (CSV)", "sleep"],
    ["Recovery (CSV)", "recovery"],
    ["Workouts (CSV)", "workout"],
    ["Days (CSV)", "cycle"],
  ] as const)
    expect((await text(link)).trimEnd().split("\r\n")).toHaveLength(count(kind) + 1)
  expect(await text("Values within the day (CSV)")).toMatch(/^type,source,device,method,time,value,/)
  await close()
})

describe("the security log", () => {
  const eventsOf = (page: Page) =>
    page.getByRole("region", { name: "Security events" }).getByRole("listitem").allInnerTexts()

  test("describes each event with its time and network", async () => {
    const person = service.simulator.people.add({ email: "maja@vendor.example" })
    const { member, key } = await Member.connected(service, person)
    const wrong = { email: member.email, password: "not the password" }
    expect((await new Member(service).send("POST", "/api/auth/sign-in/email", wrong)).status).toBe(401)
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/account")
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await expect.poll(async () => (await eventsOf(page))[0]).toMatch(/^Password changed/)
    const texts = (await eventsOf(page)).map((text) => text.split("\n")[0])
    expect(texts).toEqual([
      "Password changed",
      "Sign-in failed: wrong password",
      `API key created, ${key.slice(0, 8)}…`,
      "WHOOP connected and up to date",
      "WHOOP connected, history is syncing",
      "Signed in with a password",
      "Account created with a password",
    ])
    expect((await eventsOf(page))[0]).toMatch(/\d{4}, \d{1,2}:\d\d [AP]M, from (127\.0\.0\.1|0:0:0:0::\/64)$/)
    expect(faults).toEqual([])
    await close()
  })

  test("loads older events page by page", async () => {
    const { page, member, open, close } = await atAccount()
    await service.store.pool.query(
      `insert into restwell.security_event (user_id, at, type) select id, now(), 'signed_out'
       from restwell."user", generate_series(1, 130) where email = $1`,
      [member.email],
    )
    await open("/account")
    await page.getByRole("button", { name: "Show older" }).click()
    await expect.poll(async () => (await eventsOf(page)).length).toBe(132)
    await expect.poll(() => page.getByRole("button", { name: "Show older" }).count()).toBe(0)
    await close()
  })
})

describe("deleting the account", () => {
  async function openDialog(page: Page, typed: string, password: string) {
    await page.getByRole("button", { name: "Delete my account" }).click()
    const dialog = page.getByRole("alertdialog")
    await dialog.getByLabel(/^Type .* to confirm$/).fill(typed)
    await dialog.getByLabel("Your password").fill(password)
    return dialog.getByRole("button", { name: "Delete everything" })
  }

  test("requires the typed email address and the password, and ends on a page that confirms it", async () => {
    const { member, page, close } = await atAccount()
    expect(await (await openDialog(page, "somebody@example.com", member.password)).isDisabled()).toBe(true)
    await page.keyboard.press("Escape")
    expect(await (await openDialog(page, member.email, "")).isDisabled()).toBe(true)
    await page.keyboard.press("Escape")
    await (await openDialog(page, member.email, "wrong one")).click()
    await page.getByRole("alertdialog").getByText("Incorrect password.").waitFor()
    await page.getByRole("alertdialog").getByLabel("Your password").fill(member.password)
    await page.getByRole("button", { name: "Delete everything" }).click()
    await page.getByRole("heading", { name: "Your account is deleted" }).waitFor()
    await expectAccessible(page)
    expect((await signIn(member.email, member.password)).status).toBe(401)
    await close()
  })

  test("says that nobody becomes the owner where the owner deletes", async () => {
    await new Member(service).signUp()
    const { member, page, open, close } = await atAccount()
    await service.store.pool.query(
      `insert into restwell.owner (user_id) select id from restwell."user" where email = $1
       on conflict (is_only) do update set user_id = excluded.user_id`,
      [member.email],
    )
    await open("/account")
    await openDialog(page, member.email, member.password)
    await page.getByRole("alertdialog").getByText("none of them becomes the owner").waitFor()
    await close()
  })
})

test("units and clock are saved at once, and begin with those of the browser", async () => {
  const { member, page, faults, close } = await atAccount()
  const panel = page.getByRole("region", { name: "Units and clock" })
  const stored = async () => (await member.send("GET", "/api/account/preferences")).json()
  await expect.poll(async () => (await stored()).stored).toEqual(["units", "clock", "first_weekday", "time_zone"])
  // Saturday may be the first weekday and a day off.
  const choices = panel.locator(":not([aria-label='Days off']) > button")
  const isPressed = (name: string) => choices.filter({ hasText: name }).getAttribute("aria-pressed")
  expect((await stored()).units).toBe((await isPressed("mi, lb, °F")) === "true" ? "imperial" : "metric")
  for (const [name, key, value] of [
    ["km, kg, °C", "units", "metric"],
    ["mi, lb, °F", "units", "imperial"],
    ["23:41", "clock", "24h"],
    ["11:41 PM", "clock", "12h"],
    ["Saturday", "first_weekday", "saturday"],
  ] as const) {
    await choices.filter({ hasText: name }).click()
    await expect.poll(async () => (await stored())[key]).toBe(value)
    await expect.poll(() => isPressed(name)).toBe("true")
  }
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
})

test("days off are toggles from the first day of the week on, by mouse and keyboard, and one at least stays", async () => {
  const { member, page, faults, close } = await atAccount()
  const daysOff = async () => (await (await member.send("GET", "/api/account/preferences")).json()).days_off
  const panel = page.getByRole("region", { name: "Units and clock" })
  await panel.getByRole("group", { name: "Week starts on" }).getByRole("button", { name: "Saturday" }).click()
  const group = panel.getByRole("group", { name: "Days off" })
  const day = (name: string) => group.getByRole("button", { name })
  await expect.poll(() => group.getByRole("button").first().textContent()).toBe("SatSaturday")
  const pressed = () => group.locator("[aria-pressed=true] > [aria-hidden]").allTextContents()
  expect(await pressed()).toEqual(["Sat", "Sun"])
  await day("Friday").click()
  await expect.poll(daysOff).toEqual(["saturday", "sunday", "friday"])
  await day("Saturday").focus()
  await page.keyboard.press("ArrowRight")
  await page.keyboard.press("Space")
  await expect.poll(daysOff).toEqual(["saturday", "friday"])
  await day("Saturday").click()
  await expect.poll(daysOff).toEqual(["friday"])
  await day("Friday").click()
  await day("Monday").click()
  await expect.poll(daysOff).toEqual(["monday", "friday"])
  await expect.poll(pressed).toEqual(["Mon", "Fri"])
  await page.reload()
  await expect.poll(pressed).toEqual(["Mon", "Fri"])
  await expectAccessible(page)
  expect(faults).toEqual([])
  await close()
})

test("a chosen theme persists and does not flash", async () => {
  const { page, close } = await atAccount()
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const light = await background()
  await page.getByRole("button", { name: "Dark" }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.reload({ waitUntil: "commit" })
  await page.locator("#root").waitFor({ state: "attached" })
  expect(await background()).toBe(dark)
  await page.getByRole("button", { name: "System" }).click()
  expect(await background()).toBe(light)
  await close()
})
