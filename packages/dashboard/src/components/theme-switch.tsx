import { useState } from "react"
import { Segmented } from "./segmented.tsx"

const OPTIONS = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

type Theme = (typeof OPTIONS)[number]["value"]

/** The theme: the system's, or the one chosen in this browser. `theme.js` applies it before the first paint. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (next: Theme) => {
    setTheme(next)
    if (next === "system") {
      localStorage.removeItem("theme")
      delete document.documentElement.dataset["theme"]
      return
    }
    localStorage.setItem("theme", next)
    document.documentElement.dataset["theme"] = next
  }
  return <Segmented label="Theme" options={OPTIONS} value={theme} onChange={choose} />
}

const storedTheme = (): Theme =>
  OPTIONS.find(({ value }) => value === document.documentElement.dataset["theme"])?.value ?? "system"
