import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { EnvironmentSchema } from "./environment.ts"
import { VENDOR_SETTINGS } from "./vendor-settings.ts"

const SETTINGS = [...Object.keys(EnvironmentSchema.shape), ...VENDOR_SETTINGS]
const text = await readFile(new URL("../../../../docs/settings.md", import.meta.url), "utf8")
const [tables = "", mistakes = ""] = text.split("\n## Mistakes\n")

test("docs/settings.md has a row for each setting, and no other", () => {
  const rows = [...tables.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(SETTINGS.toSorted())
})

test("docs/settings.md has the settings of a vendor below the vendor's heading", () => {
  const vendorsOf = (section: string): number =>
    new Set(VENDOR_SETTINGS.filter((name) => section.includes(`\n| \`${name}\` |`)).map(vendorOf)).size
  expect(tables.split(/^## /m).filter((section) => vendorsOf(section) > 1)).toEqual([])
})

const vendorOf = (setting: string): string => setting.replace(/_(?:CLIENT|BASE|CALLS|PORTAL)_?.*$/, "")

test("docs/settings.md numbers its notes in the order in which the tables name them", () => {
  const named = [...new Set([...tables.matchAll(/; \[(\d+)\]/g)].map(([, note]) => note))]
  const notes = [...tables.matchAll(/^(\d+)\. /gm)].map(([, note]) => note)
  expect(named).toEqual(named.map((_, index) => `${index + 1}`))
  expect(notes).toEqual(named)
})

/** The page names these by what they are: client ids and secrets, addresses of vendors, issuers, limits and quotas. */
const IS_NAMED_BY_KIND =
  /_(?:CLIENT_ID|CLIENT_SECRET|ISSUER|BASE_URL)$|_CALLS_PER_|^(?:FREE|PRO)_|^IMPORT_\w+_MB$|^MAX_/

test("docs/settings.md says what each setting must be", () => {
  const named = SETTINGS.filter((name) => !IS_NAMED_BY_KIND.test(name))
  expect(named.filter((name) => !mistakes.includes(`\`${name}\``))).toEqual([])
})
