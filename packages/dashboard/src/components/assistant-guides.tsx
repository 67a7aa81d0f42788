import { Tabs } from "@base-ui/react/tabs"
import { assistantGuides } from "../format/assistants.ts"
import { CodeBlock } from "./code-block.tsx"

const PLACEHOLDER = "YOUR_KEY"

/** How to add the connector to each assistant, with the person's own address. */
export function AssistantGuides() {
  const guides = assistantGuides(window.location.origin, PLACEHOLDER)
  return (
    <Tabs.Root defaultValue={guides[0].name}>
      <Tabs.List className="flex gap-1 overflow-x-auto border-b border-line" aria-label="Assistants">
        {guides.map(({ name }) => (
          <Tabs.Tab
            key={name}
            value={name}
            className="-mb-px min-h-9 shrink-0 border-b-2 border-transparent px-3 text-sm text-muted data-active:border-text data-active:font-medium data-active:text-text"
          >
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {guides.map(({ name, steps, file }) => (
        <Tabs.Panel key={name} value={name} className="flex flex-col gap-3 pt-3 text-sm">
          <ol className="flex list-decimal flex-col gap-1 pl-5">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {file && <CodeBlock label={file.label} text={file.text} />}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
