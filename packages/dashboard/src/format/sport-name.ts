/** "functional-fitness" as "Functional fitness". */
export function sportName(sportType: string): string {
  const words = sportType.replaceAll(/[-_]+/g, " ").trim()
  return words === "" ? "Workout" : words.charAt(0).toUpperCase() + words.slice(1)
}
