import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { Button } from "./button.tsx"

const FEEDBACK_MS = 2000

/** Copies a text and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
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
