/* The page Notifications: a person chooses what Restwell says without being asked, and where, and sees what became of it. */
import { createServer, type Server } from "node:http"
import { expectGoodInEveryAppearance, useBrowser, type Visit, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
const browser = useBrowser()
let owner: Member
let ada: Member
beforeAll(async () => {
  service = await startTestService({ days: 120 })
  owner = new Member(service)
  await owner.setUp()
  ;({ member: ada } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

const NotificationsSchema = z.looseObject({
  briefing: z.unknown(),
  quiet: z.unknown(),
  ntfy: z.unknown(),
  rules: z.array(z.looseObject({ kind: z.string() })),
})
const stored = async (member: Member) =>
  NotificationsSchema.parse(await (await member.send("GET", "/api/account/notifications")).json())

async function openPage(member: Member): Promise<Visit> {
  const window = await visit(browser, service, { member })
  await window.open("/notifications")
  await window.page.getByRole("heading", { name: "Webhooks" }).waitFor()
  return window
}

const panelOf = ({ page }: Visit, name: string) => page.getByRole("region", { name, exact: true })

test("a person turns the message of each morning and quiet hours on", async () => {
  const window = await openPage(ada)
  const panel = panelOf(window, "A message each morning")
  await panel.getByLabel("Send me a message each morning").check()
  expect(await panel.getByRole("button", { name: "Save" }).isDisabled()).toBe(true)
  await panel.getByLabel("Not before").fill("06:15")
  await panel.getByLabel("Email").check()
  await panel.getByRole("button", { name: "Save" }).click()
  await panel.getByText("Saved.").waitFor()
  const quiet = panelOf(window, "Quiet hours")
  await quiet.getByLabel("Keep some hours quiet").check()
  await quiet.getByLabel("From").fill("23:00")
  await quiet.getByRole("button", { name: "Save" }).click()
  await quiet.getByText("Saved.").waitFor()
  expect(await stored(ada)).toMatchObject({
    briefing: { enabled: true, earliest: "06:15", channels: ["email"] },
    quiet: { start: "23:00", end: "07:00" },
  })
  await expectGoodInEveryAppearance(window.page)
  expect(window.faults).toEqual([])
  await window.close()
})

test("what was chosen survives a failure, and is saved by the next attempt", async () => {
  const window = await openPage(ada)
  const panel = panelOf(window, "Quiet hours")
  await window.context.setOffline(true)
  await panel.getByLabel("Until").fill("08:00")
  await panel.getByRole("button", { name: "Save" }).click()
  await panel.getByText("Restwell is unreachable").waitFor()
  await window.context.setOffline(false)
  expect(await panel.getByLabel("Until").inputValue()).toBe("08:00")
  await panel.getByRole("button", { name: "Save" }).click()
  await panel.getByText("Saved.").waitFor()
  expect((await stored(ada)).quiet).toMatchObject({ end: "08:00" })
  await window.close()
})

test("a rule says what it would have told before it is turned on, and can be turned off and deleted", async () => {
  const window = await openPage(ada)
  const panel = panelOf(window, "Tell me when")
  await panel.getByLabel("Limit, %").fill("101")
  // It is sent where the message of each morning is, unless the person chooses something else.
  expect(await panel.getByLabel("Email").isChecked()).toBe(true)
  await panel.getByRole("button", { name: "What would it have sent?" }).click()
  const preview = panel.getByText(/^It would have told you \d+ times in the last 90 days: /)
  await preview.waitFor()
  expect((await stored(ada)).rules).toEqual([])
  // Another rule has another preview.
  await panel.getByLabel("Limit, %").fill("0")
  await panel.getByRole("button", { name: "What would it have sent?" }).click()
  await panel.getByText("It would have told you nothing in the last 90 days.").waitFor()
  await panel.getByRole("button", { name: "Turn it on" }).click()
  await panel.getByText("Recovery is below 0 %").waitFor()
  expect((await stored(ada)).rules).toMatchObject([
    { metric: "recovery_score", limit: 0, enabled: true, channels: ["email"] },
  ])
  // Another tab has added a rule meanwhile, which this one does not know.
  const [here] = (await stored(ada)).rules
  const elsewhere = { kind: "limit", metric: "hrv", direction: "below", limit: 1, enabled: true, channels: ["email"] }
  await ada.send("PUT", "/api/account/notifications", { rules: [here, elsewhere] })
  await panel.getByRole("button", { name: "Turn off: Recovery is below 0 %" }).click()
  await panel.getByText("It would have told you nothing in the last 90 days.").first().waitFor()
  expect((await stored(ada)).rules).toMatchObject([{ metric: "recovery_score", enabled: false }, { metric: "hrv" }])
  await expectGoodInEveryAppearance(window.page)
  await panel.getByRole("button", { name: "Delete: Recovery is below 0 %" }).click()
  await expect.poll(async () => (await stored(ada)).rules).toMatchObject([{ metric: "hrv" }])
  await window.close()
})

test("a topic of ntfy is kept with its token, which is never shown again, and removed", async () => {
  const window = await openPage(ada)
  const panel = panelOf(window, "Ways to reach you")
  await panel.getByText("Set up ntfy").click()
  await panel.getByLabel("Address of the topic").fill("https://ntfy.example/restwell")
  await panel.getByLabel("Access token").fill("tk_1")
  await panel.getByRole("button", { name: "Save the address" }).click()
  await panel.getByText("To https://ntfy.example/restwell, with a token.").waitFor()
  expect((await stored(ada)).ntfy).toEqual({ url: "https://ntfy.example/restwell", has_token: true, disabled: null })
  expect(await window.page.content()).not.toContain("tk_1")
  await service.store.pool.query(
    "update restwell.receiver set disabled_at = now(), disabled_reason = 'nothing arrived' where kind = 'ntfy'",
  )
  await window.page.reload()
  await panel.getByText("Nothing is sent to this topic any more").waitFor()
  await panel.getByRole("button", { name: "Remove the address of ntfy" }).click()
  await panel.getByText("Set up ntfy").click()
  expect((await stored(ada)).ntfy).toBeNull()
  await panel.getByLabel("Address of the topic").fill("http://192.168.1.20/restwell")
  await panel.getByRole("button", { name: "Save the address" }).click()
  await panel.getByText("192.168.1.20 is in your home network.").waitFor()
  await panel.getByText("only if the owner of this Restwell allows it").waitFor()
  expect((await stored(ada)).ntfy).toBeNull()
  await window.close()
})

/** A receiver at this computer, which answers with a status. */
async function startReceiver(): Promise<{ server: Server; url: string; answer: { status: number }; taken: string[] }> {
  const answer = { status: 500 }
  const taken: string[] = []
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request, String)
    if (answer.status < 300) taken.push(chunks.join(""))
    response.writeHead(answer.status).end(answer.status < 300 ? "" : "upstream is down")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = z.object({ port: z.int() }).parse(server.address())
  return { server, answer, taken, url: `http://127.0.0.1:${address.port}/restwell` }
}

test("the owner allows a receiver at home where it is refused, takes the secret, sees what failed and sends it again", async () => {
  const { server, url, answer, taken } = await startReceiver()
  const window = await openPage(owner)
  const panel = panelOf(window, "Webhooks")
  await panel.getByLabel("Address of your program").fill(url)
  await panel.getByRole("button", { name: "Add a webhook" }).click()
  await panel.getByText("127.0.0.1 is this computer. Allow it?").waitFor()
  await expectGoodInEveryAppearance(window.page)
  await panel.getByRole("button", { name: `Allow ${new URL(url).host}` }).click()
  await panel.getByText(/^whsec_/).waitFor()
  await panel.getByRole("button", { name: `Send a test to ${url}` }).click()
  await panel.getByText(/answered 500/).waitFor()
  await panel.getByText("What was sent").click()
  const sent = panel.getByRole("list", { name: `Sent to ${url}` })
  await sent.getByText("Failed").waitFor()
  await sent.getByText(/^Answer 500 after \d+ ms: upstream is down$/).waitFor()
  await expectGoodInEveryAppearance(window.page)
  answer.status = 204
  await sent.getByRole("button", { name: "Send again: webhook.test" }).click()
  await sent.getByText("Arrived").waitFor()
  expect(taken).toHaveLength(1)
  const first = await panel.getByText(/^whsec_/).textContent()
  await panel.getByRole("button", { name: `New secret for ${url}` }).click()
  await window.page.getByRole("button", { name: "Make a new secret" }).click()
  await panel.getByText("The former secret signs too until tomorrow at this time.").waitFor()
  expect(
    await panel
      .getByText(/^whsec_/)
      .first()
      .textContent(),
  ).not.toBe(first)
  await window.open("/service")
  const home = panelOf(window, "Home network")
  await home.getByText(new URL(url).host).waitFor()
  await home.getByRole("button", { name: `Remove ${new URL(url).host}` }).click()
  await home.getByText("No device of your home network is allowed.").waitFor()
  expect(window.faults).toEqual([])
  await window.close()
  server.close()
})

test("others learn that the owner would have to allow it", async () => {
  const window = await openPage(ada)
  const panel = panelOf(window, "Webhooks")
  await panel.getByLabel("Address of your program").fill("http://127.0.0.1:9/x")
  await panel.getByRole("button", { name: "Add a webhook" }).click()
  await panel.getByText("Messages go there only if the owner of this Restwell allows it").waitFor()
  expect(await panel.getByRole("button", { name: /^Allow/ }).count()).toBe(0)
  await window.close()
})
