/* A new rule: what it waits for, where it is sent, and what it would have sent. */
import {
  type Channel,
  METRIC_IDS,
  RULE_BOUNDS,
  RULE_KINDS,
  type Rule,
  type RuleRequest,
  RuleRequestSchema,
} from "@restwell/client"
import { LIMIT_METRICS, metricNamed, SIGN_METRICS, stepOf, unitText } from "@restwell/client/figures"
import { useState } from "react"
import { useChangeRules } from "../api/notifications.ts"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { Form, TextField, useFields } from "../components/form.tsx"
import { FailureNotice } from "../components/notice.tsx"
import { ChannelBoxes } from "./channel-boxes.tsx"
import { RulePreview } from "./rule-preview.tsx"
import { metricChoice, RULE_KIND_TEXTS } from "./rule-text.ts"

const EMPTY = {
  kind: "limit",
  metric: "recovery_score",
  direction: "below",
  limit: "",
  sign: "resting_heart_rate",
  side: "above",
  mornings: "1",
  at: "11:00",
  percent: "80",
} as const

type Values = Readonly<Record<keyof typeof EMPTY, string>>
type Field = ReturnType<typeof useFields<keyof typeof EMPTY>>["field"]

/** The rule of what is filled in. Undefined as long as something is missing. */
function ruleOf(values: Values, channels: readonly Channel[]): RuleRequest | undefined {
  const { kind, metric, direction, limit, sign, side, mornings, at, percent } = values
  const isClock = metricNamed(metric).kind === "clock"
  const parts: Readonly<Record<string, object>> = {
    limit: { metric, direction, limit: isClock || limit === "" ? limit : Number(limit) },
    unusual: { metric: sign, direction: side === "both" ? null : side, mornings: Number(mornings) },
    missing: { at },
    connection: {},
    quota: { percent: Number(percent) },
  }
  return RuleRequestSchema.safeParse({ kind, ...parts[kind], channels, enabled: true }).data
}

export interface RuleFormProps {
  readonly rules: readonly Rule[]
  /** Where a new rule is sent, unless the person chooses something else. */
  readonly usualChannels: readonly Channel[]
}

/** Two steps: the person sees what the rule would have sent, and then switches it on. */
export function RuleForm({ rules, usualChannels }: RuleFormProps) {
  const change = useChangeRules()
  const { values, field, reset } = useFields<keyof typeof EMPTY>(EMPTY)
  const [chosenChannels, setChannels] = useState<Channel[]>()
  const channels = chosenChannels ?? usualChannels
  const [seen, setSeen] = useState<RuleRequest>()
  const rule = ruleOf(values, channels)
  const isSeen = rule !== undefined && JSON.stringify(seen) === JSON.stringify(rule)
  const turnOn = () =>
    rule &&
    change.mutate((stored) => [...stored, rule], {
      onSuccess: () => {
        reset()
        setSeen(undefined)
      },
    })
  if (rules.length >= RULE_BOUNDS.rules)
    return (
      <p className="text-sm text-muted">
        You have {RULE_BOUNDS.rules} rules, which is the most. Delete one to add another.
      </p>
    )
  return (
    <Form onSubmit={isSeen ? turnOn : () => setSeen(rule)} className="mt-2 max-w-md gap-4">
      <Select
        label="Tell me when"
        options={RULE_KINDS.map((kind) => [kind, RULE_KIND_TEXTS[kind]])}
        {...field("kind")}
      />
      <KindFields values={values} field={field} />
      <ChannelBoxes chosen={channels} onChange={setChannels} />
      {isSeen && <RulePreview rule={rule} />}
      {change.error && <FailureNotice error={change.error} />}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          look={isSeen ? "primary" : "secondary"}
          isBusy={change.isPending}
          disabled={rule === undefined || channels.length === 0}
        >
          {isSeen ? "Turn it on" : "What would it have sent?"}
        </Button>
        {channels.length === 0 && <span className="text-sm text-muted">Choose where it is sent.</span>}
      </div>
    </Form>
  )
}

/** What only rules of the chosen kind have. */
function KindFields({ values, field }: { values: Values; field: Field }) {
  switch (values.kind) {
    case "limit":
      return <LimitFields values={values} field={field} />
    case "unusual":
      return (
        <>
          <Select label="Figure" options={SIGN_METRICS.map(metricChoice)} {...field("sign")} />
          <div className="grid grid-cols-2 gap-4">
            <Select
              label="It is"
              options={[
                ["above", "unusually high"],
                ["below", "unusually low"],
                ["both", "high or low"],
              ]}
              {...field("side")}
            />
            <Select label="On" options={MORNINGS} {...field("mornings")} />
          </div>
        </>
      )
    case "missing":
      return <TextField label="By" type="time" required {...field("at")} />
    case "quota":
      return (
        <TextField
          label="Used, percent"
          type="number"
          inputMode="numeric"
          min={1}
          max={100}
          required
          {...field("percent")}
        />
      )
    default:
      return null
  }
}

const MORNINGS = Array.from({ length: RULE_BOUNDS.mornings }, (_, index): readonly [string, string] => [
  String(index + 1),
  index === 0 ? "one morning" : `${index + 1} mornings in a row`,
])

/** Figures of the night and of the morning, in the order of the catalogue. */
const LIMITED = METRIC_IDS.filter((id) => LIMIT_METRICS.some((metric) => metric.id === id))

function LimitFields({ values: { metric: id }, field }: { values: Values; field: Field }) {
  const metric = metricNamed(id)
  const isClock = metric.kind === "clock"
  const unit = metric.unit === null ? "" : `, ${metric.unit === "h" ? "hours" : unitText(metric.unit)}`
  return (
    <>
      <Select label="Figure" options={LIMITED.map(metricChoice)} {...field("metric")} />
      <div className="grid grid-cols-2 gap-4">
        <Select
          label="It is"
          options={[
            ["below", isClock ? "before" : "below"],
            ["above", isClock ? "after" : "above"],
          ]}
          {...field("direction")}
        />
        <TextField
          label={isClock ? "Time" : `Limit${unit}`}
          required
          {...(isClock
            ? { type: "time" }
            : { type: "number", inputMode: "decimal", step: metric.unit === "h" ? 0.25 : stepOf(metric) })}
          {...field("limit")}
        />
      </div>
    </>
  )
}
