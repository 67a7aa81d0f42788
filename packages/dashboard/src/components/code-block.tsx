import { CopyButton } from "./copy-button.tsx"

/** Text to copy: a command, an address, a file. It scrolls sideways by itself, also with the keyboard. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <div className="flex min-w-0 flex-col gap-2 rounded-xl border border-line bg-canvas p-3 sm:flex-row sm:items-start">
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard, WCAG 2.1.1
      tabIndex={0}
      className="min-w-0 flex-1 overflow-x-auto py-1.5 font-mono text-[0.8125rem] leading-relaxed"
    >
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <div className="shrink-0 self-end sm:self-start">
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  </div>
)
