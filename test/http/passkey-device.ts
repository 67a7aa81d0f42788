// A device that stores passkeys, in Chromium, at the pages of a service.
import { PasskeysResponseSchema } from "@restwell/client"
import { addAuthenticator, type Contexts, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"

export interface Sent {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request from the page, with its cookies and its origin. */
export const send = (page: Page, method: string, path: string, body?: object): Promise<Sent> =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { "content-type": "application/json" }
      const answer = await fetch(path, { method, ...(body !== null && { headers, body }) })
      const text = await answer.text()
      return { status: answer.status, body: text === "" ? {} : JSON.parse(text) }
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  )

/** Creates or uses a passkey on the device. Returns the credential as JSON. */
export const credential = (page: Page, verb: "create" | "get", options: object): Promise<object> =>
  page.evaluate(
    async ([verb, text]) => {
      const json = JSON.parse(text)
      const made =
        verb === "create"
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })
      return JSON.parse(JSON.stringify(made))
    },
    [verb, JSON.stringify(options)] as const,
  )

export async function addPasskey(page: Page, { password }: Member, name = "This device"): Promise<Sent> {
  const { body } = await send(page, "POST", "/api/auth/passkeys/options", { password })
  return send(page, "POST", "/api/auth/passkeys", { name, response: await credential(page, "create", body) })
}

export const countPasskeys = async (page: Page) =>
  PasskeysResponseSchema.parse((await listPasskeys(page)).body).passkeys.length
export const listPasskeys = (page: Page) => send(page, "GET", "/api/auth/passkeys")

export const signInResponse = async (page: Page): Promise<object> =>
  credential(page, "get", (await send(page, "POST", "/api/auth/sign-in/passkey/options")).body)

export const signIn = async (page: Page): Promise<Sent> =>
  send(page, "POST", "/api/auth/sign-in/passkey", { response: await signInResponse(page) })

/** Signs up at the dashboard, on a device that can store passkeys. */
export async function memberWithDevice(browser: Contexts, service: TestService) {
  const person = new Member(service)
  await person.signUp()
  const { page, context, open } = await visit(browser, service, { member: person })
  await open("/start")
  const authenticator = await addAuthenticator(page)
  return { person, page, context, authenticator }
}

const ERROR_LEVEL = 50

/** The lines of errors since the last call. A refusal is none. */
export const takeErrors = ({ log }: TestService): string[] =>
  log.splice(0).filter((line) => JSON.parse(line).level >= ERROR_LEVEL)
