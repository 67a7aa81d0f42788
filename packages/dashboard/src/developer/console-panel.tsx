import { HEALTH_TYPES } from "@restwell/client"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../components/button.tsx"
import { Form, useFields } from "../components/form.tsx"
import { Notice } from "../components/notice.tsx"
import { Panel } from "../components/panel.tsx"
import { Select } from "../components/select.tsx"
import { TextField } from "../components/text-field.tsx"
import { providerName } from "../format/provider-name.ts"
import { ResponseView } from "./response-view.tsx"
import { runRequest } from "./run-request.ts"

/** Sends any GET request of the API and displays the whole response. The key stays in the memory of this component. */
export function ConsolePanel({ newKey, sources }: { newKey: string | undefined; sources: readonly string[] }) {
  const { values, field } = useFields({ type: "summary", days: "7", start_date: "", end_date: "", source: "" })
  const [typedKey, setTypedKey] = useState<string>()
  const apiKey = typedKey ?? newKey ?? ""
  const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== "")).toString()
  const run = useMutation({
    mutationFn: (etag: string | undefined) => runRequest(search, apiKey.trim(), etag),
  })
  const etag = run.data?.headers.find(([name]) => name === "etag")?.[1]
  return (
    <Panel
      title="Console"
      description="Without a key, requests use your session and are not counted. With a key, they are the requests that your scripts send."
    >
      <Form onSubmit={() => run.mutate(undefined)} className="gap-4">
        <div className={`grid gap-4 sm:grid-cols-2 ${sources.length > 1 ? "lg:grid-cols-5" : "lg:grid-cols-4"}`}>
          <Select label="Type" {...field("type")} options={HEALTH_TYPES.map((type) => [type, type])} />
          {sources.length > 1 && (
            <Select
              label="Source"
              {...field("source")}
              options={[
                ["", "your order"],
                ...sources.map((source) => [source, providerName(source)] as const),
                ["all", "all of them"],
              ]}
            />
          )}
          <TextField label="Days" inputMode="numeric" placeholder="7" {...field("days")} />
          <TextField label="Start date" placeholder="YYYY-MM-DD" {...field("start_date")} />
          <TextField label="End date" placeholder="YYYY-MM-DD" {...field("end_date")} />
        </div>
        <TextField
          label="API key (optional)"
          type="password"
          autoComplete="off"
          data-1p-ignore
          hint="Not stored. It is cleared when you leave the page."
          value={apiKey}
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
      </Form>
      <div className="mt-4" aria-live="polite">
        {run.error && <Notice tone="poor" title="Restwell is unreachable. Check your connection and try again." />}
        {run.data && <ResponseView response={run.data} />}
      </div>
    </Panel>
  )
}
