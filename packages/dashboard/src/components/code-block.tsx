import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { useRotateApiKey } from "../api/account.ts"
import { Button } from "./button.tsx"
import { ScrollRegion } from "./data-table.tsx"
import { FailureNotice, Notice } from "./notice.tsx"

const FEEDBACK_MS = 2000

/** Copies a text and confirms it. */
function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle")
  useEffect(() => {
    if (state === "idle") return
    const timer = setTimeout(() => setState("idle"), FEEDBACK_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      // Over plain http, except on localhost, browsers provide no clipboard at all.
      await navigator.clipboard.writeText(text)
      setState("copied")
    } catch {
      setState("failed")
    }
  }
  return (
    <>
      <Button onClick={copy} aria-label={state === "idle" ? label : `${TEXTS[state]}: ${label}`}>
        {state === "copied" ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
        {TEXTS[state]}
      </Button>
      <span role="status" className="sr-only">
        {state === "copied" ? "Copied" : state === "failed" ? "Copying failed. Select the text and copy it." : ""}
      </span>
    </>
  )
}

const TEXTS = { idle: "Copy", copied: "Copied", failed: "Copy failed" } as const

/** Text to copy, such as a command, an address or a file. Long lines wrap. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-canvas p-3 sm:flex-row sm:items-start">
    <ScrollRegion
      label={label}
      className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-[0.8125rem] leading-relaxed"
    >
      <pre className="wrap-anywhere whitespace-pre-wrap">
        <code>{text}</code>
      </pre>
    </ScrollRegion>
    <div className="shrink-0 self-end sm:self-start">
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  </div>
)

/** A new key. It is in the memory of this page and nowhere else. */
export const NewKey = ({ apiKey }: { apiKey: string }) => (
  <div className="flex flex-col gap-3 text-sm text-muted">
    <p role="status" className="font-medium text-text">
      Copy your key now and store it safely. You cannot view it again.
    </p>
    <CodeBlock label="API key" text={apiKey} />
    <p>Try it in a terminal:</p>
    <CodeBlock
      label="curl command"
      text={`curl -H "Authorization: Bearer ${apiKey}" "${window.location.origin}/api/v1/health?type=sleep&days=7"`}
    />
  </div>
)

/** Anybody who knew the old password could have made or copied the key. */
export function KeyQuestion() {
  const rotate = useRotateApiKey()
  if (rotate.data !== undefined) return <NewKey apiKey={rotate.data} />
  return (
    <Notice title="Replace the API key too?">
      <p>Your API key still works. If somebody else knew your password, that person may have a key.</p>
      <div className="mt-3">
        <Button isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
          Replace the API key
        </Button>
      </div>
      {rotate.error && <FailureNotice error={rotate.error} />}
    </Notice>
  )
}
