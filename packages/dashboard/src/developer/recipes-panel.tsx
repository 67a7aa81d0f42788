import { Panel } from "../components/panel.tsx"
import { StepTabs } from "../components/step-tabs.tsx"
import { recipesFor } from "./recipes.ts"

const PLACEHOLDER = "YOUR_KEY"
const LINK = "text-accent underline underline-offset-2"

/** The same request in several languages and apps. */
export const RecipesPanel = ({ newKey, sources }: { newKey: string | undefined; sources: readonly string[] }) => (
  <Panel
    title="Recipes"
    description={
      newKey === undefined
        ? `Filled in with your server address. Replace ${PLACEHOLDER} with your key.`
        : "Filled in with your server address and your new key."
    }
  >
    <StepTabs
      label="Recipes"
      tabs={recipesFor(window.location.origin, newKey ?? PLACEHOLDER).map(({ name, steps, text }) => ({
        name,
        steps,
        code: { label: `${name} recipe`, text },
      }))}
    />
    <p className="mt-4 text-sm text-muted">
      More programs are in the{" "}
      <a href="/docs/recipes" className={LINK}>
        manual
      </a>
      . All parameters and fields are in the{" "}
      <a href="/docs/reference" className={LINK}>
        API reference
      </a>{" "}
      and in the{" "}
      <a href="/openapi.json" className={LINK}>
        OpenAPI document
      </a>
      .
      {sources.length > 1 && (
        <>
          {" "}
          With <code>&source={sources.at(-1)}</code>, a request reads that source alone.
        </>
      )}
    </p>
  </Panel>
)
