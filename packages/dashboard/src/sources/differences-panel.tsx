import type { SourceDifference, SourceSettingsResponse } from "@restwell/client"
import { useState } from "react"
import { useSaveSources } from "../api/sources.ts"
import { Button } from "../components/button.tsx"
import { ConfirmDialog } from "../components/confirm-dialog.tsx"
import { Panel } from "../components/panel.tsx"
import { fullDate } from "../format/date.ts"
import { plural } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { DifferenceItem } from "./difference-item.tsx"
import { SaveStatus } from "./save-status.tsx"

/** Differences on the page before "Show more". */
const PAGE = 10

/** The dates on which the sources differ. The person chooses the source of a date here. */
export function DifferencesPanel({ settings: { differences, choices } }: { settings: SourceSettingsResponse }) {
  const save = useSaveSources()
  const [change, setChange] = useState("")
  const [shown, setShown] = useState(PAGE)
  const choose = ({ type, date }: SourceDifference, source: string | undefined) => {
    const others = choices.filter((choice) => choice.type !== type || choice.date !== date)
    const when = `${fullDate(date)}, ${type}`
    setChange(source === undefined ? `Back to your order: ${when}.` : `${providerName(source)} answers: ${when}.`)
    save.mutate({ choices: source === undefined ? others : [{ type, date, source }, ...others] })
  }
  return (
    <Panel
      title="Where your sources differ"
      description="Dates on which two sources differ by more than 60 minutes asleep, 5 bpm of resting heart rate, or 15 % of HRV. What you choose for a date goes before any order."
      {...(choices.length > 0 && {
        actions: (
          <ConfirmDialog
            trigger="Forget choices"
            title={`Forget ${plural(choices.length, "choice")}?`}
            confirmLabel="Forget"
            look="primary"
            onConfirm={() => {
              setChange("Your order answers on all dates.")
              return save.mutateAsync({ choices: [] })
            }}
          >
            <p>Your order answers again on these dates.</p>
          </ConfirmDialog>
        ),
      })}
    >
      {differences.length === 0 ? (
        <p className="text-sm text-muted">Your sources agree: there is no such date.</p>
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
          Show more of {plural(differences.length, "difference")}
        </Button>
      )}
      <SaveStatus change={change} save={save} />
    </Panel>
  )
}
