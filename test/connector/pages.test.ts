import { Browser as PlainBrowser, register } from "@restwell/testing/assistant"
import { DESKTOP, expectAccessible, expectNoSidewaysScroll, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { documentedRequestOf, fetchDocument, requestOf } from "./assistant-requests.ts"
import { type CallbackServer, startCallbackServer } from "./callback-server.ts"

let service: TestService
const browser = useBrowser()
let member: Member
let callback: CallbackServer
beforeAll(async () => {
  service = await startTestService({ days: 3, role: "api", fetchDocument })
  callback = await startCallbackServer()
  member = new Member(service)
  await member.signUp()
})
afterAll(async () => {
  await callback.close()
  await service.close()
})

const consentTitle = (page: Page) => page.getByRole("heading", { name: /read your data\?$/ })
const NARROW = { width: 320, height: 640 }

describe.each([
  ["dark", DESKTOP],
  ["light", DESKTOP],
  ["dark", PHONE],
  ["light", PHONE],
  ["light", NARROW],
] as const)("%s, %o", (colorScheme, viewport) => {
  test("every page is accessible, and does not scroll sideways", async () => {
    const expectUsable = async (page: Page) => {
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
    const signedOut = await visit(browser, service, { colorScheme, viewport })
    await signedOut.page.goto(await requestOf(service))
    await signedOut.page.getByText("To connect your assistant.").waitFor()
    await expectUsable(signedOut.page)
    await signedOut.page.goto("/oauth/authorize?client_id=nobody&response_type=code")
    await expectUsable(signedOut.page)
    await signedOut.page.goto("/oauth/consent/gone")
    await expectUsable(signedOut.page)
    await signedOut.close()

    const { page, faults, close } = await visit(browser, service, { colorScheme, viewport, member })
    await page.goto(await documentedRequestOf(service))
    await expectUsable(page)
    await page.goto(await requestOf(service, { redirectUri: callback.redirectUri, name: "W".repeat(80) }))
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck()
    await page.getByRole("button", { name: "Authorize" }).click()
    await page.getByText("Choose at least one kind of data").waitFor()
    await expectUsable(page)
    await page.route("**/oauth/authorize/*", (route) => route.fulfill({ status: 204 }))
    await page.goto("/oauth/consent/gone/decided")
    await expectUsable(page)
    expect(faults).toEqual([])
    await close()
  })
})

describe("without JavaScript", () => {
  const noScript = { javaScriptEnabled: false }

  test("a person can choose, authorize and return to the assistant", async () => {
    const { page, close } = await visit(browser, service, { ...noScript, member })
    await page.goto(await requestOf(service, { redirectUri: callback.redirectUri }))
    await consentTitle(page).waitFor()
    for (const name of ["Recovery", "Workouts and strain", "Profile"])
      await page.getByRole("checkbox", { name: new RegExp(`^${name}`) }).uncheck()
    await page.getByRole("radio", { name: "7 days" }).check()
    await page.getByRole("button", { name: "Authorize" }).click()
    const answer = await callback.next()
    expect(answer.searchParams.get("code")).toMatch(/^.{40,}$/)
    expect(answer.searchParams.get("state")).toBe("a state")
    const { assistants } = await (await member.send("GET", "/api/account")).json()
    expect(assistants[0]).toMatchObject({ scopes: ["sleep:read"], days: 7, redirect_host: "127.0.0.1" })
    await close()
  })

  test("Cancel returns access_denied to the assistant", async () => {
    const { page, close } = await visit(browser, service, { ...noScript, member })
    await page.goto(await requestOf(service, { redirectUri: callback.redirectUri }))
    await page.getByRole("button", { name: "Cancel" }).click()
    const { searchParams } = await callback.next()
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: "a state",
      iss: service.url,
    })
    expect(searchParams.get("code")).toBeNull()
    await close()
  })
})

describe("the consent page shows", () => {
  const readConsentPage = async (url: string) => {
    const { page, close } = await visit(browser, service, { member })
    await page.goto(url)
    await consentTitle(page).waitFor()
    const text = await page.locator("main").innerText()
    const boxes = await page.getByRole("checkbox").count()
    await close()
    return { text, boxes }
  }

  test("the verified host and the redirect host of a documented client", async () => {
    const { text } = await readConsentPage(await documentedRequestOf(service))
    expect(text).toMatch(/Verified\s+Yes, published by documented\.example/)
    expect(text).toMatch(/Returns to\s+documented\.example/)
    expect(text).not.toContain("on this device")
  })

  test("that a registered client is not verified, and a warning if it runs on this device", async () => {
    const site = await readConsentPage(await requestOf(service))
    expect(site.text).toMatch(/Verified\s+No\./)
    expect(site.text).not.toContain("on this device")
    const program = await readConsentPage(await requestOf(service, { redirectUri: callback.redirectUri }))
    expect(program.text).toContain("The data goes to a program on this device")
  })

  test("only the requested scopes", async () => {
    expect((await readConsentPage(await requestOf(service, { scope: "sleep:read" }))).boxes).toBe(1)
    expect((await readConsentPage(await requestOf(service))).boxes).toBe(6)
  })

  test("the previous choices", async () => {
    const { client_id: clientId } = await register(service, { redirect_uris: [callback.redirectUri] })
    const again = () => requestOf(service, { clientId, redirectUri: callback.redirectUri })
    const { page, close } = await visit(browser, service, { member })
    await page.goto(await again())
    await page.getByRole("checkbox", { name: /^Profile/ }).uncheck()
    await page.getByRole("radio", { name: "30 days" }).check()
    await page.getByRole("button", { name: "Authorize" }).click()
    await callback.next()
    await page.getByRole("heading", { name: "Connected" }).waitFor()
    await page.goto(await again())
    expect(await page.getByRole("checkbox", { name: /^Profile/ }).isChecked()).toBe(false)
    expect(await page.getByRole("checkbox", { name: /^Sleep/ }).isChecked()).toBe(true)
    expect(await page.getByRole("radio", { name: "30 days" }).isChecked()).toBe(true)
    await close()
  })

  test.each([
    ["markup", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["a script", "</title><script>alert(1)</script>", "</title><script>alert(1)</script>"],
    ["an attribute", '" autofocus onfocus="alert(1)', '" autofocus onfocus="alert(1)'],
    ["entities", "&lt;b&gt;&#x202E;", "&lt;b&gt;&#x202E;"],
    ["a bidirectional mark", "Claude\u202Etpg", "Claude tpg"],
    ["invisible characters", "Cla\u200Bude\u2060\uFEFF", "Cla ude"],
    ["line breaks", "Claude\n\n\nYou are safe", "Claude You are safe"],
    ["200 letters", "n".repeat(200), "n".repeat(60)],
    ["emoji", "😀 Assistant", "😀 Assistant"],
    ["only blanks", " \u3000\u00a0 ", "assistant.example"],
  ])("a name of %s as plain text", async (_what, name, plain) => {
    const { page, faults, close } = await visit(browser, service, { member })
    await page.goto(await requestOf(service, { name }))
    expect(await page.locator("h1").textContent()).toBe(`Let ${plain} read your data?`)
    expect(await page.locator("main img:not([src='/assets/icon.svg']), main script, [onfocus]").count()).toBe(0)
    expect(await page.title()).toBe(`Connect ${plain} · Restwell`)
    expect(faults).toEqual([])
    await close()
  })
})

test("every control is reached by keyboard in reading order, with a visible focus", async () => {
  const { page, close } = await visit(browser, service, { member })
  await page.goto(await requestOf(service))
  const reached: string[] = []
  for (let stop = 0; stop < 10; stop += 1) {
    await page.keyboard.press("Tab")
    const focus = page.locator(":focus")
    reached.push(
      await focus.evaluate(
        (element) => `${element.getAttribute("type")} ${element.getAttribute("value") ?? element.textContent}`,
      ),
    )
    expect(await focus.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid")
  }
  expect(reached).toEqual([
    "submit Use another account",
    "checkbox sleep:read",
    "checkbox recovery:read",
    "checkbox workouts:read",
    "checkbox profile:read",
    "checkbox journal:read",
    "checkbox series:read",
    "radio all",
    "submit deny",
    "submit allow",
  ])
  await close()
})

test("no page can be framed, cached or made to run foreign scripts", async () => {
  const plain = new PlainBrowser(member)
  const begun = await plain.get(await requestOf(service))
  const consent = new URL(begun.headers.get("location") ?? "", service.url)
  const pages = [consent, `${consent}/decided`, `${service.url}/oauth/authorize`, `${service.url}/oauth/consent/gone`]
  const answers = [begun, ...(await Promise.all(pages.map((page) => plain.get(page))))]
  for (const answer of answers) {
    const policy = answer.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain("unsafe")
    expect(answer.headers.get("x-frame-options")).toBe("DENY")
    expect(answer.headers.get("cache-control")).toContain("no-store")
  }
})

test("a frame of another site stays empty", async () => {
  const { page, close } = await visit(browser, service, { member })
  const url = await requestOf(service)
  await page.route("https://evil.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><iframe src="${url}"></iframe>` }),
  )
  await page.goto("https://evil.example/")
  await page.waitForLoadState("networkidle")
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  const texts = await Promise.all(
    frames.map((frame) =>
      frame
        .locator("body")
        .innerText()
        .catch(() => ""),
    ),
  )
  expect(texts.join()).not.toMatch(/read your data|Sign in/)
  await close()
})
