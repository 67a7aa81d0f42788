import { NORMALIZED_SPORT_TYPES } from "@restwell/client"
import fc from "fast-check"
import { expect, test } from "vitest"
import { sportTypeOf } from "./vocabulary.ts"

test.each([
  ["running", "running"],
  ["track-field", "running"],
  ["Mountain Biking", "cycling"],
  ["assault-bike", "cycling"],
  ["road_biking", "cycling"],
  ["swimming", "swimming"],
  ["lap_swimming", "swimming"],
  ["casual_walking", "walking"],
  ["weightlifting_msk", "strength"],
  ["hot-yoga", "yoga"],
  ["F45-Training", "hiit"],
  ["obstacle-course-racing", "hiit"],
  ["hiking-rucking", "walking"],
  ["activity", "other"],
  // WHOOP's name of its sport 71, which is `other`.
  ["hot-shower", "other"],
  ["", "other"],
  ["--", "other"],
  ["Pool_Swim", "swimming"],
  ["Swim (Open Water)", "swimming"],
  ["Indoor_Cycle", "cycling"],
  ["Treadmill Run", "running"],
  ["Treadmill Walk", "walking"],
  ["Outdoor_Laufen", "running"],
  ["Freiwasser Schwimmen", "swimming"],
  ["Course à pied en extérieur", "running"],
  ["Corsa all'aperto", "running"],
  ["Natación en piscina", "swimming"],
  ["Ciclismo indoor", "cycling"],
  ["Buiten_Hardlopen", "running"],
  ["Vandring", "walking"],
  ["Тренажер", "тренажер"],
  ["Ходьба на улице", "walking"],
  ["室外跑步", "running"],
  ["屋内ランニング", "running"],
  ["실내 사이클링", "cycling"],
  ["Açık Hava Koşu", "running"],
  ["open_water_swimming", "swimming"],
  ["Outdoor Swimming", "swimming"],
  ["Indoor Spinning", "cycling"],
  ["Indoor Stretching", "yoga"],
  ["泳池游泳", "swimming"],
  ["开放水域游泳", "swimming"],
  ["Nuoto in piscina", "swimming"],
  ["Natación en aguas abiertas", "swimming"],
  ["Natation en eau libre", "swimming"],
  ["Natação em Águas Abertas", "swimming"],
  ["Correr en interior", "running"],
  ["Vélo d’intérieur", "cycling"],
  ["Vélo en salle", "cycling"],
  ["Beckenschwimmen", "swimming"],
  ["Laufen (Innenräume)", "running"],
  ["Track Run", "running"],
  ["室内单车", "cycling"],
  ["Entrenamiento de fuerza tradicional", "strength"],
  ["Renforcement musculaire traditionnel", "strength"],
])("maps %s to %s", (name, type) => expect(sportTypeOf(name)).toBe(type))

test.each([
  ["table-tennis", "table-tennis"],
  [" Table  Tennis ", "table-tennis"],
  ["table_tennis", "table-tennis"],
  ["TABLE_TENNIS", "table-tennis"],
  ["TableTennis", "table-tennis"],
  ["pilates", "pilates"],
  ["indoor climbing", "indoor-climbing"],
  ["pool", "pool"],
  ["Pole Fitness (Studio)", "pole-fitness-studio"],
  ["Patinação no Gelo", "patinação-no-gelo"],
  ["Patinac\u0327a\u0303o no Gelo", "patinação-no-gelo"],
  ["टेबल टेनिस", "टेबल-टेनिस"],
])("has %j, which no normalised type fits, as %s", (name, type) => expect(sportTypeOf(name)).toBe(type))

test("a name of places alone is no sport, however long it is", () => {
  expect(sportTypeOf("室内".repeat(50))).toBe("室内".repeat(50))
})

test("has one spelling of a name, whatever it is asked for with", () => {
  const names = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  fc.assert(fc.property(names, (name) => sportTypeOf(sportTypeOf(name)) === sportTypeOf(name)))
})

test.each(NORMALIZED_SPORT_TYPES)("leaves the normalised type %s as it is", (type) =>
  expect(sportTypeOf(type)).toBe(type),
)
