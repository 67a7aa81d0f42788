/** Sleep stages with the classes of their colours, in the order of charts and legends. */
export const SLEEP_STAGES = [
  { key: "deep_hours", label: "Deep", color: "bg-deep", fill: "fill-deep" },
  { key: "rem_hours", label: "REM", color: "bg-rem", fill: "fill-rem" },
  { key: "light_hours", label: "Light", color: "bg-light-sleep", fill: "fill-light-sleep" },
  { key: "awake_hours", label: "Awake", color: "bg-awake", fill: "fill-awake" },
] as const
