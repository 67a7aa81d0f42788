/** What the checks of an installation are about, in the order in which they are shown. */
export const CHECKS = [
  ...(["settings", "data folder", "secret", "dashboard", "database", "schema", "stored secrets"] as const),
  ...(["port", "service", "open files", "public address", "proxy", "vendor", "webhooks", "sign-in"] as const),
  ...(["clock", "connections", "work", "backup", "email"] as const),
] as const
export type CheckName = (typeof CHECKS)[number]

/** What one check found. */
export type Outcome =
  | { readonly status: "ok"; readonly message: string }
  /** Something is wrong. `remedy` says what to do about it. */
  | { readonly status: "failed"; readonly message: string; readonly remedy: string }
  /** It could not be checked, because of something that another check reports or that is not there. */
  | { readonly status: "skipped"; readonly message: string }

export type CheckResult = Outcome & { readonly check: CheckName }

export const ok = (message: string): Outcome => ({ status: "ok", message })
export const failed = (message: string, remedy: string): Outcome => ({ status: "failed", message, remedy })
export const skipped = (message: string): Outcome => ({ status: "skipped", message })

/** A message of ours has the fault before the first colon, and the remedy after it. */
export function failedWith(text: string): Outcome {
  const message = text.replaceAll(/\s+/g, " ").trim()
  const colon = message.indexOf(": ")
  return colon < 0
    ? failed(message, "correct it and start the service again")
    : failed(message.slice(0, colon), message.slice(colon + 2))
}

/** Thrown by a fact that cannot be had, because of something that another check reports. */
export class Skip extends Error {
  override readonly name = "Skip"
}
