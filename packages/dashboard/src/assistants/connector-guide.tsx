import { StepTabs } from "../components/step-tabs.tsx"
import { assistantGuides } from "./guides.ts"

const PLACEHOLDER = "YOUR_KEY"

/** How to add the connector to each assistant, with the person's own address. */
export const AssistantGuides = () => (
  <StepTabs label="Assistants" tabs={assistantGuides(window.location.origin, PLACEHOLDER)} />
)
