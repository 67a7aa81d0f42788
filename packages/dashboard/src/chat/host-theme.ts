import type { HostContext } from "./host-messages.ts"

/**
 * Takes over the host's theme and style variables. The theme is set on the body: with a colour scheme of its own on the root, the view would
 * get an opaque background in a host of the other scheme.
 */
export function applyTheme({ documentElement: root, body }: Document, context: HostContext): void {
  if (context.theme) body.dataset["theme"] = context.theme
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (!name.startsWith("--")) continue
    if (value === undefined) root.style.removeProperty(name)
    else root.style.setProperty(name, value)
  }
  const insets = context.safeAreaInsets
  if (insets) body.style.padding = `${insets.top}px ${insets.right}px ${insets.bottom}px ${insets.left}px`
}
