import { Tabs } from "@base-ui/react/tabs"
import { CodeBlock } from "../components/code-block.tsx"
import { Panel } from "../components/panel.tsx"
import { recipesFor } from "./recipes.ts"

const PLACEHOLDER = "YOUR_KEY"

/** The same request for everything people read with. */
export function RecipesPanel({ newKey }: { newKey: string | undefined }) {
  const recipes = recipesFor(window.location.origin, newKey ?? PLACEHOLDER)
  return (
    <Panel
      title="Recipes"
      description={
        newKey === undefined
          ? `Ready with your address. Put your key where it says ${PLACEHOLDER}.`
          : "Ready with your address and your new key."
      }
    >
      <Tabs.Root defaultValue="curl">
        <Tabs.List className="flex gap-1 overflow-x-auto border-b border-line" aria-label="Recipes">
          {recipes.map(({ name }) => (
            <Tabs.Tab
              key={name}
              value={name}
              className="-mb-px min-h-9 shrink-0 border-b-2 border-transparent px-3 text-sm text-muted data-active:border-text data-active:font-medium data-active:text-text"
            >
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {recipes.map(({ name, steps, text }) => (
          <Tabs.Panel key={name} value={name} className="flex flex-col gap-3 pt-4">
            <ol className={`flex flex-col gap-1 text-sm text-muted ${steps.length > 1 ? "list-decimal pl-5" : ""}`}>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <CodeBlock label={`${name} recipe`} text={text} />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
      <p className="mt-4 text-sm text-muted">
        All parameters and fields are in the{" "}
        <a href="/docs" className="text-accent underline underline-offset-2">
          reference
        </a>
        , and as OpenAPI at{" "}
        <a href="/openapi.json" className="text-accent underline underline-offset-2">
          /openapi.json
        </a>
        .
      </p>
    </Panel>
  )
}
