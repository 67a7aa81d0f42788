import { RECORD_KINDS } from "@restwell/providers"
import fc from "fast-check"
import { expect, test } from "vitest"
import { setAsideText } from "../connect/failure-texts.ts"
import { type LackedKind, missingOf } from "./missing.ts"

const FIRST = Temporal.PlainDate.from("2026-03-01")
const DAYS = 12
const dayOf = (day: number): string => FIRST.add({ days: day }).toString()
const HOURS = DAYS * 24

const day = fc.integer({ min: 0, max: DAYS - 1 })
const provider = fc.constantFrom("whoop", "oura")
const kind = fc.constantFrom(...RECORD_KINDS)
const holding = fc.constantFrom<LackedKind | "samples">(...RECORD_KINDS, "journal", "samples")

/** A gap from an hour after the first date's midnight to another one. */
const gap = fc
  .record({
    provider,
    holds: fc.uniqueArray(holding, { minLength: 1 }),
    from: fc.integer({ min: 0, max: HOURS }),
    hours: fc.option(fc.integer({ min: 1, max: HOURS })),
    reason: fc.constantFrom("one reason", "another reason"),
  })
  .map(({ from, hours, ...rest }) => ({ ...rest, from, to: hours === null ? null : from + hours }))

const instantOf = (hour: number): string =>
  FIRST.toZonedDateTime("UTC").add({ hours: hour }).toInstant().toString({ fractionalSecondDigits: 3 })

const storedGap = <Gap extends { from: number; to: number | null }>({ from, to, ...rest }: Gap) => ({
  collection: "any",
  title: "any",
  nextStep: "any",
  helpsReconnect: false,
  since: instantOf(0),
  triedAt: instantOf(0),
  retryAt: instantOf(0),
  failures: 1,
  lacksFrom: instantOf(from),
  lacksTo: to === null ? null : instantOf(to),
  ...rest,
})

const situation = fc.record({
  gaps: fc.array(gap, { maxLength: 4 }),
  setAside: fc.array(fc.record({ provider, kind, day }), { maxLength: 6 }),
  stored: fc.array(fc.record({ provider, kind, day }), { maxLength: 30 }),
  kinds: fc.uniqueArray(fc.constantFrom<LackedKind>(...RECORD_KINDS, "journal"), { minLength: 1 }),
  range: fc.tuple(day, day).map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const),
  today: day,
  utcOffsetMinutes: fc.constantFrom(-720, -300, 0, 330, 840),
})

test("a date is missing once, if and only if its record was set aside, or a gap covers it and no record of its kind is there", () => {
  fc.assert(
    fc.property(situation, ({ gaps, setAside, stored, kinds, range: [first, last], today, utcOffsetMinutes }) => {
      const dated = <Record extends { readonly day: number }>({ day: at, ...rest }: Record) => ({
        ...rest,
        date: dayOf(at),
      })
      const missing = missingOf({ gaps: gaps.map(storedGap), setAside: setAside.map(dated) }, stored.map(dated), {
        kinds,
        range: { from: dayOf(first), to: dayOf(last) },
        today: dayOf(today),
        zone: { utcOffsetMinutes, timeZone: null },
      })
      const localDay = (hour: number) => Math.floor((hour + utcOffsetMinutes / 60) / 24)
      const expected = kinds.flatMap((one) =>
        ["whoop", "oura"].flatMap((source) =>
          Array.from({ length: Math.min(last, today) - first + 1 }, (_, index) => first + index).flatMap((at) => {
            const isIt = (record: { provider: string; kind: string; day: number }) =>
              record.provider === source && record.kind === one && record.day === at
            const covering = gaps.filter(
              (each) =>
                each.provider === source &&
                each.holds.includes(one) &&
                localDay(each.from) <= at &&
                (each.to === null || at <= localDay(each.to)),
            )
            const isThere = ["sleep", "recovery", "cycle"].includes(one) && stored.some(isIt)
            const aside = one !== "journal" && setAside.some(isIt) ? [setAsideText(source, one)] : []
            const [reason] = [...aside, ...(isThere ? [] : covering.map((each) => each.reason))]
            return reason === undefined ? [] : [{ date: dayOf(at), kind: one, reason, source }]
          }),
        ),
      )
      const inOrder = (list: typeof missing) => list.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1))
      expect(inOrder(missing)).toEqual(inOrder(expected))
      expect(missing.map(({ date }) => date)).toEqual(
        missing
          .map(({ date }) => date)
          .toSorted()
          .toReversed(),
      )
    }),
    { numRuns: 2000 },
  )
})

const textOf = ({ date, kind: one, source }: { date: string; kind: string; source: string }): string =>
  `${date} ${one} ${source}`
