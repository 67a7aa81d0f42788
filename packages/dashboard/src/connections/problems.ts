import { providerName } from "../format/provider-name.ts"

/** What became of an attempt to connect, as the server says it in the address. */
const PROBLEMS: Readonly<Record<string, (vendor: string) => string>> = {
  access_denied: (vendor) =>
    `You said no at ${vendor}, so nothing was connected. You can connect whenever you want to.`,
  expired: () => "That took too long, or was begun in another browser. Connect once more.",
  scope_missing: (vendor) =>
    `${vendor} did not grant everything that was asked for. Connect again and leave all boxes ticked, or your answers would have gaps.`,
  vendor_unavailable: (vendor) => `${vendor} does not answer now. Connect again in a few minutes.`,
  not_configured: (vendor) => `${vendor} is not set up on this server. Ask its operator.`,
  failed: (vendor) => `${vendor} did not accept the authorization. Connect again.`,
}

/** The outcome in words, if the address names a known one. */
export function outcomeOf(search: string): { tone: "good" | "fair"; text: string } | undefined {
  const parameters = new URLSearchParams(search)
  const connected = parameters.get("connected")
  if (connected !== null && /^[a-z]{1,20}$/.test(connected))
    return {
      tone: "good",
      text: `${providerName(connected)} is connected. Your history follows, the newest days first.`,
    }
  const provider = parameters.get("provider") ?? ""
  const text = PROBLEMS[parameters.get("problem") ?? ""]?.(
    /^[a-z]{1,20}$/.test(provider) ? providerName(provider) : "The vendor",
  )
  return text === undefined ? undefined : { tone: "fair", text }
}
