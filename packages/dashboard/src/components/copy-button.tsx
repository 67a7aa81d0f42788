import { Check, Copy } from "lucide-react"
import { useEffect, useState } from "react"
import { Button } from "./button.tsx"

const SHOWN_MS = 2000

/** Copies a text, and says that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle")
  useEffect(() => {
    if (state === "idle") return
    const timer = setTimeout(() => setState("idle"), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async () => {
    try {
      // Browsers keep the clipboard from pages that came over plain http, but for localhost: then it is not there at all.
      await navigator.clipboard.writeText(text)
      setState("copied")
    } catch {
      setState("failed")
    }
  }
  return (
    <>
      <Button onClick={copy} aria-label={label}>
        {state === "copied" ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
        {TEXTS[state]}
      </Button>
      <span role="status" className="sr-only">
        {state === "copied" ? "Copied" : state === "failed" ? "Could not be copied, select it instead" : ""}
      </span>
    </>
  )
}

const TEXTS = { idle: "Copy", copied: "Copied", failed: "Select and copy" } as const
