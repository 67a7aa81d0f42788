/* Links for others that open a report: made, listed and ended. */

import type { KeyType, SharesResponse } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import { useEffect, useRef, useState } from "react"
import { useAccount } from "../api/account.ts"
import { useCreateShare, useEndShare, useShares } from "../api/shares.ts"
import { Button } from "../components/button.tsx"
import { CheckBoxes } from "../components/check-boxes.tsx"
import { Select } from "../components/choice.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, fieldError, isFieldError, TextField, useFields } from "../components/form.tsx"
import { FailureNotice, Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Panel } from "../components/page.tsx"
import { SecretItem } from "../components/secret-item.tsx"
import { useNow } from "../components/time-ago.tsx"
import { whoCanOpen } from "../format/address-reach.ts"
import { instantDate } from "../format/date.ts"

type StoredShare = SharesResponse["shares"][number]

/** Makes, lists and ends links for a coach or a doctor. */
export function SharesPanel() {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The report leads here, and the panels above come later than the page.
    if (window.location.hash === "#share") panel.current?.scrollIntoView()
  }, [])
  return (
    <div ref={panel} id="share">
      <Panel
        title="Share with a coach or doctor"
        description="A link that opens your report and nothing else, without an account. It has your name, and ends by itself. Each view is in the access log."
      >
        <div className="flex flex-col gap-5">
          <Loaded query={useShares()} skeleton={<Skeleton className="h-10" label="Loading shares" />}>
            {({ shares }) =>
              shares.length > 0 && (
                <ul aria-label="Shares" className="divide-y divide-line">
                  {shares.map((share) => (
                    <ShareItem key={share.id} stored={share} />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <AddShare />
        </div>
      </Panel>
    </div>
  )
}

function ShareItem({ stored }: { stored: StoredShare }) {
  const end = useEndShare()
  const { id, name, prefix, last_viewed_at: lastUsedAt } = stored
  return (
    <SecretItem
      kind="share"
      {...{ name, prefix, lastUsedAt }}
      lastUse="last viewed"
      details={scopeText(stored, useNow())}
      onEnd={() => end.mutateAsync(id)}
    >
      Who has the link reads nothing more from now on. What was printed or saved stays with them.
    </SecretItem>
  )
}

/** What a share opens and until when, in words. */
function scopeText({ types, days, expires_at: end }: StoredShare, now: number): string {
  const opened = OPENED.filter(([type]) => types?.includes(type)).map(([, title]) => title)
  const what = types === null ? "Everything in the report" : opened.join(", ")
  const when = days === null ? "of all dates" : days === 1 ? "of today" : `of the last ${days} days`
  // A share that ends at midnight ends with the date before.
  const last = instantDate(new Date(Date.parse(end) - 1).toISOString())
  return `${what} ${when}, ${Date.parse(end) <= now ? "ended" : `until ${last}`}`
}

/** What a report is made of. */
const TYPES = [
  ["sleep", "Sleep"],
  ["recovery", "Recovery"],
  ["cycle", "Daily strain and steps"],
  ["workout", "Workouts"],
  ["series", "Weight and body fat"],
] as const satisfies readonly (readonly [KeyType, string])[]

/** A share that a program made may open more, by one name. */
const OPENED: readonly (readonly [KeyType, string])[] = [...TYPES, ["summary", "Summary"], ["journal", "Journal"]]

type ShareType = (typeof TYPES)[number][0]
const ALL: readonly ShareType[] = TYPES.map(([type]) => type)

const WINDOWS = [
  ["30", "The last 30 days"],
  ["90", "The last 90 days"],
  ["365", "The last year"],
  ["", "All dates"],
] as const

const DURATIONS = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const

const USUAL_WINDOW = "90"
const USUAL_DURATION = "30"

function AddShare() {
  const add = useCreateShare()
  const { values, field, reset } = useFields({ name: "" })
  const [types, setTypes] = useState<readonly ShareType[]>(ALL)
  const [days, setDays] = useState<string>(USUAL_WINDOW)
  const [duration, setDuration] = useState<string>(USUAL_DURATION)
  const now = useNow()
  const { error, isPending, data: url } = add
  const submit = () =>
    add.mutate(
      {
        name: values.name,
        types: types.length === ALL.length ? null : [...types],
        days: days === "" ? null : Number(days),
        // An instant, because the dates of this browser may be others than the person's.
        expires_at: new Date(now + Number(duration) * DAY_MS).toISOString(),
      },
      {
        onSuccess() {
          reset()
          setTypes(ALL)
        },
      },
    )
  return (
    <>
      <Form onSubmit={submit} className="max-w-md gap-4">
        {error && !isFieldError(error, ["name"]) && <FailureNotice error={error} />}
        <TextField
          label="Who it is for"
          placeholder="Dr. Weber"
          maxLength={60}
          required
          error={fieldError(error, "name")}
          {...field("name")}
        />
        <CheckBoxes legend="What it shows" options={TYPES} chosen={types} onChange={setTypes} />
        <Select label="Of which days" options={WINDOWS} value={days} onChange={({ target }) => setDays(target.value)} />
        <Select
          label="How long the link works"
          options={DURATIONS}
          value={duration}
          onChange={({ target }) => setDuration(target.value)}
        />
        <div>
          <Button type="submit" isBusy={isPending} disabled={types.length === 0}>
            Make a link
          </Button>
        </div>
      </Form>
      {url !== undefined && <NewLink url={url} />}
    </>
  )
}

/** A new link. It is in the memory of this page and nowhere else. */
function NewLink({ url }: { url: string }) {
  const account = useAccount().data
  const limit = account && whoCanOpen(account.address)
  return (
    <div className="flex flex-col gap-3 text-sm text-muted">
      <p role="status" className="font-medium text-text">
        Copy the link now and send it. You cannot view it again.
      </p>
      <CodeBlock label="link" text={url} />
      <p>Whoever has it can read the report, so send it as you would send a letter.</p>
      {limit !== undefined && <Notice tone="fair" title={limit} />}
    </div>
  )
}
