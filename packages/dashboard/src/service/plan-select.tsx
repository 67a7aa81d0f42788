import { type Person, PLAN_NAMES } from "@restwell/client"
import { Select } from "../components/select.tsx"

const PLANS = [
  ["free", "Free"],
  ["pro", "Pro"],
] as const satisfies readonly (readonly [Person["plan"], string])[]

/** The plan of a person, which is a number of requests a month. */
export const PlanSelect = ({
  label,
  plan,
  isDisabled = false,
  onChange,
}: {
  label: string
  plan: Person["plan"]
  isDisabled?: boolean
  onChange: (plan: Person["plan"]) => void
}) => (
  <Select
    label={label}
    options={PLANS}
    value={plan}
    disabled={isDisabled}
    onChange={({ target }) => onChange(PLAN_NAMES.find((name) => name === target.value) ?? plan)}
  />
)
