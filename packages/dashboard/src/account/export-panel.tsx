import { ExternalButtonLink } from "../components/button.tsx"
import { Panel } from "../components/panel.tsx"

const TABLES = [
  { type: "sleep", label: "Sleep" },
  { type: "recovery", label: "Recovery" },
  { type: "workout", label: "Workouts" },
  { type: "cycle", label: "Days" },
] as const

/** Everything, to take along. */
export const ExportPanel = () => (
  <Panel
    title="Export"
    description="As JSON everything: your account, connections, both logs and every record, with what the vendor itself sent. As CSV a table of each type, for a spreadsheet."
  >
    <div className="flex flex-wrap gap-2">
      <ExternalButtonLink href="/api/account/export" download>
        Everything, JSON
      </ExternalButtonLink>
      {TABLES.map(({ type, label }) => (
        <ExternalButtonLink key={type} href={`/api/account/export?format=csv&type=${type}`} download>
          {label}, CSV
        </ExternalButtonLink>
      ))}
    </div>
  </Panel>
)
