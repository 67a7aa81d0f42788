import { CodeBlock } from "./code-block.tsx"

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
