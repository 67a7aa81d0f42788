// What a person typed stays until the service has stored it, whatever goes wrong on the way.
import { OwnJournalResponseSchema } from "@restwell/client"
import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 5, now: new Date("2026-11-20T13:18:00Z"), isStill: true })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

const NOTE = "Slept at my sister's, and woke at four"
const journal = (page: Page) => page.getByRole("region", { name: /^Log / })
const noteField = (page: Page) => journal(page).getByLabel("Note")
const openJournal = (page: Page) => journal(page).getByRole("button", { name: "Open the journal" }).click()
const notSaved = (page: Page) => page.getByText("Not saved yet").waitFor()

async function storedNote(date: string): Promise<string | null> {
  const answer = await member.send("GET", `/api/account/journal/${date}`)
  return OwnJournalResponseSchema.parse(await answer.json()).note
}

/** The service out of reach, or in trouble, for everything that is changed. */
const FAILURES: readonly [name: string, date: string, fail: (page: Page) => Promise<unknown>][] = [
  [
    "an answer of 503",
    "2026-11-17",
    (page) =>
      page.route("**/api/**", (route) =>
        route.request().method() === "GET"
          ? route.continue()
          : route.fulfill({ status: 503, json: { error: "unavailable", message: "the database does not answer" } }),
      ),
  ],
  [
    "a connection that breaks",
    "2026-11-18",
    (page) =>
      page.route("**/api/**", (route) => (route.request().method() === "GET" ? route.continue() : route.abort())),
  ],
]

describe.each(FAILURES)("%s", (_name, date, fail) => {
  test("leaves the journal's note on its date, through another page and a reload", async () => {
    const { page, open, close } = await visit(browser, service, { member })
    await fail(page)
    await open(`/?date=${date}`)
    await openJournal(page)
    await noteField(page).fill(NOTE)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("alert").first().waitFor()
    await notSaved(page)
    await open("/trends")
    await open(`/?date=${date}`)
    await expect.poll(() => noteField(page).inputValue()).toBe(NOTE)
    await page.reload()
    await expect.poll(() => noteField(page).inputValue()).toBe(NOTE)
    await notSaved(page)
    expect(await storedNote(date)).toBeNull()
    await page.unrouteAll()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await storedNote(date)).toBe(NOTE)
    await close()
  })

  test.each([
    ["/connections#push", "Name of the phone", "Make a token", "Ada's phone"],
    ["/sign-up", "Name", "Create account", "Ada Lovelace"],
  ])("leaves what was typed at %s", async (path, label, button, typed) => {
    const { page, open, close } = await visit(browser, service, path === "/sign-up" ? {} : { member })
    await fail(page)
    await open(path)
    if (path === "/sign-up") {
      await page.getByLabel("Email address").fill("ada.l@example.com")
      await page.getByLabel("Password").fill("correct horse battery staple")
    }
    await page.getByLabel(label, { exact: true }).fill(typed)
    await page.getByRole("button", { name: button }).click()
    await page.getByRole("alert").first().waitFor()
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(typed)
    await close()
  })
})

test("a refetch that fails leaves a new key and a form that is half filled in, with the failure above them", async () => {
  const { page, open, close } = await visit(browser, service, { member })
  await open("/developer")
  const name = page.getByLabel("What the key is for")
  await name.fill("Coach")
  await page.route("**/api/account", (route) =>
    route.fulfill({ status: 503, json: { error: "unavailable", message: "the database does not answer" } }),
  )
  // Every change asks for the account again.
  await page.getByRole("button", { name: "Regenerate" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Regenerate" }).click()
  const newKey = page.getByText("Copy your key now and store it safely.")
  await newKey.waitFor()
  await page.getByRole("alert").getByText("The database does not answer.").waitFor()
  expect([await newKey.isVisible(), await name.inputValue()]).toEqual([true, "Coach"])
  await page.unroute("**/api/account")
  await page.getByRole("button", { name: "Try again" }).click()
  await page.getByRole("alert").waitFor({ state: "detached" })
  expect([await newKey.isVisible(), await name.inputValue()]).toEqual([true, "Coach"])
  await close()
})

test("a session that ends leaves the note for the person, and for nobody else at the same browser", async () => {
  const date = "2026-11-19"
  const { page, open, close } = await visit(browser, service, { member })
  await open(`/?date=${date}`)
  await openJournal(page)
  await noteField(page).fill(NOTE)
  await member.send("POST", "/api/auth/sign-out")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Your session has ended. Sign in again to continue.").waitFor()
  expect(page.url()).toContain(`?next=${encodeURIComponent(`/?date=${date}`)}`)
  await page.getByLabel("Email address").fill(member.email)
  await page.getByLabel("Password").fill(member.password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect.poll(() => noteField(page).inputValue()).toBe(NOTE)
  await notSaved(page)
  await open("/account")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByRole("heading", { name: "Sign in" }).waitFor()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain("sister")
  await close()
})
