import { useEffect, useRef } from "react"
import { ExternalButtonLink } from "../components/button.tsx"
import { CodeBlock } from "../components/code-block.tsx"

/** New recovery codes. They are in the memory of this page and nowhere else. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join("\n")
  const frame = useRef<HTMLDivElement>(null)
  // The form with the focus has disappeared.
  useEffect(() => frame.current?.focus(), [])
  return (
    <div ref={frame} tabIndex={-1} className="flex flex-col gap-3 text-sm text-muted outline-none">
      <p role="status" className="font-medium text-text">
        Store your recovery codes now, not on the device with your app. You cannot view them again.
      </p>
      <CodeBlock label="recovery codes" text={text} />
      <div>
        <ExternalButtonLink
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${HEADING}${text}\n`)}`}
          download="restwell-recovery-codes.txt"
        >
          Download
        </ExternalButtonLink>
      </div>
      <p>
        Each code replaces a code of your app once. Without your app and these codes you cannot sign in with your
        password.
      </p>
    </div>
  )
}

const HEADING = "Restwell recovery codes. Each works once.\n\n"
