import type { Metric } from "@restwell/client"
import { Select } from "../components/choice.tsx"

interface MetricPickerProps {
  readonly label: string
  readonly metrics: readonly Metric[]
  readonly value: string
  readonly onChange: (metricId: string) => void
  /** An entry before the metrics. */
  readonly first?: readonly [value: string, text: string]
}

/** A choice among the metrics that have values. The current one is always among them. */
export function MetricPicker({ label, metrics, value, onChange, first }: MetricPickerProps) {
  const choices = metrics.filter(({ id, n }) => n > 0 || id === value)
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[...(first ? [first] : []), ...choices.map((metric) => [metric.id, choiceText(metric)] as const)]}
    />
  )
}

/** Short names, because a phone has little room for a choice. */
const choiceText = ({ id, title, kind }: Metric): string =>
  id === "hrv" ? "HRV" : kind === "yes_no" ? `${title} (journal)` : title
