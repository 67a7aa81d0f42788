import { type ChoiceReason, gapsOf, type SourceDifference, type SourceSettingsResponse } from "@restwell/client"
import { figure, metricNamed, minutesText, NONE, nameOf, plural, withUnit } from "@restwell/client/figures"
import { Check } from "lucide-react"
import { useState } from "react"
import { useSaveSources } from "../api/sources.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { fullDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { SaveStatus, TYPES } from "./order-panel.tsx"

/** One date in a line, and behind it the figures of each source side by side. */
function DifferenceItem({
  difference,
  choice,
  onChoose,
}: {
  difference: SourceDifference
  /** The source that the person chose for this date. */
  choice: string | undefined
  /** @param source undefined for the person's order */
  onChoose: (source: string | undefined) => void
}) {
  const { type, date, values } = difference
  const comparisons = comparisonsOf(difference)
  const gaps = comparisons.filter(({ differs }) => differs).map(({ gap }) => gap)
  const used = values.find(({ chosen }) => chosen)
  return (
    <li>
      <Disclosure
        summaryClass="min-h-14 hover:bg-raised"
        summary={
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="font-medium">
              {fullDate(date)}
              <span className="font-normal text-muted">, {TYPES[type].name}</span>
            </h3>
            {gaps.length > 0 && <span className="text-fair sm:flex-1">{gaps.join(", ")} apart</span>}
            {used && (
              <span className="text-muted">
                {providerName(used.source)}
                {used.source === choice && ", your choice"}
              </span>
            )}
          </span>
        }
      >
        <ul className={`grid gap-3 pt-1 pb-4 sm:grid-cols-2 ${values.length > 2 ? "xl:grid-cols-3" : ""}`}>
          {values.map((value) => (
            <SourceCard
              key={value.source}
              value={value}
              comparisons={comparisons}
              label={`${TYPES[type].name} of ${fullDate(date)}`}
              isChoice={value.source === choice}
              onChoose={onChoose}
            />
          ))}
        </ul>
      </Disclosure>
    </li>
  )
}

function SourceCard({
  value,
  comparisons,
  label,
  isChoice,
  onChoose,
}: {
  value: DifferenceValue
  comparisons: readonly Comparison[]
  label: string
  isChoice: boolean
  onChoose: (source: string | undefined) => void
}) {
  const name = providerName(value.source)
  return (
    <li
      className={`flex flex-wrap content-start items-center justify-between gap-x-4 gap-y-3 rounded-xl border p-3 text-sm ${
        value.chosen ? "border-accent" : "border-line"
      }`}
    >
      <div className="min-w-0 flex-1 basis-56 lg:basis-44">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {name}
          {value.chosen && (
            <span className="inline-flex items-center gap-1 text-xs font-normal text-accent">
              <Check size={14} aria-hidden="true" />
              {isChoice ? "your choice" : usedBecause(value)}
            </span>
          )}
        </p>
        <dl className="mt-1 flex flex-col gap-0.5">
          {comparisons.map(({ label: figureName, text, differs }) => (
            <div key={figureName} className="grid grid-cols-[8.5rem_auto] justify-start">
              <dt className="text-muted">{figureName}</dt>
              <dd className={`tabular-nums ${differs ? "rounded bg-fair-soft px-1.5 font-semibold" : "px-1.5"}`}>
                {text(value)}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {(isChoice || !value.chosen) && (
        <Button onClick={() => onChoose(isChoice ? undefined : value.source)}>
          {isChoice ? "Back to your order" : "Use this one"}
          <span className="sr-only">
            : {name}, {label}
          </span>
        </Button>
      )}
    </li>
  )
}

/** What made a source the one that is used. */
const BECAUSE: Readonly<Record<ChoiceReason, string>> = {
  only_one: "used: the only one",
  your_choice: "your choice",
  your_order: "used: first in your order",
  complete: "used: the most complete",
  direct: "used: nearest to the device",
  default_order: "used: the one you have longest",
}

const usedBecause = ({ chosen_because: reason }: DifferenceValue): string =>
  reason === null ? "used" : BECAUSE[reason]

/** Differences on the page before "Show more". */
const PAGE = 5

/** The dates on which the sources differ. The person chooses the source of a date here. */
export function DifferencesPanel({ settings: { differences, choices } }: { settings: SourceSettingsResponse }) {
  const save = useSaveSources()
  const [change, setChange] = useState("")
  const [shown, setShown] = useState(PAGE)
  const choose = ({ type, date }: SourceDifference, source: string | undefined) => {
    const others = choices.filter((choice) => choice.type !== type || choice.date !== date)
    const when = `${fullDate(date)}, ${type}`
    setChange(source === undefined ? `Back to your order: ${when}.` : `${providerName(source)} is used: ${when}.`)
    save.mutate({ choices: source === undefined ? others : [{ type, date, source }, ...others] })
  }
  return (
    <Panel
      title="Where your sources differ"
      description="Days on which two devices differ by more than 60 minutes asleep, 5 bpm of resting heart rate or 15 % of HRV. Choose which one to use for a day."
      {...(choices.length > 0 && {
        actions: (
          <ConfirmDialog
            trigger="Forget choices"
            title={`Forget ${plural(choices.length, "choice")}?`}
            confirmLabel="Forget"
            look="primary"
            onConfirm={() => {
              setChange("Your order applies to all days.")
              return save.mutateAsync({ choices: [] })
            }}
          >
            <p>Your order applies to these days again.</p>
          </ConfirmDialog>
        ),
      })}
    >
      {differences.length === 0 ? (
        <p className="text-sm text-muted">Your devices agree on every day.</p>
      ) : (
        <ul aria-label="Differences" className="divide-y divide-line border-t border-line">
          {differences.slice(0, shown).map((difference) => (
            <DifferenceItem
              key={`${difference.type} ${difference.date}`}
              difference={difference}
              choice={choices.find(({ type, date }) => type === difference.type && date === difference.date)?.source}
              onChoose={(source) => choose(difference, source)}
            />
          ))}
        </ul>
      )}
      {differences.length > shown && (
        <Button className="mt-4" onClick={() => setShown(shown + PAGE)}>
          Show more ({figure(differences.length)} in all)
        </Button>
      )}
      <SaveStatus change={change} save={save} />
    </Panel>
  )
}

type DifferenceValue = SourceDifference["values"][number]

/** A figure that the sources of a date are compared by. */
interface Comparison {
  readonly label: string
  readonly text: (value: DifferenceValue) => string
  /** True where the sources differ by more than usual. */
  readonly differs: boolean
  /** By how much, as text. */
  readonly gap: string
}

const [RATE, HRV] = [metricNamed("resting_heart_rate"), metricNamed("hrv")]

export function comparisonsOf({ type, values }: SourceDifference): Comparison[] {
  const { asleep, restingHeartRate, hrv } = gapsOf(values)
  if (type === "sleep")
    return [
      {
        label: "Asleep",
        text: ({ asleep_minutes: minutes }) => (minutes === null ? NONE : minutesText(minutes)),
        differs: asleep.isFar,
        gap: `${minutesText(asleep.highest - asleep.lowest)} of sleep`,
      },
    ]
  const methods = new Set(values.flatMap(({ hrv: value, hrv_method: method }) => (value === null ? [] : method)))
  return [
    {
      label: RATE.title,
      text: ({ resting_heart_rate: rate }) => (rate === null ? NONE : withUnit(figure(rate), RATE.unit)),
      differs: restingHeartRate.isFar,
      gap: `${withUnit(figure(restingHeartRate.highest - restingHeartRate.lowest), RATE.unit)} of ${nameOf(RATE)}`,
    },
    {
      label: nameOf(HRV),
      text: ({ hrv: value, hrv_method: method }) =>
        value === null
          ? NONE
          : `${withUnit(figure(value), HRV.unit)}${methods.size > 1 && method !== null ? ` ${method.toUpperCase()}` : ""}`,
      differs: hrv.isFar,
      // Of the figures that are written beside it.
      gap: `${withUnit(figure(Math.round(hrv.highest) - Math.round(hrv.lowest)), HRV.unit)} of ${nameOf(HRV)}`,
    },
  ]
}
