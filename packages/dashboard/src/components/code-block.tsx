import { CopyButton } from "./copy-button.tsx"
import { ScrollRegion } from "./scroll-region.tsx"

/** Text to copy, such as a command, an address or a file. Long lines scroll sideways. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-canvas p-3 sm:flex-row sm:items-start">
    <ScrollRegion
      label={label}
      className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-[0.8125rem] leading-relaxed"
    >
      <pre>
        <code>{text}</code>
      </pre>
    </ScrollRegion>
    <div className="shrink-0 self-end sm:self-start">
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  </div>
)
