/* The list of all factors: which were tried, which are clear at a false discovery rate of 10 %, and in which order they stand. */
import { z } from "zod"
import { differences, type Expected } from "./figure.ts"
import { blockOf, discoveries, type Relation } from "./relate.ts"

const ListSchema = z.looseObject({
  relations: z.array(z.looseObject({ factor: z.string(), verdict: z.string() })),
})

const CLEAR: readonly string[] = ["positive", "negative", "higher", "lower"]

export interface ExpectedRelations {
  readonly common: Record<string, Expected>
  readonly relations: readonly Relation[]
}

export const expectedRelations = (
  common: Record<string, Expected>,
  relations: readonly Relation[],
): ExpectedRelations => ({
  common,
  relations,
})

/** Where a list is not as expected. */
export function listDifferences({ common, relations }: ExpectedRelations, actual: unknown): string[] {
  const { relations: listed, ...rest } = ListSchema.parse(actual)
  const block = ({ factor }: Relation) => blockOf(String(common["outcome"]), factor)
  const own = relations.filter((relation) => block(relation) < 2)
  // Parts of the outcome keep the verdict of their own interval.
  const parts = relations.filter((relation) => block(relation) === 2)
  const clear = new Set([...discoveries(own), ...parts].filter(({ verdict }) => CLEAR.includes(verdict)))
  const verdictOf = (relation: Relation) => {
    if (relation.verdict === "not_enough_data" || clear.has(relation)) return relation.verdict
    return relation.factor.kind === "yes_no" ? "no_clear_difference" : "no_clear_relation"
  }
  const tried = own.filter(({ chance }) => chance !== undefined)
  const byFactor = new Map(listed.map((each) => [each.factor, each]))
  // No page says whether a factor without a value in the period is listed.
  const expectedOnes = relations.filter(({ factor, n }) => n > 0 || byFactor.has(factor.id))
  const expectedIds = expectedOnes.map(({ factor }) => factor.id).sort()
  const expectedRest = { ...common, tried: tried.length, false_discovery_rate: 0.1 }
  return [
    ...differences(expectedRest, rest),
    ...differences(expectedIds, listed.map(({ factor }) => factor).sort(), ".relations"),
    ...expectedOnes.flatMap((relation) => {
      const { factor, n, figures } = relation
      const { groups: _, unanswered: __, yes: ___, no: ____, ...figuresOfList } = figures
      const expected = {
        factor: factor.id,
        kind: factor.kind,
        verdict: verdictOf(relation),
        ...figuresOfList,
        n,
        ...(relation.yesCount !== undefined && { yes_n: relation.yesCount }),
        part_of_outcome: block(relation) === 2,
      }
      return differences(expected, byFactor.get(factor.id), `.relations[${factor.id}]`)
    }),
    ...orderDifferences(
      relations,
      (relation) => 10 * block(relation) + (relation.chance === undefined ? 2 : clear.has(relation) ? 0 : 1),
      listed.map(({ factor }) => factor),
    ),
  ]
}

/** By block, in each clear ones first, and among those the surest first. Chances that differ by noise may stand either way. */
function orderDifferences(
  relations: readonly Relation[],
  placeOf: (relation: Relation) => number,
  listed: readonly string[],
): string[] {
  const places = listed.flatMap((id) => relations.filter(({ factor }) => factor.id === id))
  return places.slice(1).flatMap((relation, index) => {
    const before = places[index]
    if (!before) return []
    const [one, other] = [placeOf(before), placeOf(relation)]
    const isInOrder = one === other ? (before.chance ?? 1) <= (relation.chance ?? 1) + 1e-9 : one < other
    return isInOrder ? [] : [`.relations: ${before.factor.id} stands before ${relation.factor.id}`]
  })
}
