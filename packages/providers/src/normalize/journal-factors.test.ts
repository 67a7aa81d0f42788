import { expect, test } from "vitest"
import { factorOf, JOURNAL_FACTORS } from "./vocabulary.ts"

test.each([
  ["alcohol", ["Have any alcoholic drinks?", "¿Bebiste alcohol?", "Hast du Alkohol getrunken?", "alcohol", "Wine"]],
  ["caffeine", ["Consumed caffeine?", "¿Consumiste cafeína?", "As-tu bu de la caféine ?", "Koffein?", "coffee"]],
  ["nicotine", ["Used tobacco or nicotine?", "Hast du geraucht?", "¿Fumaste tabaco?"]],
  ["late_meal", ["Ate food close to bedtime?", "late meal", "¿Comiste cerca de la hora de dormir?"]],
  ["screen_in_bed", ["Viewed a screen device in bed?", "¿Miraste una pantalla en la cama?"]],
  ["read_in_bed", ["Read (non-screened device) while in bed?"]],
  ["hydration", ["Hydrated sufficiently?", "¿Te hidrataste bien?"]],
  ["sick", ["Feeling sick or ill?", "sick"]],
  ["sauna", ["Used a sauna?", "sauna"]],
])("%s is the same for every wording, language and vendor", (factor, questions) => {
  for (const question of questions) expect(factorOf(question), question).toEqual({ factor, isPrivate: false })
})

test.each([
  ["sexual_activity", ["Engaged in sexual activity?", "¿Tuviste actividad sexual?", "Attività sessuale?"]],
  ["cannabis", ["Used marijuana?", "Cannabis konsumiert?", "cbd"]],
  ["drugs", ["Used recreational drugs?", "Drogen genommen?"]],
  ["medication", ["Took prescription sleep medication?", "Hast du Medikamente genommen?", "painkiller"]],
  ["menstruation", ["On your period?", "¿Estás menstruando?", "Are you pregnant?"]],
  ["mental_health", ["Felt anxious?", "Felt depressed?", "¿Sentiste ansiedad?"]],
])("%s is private in every wording", (factor, questions) => {
  for (const question of questions) expect(factorOf(question), question).toEqual({ factor, isPrivate: true })
})

test("alcohol, caffeine and nicotine are not private", () => {
  for (const factor of ["alcohol", "caffeine", "nicotine"]) {
    expect(JOURNAL_FACTORS).toContain(factor)
    expect(factorOf(factor)).toEqual({ factor, isPrivate: false })
  }
})

test.each([
  ["nocaffeine is not caffeine", "no caffeine", "no_caffeine"],
  ["an alcohol-free day is no alcohol", "Alcohol-free day?", "no_alcohol"],
  ["avoiding sugar is no sugar", "Avoided added sugar?", "no_added_sugar"],
])("%s", (_what, question, factor) => expect(factorOf(question)).toEqual({ factor, isPrivate: false }))

test.each([
  ["Ate carbohydrates?", "ate_carbohydrates"],
  ["Walked the dog?", "walked_the_dog"],
  ["¿Jugaste al ajedrez?", "jugaste_al_ajedrez"],
  ["??", "question"],
])("a topic outside the list keeps its words: %s", (question, factor) =>
  expect(factorOf(question)).toEqual({ factor, isPrivate: false }),
)

test("the names of the list are distinct", () => expect(new Set(JOURNAL_FACTORS).size).toBe(JOURNAL_FACTORS.length))
