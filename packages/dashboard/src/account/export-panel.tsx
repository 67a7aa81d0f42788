import { ExternalButtonLink } from "../components/button.tsx"
import { Panel } from "../components/panel.tsx"

const TABLES = [
  { type: "sleep", label: "Sleep" },
  { type: "recovery", label: "Recovery" },
  { type: "workout", label: "Workouts" },
  { type: "cycle", label: "Days" },
] as const

/** Downloads of the person's data. */
export const ExportPanel = () => (
  <Panel
    title="Export"
    description="JSON: your account, connections, both logs and every record with the vendor's original data. CSV: one table per data type, for a spreadsheet."
  >
    <div className="flex flex-wrap gap-2">
      <ExternalButtonLink href="/api/account/export" download>
        All data (JSON)
      </ExternalButtonLink>
      {TABLES.map(({ type, label }) => (
        <ExternalButtonLink key={type} href={`/api/account/export?format=csv&type=${type}`} download>
          {label} (CSV)
        </ExternalButtonLink>
      ))}
    </div>
  </Panel>
)
