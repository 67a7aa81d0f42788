import type { Delivery, Vendor } from "@restwell/client"

const NAMES: Readonly<Record<Delivery, string>> = {
  sleep: "Sleep",
  sleep_phases: "Sleep phases",
  recovery: "Recovery",
  spo2: "Blood oxygen",
  temperature: "Skin temperature",
  workout: "Workouts",
  cycle: "Cycles",
  strain: "Strain",
  steps: "Steps",
  profile: "Profile",
}

/** What a vendor's connection delivers. */
export const Deliveries = ({
  vendor: { display_name: name, delivers },
  isConnected,
}: {
  vendor: Vendor
  isConnected: boolean
}) => (
  <div className="flex flex-col gap-1.5">
    <p className="text-sm text-muted">{isConnected ? "Delivers" : "Delivers when it is connected"}</p>
    <ul aria-label={`${name} delivers`} className="flex flex-wrap gap-1.5 text-xs text-muted">
      {delivers.map((delivery) => (
        <li key={delivery} className="rounded-full border border-line px-2.5 py-0.5">
          {NAMES[delivery]}
        </li>
      ))}
    </ul>
  </div>
)
