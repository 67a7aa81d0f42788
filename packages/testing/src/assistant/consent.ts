import { expect } from "vitest"
import type { Address } from "../member/member.ts"
import type { Browser } from "./plain-browser.ts"
import { ALL_SCOPES } from "./register.ts"

/** What a person chooses on the consent page. */
export interface Choice {
  readonly scopes?: readonly string[]
  readonly days?: "7" | "30" | "90" | "all"
  readonly decision?: "allow" | "deny"
}

/** The value of a form's hidden token. */
export const formToken = (page: string): string => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** Opens an authorization request. Returns the address of the consent page. */
export async function openConsent(service: Address, browser: Browser, url: URL): Promise<URL> {
  const response = await browser.get(url)
  expect(response.status, await response.clone().text()).toBe(303)
  return new URL(response.headers.get("location") ?? "", service.url)
}

/** Sends the consent form. Returns the address that the browser is sent back to, with a code or an error. */
export async function decide(browser: Browser, consent: URL, choice: Choice = {}): Promise<URL> {
  const page = await (await browser.get(consent)).text()
  const { scopes = ALL_SCOPES.split(" "), days = "all", decision = "allow" } = choice
  const form = new URLSearchParams({ token: formToken(page), decision, days })
  for (const scope of scopes) form.append("scope", scope)
  const decided = await browser.post(consent, form)
  expect(decided.status, await decided.clone().text()).toBe(303)
  const between = await (await browser.get(new URL(decided.headers.get("location") ?? "", consent))).text()
  const resume = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(between)?.[1] ?? ""
  const back = await browser.get(new URL(resume, consent))
  expect(back.status, await back.clone().text()).toBe(303)
  return new URL(back.headers.get("location") ?? "")
}
