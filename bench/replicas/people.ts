import { setTimeout as wait } from "node:timers/promises"
import { AccountResponseSchema, ApiKeyResponseSchema } from "@restwell/client"
import type { Simulator } from "@restwell/simulator"

const LOOK_MS = 100

/** Someone with an account, a connection and a key. */
export interface Reader {
  readonly userEmail: string
  readonly key: string
  /** A new key by the replica at this address. */
  rotateKey(url: string): Promise<string>
}

/** Signs up, connects and waits for the records, over HTTP as everybody does. @param number which private address the person comes from */
export async function addReader(url: string, simulator: Simulator, number: number): Promise<Reader> {
  const email = `reader-${number}@example.com`
  const person = simulator.people.add({ email: `person-${number}@vendor.example` })
  let cookie = ""
  const send = async (at: string, method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(at + path, {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": `10.${number >> 8}.${number & 255}.1`,
        ...(cookie && { cookie }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const set of answer.headers.getSetCookie()) cookie = set.split(";")[0] ?? ""
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const rotateKey = async (at: string): Promise<string> =>
    ApiKeyResponseSchema.parse(await (await send(at, "POST", "/api/account/api-key")).json()).api_key
  await send(url, "POST", "/api/auth/sign-up/email", { name: "Ada", email, password: "correct horse battery staple" })
  const page = locationOf(await send(url, "GET", "/api/connections/whoop/authorize"))
  page.searchParams.set("login_hint", person.email)
  const callback = locationOf(await fetch(page, { redirect: "manual" }))
  await send(url, "GET", callback.pathname + callback.search)
  const isComplete = async (): Promise<boolean> => {
    const account = AccountResponseSchema.parse(await (await send(url, "GET", "/api/account")).json())
    return account.connections.length > 0 && account.connections.every(({ history }) => history.complete)
  }
  while (!(await isComplete())) await wait(LOOK_MS)
  return { userEmail: email, key: await rotateKey(url), rotateKey }
}

const locationOf = (answer: Response): URL => new URL(answer.headers.get("location") ?? "")
