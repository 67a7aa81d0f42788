import { CodeBlock } from "../components/code-block.tsx"
import type { RawResponse } from "./run-request.ts"

/** A response of the API: status, headers and body. */
export const ResponseView = ({ response }: { response: RawResponse }) => (
  <div className="flex flex-col gap-3">
    <p className="flex flex-wrap items-baseline gap-x-3 text-sm">
      <code className="min-w-0 break-all">{response.request}</code>
      <span className={`font-semibold ${response.status < 400 ? "text-good" : "text-poor"}`}>
        {response.status} {response.statusText}
      </span>
      <span className="text-muted tabular-nums">{Math.round(response.tookMs)} ms</span>
    </p>
    <details className="rounded-xl border border-line text-sm">
      <summary className="cursor-pointer px-3 py-2 font-medium">Headers</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line px-3 py-2">
        {response.headers.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 font-mono text-xs break-all">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
    {response.body !== "" && (
      <div className="max-h-112 overflow-y-auto">
        <CodeBlock label="response" text={response.body} />
      </div>
    )}
  </div>
)
