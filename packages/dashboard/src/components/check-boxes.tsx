interface CheckBoxesProps<Value extends string> {
  readonly legend: string
  readonly options: readonly (readonly [value: Value, title: string])[]
  readonly chosen: readonly Value[]
  /** Gets the chosen ones in the order of the options. */
  readonly onChange: (chosen: Value[]) => void
  /** What is said below a title. */
  readonly notes?: Readonly<Partial<Record<Value, string>>>
  /** Classes of the columns. @default two */
  readonly columns?: string
  /** Whether only screen readers read the legend, because it is said above. @default false */
  readonly isLegendHidden?: boolean
}

/** Some of several. */
export const CheckBoxes = <Value extends string>({
  legend,
  options,
  chosen,
  onChange,
  notes,
  columns = "grid-cols-2",
  isLegendHidden = false,
}: CheckBoxesProps<Value>) => (
  <fieldset className="flex flex-col gap-2">
    <legend className={isLegendHidden ? "sr-only" : "mb-1.5 text-sm font-medium"}>{legend}</legend>
    <div className={`grid gap-x-4 gap-y-1 ${columns}`}>
      {options.map(([value, title]) => (
        <label key={value} className="flex min-h-8 items-start gap-2 py-1 text-sm max-sm:min-h-11 max-sm:py-2.5">
          <input
            type="checkbox"
            className="mt-0.5 size-4 shrink-0 accent-accent"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(
                options.flatMap(([each]) => ((each === value ? target.checked : chosen.includes(each)) ? each : [])),
              )
            }
          />
          <span>
            {title}
            {notes?.[value] !== undefined && <span className="block text-xs text-muted">{notes[value]}</span>}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
)
