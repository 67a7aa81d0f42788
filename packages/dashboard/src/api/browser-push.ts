/* Notifications of the system in this browser, by Web Push. https://www.w3.org/TR/push-api/ */
import {
  PushSubscriptionRequestSchema,
  PushSubscriptionResponseSchema,
  PushSubscriptionsResponseSchema,
} from "@restwell/client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
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
  if (pushAbility() !== "possible") return null
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  return subscription ? await idOf(subscription.endpoint) : null
}

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
    const body = PushSubscriptionRequestSchema.parse(subscription.toJSON())
    await send(PATH, PushSubscriptionResponseSchema, { method: "POST", body })
  })

/** Turns notifications off in a browser, which may be another one. */
export const useTurnOffPush = () =>
  usePushChange(async (id: string) => {
    await send(`${PATH}/${encodeURIComponent(id)}`, NO_BODY, { method: "DELETE" })
    const registration = await navigator.serviceWorker.getRegistration()
    const subscription = await registration?.pushManager.getSubscription()
    if (subscription && (await idOf(subscription.endpoint)) === id) await subscription.unsubscribe()
  })
