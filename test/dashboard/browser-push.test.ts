/* Notifications in a browser: the service worker shows what the service sends, and a click opens the page that it is about. */
import { expectGoodInEveryAppearance, signInAs, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { PushService, type Subscribed } from "@restwell/testing/push-service"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page, Worker } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
const browser = useBrowser()
let owner: Member
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 5 })
  owner = new Member(service)
  await owner.setUp()
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" })))
})
afterAll(() => service.close())

const signIn = ({ email, password }: Member) => member.send("POST", "/api/auth/sign-in/email", { email, password })

const RegistrationsSchema = z.object({
  registrations: z.array(z.object({ registrationId: z.string(), scopeURL: z.string() })),
})

/** Gives the worker of a page messages, as the browser does when its push service has one. */
async function openPushChannel(page: Page): Promise<(data: string) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  const found = Promise.withResolvers<string>()
  session.on("ServiceWorker.workerRegistrationUpdated", (event) => {
    const own = RegistrationsSchema.parse(event).registrations.find(({ scopeURL }) => scopeURL === `${service.url}/`)
    if (own) found.resolve(own.registrationId)
  })
  await session.send("ServiceWorker.enable")
  const registrationId = await found.promise
  return async (data) => {
    await session.send("ServiceWorker.deliverPushMessage", { origin: service.url, registrationId, data })
  }
}

/** The Chromium of npm has no notifications of a system: the worker's are noted in their place. */
async function noteNotifications(page: Page): Promise<Worker> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"))
  await worker.evaluate(`
    self.shown = []
    self.registration.showNotification = async (title, { body, tag, data }) => void self.shown.push({ title, body, tag, data })
    WindowClient.prototype.focus = async function () { return this }
  `)
  return worker
}

const shownBy = (worker: Worker): Promise<unknown> => worker.evaluate("self.shown")

test("the worker shows each message, also one that it does not understand, and a click opens its page", async () => {
  const { page, close, faults } = await visit(browser, service, { member, hasWorker: true })
  await page.goto("/")
  const deliver = await openPushChannel(page)
  const worker = await noteNotifications(page)
  await deliver(
    JSON.stringify({ title: "Your morning", body: "You slept 7 h 52 min.", path: "/week", tag: "briefing" }),
  )
  await deliver(JSON.stringify({ title: "Elsewhere", body: "", path: "//evil.example/", tag: "x" }))
  await deliver("no JSON")
  await expect
    .poll(() => shownBy(worker))
    .toEqual([
      { title: "Your morning", body: "You slept 7 h 52 min.", tag: "briefing", data: "/week" },
      { title: "Elsewhere", body: "", tag: "x", data: "/" },
      { title: "Restwell", body: "There is something new.", tag: "restwell", data: "/" },
    ])
  await worker.evaluate(`self.dispatchEvent(Object.assign(new Event("notificationclick"), {
    notification: { data: self.shown[0].data, close() {} },
    waitUntil(work) { self.opened = work },
  }))`)
  await page.waitForURL("**/week")
  await page.getByRole("heading", { level: 1 }).waitFor()
  expect(faults).toEqual([])
  await close()
})

/** What the Chromium of npm lacks: a push service of its maker, and the question whether the page may show notifications. */
const asBrowserWithPush = (subscription: Subscribed) => `
  const kept = () => JSON.parse(localStorage.getItem("subscribed") ?? "null")
  const asSubscription = (json) => json && {
    endpoint: json.endpoint,
    toJSON: () => json,
    unsubscribe: async () => (localStorage.removeItem("subscribed"), true),
  }
  Notification.requestPermission = async () => "granted"
  Object.defineProperty(Notification, "permission", { get: () => "granted" })
  PushManager.prototype.getSubscription = async () => asSubscription(kept())
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    localStorage.setItem("subscribed", ${JSON.stringify(JSON.stringify(subscription))})
    localStorage.setItem("key", applicationServerKey)
    return asSubscription(kept())
  }`

test("a person turns notifications on, gets a test by the push service, and gets none after signing out", async () => {
  await using pushService = await PushService.start()
  const subscription = pushService.subscribe()
  await owner.send("PUT", "/api/service/private-hosts", { hosts: [new URL(pushService.url).host] })
  const { page, context, close, faults } = await visit(browser, service, { member, hasWorker: true })
  await context.addInitScript(asBrowserWithPush(subscription))
  await page.goto("/notifications")
  await page.getByRole("button", { name: "Turn on in this browser" }).click()
  const browsers = page.getByRole("list", { name: "Browsers and phones" })
  await browsers.getByText("Chrome on Linux (this browser)").waitFor()
  const deliver = await openPushChannel(page)
  const worker = await noteNotifications(page)
  await page.getByRole("button", { name: "Send a test by notification" }).click()
  await page.getByText("Sent. It should be there in a moment.").waitFor()
  const [received] = pushService.received
  expect(received).toMatchObject({ endpoint: subscription.endpoint, urgency: "high" })
  expect(received?.sender).toEqual({
    key: await page.evaluate(() => localStorage.getItem("key")),
    contact: "mailto:operator@restwell.invalid",
  })
  await deliver(received?.text ?? "")
  await expect
    .poll(() => shownBy(worker))
    .toEqual([
      {
        title: "Restwell",
        body: "This is a test. Notifications arrive in this browser.",
        tag: "notification.test",
        data: "/notifications",
      },
    ])

  // The session has expired, and the person signs in again.
  await signIn(member)
  const own = async () => (await (await member.send("GET", "/api/account/push-subscriptions")).json()).subscriptions
  expect(await own()).toMatchObject([{ is_this_session: false }])
  await signInAs(context, service.url, member)
  await page.goto("/")
  await expect.poll(own).toMatchObject([{ is_this_session: true }])
  await page.goto("/notifications")

  pushService.status = 500
  await page.getByRole("button", { name: "Send a test by notification" }).click()
  await browsers.getByText("The push service answered with status 500.").waitFor()
  await expectGoodInEveryAppearance(page)

  await worker.evaluate(
    `PushManager.prototype.getSubscription = async () => ({ unsubscribe: async () => (self.isEnded = true) })`,
  )
  await page.goto("/account")
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.waitForURL("**/sign-in")
  await expect.poll(() => worker.evaluate("self.isEnded")).toBe(true)
  await signIn(member)
  expect(await (await member.send("GET", "/api/account/push-subscriptions")).json()).toEqual({ subscriptions: [] })
  expect(faults).toEqual([])
  await close()
})

test("a browser that its push service does not know any more is deleted from the list", async () => {
  await using pushService = await PushService.start()
  await owner.send("PUT", "/api/service/private-hosts", { hosts: [new URL(pushService.url).host] })
  await member.send("POST", "/api/account/push-subscriptions", pushService.subscribe())
  pushService.status = 410
  expect((await member.send("POST", "/api/account/notifications/test", { channel: "push" })).status).toBe(502)
  expect(await (await member.send("GET", "/api/account/push-subscriptions")).json()).toEqual({ subscriptions: [] })
})

test("a browser whose push service is at a private address that nobody allowed gets nothing", async () => {
  await using pushService = await PushService.start()
  await owner.send("PUT", "/api/service/private-hosts", { hosts: [] })
  await member.send("POST", "/api/account/push-subscriptions", pushService.subscribe())
  const response = await member.send("POST", "/api/account/notifications/test", { channel: "push" })
  expect([response.status, (await response.json()).message]).toEqual([502, expect.stringContaining("is this computer")])
  expect(pushService.received).toEqual([])
})
