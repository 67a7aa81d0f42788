import { ACCOUNT, ANSWERS, STORED_AT } from "./rules.ts"

interface Person {
  /** False once the kept answers were deleted after the request was sent. */
  readonly isCurrent: () => boolean
  /** Deletes all kept answers. */
  readonly forget: () => Promise<void>
}

/** Keeps an answer of the service, with the service's time. That of the account is kept without its key, and deletes the answers of another person. */
export async function keepAnswer(url: string, response: Response, { isCurrent, forget }: Person): Promise<void> {
  const date = response.headers.get("date")
  const text = await response.text()
  const isAccount = new URL(url).pathname === ACCOUNT
  const account = isAccount ? accountOf(text) : undefined
  if (date === null || !isCurrent() || (isAccount && account === undefined)) return
  if (account) {
    const keptFor = await keptUserId(url)
    if (keptFor !== undefined && keptFor !== account.userId) await forget()
    else if (!isCurrent()) return
  }
  const headers = { "content-type": "application/json", [STORED_AT]: new Date(date).toISOString() }
  const cache = await caches.open(ANSWERS)
  await cache.put(url, new Response(account?.body ?? text, { headers }))
}

/** Whose answers are kept. @param url of the account */
async function keptUserId(url: string): Promise<string | undefined> {
  const kept = await (await caches.open(ANSWERS)).match(url)
  return kept && accountOf(await kept.text())?.userId
}

/** The account without its key. Undefined if it is none. */
function accountOf(body: string): { userId: string; body: string } | undefined {
  const account: unknown = JSON.parse(body)
  if (typeof account !== "object" || account === null || !("user" in account)) return undefined
  const { user } = account
  if (typeof user !== "object" || user === null || !("id" in user) || typeof user.id !== "string") return undefined
  return { userId: user.id, body: JSON.stringify({ ...account, api_key: null }) }
}
