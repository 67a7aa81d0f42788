import { Panel } from "../components/panel.tsx"
import { StepTabs } from "../components/step-tabs.tsx"
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
      <StepTabs
        label="Recipes"
        tabs={recipes.map(({ name, steps, text }) => ({ name, steps, code: { label: `${name} recipe`, text } }))}
      />
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
