import type { HostContext } from "./host-messages.ts"

/** Takes over the host's theme, style variables and insets. */
export function applyTheme({ documentElement: root, body }: Document, context: HostContext): void {
  if (context.theme) root.dataset["theme"] = context.theme
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (!name.startsWith("--")) continue
    if (value === undefined) root.style.removeProperty(name)
    else root.style.setProperty(name, value)
  }
  const insets = context.safeAreaInsets
  if (insets) body.style.padding = `${insets.top}px ${insets.right}px ${insets.bottom}px ${insets.left}px`
}
