import { useState } from "react"
import { Disclosure } from "../components/page.tsx"
import type { Device } from "./devices.ts"
import { Step } from "./step.tsx"

interface WearStepProps {
  /** What people can wear. */
  readonly devices: readonly Device[]
  readonly worn: readonly Device[]
  /** Those that bring data already, which are therefore worn. */
  readonly connected: readonly Device[]
  readonly onChange: (worn: readonly Device[]) => void
}

/** The one question on which everything else depends. Answered before, it is a line. */
export function WearStep(props: WearStepProps) {
  const { worn } = props
  const [wasAnswered] = useState(worn.length > 0)
  return (
    <Step number={1} title="What do you wear?" isDone={worn.length > 0}>
      {wasAnswered ? (
        <Disclosure summary={`${worn.map(({ name }) => name).join(", ")}. Change`} summaryClass="w-fit text-text">
          <div className="mt-2">
            <Choice {...props} />
          </div>
        </Disclosure>
      ) : (
        <Choice {...props} />
      )}
    </Step>
  )
}

function Choice({ devices, worn, connected, onChange }: WearStepProps) {
  const [hasOther, setHasOther] = useState(worn.some((device) => !device.is_common))
  const boxesOf = (isCommon: boolean) =>
    devices
      .filter((device) => device.is_common === isCommon)
      .map((device) => (
        <Box
          key={device.id}
          label={device.name}
          isChecked={worn.includes(device)}
          isDisabled={connected.includes(device)}
          onChange={(isWorn) => onChange(isWorn ? [...worn, device] : worn.filter((each) => each !== device))}
        />
      ))
  const change = (isOther: boolean) => {
    setHasOther(isOther)
    if (!isOther) onChange(worn.filter((device) => connected.includes(device) || device.is_common))
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-3">Choose one, or all that you wear. You see the steps of your own devices alone.</legend>
      <div className="grid gap-2 min-[22rem]:grid-cols-2 lg:grid-cols-3">
        {boxesOf(true)}
        <Box label="Another" isChecked={hasOther} isDisabled={false} onChange={change} />
      </div>
      {hasOther && <div className="grid gap-2 sm:grid-cols-2">{boxesOf(false)}</div>}
    </fieldset>
  )
}

const Box = ({
  label,
  isChecked,
  isDisabled,
  onChange,
}: {
  label: string
  isChecked: boolean
  isDisabled: boolean
  onChange: (isChecked: boolean) => void
}) => (
  <label
    className={`flex min-h-12 items-center gap-3 rounded-xl border px-3 py-2 font-medium text-text ${
      isDisabled ? "" : "cursor-pointer hover:bg-raised"
    } ${isChecked ? "border-accent bg-accent-soft" : "border-line"}`}
  >
    <input
      type="checkbox"
      checked={isChecked}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.checked)}
      className="size-5 shrink-0 accent-text"
    />
    {label}
  </label>
)
