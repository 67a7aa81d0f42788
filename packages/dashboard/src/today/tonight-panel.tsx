import type { DisplayPreferences } from "@restwell/client"
import { formatClock, minutesText, plural, type Tonight, tonightSentence } from "@restwell/client/figures"
import { Fact, Facts, Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { HistoryLink } from "../metrics/history-link.tsx"

interface TonightPanelProps {
  readonly tonight: Tonight
  readonly clock: DisplayPreferences["clock"]
}

/** "In bed by 22:40 for 8 h of sleep before 06:50", and the figures that it is from. */
export const TonightPanel = ({ tonight, clock }: TonightPanelProps) => {
  const { usualBedtime, wake, sleep, isNeed, debt, nights, source } = tonight
  const time = (minutes: number) => formatClock(minutes, clock)
  return (
    <Panel
      title="Tonight"
      description={`The middle of your ${plural(nights, "night")} of the last 14 days, from ${providerName(source)}.`}
    >
      <p className="text-lg font-semibold tracking-tight text-pretty">{tonightSentence(tonight, clock)}</p>
      <div className="mt-4">
        <Facts className="grid-cols-2">
          <Fact
            label={
              <HistoryLink metric={isNeed ? "sleep_need" : "asleep"}>
                {isNeed ? "Sleep need" : "Usual sleep"}
              </HistoryLink>
            }
          >
            {minutesText(sleep)}
          </Fact>
          {debt !== undefined && (
            <Fact
              label={<HistoryLink metric="sleep_debt">{debt < 0 ? "Slept beyond need" : "Sleep debt"}</HistoryLink>}
            >
              about {minutesText(Math.abs(debt))} in 14 days
            </Fact>
          )}
          <Fact label={<HistoryLink metric="bedtime">Usual bedtime</HistoryLink>}>{time(usualBedtime)}</Fact>
          <Fact label={<HistoryLink metric="wake_time">Usual waking</HistoryLink>}>{time(wake)}</Fact>
        </Facts>
      </div>
    </Panel>
  )
}
