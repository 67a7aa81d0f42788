import { nameOfWords } from "@restwell/client"
import { PLACES, SPORT_WORDS } from "./sport-words.ts"

// Canonical names of what journals ask about, for every vendor, language and wording, and which topics are private.

/** A topic, and its words in questions and tags. The first row that fits counts. */
type Topic = readonly [factor: string, words: RegExp]

/** Sex, drugs, medication, menstruation and mental health. */
const PRIVATE: readonly Topic[] = [
  [
    "sexual_activity",
    /\bsex|sessual|masturbat|intimate|orgasm|rapports intimes|geschlechtsverkehr|セックス|性行为|性行為/,
  ],
  ["cannabis", /marijuana|marihuana|maconha|cannabis|\bthc\b|\bcbd\b|\bweed\b|大麻/],
  [
    "drugs",
    /\brecreational drug|illicit|cocain|kokain|psychedelic|psilocybin|\bmdma\b|\bdrogas?\b|\bdrogen?\b|\bdrogues?\b|\bdroghe?\b/,
  ],
  [
    "medication",
    /medicat|medicin|medicament|médicament|medikament|medizin|farmac|remédio|\bdrugs?\b|nsaid|ibuprofen|aspirin|inflammator|antihistamin|antibiotic|prescri|\bpills?\b|pastilla|painkiller|schmerzmittel|schlafmittel|sleep(?:ing)? aid|steroid|insulin|hormone|testosterone|vaccin|薬|药/,
  ],
  [
    "menstruation",
    /menstru|mestru|ovulat|\bperiod\b|regla\b|règles|\bregel\b|pregnan|embaraz|schwanger|enceinte|grossesse|gravidez|gravidanza|menopaus|\bpms\b|fertil|contracept|anticoncep|verhütung|生理|月经/,
  ],
  [
    "mental_health",
    /mental|depress|depri|anxi|\bansi[ae]|angst|panic|psychotherap|psicoterap|therapist|therapy session|psycholog|psicolog|psiquiat|suicid|\badhd\b/,
  ],
]

const PUBLIC: readonly Topic[] = [
  ["alcohol", /alcohol|alkohol|alcool|álcool|alcol|\bdrinks\b|\bdrinking\b|\bwine\b|\bbeers?\b|cocktail|飲酒|饮酒/],
  ["caffeine", /caffein|cafe[ií]n|caféine|koffein|coffee|\bcafé\b|\bkaffee\b|espresso|energy drink|カフェイン|咖啡/],
  ["nicotine", /nicotin|nikotin|tobacco|tabaco|tabac|smok|cigar|\bfum|\brauch|geraucht|vap(?:e|ing)|snus/],
  [
    "late_meal",
    /(?:eat|meal|food|\bate|dinner|\bcom(?:er|i)|\bcena|essen|gegessen|mangé|repas).*(?:bed|late|cama|dormir|noche|bett|spät|coucher|tard)|late ?(?:meal|dinner|snack)/,
  ],
  [
    "screen_in_bed",
    /(?<!non-)(?:screen|pantalla|bildschirm|écran|schermo|\btela\b).*(?:bed|cama|bett|\blit\b|letto)|blue light device/,
  ],
  ["read_in_bed", /(?:read|leer|leíste|gelesen|\blu\b|\bletto un).*(?:bed|cama|bett|\blit\b)/],
  ["blue_light_glasses", /blue.?light.*(?:glass|block)|gafas|blaulichtfilter/],
  ["shared_bed", /(?:share|compart|geteilt|partag).*(?:bed|cama|bett|\blit\b)|co.?sleeping/],
  ["own_bed", /own bed|propia cama|eigenen bett|propre lit/],
  ["sick", /sick|\bill\b|illness|enferm|krank|malade|malato|doente|\bfever\b|\bcold symptoms|\bflu\b/],
  ["injured", /injur|wound|lesi[oó]n|verletz|bless|infortun/],
  ["headache", /headache|migraine|migräne|kopfschmerz|jaqueca|dolor de cabeza|mal de tête/],
  ["stress", /stress|estr[eé]s/],
  ["hydration", /\b(?:de|re)?h[yi]drat|water|\bagua\b|wasser|\beau\b/],
  ["meditation", /meditat|medita|méditation|breath ?work|breathing/],
  ["melatonin", /melaton/],
  ["magnesium", /magnes/],
  ["vitamins", /vitamin|vitamina/],
  ["supplements", /supplement|suplement|complément alimentaire|nahrungsergänzung|omega.?3|fish oil|creatin/],
  ["sauna", /sauna/],
  ["cold_shower", /cold ?(?:shower|bath)|ice.?bath|cold plunge|ducha fría|kalt geduscht|douche froide/],
  ["hot_bath", /hot (?:bath|shower|tub)|warm bath/],
  ["stretching", /stretch|estir|dehnen|gedehnt|étirement/],
  ["massage", /massage|masaje|massaggio|massagem/],
  ["yoga", /\byoga\b/],
  ["late_workout", /(?:workout|exercis|training).*(?:late|bed)|late ?(?:workout|exercise|training)/],
  ["added_sugar", /sugar|az[uú]car|açúcar|zucker|sucre|zucchero|sweets|dessert/],
  ["processed_food", /processed|procesad|fast.?food|junk/],
  ["dairy", /\bdairy|lácteo|milchprodukt|produits laitiers/],
  ["meat", /\bmeat\b|\bcarne\b|\bfleisch\b|\bviande\b/],
  ["protein", /protein|proteína|eiweiß/],
  ["fasting", /fasting|\bfasted\b|ayuno|gefastet|fasten|jeûne/],
  ["travel", /travel|\b(?:air)?planes?\b|viaj|flight|\bfly\b|jet.?lag|gereist|voyage/],
  ["late_work", /work.*late|late.*work/],
  ["sunlight", /sunlight|daylight|luz solar|sonnenlicht|lumière du (?:soleil|jour)/],
  ["nap", /\bnaps?\b|siesta|mittagsschlaf|\bsieste\b/],
  ["sleep_mask", /eye ?mask|sleep ?mask|antifaz|schlafmaske/],
  ["ear_plugs", /ear ?plug|tapones|ohrstöpsel|bouchons d'oreille/],
  ["social", /friends|socia[lb]|family|amigos|familia|freunde/],
]

/** Every canonical name. A topic outside the list is named by the words of its question. */
export const JOURNAL_FACTORS: readonly string[] = [...PRIVATE, ...PUBLIC].map(([factor]) => factor)

/** Words that turn a topic into its opposite, such as "No caffeine" and "Alcohol-free day". */
const ABSENCE =
  /^(?:no|not|without|avoid\w*|skipped|did(?:n['’]t| not)|sin|evit\w*|sans|kein\w*|ohne|senza|sem)\b|[- ]free\b|frei(?:er|es)?\b|\bnon-alcoholic|decaf/

/** The topic of a question or a tag. */
export interface JournalTopic {
  /** The canonical name. `no_` before it stands for the topic's absence. */
  readonly factor: string
  /** True for topics that are left out unless the person asks for them. */
  readonly isPrivate: boolean
}

/** Returns the topic of a question or of a tag's words. */
export function factorOf(question: string): JournalTopic {
  const words = question
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/^[^\p{L}]+/gu, "")
  const prefix = ABSENCE.test(words) ? "no_" : ""
  const hit = PRIVATE.find(([, pattern]) => pattern.test(words))
  if (hit) return { factor: `${prefix}${hit[0]}`, isPrivate: true }
  const found = PUBLIC.find(([, pattern]) => pattern.test(words))
  return { factor: found ? `${prefix}${found[0]}` : nameOfWords(words) || "question", isPrivate: false }
}

const TYPE_OF_KEY: ReadonlyMap<string, string> = new Map(
  Object.entries(SPORT_WORDS).flatMap(([type, words]) =>
    words.split(/\s+/).map((word) => [sportKey(word), type] as const),
  ),
)
const PLACE_KEYS: readonly string[] = PLACES.map(sportKey)

/** Returns a sport's name as lower-case letters and digits without accents, so that spellings are equal. */
export function sportKey(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
}

/** Lower-case words with hyphens between them. "Ice Hockey", `ice_hockey` and `IceHockey` are one sport. Letters keep their accents. */
const hyphenated = (name: string): string =>
  name
    .normalize("NFKC")
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, "-")
    .toLowerCase()
    .normalize("NFKC")
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")

/** Longer names have no place to be dropped. */
const LONGEST_NAME = 100

/** Returns the normalised sport type, the vendor's name in one spelling if none fits, or `other` for an empty name. */
export function sportTypeOf(name: string): string {
  const key = sportKey(name.slice(0, LONGEST_NAME))
  return key === "" ? "other" : (typeOfKey(key) ?? hyphenated(name))
}

/** With and without the places before and behind it. "outdoor" and "outdoors" both begin "outdoorswimming", and one of them leaves a sport. */
function typeOfKey(whole: string): string | undefined {
  const keys = new Set([whole])
  // The set grows while it is gone through. No key comes twice, so a name made of places alone takes no longer.
  for (const key of keys) {
    const type = TYPE_OF_KEY.get(key)
    if (type !== undefined) return type
    for (const place of PLACE_KEYS) {
      if (place === key) continue
      if (key.startsWith(place)) keys.add(key.slice(place.length))
      if (key.endsWith(place)) keys.add(key.slice(0, -place.length))
    }
  }
  return undefined
}
