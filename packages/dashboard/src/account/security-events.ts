import type { SecurityEventEntry, SecurityEventType } from "@restwell/client"
import { providerName } from "../format/provider-name.ts"

type Detail = string | null

/** "with a password", "with Google" */
const wayIn = (detail: Detail): string =>
  detail === "password" || detail === "passkey"
    ? `with a ${detail}`
    : `with ${providerName(detail ?? "another account")}`

const named = (detail: Detail): string => (detail === null ? "" : ` “${detail}”`)

const TEXTS: Readonly<Record<SecurityEventType, (detail: Detail) => string>> = {
  account_created: (detail) => `You made this account ${wayIn(detail)}`,
  signed_in: (detail) => `Signed in ${wayIn(detail)}`,
  sign_in_failed: () => "Somebody typed a wrong password",
  signed_out: () => "Signed out",
  password_changed: () => "The password was changed",
  password_set: () => "A password was set",
  passkey_added: (detail) => `The passkey${named(detail)} was added`,
  passkey_removed: (detail) => `The passkey${named(detail)} was deleted`,
  api_key_created: (detail) => `An API key was made${beginning(detail)}`,
  api_key_regenerated: (detail) => `A new API key replaced the old one${beginning(detail)}`,
  assistant_authorized: (detail) => `You let the assistant${named(detail)} read`,
  assistant_revoked: (detail) => `You ended what the assistant${named(detail)} may read`,
  connection_changed: (detail) => connectionText(detail ?? ""),
  data_exported: (detail) => (detail === "json" ? "Everything was exported" : "A table of your data was exported"),
}

const beginning = (detail: Detail): string => (detail === null ? "" : `, ${detail}…`)

/** By what the connection became. */
const STATES: Readonly<Record<string, string>> = {
  syncing: "is connected, its history follows",
  ok: "is connected and in step",
  vendor_unavailable: "does not answer",
  reauthorization_required: "wants you to connect again",
  disconnected: "was disconnected",
}

function connectionText(detail: string): string {
  const [, provider = "", state = ""] = /^(\w+): \w+ -> (\w+)$/.exec(detail) ?? []
  const text = STATES[state]
  return text === undefined ? `A connection changed: ${detail}` : `${providerName(provider)} ${text}`
}

/** What happened, in plain words. */
export const securityEventText = ({ type, detail }: SecurityEventEntry): string => TEXTS[type](detail)
