// The words of a column of WHOOP's archive: both are read the right way round, or neither is. Exports lack columns, and are in languages.
import { zipOf } from "@restwell/simulator"
import { describe, expect, test } from "vitest"
import { contentOf, readBytes, saidIn } from "./archive-files.ts"

const CYCLE = "Cycle start time,Cycle end time,Cycle timezone"
const DAYS = ["10", "11", "12", "13"]
const cycleOf = (day: string) => `2026-11-${day} 23:00:00,2026-11-${Number(day) + 1} 22:50:00,UTC+01:00`

const table = (name: string, lines: readonly string[]) => zipOf([{ name, bytes: Buffer.from(lines.join("\n")) }])
const journal = (words: readonly string[]) =>
  table("journal_entries.csv", [
    `${CYCLE},Question text,Answered yes,Notes`,
    ...words.map((word, index) => `${cycleOf(DAYS[index % 4] ?? "")},Question ${index}?,${word},`),
  ])
const answersOf = async (bytes: Buffer) =>
  (await readBytes(bytes)).flatMap((item) => (item.type === "journal" ? [item.answer.answer] : []))

const PAIRS: readonly (readonly [language: string, yes: string, no: string])[] = [
  ["English", "Yes", "No"],
  ["Italian", "Sì", "No"],
  ["Spanish", "Sí", "No"],
  ["French", "Oui", "Non"],
  ["German", "Ja", "Nein"],
  ["Dutch", "Ja", "Nee"],
  ["Norwegian", "Ja", "Nei"],
  ["Swedish and Danish", "Ja", "Nej"],
  ["Portuguese", "Sim", "Não"],
  ["Finnish", "Kyllä", "Ei"],
  ["Polish", "Tak", "Nie"],
  ["Czech", "Ano", "Ne"],
  ["Slovak", "Áno", "Nie"],
  ["Turkish", "Evet", "Hayır"],
  ["Greek", "Ναι", "Όχι"],
  ["Hungarian", "Igen", "Nem"],
  ["Romanian", "Da", "Nu"],
  ["Russian", "Да", "Нет"],
  ["Ukrainian", "Так", "Ні"],
  ["Japanese", "はい", "いいえ"],
  ["Korean", "예", "아니요"],
  ["Chinese", "是", "否"],
  ["Arabic", "نعم", "لا"],
  ["Hebrew", "כן", "לא"],
  ["code", "true", "false"],
  ["German truth", "wahr", "falsch"],
  ["Italian truth", "vero", "falso"],
  ["Polish truth", "prawda", "fałsz"],
]

test.each(PAIRS)("answers in %s are read the right way round", async (_, yes, no) => {
  for (const form of ["NFC", "NFD", "NFKC"] as const)
    for (const spelt of [(word: string) => word, (word: string) => word.toUpperCase(), (word: string) => ` ${word} `])
      expect(await answersOf(journal([yes, no, no, yes].map((word) => spelt(word.normalize(form)))))).toEqual([
        true,
        false,
        false,
        true,
      ])
})

test.each([
  ["neither word is known", ["Bai", "Ez", "Ez", "Bai"]],
  ["one of two words is known", ["No", "Bai", "No", "Bai"]],
  ["the other of two words is known", ["Yes", "Ez", "Ez", "Ez"]],
])("where %s, no answer is read, and the rows are counted", async (_, words) => {
  const items = await readBytes(journal(words))
  expect(await answersOf(journal(words))).toEqual([])
  const reasons = items.flatMap((item) => (item.type === "ignored" ? [item.reason] : []))
  expect(reasons).toHaveLength(4)
  expect(new Set(reasons)).toEqual(
    new Set(["journal_entries.csv: answers in words of which it is not known which one is yes and which one is no"]),
  )
})

test("beside both known words, another one costs its own row", async () => {
  expect(await answersOf(journal(["Yes", "No", "Perhaps", ""]))).toEqual([true, false, null])
  expect(saidIn(await readBytes(journal(["Yes", "No", "Perhaps"])))).toContain("line 4: answer: neither yes nor no")
})

const SLEEP =
  "Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),Asleep duration (min),In bed duration (min),Light sleep duration (min)," +
  "Deep (SWS) duration (min),REM duration (min),Awake duration (min),Sleep need (min),Sleep debt (min),Sleep efficiency %"
const NIGHT = "2026-11-10 23:00:00,2026-11-11 06:40:00,80,14.5,420,460,220,100,100,40,480,30,91"
const NAP = "2026-11-11 14:00:00,2026-11-11 14:40:00,20,15,30,40,20,5,5,10,480,0,75"
const UNSCORED = "2026-11-10 23:00:00,2026-11-11 06:40:00,,,,,,,,,,,"
const sleeps = (header: string, rows: readonly string[]) => table("sleeps.csv", [header, ...rows])
const napsOf = async (bytes: Buffer) =>
  (await readBytes(bytes)).flatMap((item) =>
    item.type === "record" && item.archived.record.kind === "sleep" ? [item.archived.record.isNap] : [],
  )

describe("a nap", () => {
  test.each([
    ["in Italian", "No", "Sì"],
    ["in Japanese", "いいえ", "はい"],
    ["in words that nobody knows, by the start of its cycle", "Ez", "Bai"],
  ])("is a nap %s", async (_, no, yes) => {
    const rows = [`${cycleOf("10")},${NIGHT},${no}`, `${cycleOf("10")},${NAP},${yes}`]
    expect(await napsOf(sleeps(`${CYCLE},${SLEEP},Nap`, rows))).toEqual([false, true])
  })

  test("is a nap without the column that says so", async () => {
    const bytes = sleeps(`${CYCLE},${SLEEP}`, [`${cycleOf("10")},${NIGHT}`, `${cycleOf("10")},${NAP}`])
    expect(await napsOf(bytes)).toEqual([false, true])
    expect(saidIn(await readBytes(bytes))).toContain("was read as WHOOP's sleeps, which lack Sleep consistency %, Nap")
  })
})

const numbered = (header: string) =>
  header
    .split(",")
    .map((_, index) => `列${index + 1}`)
    .join(",")

test("a table of sleeps without its last column is no table of workouts, in any language", async () => {
  const rows = [`${cycleOf("10")},${NIGHT},false`, `${cycleOf("10")},${NAP},true`, `${cycleOf("10")},${UNSCORED},false`]
  const [named, unnamed] = [`${CYCLE},${SLEEP},Nap`, numbered(`${CYCLE},${SLEEP},Nap`)]
  const expected = contentOf(await readBytes(sleeps(named, rows)))
  expect(expected.every((text) => text.includes('"kind":"sleep"'))).toBe(true)
  expect(contentOf(await readBytes(sleeps(unnamed, rows)))).toEqual(expected)
})

test("in a language that is not known, figures that do not agree with each other are at other places, and are not read", async () => {
  const moved = [`${cycleOf("10")},${NIGHT}`, `${cycleOf("10")},${NAP}`].map((row) => {
    const cells = row.split(",")
    return [...cells.slice(0, 7), ...cells.slice(8), cells[7]].join(",")
  })
  await expect(readBytes(sleeps(numbered(`${CYCLE},${SLEEP}`), moved))).rejects.toThrow(/no table that is known here/)
})

test("times without the zone of their cycles have the person's, and the report says so", async () => {
  const header = `${CYCLE},${SLEEP},Nap`.replace(",Cycle timezone", "")
  const items = await readBytes(sleeps(header, [`${cycleOf("10")},${NIGHT},false`.replace(",UTC+01:00", "")]))
  expect(contentOf(items)[0]).toContain(`"startMs":${Date.parse("2026-11-10T22:00:00.000Z")}`)
  expect(saidIn(items)).toMatch(/lack Cycle timezone[\s\S]*your time zone, Europe\/Berlin, was used/)
})
