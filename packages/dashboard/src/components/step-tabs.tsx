import { Tabs } from "@base-ui/react/tabs"
import { CodeBlock } from "./code-block.tsx"

/** One tab: steps to follow, and text to copy. */
export interface StepTab {
  readonly name: string
  readonly steps: readonly string[]
  readonly code?: { readonly label: string; readonly text: string }
}

/** Alternative instructions, one per tab. */
export const StepTabs = ({ label, tabs }: { label: string; tabs: readonly StepTab[] }) => (
  <Tabs.Root defaultValue={tabs[0]?.name}>
    <Tabs.List className="flex gap-1 overflow-x-auto border-b border-line" aria-label={label}>
      {tabs.map(({ name }) => (
        <Tabs.Tab
          key={name}
          value={name}
          className="-mb-px min-h-9 shrink-0 border-b-2 border-transparent px-3 text-sm text-muted data-active:border-text data-active:font-medium data-active:text-text"
        >
          {name}
        </Tabs.Tab>
      ))}
    </Tabs.List>
    {tabs.map(({ name, steps, code }) => (
      <Tabs.Panel key={name} value={name} className="flex flex-col gap-3 pt-4">
        <ol className={`flex flex-col gap-1 text-sm text-muted ${steps.length > 1 ? "list-decimal pl-5" : ""}`}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {code && <CodeBlock label={code.label} text={code.text} />}
      </Tabs.Panel>
    ))}
  </Tabs.Root>
)
