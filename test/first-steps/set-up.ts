import { VENDOR_APP } from "@restwell/testing/vendor"
import type { Page } from "playwright-core"

/** What the page of first steps has a person do in the browser. Returns the API key. @param link that the start printed @param done called after each step with its name */
export async function setUp(page: Page, link: string, done: (step: string) => void): Promise<string> {
  await page.goto(link)
  await page.getByLabel("Name").fill("Lena")
  await page.getByLabel("Email address").fill("lena@example.com")
  await page.getByLabel("Password").fill("correct horse battery staple")
  await page.getByRole("button", { name: "Create the owner's account" }).click()
  await page.getByRole("heading", { name: "Choose the public address" }).waitFor()
  done("the owner's account")
  await page.getByText("Not set up").first().click()
  await page.getByLabel("WHOOP client id").fill(VENDOR_APP.clientId)
  await page.getByLabel("WHOOP client secret").fill(VENDOR_APP.clientSecret)
  await page.getByRole("button", { name: "Test and save" }).click()
  await page.getByText("WHOOP accepted the credentials.").waitFor()
  done("the vendor's app")
  await page.getByRole("link", { name: "Connect WHOOP" }).click()
  await page.getByText("WHOOP is connected.", { exact: true }).waitFor()
  done("the connection")
  await page.getByRole("button", { name: "Create key" }).click()
  const key = (await page.getByRole("region", { name: "API key" }).innerText()).trim()
  done("the API key")
  return key
}
