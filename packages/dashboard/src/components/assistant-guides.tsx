import { assistantGuides } from "../format/assistants.ts"
import { StepTabs } from "./step-tabs.tsx"

const PLACEHOLDER = "YOUR_KEY"

/** How to add the connector to each assistant, with the person's own address. */
export const AssistantGuides = () => (
  <StepTabs label="Assistants" tabs={assistantGuides(window.location.origin, PLACEHOLDER)} />
)
