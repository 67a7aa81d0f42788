import { HEALTH_TYPES } from "@restwell/client"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../components/button.tsx"
import { Select } from "../components/choice.tsx"
import { CodeBlock } from "../components/code-block.tsx"
import { Form, TextField, useFields } from "../components/form.tsx"
import { Notice } from "../components/notice.tsx"
import { Disclosure, Panel } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"

/** A response in the form that the console displays. */
interface RawResponse {
  readonly request: string
  readonly status: number
  readonly statusText: string
  readonly tookMs: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** Reason phrases of the API's statuses. HTTP/2 responses have none. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
}

/** Sends a GET request with the key. Without a key, uses the session, and the request is not counted. */
async function runRequest(search: string, apiKey: string, etag: string | undefined): Promise<RawResponse> {
  const path = `${apiKey === "" ? "/api/account/health" : "/api/v1/health"}${search === "" ? "" : `?${search}`}`
  const startedAt = performance.now()
  const response = await fetch(path, {
    // With a key, the session cookie is not needed.
    credentials: apiKey === "" ? "same-origin" : "omit",
    // Bypasses the browser's cache, so that a 304 is visible.
    cache: "no-store",
    headers: {
      ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
      ...(etag !== undefined && { "if-none-match": etag }),
    },
  })
  const body = await response.text()
  return {
    request: `GET ${path}`,
    status: response.status,
    statusText: STATUS_TEXTS[response.status] ?? response.statusText,
    tookMs: performance.now() - startedAt,
    headers: [...response.headers],
    body: pretty(body),
  }
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** A response of the API: status, headers and body. */
const ResponseView = ({ response }: { response: RawResponse }) => (
  <div className="flex flex-col gap-3">
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <code className="min-w-0 break-all">{response.request}</code>
      <span className={`font-semibold ${response.status < 400 ? "text-good" : "text-poor"}`}>
        {response.status} {response.statusText}
      </span>
      <span className="text-muted tabular-nums">{Math.round(response.tookMs)} ms</span>
    </p>
    <Disclosure className="rounded-xl border border-line" summaryClass="px-3 font-medium" summary="Headers">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line px-3 py-2">
        {response.headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 font-mono text-xs break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
    {response.body !== "" && (
      <div className="max-h-112 overflow-y-auto">
        <CodeBlock label="response" text={response.body} />
      </div>
    )}
  </div>
)

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
