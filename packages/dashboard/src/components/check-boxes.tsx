interface CheckBoxesProps<Value extends string> {
  readonly legend: string
  readonly options: readonly (readonly [value: Value, title: string])[]
  readonly chosen: readonly Value[]
  /** Gets the chosen ones in the order of the options. */
  readonly onChange: (chosen: readonly Value[]) => void
}

/** Some of several. */
export const CheckBoxes = <Value extends string>({ legend, options, chosen, onChange }: CheckBoxesProps<Value>) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
    <div className="grid grid-cols-2 gap-x-4 gap-y-1">
      {options.map(([value, title]) => (
        <label key={value} className="flex min-h-8 items-center gap-2 text-sm max-sm:min-h-11">
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(
                options.flatMap(([each]) => ((each === value ? target.checked : chosen.includes(each)) ? each : [])),
              )
            }
          />
          {title}
        </label>
      ))}
    </div>
  </fieldset>
)
