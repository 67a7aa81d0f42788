/**
 * The service worker. It keeps the page's own files, and the last answers that the signed-in person has seen, for times without a
 * connection, or with a service that is off behind its proxy. With one, every answer comes from the service. Written by hand: it is mostly
 * rules about what may be kept, which a library for caches does not have.
 */
import { noticeOf } from "./notices.ts"
import { ACCOUNT, ANSWERS, changesPerson, endsSession, isKept, isOutOfReach, isOwnPage, STORED_AT } from "./rules.ts"

/** The part of a service worker's scope that is used here. TypeScript's own types of it exclude those of pages. */
interface WorkerScope {
  readonly location: { readonly origin: string }
  readonly clients: {
    claim(): Promise<void>
    matchAll(of: { readonly type: "window" }): Promise<readonly OpenPage[]>
    openWindow(path: string): Promise<unknown>
  }
  readonly registration: Pick<ServiceWorkerRegistration, "pushManager" | "showNotification">
  skipWaiting(): Promise<void>
  addEventListener(type: "install" | "activate", listener: (event: LifeEvent) => void): void
  addEventListener(type: "fetch", listener: (event: RequestEvent) => void): void
  addEventListener(type: "push", listener: (event: MessageEvent) => void): void
  addEventListener(type: "notificationclick", listener: (event: ClickEvent) => void): void
}
interface OpenPage {
  focus(): Promise<OpenPage>
  navigate(path: string): Promise<unknown>
}
interface LifeEvent {
  waitUntil(work: Promise<unknown>): void
}
interface MessageEvent extends LifeEvent {
  readonly data: { text(): string } | null
}
interface ClickEvent extends LifeEvent {
  readonly notification: Notification
}
interface RequestEvent extends LifeEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
declare const self: WorkerScope

/** Written by the build: the files of this version, and a name that no other version has. */
declare const SHELL_FILES: readonly string[]
declare const SHELL_VERSION: string

/** Files that are the same for everybody. */
const SHELL = `shell-${SHELL_VERSION}`
/** A page that needs no session. Its document is that of every page. */
const DOCUMENT = "/sign-in"

self.addEventListener("install", (event) => {
  const keepShell = async () => (await caches.open(SHELL)).addAll([DOCUMENT, ...SHELL_FILES])
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOtherShells().then(() => self.clients.claim()))
})

async function deleteOtherShells(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name !== SHELL && name !== ANSWERS)
  await Promise.all(others.map((name) => caches.delete(name)))
}

self.addEventListener("fetch", (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (endsSession(request, pathname)) event.waitUntil(endNotifications())
  if (changesPerson(request, pathname)) event.respondWith(fetchAndForget(request))
  else if (request.method !== "GET") return
  else if (isKept(pathname)) event.respondWith(fetchOrRecall(event))
  else if (SHELL_FILES.includes(pathname)) event.respondWith(recallOrFetch(request, pathname))
  else if (request.mode === "navigate" && isOwnPage(pathname)) event.respondWith(fetchPage(request))
})

self.addEventListener("push", (event) => {
  const { title, path, ...notice } = noticeOf(event.data?.text() ?? "")
  const shown = { ...notice, icon: "/assets/icon-192.png", data: path }
  event.waitUntil(self.registration.showNotification(title, shown))
})

self.addEventListener("notificationclick", (event) => {
  const { notification } = event
  notification.close()
  // What `push` has put there.
  event.waitUntil(openPage(typeof notification.data === "string" ? notification.data : "/"))
})

/** In the window that is open, or in a new one. */
async function openPage(path: string): Promise<void> {
  const [open] = await self.clients.matchAll({ type: "window" })
  if (!open) return void (await self.clients.openWindow(path))
  await open.focus()
  await open.navigate(path)
}

/** Grows whenever the kept answers are deleted, so that an answer that was under way then is not kept for the next person. */
let deletions = 0

async function forget(): Promise<void> {
  deletions += 1
  await caches.delete(ANSWERS)
}

/** The next person at this browser must not see what is for this one. */
async function endNotifications(): Promise<void> {
  await (await self.registration.pushManager.getSubscription())?.unsubscribe()
}

/** Deletes before, because the page may leave at once, and after, because an answer may have arrived meanwhile. */
async function fetchAndForget(request: Request): Promise<Response> {
  await forget()
  try {
    return await fetch(request)
  } finally {
    await forget()
  }
}

/** The response, or what is kept for times when the service is out of reach. */
async function fetchOr(request: Request, recall: () => Promise<Response | undefined>): Promise<Response> {
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    const kept = await recall()
    if (kept) return kept
    throw error
  }
  return isOutOfReach(response) ? ((await recall()) ?? response) : response
}

/** The service's answer, or the last one while it is out of reach. */
async function fetchOrRecall(event: RequestEvent): Promise<Response> {
  const { request } = event
  const before = deletions
  const response = await fetchOr(request, async () => (await caches.open(ANSWERS)).match(request.url))
  if (response.headers.has(STORED_AT)) return response
  if (response.status === 401) await forget()
  else if (response.ok) {
    const copy = response.clone()
    event.waitUntil(keepAnswer(request.url, copy, { isCurrent: () => deletions === before, forget }))
  }
  return response
}

/** Files whose names have a hash never change. The others are as new as this version of the worker. */
const recallOrFetch = async (request: Request, path: string): Promise<Response> =>
  (await (await caches.open(SHELL)).match(path)) ?? fetch(request)

/** The page itself: from the service, so that a new version shows at once, or the kept document while it is out of reach. */
const fetchPage = (request: Request): Promise<Response> =>
  fetchOr(request, async () => (await caches.open(SHELL)).match(DOCUMENT))

interface Person {
  /** False once the kept answers were deleted after the request was sent. */
  readonly isCurrent: () => boolean
  /** Deletes all kept answers. */
  readonly forget: () => Promise<void>
}

/** Keeps an answer of the service, with the service's time. That of the account is kept without its key, and deletes the answers of another person. */
async function keepAnswer(url: string, response: Response, { isCurrent, forget }: Person): Promise<void> {
  const date = response.headers.get("date")
  const text = await response.text()
  const isAccount = new URL(url).pathname === ACCOUNT
  const account = isAccount ? accountOf(text) : undefined
  if (date === null || !isCurrent() || (isAccount && account === undefined)) return
  if (account) {
    const keptFor = await keptUserId(url)
    if (keptFor !== undefined && keptFor !== account.userId) await Promise.all([forget(), endNotifications()])
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
