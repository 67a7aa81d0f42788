import { providerName } from "../format/provider-name.ts"

/** Texts by the `problem` that the server adds to the URL after a failed connection. */
const PROBLEMS: Readonly<Record<string, (vendor: string) => string>> = {
  access_denied: (vendor) => `You declined access at ${vendor}, so nothing was connected. You can connect at any time.`,
  expired: () => "The connection took too long or was started in another browser. Connect again.",
  scope_missing: (vendor) =>
    `${vendor} did not grant all permissions. Connect again and leave every box ticked, or some data will be missing.`,
  already_connected: (vendor) =>
    `This ${vendor} account is already connected to another account on this server. Sign in to that account, or disconnect ${vendor} there first.`,
  vendor_unavailable: (vendor) => `${vendor} is not responding. Connect again in a few minutes.`,
  not_configured: (vendor) => `${vendor} is not set up on this server. Its owner does that on the page Service.`,
  failed: (vendor) => `${vendor} rejected the authorization. Connect again.`,
}

/** The form of a provider's name. Other text of the URL is not repeated. */
const PROVIDER = /^[a-z_]{1,20}$/

/** Returns the message for the outcome in the URL, if it names a known one. */
export function outcomeOf(search: string): { tone: "good" | "fair"; text: string } | undefined {
  const parameters = new URLSearchParams(search)
  const connected = parameters.get("connected")
  if (connected !== null && PROVIDER.test(connected) && parameters.get("problem") === "not_answering")
    return {
      tone: "fair",
      text: `${providerName(connected)} is connected, but it is not responding. You have nothing to do: Restwell keeps trying, and your history appears when ${providerName(connected)} responds.`,
    }
  if (connected !== null && PROVIDER.test(connected))
    return {
      tone: "good",
      text: `${providerName(connected)} is connected. Your history is syncing, newest days first.`,
    }
  const provider = parameters.get("provider") ?? ""
  const text = PROBLEMS[parameters.get("problem") ?? ""]?.(
    PROVIDER.test(provider) ? providerName(provider) : "The vendor",
  )
  return text === undefined ? undefined : { tone: "fair", text }
}
