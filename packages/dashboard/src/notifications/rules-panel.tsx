/* Rules of the person: each says what it waits for, and what it would have sent before it is switched on. */
import type { NotificationsResponse, Rule } from "@restwell/client"
import { useChangeRules } from "../api/notifications.ts"
import { usePreferences } from "../api/preferences.ts"
import { Button } from "../components/button.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { channelsText } from "./channel-boxes.tsx"
import { RuleForm } from "./rule-form.tsx"
import { RulePreview } from "./rule-preview.tsx"
import { ruleText } from "./rule-text.ts"

/** A new rule is sent where the message of each morning is. */
export const RulesPanel = ({ rules, briefing }: Pick<NotificationsResponse, "rules" | "briefing">) => (
  <Panel
    title="Tell me when"
    description="A rule looks at each morning once. A message comes on that morning or not at all."
  >
    <div className="flex flex-col gap-5">
      {rules.length > 0 && (
        <ul aria-label="Rules" className="divide-y divide-line">
          {rules.map((rule) => (
            <RuleItem key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
      <Disclosure summary="Add a rule" summaryClass="w-fit font-medium" isOpen={rules.length === 0}>
        <RuleForm rules={rules} usualChannels={briefing.enabled ? briefing.channels : []} />
      </Disclosure>
    </div>
  </Panel>
)

function RuleItem({ rule }: { rule: Rule }) {
  const change = useChangeRules()
  const preferences = usePreferences()
  const text = ruleText(rule, preferences)
  const setEnabled = (enabled: boolean) =>
    change.mutate((rules) => rules.map((each) => (each.id === rule.id ? { ...each, enabled } : each)))
  const remove = () => change.mutate((rules) => rules.filter(({ id }) => id !== rule.id))
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="font-medium">{text}</p>
        <p className="text-muted">{rule.enabled ? `On, ${channelsText(rule.channels)}` : "Off"}</p>
        {!rule.enabled && <RulePreview rule={rule} />}
        {change.error && <FailureNotice error={change.error} />}
      </div>
      <div className="flex gap-2">
        <Button
          aria-label={`${rule.enabled ? "Turn off" : "Turn on"}: ${text}`}
          isBusy={change.isPending}
          onClick={() => setEnabled(!rule.enabled)}
        >
          {rule.enabled ? "Turn off" : "Turn on"}
        </Button>
        <Button look="quiet" aria-label={`Delete: ${text}`} disabled={change.isPending} onClick={remove}>
          Delete
        </Button>
      </div>
    </li>
  )
}
