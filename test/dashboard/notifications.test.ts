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

async function openPage(member: Member): Promise<Visit> {
  const window = await visit(browser, service, { member })
  await window.open("/notifications")
  await window.page.getByRole("heading", { name: "Webhooks" }).waitFor()
  return window
}

const panelOf = ({ page }: Visit, name: string) => page.getByRole("region", { name, exact: true })

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
