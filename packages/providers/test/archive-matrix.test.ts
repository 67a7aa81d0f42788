// Each file and each column of each vendor's archive is broken in turn: what is beside it is read, and the report names it.
import { zipOf } from "@restwell/simulator"
import { beforeAll, describe, expect, test } from "vitest"
import { archiveFiles, contentOf, type Files, type Kind, keysOf, readFiles, saidIn } from "./archive-files.ts"

const KINDS = ["whoop", "oura", "garmin", "takeout", "apple"] as const satisfies readonly Kind[]
const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

let archives: Readonly<Record<Kind, Files>>
beforeAll(async () => {
  archives = await archiveFiles()
})

/** The file that all of Apple's export is in is the archive. */
const isWhole = ({ name }: Files[number]): boolean => /export\.xml$/.test(name)
const partsOf = (kind: Kind): Files => archives[kind].filter((file) => !isWhole(file))
const withFile = (kind: Kind, name: string, change: (bytes: Buffer) => Buffer | undefined): Files =>
  archives[kind].flatMap((file) => {
    const bytes = file.name === name ? change(file.bytes) : file.bytes
    return bytes ? [{ ...file, bytes }] : []
  })

/** In the middle of a row or of an entry. */
const cut = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.6))

const FAULTS: Readonly<Record<string, { readonly of: (bytes: Buffer) => Buffer; readonly in: RegExp }>> = {
  "without bytes": { of: () => Buffer.alloc(0), in: /\.(?:csv|json|zip)$/ },
  "that was cut off": { of: cut, in: /\.(?:json|zip)$/ },
  "with a quotation mark that is never closed": {
    of: (bytes) => Buffer.from(bytes.toString().replace("\n", '\n"no end\n')),
    in: /\.csv$/,
  },
  "in another encoding": {
    of: (bytes) => Buffer.concat([bytes.subarray(0, 80), Buffer.from([0xe4, 0x0a])]),
    in: /\.csv$/,
  },
  "that is a zip file without files": { of: () => zipOf([]), in: /\.zip$/ },
}

describe.each(KINDS)("in the archive of %s", (kind) => {
  test.each(Object.entries(FAULTS))("a file %s costs itself alone, and is named", async (_, { of, in: names }) => {
    for (const { name } of partsOf(kind).filter((file) => names.test(file.name))) {
      const beside = keysOf(await readFiles(withFile(kind, name, () => undefined)))
      const items = await readFiles(withFile(kind, name, of))
      expect([...new Set(keysOf(items))], name).toEqual(expect.arrayContaining([...new Set(beside)]))
      expect(lettersOf(saidIn(items)), name).toContain(lettersOf(baseName(name).replace(/\.\w+$/, "")))
    }
  })
})

/** Names of kinds of files are without their dates. */
const lettersOf = (text: string): string => text.replaceAll(/[^a-zA-Z]/g, "")

type Table = readonly (readonly string[])[]

/** Tables of the simulator have no line end in a cell but the notes, which are left out. */
function tableIn(bytes: Buffer): { readonly delimiter: string; readonly rows: Table } {
  const [header = "", ...lines] = bytes.toString().trimEnd().split("\n")
  const delimiter = header.includes(";") ? ";" : ","
  const rows = [header, ...lines].map((line) => cellsOf(line, delimiter))
  return { delimiter, rows: rows.filter(({ length }) => length === rows[0]?.length) }
}

/** Quoted cells stay as they are. */
const cellsOf = (line: string, delimiter: string): string[] =>
  line.split(new RegExp(`${delimiter}(?=(?:[^"]*"[^"]*")*[^"]*$)`))
const bytesOf = (rows: Table, delimiter: string): Buffer =>
  Buffer.from(rows.map((row) => row.join(delimiter)).join("\n"))

const changedTable = (bytes: Buffer, change: (row: readonly string[], line: number) => readonly string[]): Buffer => {
  const { delimiter, rows } = tableIn(bytes)
  return bytesOf(rows.map(change), delimiter)
}
const tablesOf = (kind: Kind): Files =>
  partsOf(kind).filter(({ name, bytes }) => /\.csv$/.test(name) && bytes.length > 0)

/** Columns of which nothing is read. */
const UNREAD: Readonly<Record<"whoop" | "oura" | "takeout", RegExp>> = {
  whoop: /^(?:notes|gps enabled|altitude.*|distance.*)$/i,
  oura: /^(?!(?:id|type|bedtime_start|bedtime_end|tag_type_code|bpm|spo2_percentage)$)/,
  takeout: /^(?!(?:sleep_id|sleep_start|sleep_end|exercise_start|exercise_end)$)/,
}

describe.each(["whoop", "oura", "takeout"] as const)("in a table of %s", (kind) => {
  test("a column that is missing costs its own figures, and is named", async () => {
    const said = saidIn(await readFiles(archives[kind]))
    for (const { name, bytes } of tablesOf(kind)) {
      const isRead = kind !== "oura" || said.includes(`${name} was read as`)
      const beside = keysOf(await readFiles(withFile(kind, name, () => undefined)))
      const { rows } = tableIn(bytes)
      for (const [column, title] of (rows[0] ?? []).entries()) {
        const change = (table: Buffer) => changedTable(table, (row) => row.toSpliced(column, 1))
        const items = await readFiles(withFile(kind, name, change))
        const place = `${name} without ${title}`
        expect([...new Set(keysOf(items))], place).toEqual(expect.arrayContaining([...new Set(beside)]))
        if (isRead && !UNREAD[kind].test(title)) expect(saidIn(items), place).toMatch(titleIn(title))
      }
    }
  })

  test("columns in another order and columns that are not known change nothing", async () => {
    for (const { name } of tablesOf(kind)) {
      const same = (row: readonly string[]) => row
      const expected = contentOf(await readFiles(withFile(kind, name, (bytes) => changedTable(bytes, same))))
      for (const change of [
        (row: readonly string[]) => row.toReversed(),
        (row: readonly string[]) => [...row.slice(3), ...row.slice(0, 3)],
        (row: readonly string[], line: number) => [line === 0 ? "Mood" : "good", ...row],
      ]) {
        const items = await readFiles(withFile(kind, name, (bytes) => changedTable(bytes, change)))
        expect(contentOf(items), name).toEqual(expected)
      }
    }
  })
})

const titleIn = (title: string): RegExp =>
  new RegExp(title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/^Answered yes$/, "Answered yes|column"), "i")

test("a figure that is beside a column that is missing stays", async () => {
  const [file] = archives.whoop.filter(({ name }) => name === "sleeps.csv")
  const column = tableIn(file?.bytes ?? Buffer.alloc(0)).rows[0]?.indexOf("Sleep consistency %") ?? -1
  const nightsOf = (items: Awaited<ReturnType<typeof readFiles>>) =>
    items.flatMap((item) =>
      item.type === "record" && item.archived.record.kind === "sleep" ? [item.archived.record] : [],
    )
  const whole = nightsOf(await readFiles(archives.whoop))
  const change = (bytes: Buffer) => changedTable(bytes, (row) => row.toSpliced(column, 1))
  const nights = nightsOf(await readFiles(withFile("whoop", "sleeps.csv", change)))
  expect(nights).toHaveLength(whole.length)
  const besideIt = ({ consistencyPercent: _, raw: __, ...night }: (typeof whole)[number]) => night
  expect(nights.map(besideIt)).toEqual(whole.map(besideIt))
  expect(nights.some((night) => "consistencyPercent" in night)).toBe(false)
})

test("files of Garmin and Google that were renamed are read all the same", async () => {
  const renamed: Readonly<Record<"garmin" | "takeout", (name: string, index: number) => string>> = {
    garmin: (name, index) => (/\.json$/.test(name) ? `DI_CONNECT/file ${index}.json` : name),
    takeout: (name) => name.replace(/(\.\w+)$/, " (1)$1"),
  }
  for (const kind of ["garmin", "takeout"] as const) {
    const files = archives[kind].map((file, index) => ({ ...file, name: renamed[kind](file.name, index) }))
    expect(new Set(keysOf(await readFiles(files)))).toEqual(new Set(keysOf(await readFiles(archives[kind]))))
  }
})
