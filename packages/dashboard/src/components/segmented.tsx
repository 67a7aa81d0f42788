import { Toggle } from "@base-ui/react/toggle"
import { ToggleGroup } from "@base-ui/react/toggle-group"

/** A choice between a few options, side by side. */
export const Segmented = <Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly { readonly value: Value; readonly label: string }[]
  value: Value
  onChange: (value: Value) => void
}) => (
  <ToggleGroup
    aria-label={label}
    value={[value]}
    onValueChange={([chosen]) => {
      const option = options.find((each) => each.value === chosen)
      if (option) onChange(option.value)
    }}
    className="inline-flex rounded-lg border border-line bg-raised p-0.5"
  >
    {options.map((option) => (
      <Toggle
        key={option.value}
        value={option.value}
        className="min-h-8 rounded-md px-3 text-sm text-muted data-pressed:bg-surface data-pressed:font-medium data-pressed:text-text data-pressed:shadow-sm"
      >
        {option.label}
      </Toggle>
    ))}
  </ToggleGroup>
)
