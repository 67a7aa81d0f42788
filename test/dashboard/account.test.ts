import { readFile } from "node:fs/promises"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { launchChromium } from "../browser/launch-chromium.ts"
import { addAuthenticator, visit } from "../support/browser.ts"
import { Member } from "../support/member.ts"
import { startTestService, type TestService } from "../support/service.ts"

let service: TestService
let browser: Browser
beforeAll(async () => {
  service = await startTestService({ days: 20 })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await service.close()
})

async function atAccount() {
  const member = new Member(service)
  await member.signUp()
  const window = await visit(browser, service, { member })
  await window.open("/account")
  return { member, ...window }
}

const signIn = (email: string, password: string) =>
  new Member(service).send("POST", "/api/auth/sign-in/email", { email, password })

test("signing out leaves nothing behind", async () => {
  const { page, context, close } = await atAccount()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  expect((await context.cookies()).filter(({ name, value }) => /session/.test(name) && value !== "")).toEqual([])
  await page.goBack()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  await close()
})

describe("the password", () => {
  test("is changed, and the old one is dead", async () => {
    const { member, page, close } = await atAccount()
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("The password is set.").waitFor()
    expect((await signIn(member.email, member.password)).status).toBe(401)
    expect((await signIn(member.email, "staple battery horse")).status).toBe(200)
    await close()
  })

  test("is not changed with a wrong one", async () => {
    const { page, close } = await atAccount()
    await page.getByLabel("Current password").fill("not it at all")
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await page.getByText("This is not your current password.").waitFor()
    await close()
  })
})

test("a passkey is added, asked about, and deleted", async () => {
  const { page, faults, close } = await atAccount()
  await addAuthenticator(page)
  await page.getByText("You have none yet.").waitFor()
  await page.getByLabel("Name of the new passkey").fill("Laptop")
  await page.getByRole("button", { name: "Add a passkey" }).click()
  await page.getByRole("button", { name: "Delete Laptop" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click()
  await page.getByText("You have none yet.").waitFor()
  expect(faults).toEqual([])
  await close()
})

test("everything is exported as a file, and each type as a table", async () => {
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  const { member } = await Member.connected(service, person)
  const { page, open, close } = await visit(browser, service, { member })
  await open("/account")
  const text = async (link: string): Promise<string> => {
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: link }).click()
    return readFile(await (await download).path(), "utf8")
  }
  const { user, records } = JSON.parse(await text("Everything, JSON"))
  expect(user.email).toBe(member.email)
  const count = (kind: string) => records.filter((record: { kind: string }) => record.kind === kind).length
  for (const [link, kind] of [
    ["Sleep, CSV", "sleep"],
    ["Recovery, CSV", "recovery"],
    ["Workouts, CSV", "workout"],
    ["Days, CSV", "cycle"],
  ] as const)
    expect((await text(link)).trimEnd().split("\r\n")).toHaveLength(count(kind) + 1)
  await close()
})

describe("what happened to the account", () => {
  const eventsOf = (page: Page) =>
    page.getByRole("region", { name: "Security events" }).getByRole("listitem").allInnerTexts()

  test("is told in plain words, with when and from where", async () => {
    const person = service.simulator.people.add({ email: "maja@vendor.example" })
    const { member, key } = await Member.connected(service, person)
    const wrong = { email: member.email, password: "not the password" }
    expect((await new Member(service).send("POST", "/api/auth/sign-in/email", wrong)).status).toBe(401)
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open("/account")
    await page.getByLabel("Current password").fill(member.password)
    await page.getByLabel("New password").fill("staple battery horse")
    await page.getByRole("button", { name: "Change password" }).click()
    await expect.poll(async () => (await eventsOf(page))[0]).toMatch(/^The password was changed/)
    const texts = (await eventsOf(page)).map((text) => text.split("\n")[0])
    expect(texts).toEqual([
      "The password was changed",
      "Somebody typed a wrong password",
      `An API key was made, ${key.slice(0, 8)}…`,
      "WHOOP is connected and in step",
      "WHOOP is connected, its history follows",
      "Signed in with a password",
      "You made this account with a password",
    ])
    expect((await eventsOf(page))[0]).toMatch(/\d{4}, \d{1,2}:\d\d [AP]M, from (127\.0\.0\.1|0:0:0:0::\/64)$/)
    expect(faults).toEqual([])
    await close()
  })

  test("is read page by page", async () => {
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
  async function openDialog(page: Page, typed: string) {
    await page.getByRole("button", { name: "Delete my account" }).click()
    await page.getByLabel(/^Type .* to confirm$/).fill(typed)
    return page.getByRole("button", { name: "Delete everything" })
  }

  test("waits until the address is typed, then nothing is left", async () => {
    const { member, page, close } = await atAccount()
    expect(await (await openDialog(page, "somebody@example.com")).isDisabled()).toBe(true)
    await page.keyboard.press("Escape")
    await (await openDialog(page, member.email)).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    expect((await signIn(member.email, member.password)).status).toBe(401)
    await close()
  })

  test("asks for the password when the sign-in is old", async () => {
    const { member, page, close } = await atAccount()
    await service.store.pool.query(`update restwell.session set "createdAt" = "createdAt" - interval '2 hours'`)
    await (await openDialog(page, member.email)).click()
    await page.getByLabel("Your password").fill("wrong one")
    await page.getByRole("button", { name: "Delete everything" }).click()
    await page.getByText("Incorrect password, nothing was deleted.").waitFor()
    await page.getByLabel("Your password").fill(member.password)
    await page.getByRole("button", { name: "Delete everything" }).click()
    await page.getByRole("heading", { name: "Sign in" }).waitFor()
    expect((await signIn(member.email, member.password)).status).toBe(401)
    await close()
  })
})

test("the theme that was chosen stays, and does not flash", async () => {
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
