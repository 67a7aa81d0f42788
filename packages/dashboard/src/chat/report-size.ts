import type { Host } from "./host.ts"

/** Tells the host the size of the document whenever it changes. */
export function reportSize({ documentElement }: Document, host: Host): void {
  let last = ""
  new ResizeObserver(() => {
    const { width, height } = documentElement.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    const text = `${size.width} ${size.height}`
    if (text === last) return
    last = text
    host.resize(size)
  }).observe(documentElement)
}
