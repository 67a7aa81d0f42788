import { sourceName } from "../../packages/client/src/figures/source-table.ts"
import { PROVIDERS } from "../../packages/client/src/rest/source.ts"
import { type Exception, isExcepted, packageOf, type SourceFile } from "./source-files.ts"

const PACKAGES = ["core", "server", "dashboard"]

const EXCEPTIONS: readonly Exception[] = [
  { files: "packages/server/src/openapi/**", reason: "examples of the API's document" },
]

/** A word of other things too. It counts where a text is nothing else. */
const ORDINARY_WORD = "intervals"

const COMMENT = /^\s*(?:\/\/|\{?\/?\*).*$|\s\/\/\s.*$/gm

const wordsOf = (name: string): string => name.replaceAll(".", String.raw`\.`).replaceAll(/[ _]/g, "[ _-]?")

/** What people and programs call a source: "google_health", "Google Health", "Fitbit". A phone is no vendor. */
const spelledOut = PROVIDERS.filter((provider) => provider !== "phone")
  .flatMap((provider) => [provider, ...sourceName(provider).split(/ ?[()]/)])
  .filter((name) => name !== "" && name !== ORDINARY_WORD)

const NAME = new RegExp(
  String.raw`(?<![a-z])(?:${[...new Set(spelledOut)].map(wordsOf).join("|")})(?![a-z])|["'\`](?:${ORDINARY_WORD})["'\`]`,
  "gi",
)

/** "startPolarSimulator" as "start Polar Simulator". */
const inWords = (text: string): string => text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ")

/** A new vendor is declared where all vendors are. No other code knows one by name. */
export function namedVendorFaults({ path, text }: SourceFile): string[] {
  if (!PACKAGES.includes(packageOf(path)) || isExcepted(path, EXCEPTIONS)) return []
  const named = inWords(text.replaceAll(COMMENT, "")).match(NAME) ?? []
  return [...new Set(named)].map(
    (name) => `${path}: names ${name}, declare what is special about it in packages/providers or source-table.ts`,
  )
}
