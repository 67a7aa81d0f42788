/** Prints Markdown tables row by row, padded so that they are readable as plain text. */
export type Cell = string | number

export function openTable(title: string, columns: readonly string[]): (cells: readonly Cell[]) => void {
  const widths = columns.map((column, index) => Math.max(column.length, index === 0 ? 44 : 6))
  const row = (cells: readonly Cell[]): void => {
    const padded = cells.map((cell, index) => `${cell}`[index === 0 ? "padEnd" : "padStart"](widths[index] ?? 0))
    process.stdout.write(`| ${padded.join(" | ")} |\n`)
  }
  process.stdout.write(`\n### ${title}\n\n`)
  row(columns)
  row(widths.map((width, index) => (index === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)))
  return row
}

export const perSecond = (value: number): string => value.toFixed(0)
export const milliseconds = (value: number): string => value.toFixed(2)
export const ratio = (value: number): string => value.toFixed(2)
