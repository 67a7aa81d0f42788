/** "late_meal" as "Late meal". */
export function factorName(factor: string): string {
  const words = factor.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
