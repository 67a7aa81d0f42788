import { HEALTH_TYPES } from "@restwell/client"
import { useMutation } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Button } from "../components/button.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { TextField } from "../components/text-field.tsx"
import { AnswerView } from "./response-view.tsx"
import { runRequest } from "./run-request.ts"

const EMPTY = { type: "summary", days: "7", start_date: "", end_date: "" }

/** Runs any GET of the API with the person's own data, and shows all of the answer. The key stays in this component's memory. */
export function ConsolePanel({ newKey }: { newKey: string | undefined }) {
  const [fields, setFields] = useState(EMPTY)
  const [typedKey, setTypedKey] = useState<string>()
  const apiKey = (typedKey ?? newKey ?? "").trim()
  const search = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== "")).toString()
  const run = useMutation({
    mutationFn: (etag: string | undefined) => runRequest(search, apiKey, etag),
  })
  const etag = run.data?.headers.find(([name]) => name === "etag")?.[1]
  const field = (name: keyof typeof EMPTY) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate(undefined)
  }
  return (
    <Panel
      title="Console"
      description="Without a key it runs as you, who are signed in, and is not counted. With a key it is the same request that your scripts send."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          <label className="flex flex-col gap-1.5 text-sm font-medium">
            Type
            <select
              {...field("type")}
              className="min-h-10 rounded-lg border border-line-strong bg-canvas px-3 text-base font-normal sm:text-sm"
            >
              {HEALTH_TYPES.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </select>
          </label>
          <TextField label="Days" inputMode="numeric" placeholder="7" {...field("days")} />
          <TextField label="Start date" placeholder="YYYY-MM-DD" {...field("start_date")} />
          <TextField label="End date" placeholder="YYYY-MM-DD" {...field("end_date")} />
        </div>
        <TextField
          label="API key (optional)"
          type="password"
          autoComplete="off"
          data-1p-ignore
          hint="It is forgotten when you leave the page."
          value={typedKey ?? newKey ?? ""}
          onChange={(event) => setTypedKey(event.target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" isBusy={run.isPending}>
            Run
          </Button>
          {etag !== undefined && (
            <Button onClick={() => run.mutate(etag)} disabled={run.isPending}>
              Run again with If-None-Match
            </Button>
          )}
        </div>
      </form>
      <div className="mt-4" aria-live="polite">
        {run.error && <Notice tone="poor" title="Restwell cannot be reached, check the connection and try again." />}
        {run.data && <AnswerView answer={run.data} />}
      </div>
    </Panel>
  )
}
