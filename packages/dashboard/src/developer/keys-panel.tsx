/* Keys for one program or one reader each, which open a part of the data. */
import { KEY_TYPES, type KeysResponse, type KeyType } from "@restwell/client"
import { useState } from "react"
import { useCreateKey, useEndKey, useKeys } from "../api/keys.ts"
import { Button } from "../components/button.tsx"
import { CheckBoxes } from "../components/check-boxes.tsx"
import { Select } from "../components/choice.tsx"
import { NewKey } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { SecretItem } from "../components/secret-item.tsx"
import { useNow } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"

type StoredKey = KeysResponse["keys"][number]

/** Makes, lists and ends keys that open a part of the data. */
export const KeysPanel = () => (
  <Panel
    title="More keys"
    description="A key of its own for each program or person: it opens what you choose, and you can end it alone. All keys share your quota."
  >
    <div className="flex flex-col gap-5">
      <Loaded query={useKeys()} skeleton={<Skeleton className="h-10" label="Loading keys" />}>
        {({ keys }) =>
          keys.length > 0 && (
            <ul aria-label="Keys" className="divide-y divide-line">
              {keys.map((key) => (
                <KeyItem key={key.id} stored={key} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <AddKey />
    </div>
  </Panel>
)

function KeyItem({ stored }: { stored: StoredKey }) {
  const end = useEndKey()
  const { id, name, prefix, last_used_at: lastUsedAt } = stored
  return (
    <SecretItem
      kind="key"
      {...{ name, prefix, lastUsedAt }}
      lastUse="last used"
      details={scopeText(stored, useNow())}
      onEnd={() => end.mutateAsync(id)}
    >
      Who uses it gets 401 from now on. Your other keys are not affected.
    </SecretItem>
  )
}

/** What a key opens and until when, in words. */
function scopeText({ types, days, expires_at: end }: StoredKey, now: number): string {
  const what = types === null ? "Everything" : types.map((type) => TITLES[type]).join(", ")
  const when = days === null ? "of all dates" : days === 1 ? "of today" : `of the last ${days} days`
  const until = end === null ? "" : Date.parse(end) <= now ? ", ended" : `, until ${lastDateOf(end)}`
  return `${what} ${when}${until}`
}

/** A key that ends at midnight ends with the date before. */
const lastDateOf = (end: string): string => instantDate(new Date(Date.parse(end) - 1).toISOString())

const TITLES: Readonly<Record<KeyType, string>> = {
  summary: "Summary",
  sleep: "Sleep",
  recovery: "Recovery",
  workout: "Workouts",
  cycle: "Daily strain",
  profile: "Profile",
  journal: "Journal",
  series: "Values within the day",
  statistics: "Statistics",
}

const TYPE_OPTIONS = KEY_TYPES.map((type) => [type, TITLES[type]] as const)

const WINDOWS = [
  ["", "All dates"],
  ["1", "Today"],
  ["7", "The last 7 days"],
  ["30", "The last 30 days"],
  ["90", "The last 90 days"],
  ["365", "The last year"],
] as const

function AddKey() {
  const add = useCreateKey()
  const { values, field, reset } = useFields({ name: "", end: "" })
  const [types, setTypes] = useState<readonly KeyType[]>(KEY_TYPES)
  const [days, setDays] = useState("")
  const { error, isPending, data: key } = add
  const submit = () =>
    add.mutate(
      {
        name: values.name,
        types: types.length === KEY_TYPES.length ? null : [...types],
        days: days === "" ? null : Number(days),
        expires_at: values.end === "" ? null : values.end,
      },
      {
        onSuccess: () => {
          reset()
          setTypes(KEY_TYPES)
          setDays("")
        },
      },
    )
  return (
    <>
      <Form onSubmit={submit} className="max-w-md gap-4">
        {error && !isFieldError(error, ["name", "expires_at"]) && <FailureNotice error={error} />}
        <TextField
          label="What the key is for"
          placeholder="Home Assistant"
          maxLength={60}
          required
          error={fieldError(error, "name")}
          {...field("name")}
        />
        <CheckBoxes legend="Opens" options={TYPE_OPTIONS} chosen={types} onChange={setTypes} />
        <Select label="Dates" options={WINDOWS} value={days} onChange={({ target }) => setDays(target.value)} />
        <TextField
          label="Ends with"
          type="date"
          hint="Empty for a key without end."
          error={fieldError(error, "expires_at")}
          {...field("end")}
        />
        <div>
          <Button type="submit" isBusy={isPending} disabled={types.length === 0}>
            Make a key
          </Button>
        </div>
      </Form>
      {key !== undefined && <NewKey apiKey={key} />}
    </>
  )
}
