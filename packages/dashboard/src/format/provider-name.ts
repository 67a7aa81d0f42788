import { sourceName } from "@restwell/client/figures"

/** Services that people sign in with. */
const SIGN_IN: Readonly<Record<string, string>> = { google: "Google", apple: "Apple" }

/** Display name of a source of data, or of a service to sign in with. */
export const providerName = (provider: string): string => SIGN_IN[provider] ?? sourceName(provider)

/** Sports that are written in capital letters. */
const ABBREVIATIONS: readonly string[] = ["hiit", "bmx", "f45"]

/** "functional-fitness" as "Functional fitness", "hiit" as "HIIT". */
export function sportName(sportType: string): string {
  const words = sportType.replaceAll(/[-_]+/g, " ").trim()
  if (ABBREVIATIONS.includes(words)) return words.toUpperCase()
  return words === "" ? "Workout" : words.charAt(0).toUpperCase() + words.slice(1)
}
