import { CodeBlock } from "../components/code-block.tsx"
import { Notice } from "../components/notice.tsx"
import { instantText } from "../format/date.ts"

/** A link that was just made, or the note that it is on its way by e-mail. */
export function NewLink({ link, expiresAt, label }: { link: string | null; expiresAt: string; label: string }) {
  if (link === null) return <Notice tone="good">The e-mail is on its way. Failures appear below.</Notice>
  return (
    <div className="flex flex-col gap-2 text-sm text-muted">
      <p role="status" className="font-medium text-text">
        Copy the link now and pass it on. You cannot view it again.
      </p>
      <CodeBlock label={label} text={link} />
      <p>It works once, until {instantText(expiresAt)}.</p>
    </div>
  )
}
