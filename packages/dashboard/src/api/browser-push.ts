/* Notifications of the system in this browser, by Web Push. https://www.w3.org/TR/push-api/ */
import {
  PushSubscriptionRequestSchema,
  PushSubscriptionResponseSchema,
  PushSubscriptionsResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useAccount } from "./account.ts"
import { NO_BODY, send } from "./send.ts"

const PATH = "/api/account/push-subscriptions"
const BROWSERS = ["push-subscriptions"]
const OWN = ["own-push-subscription"]

/** `unsupported`: no browser of this kind can. `not_installed`: an iPhone can once the page is on its home screen. `denied`: the person forbade it. */
export type PushAbility = "possible" | "unsupported" | "not_installed" | "insecure" | "denied"

/** Safari on an iPhone offers notifications to installed pages alone. https://webkit.org/blog/13878/web-push-for-web-apps-on-ios-and-ipados/ */
export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return "insecure"
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? "not_installed" : "unsupported"
  return Notification.permission === "denied" ? "denied" : "possible"
}

/** The person's browsers. */
export const usePushBrowsers = () =>
  useQuery({ queryKey: BROWSERS, queryFn: () => send(PATH, PushSubscriptionsResponseSchema) })

/** The id that this browser has in the list, null for none. */
export const useOwnPushId = () => useQuery({ queryKey: OWN, queryFn: readOwnId })

async function readOwnId(): Promise<string | null> {
  const subscription = await ownSubscription()
  return subscription ? await idOf(subscription.endpoint) : null
}

async function ownSubscription(): Promise<PushSubscription | null> {
  if (pushAbility() !== "possible") return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/**
 * After a new sign-in, this browser's notifications belong to the new session. With the former one they would stay on after signing out, and
 * end when this browser signs the others out.
 */
export function useFollowSession(): void {
  const isSignedIn = useAccount().data !== undefined
  useEffect(() => {
    // The next page load tries again.
    if (isSignedIn) void followSession().catch(() => {})
  }, [isSignedIn])
}

async function followSession(): Promise<void> {
  const subscription = await ownSubscription()
  if (!subscription) return
  const { subscriptions } = await send(PATH, PushSubscriptionsResponseSchema)
  const ownId = await idOf(subscription.endpoint)
  // One that is not in the list was turned off, or is another person's.
  if (subscriptions.some(({ id, is_this_session }) => id === ownId && !is_this_session)) await store(subscription)
}

const store = (subscription: PushSubscription) =>
  send(PATH, PushSubscriptionResponseSchema, {
    method: "POST",
    body: PushSubscriptionRequestSchema.parse(subscription.toJSON()),
  })

const ID_BYTES = 16

/** As the service makes it. */
async function idOf(endpoint: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)))
  const digits = Array.from(digest.subarray(0, ID_BYTES), (byte) => byte.toString(16).padStart(2, "0")).join("")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/** The person did not allow it, or the browser cannot. The message is for the person. */
class PushRefused extends Error {
  override readonly name = "PushRefused"
}

function usePushChange<Input>(change: (input: Input) => Promise<unknown>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => Promise.all([BROWSERS, OWN].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

/** Asks the person, subscribes at the browser's push service, and tells Restwell. */
export const useTurnOnPush = () =>
  usePushChange(async (publicKey: string) => {
    if ((await Notification.requestPermission()) !== "granted")
      throw new PushRefused("this browser does not allow notifications of this page: allow them in its settings")
    const { pushManager } = await navigator.serviceWorker.ready
    // One for another key, or of another person at this browser, gets nothing.
    await (await pushManager.getSubscription())?.unsubscribe()
    const subscription = await pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
      .catch((cause: unknown) => {
        throw new PushRefused("this browser has no push service, or does not reach it", { cause })
      })
    await store(subscription)
  })

/** Turns notifications off in a browser, which may be another one. */
export const useTurnOffPush = () =>
  usePushChange(async (id: string) => {
    await send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" })
    const registration = await navigator.serviceWorker.getRegistration()
    const subscription = await registration?.pushManager.getSubscription()
    if (subscription && (await idOf(subscription.endpoint)) === id) await subscription.unsubscribe()
  })
