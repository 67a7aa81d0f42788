// Canonical names of what WHOOP's journal asks about, and which topics are private.

/** A word of the question in one of the languages, and the topic. The first row that fits counts. */
type Topic = readonly [factor: string, words: RegExp]

/** Sex, drugs, medication, menstruation and mental health. Ignored unless the person asks for them. */
const PRIVATE: readonly Topic[] = [
  ["sexual_activity", /\bsex|masturbat|intimate|orgasm|relaciones sexuales|rapports|geschlechtsverkehr/],
  ["cannabis", /marijuana|marihuana|cannabis|\bthc\b|\bcbd\b|weed\b/],
  ["drugs", /\brecreational drug|illicit|cocaine|psychedelic|psilocybin|\bdrogas?\b|\bdrogen?\b|\bdrogues?\b/],
  [
    "medication",
    /medicat|medicin|medicament|médicament|medikament|farmac|\bdrugs?\b|nsaid|ibuprofen|inflammator|antihistamin|antibiotic|prescri|\bpills?\b|painkiller|steroid|insulin|contracept/,
  ],
  ["menstruation", /menstru|ovulat|\bperiod\b|regla\b|règles|pregnan|embaraz|menopaus|\bpms\b|fertil/],
  ["mental_health", /mental|depress|depri|anxi|ansie|angst|panic|therap(?:y|ist) session|psycholog|psiquiat|suicid/],
]

const PUBLIC: readonly Topic[] = [
  ["alcohol", /alcohol|alkohol|alcool|álcool|drinks\b/],
  ["caffeine", /caffein|cafe[ií]n|caféine|koffein|coffee|café\b/],
  ["nicotine", /nicotin|tobacco|tabaco|tabac|smok|\bfum|vap(?:e|ing)/],
  ["late_meal", /(?:eat|meal|food|ate|comer|comida|cena).*(?:bed|late|cama|dormir|noche)|late meal/],
  ["screen_in_bed", /(?<!non-)(?:screen|pantalla|bildschirm|écran).*(?:bed|cama|bett|lit)|blue light device/],
  ["read_in_bed", /(?:read|leer|leíste|gelesen).*(?:bed|cama|bett)/],
  ["blue_light_glasses", /blue.?light.*(?:glass|block)|gafas/],
  ["shared_bed", /(?:share|compart|geteilt).*(?:bed|cama|bett)/],
  ["own_bed", /own bed|propia cama/],
  ["sick", /sick|\bill\b|illness|enferm|krank|malade/],
  ["injured", /injur|wound|lesi[oó]n|verletz|bless/],
  ["stress", /stress|estr[eé]s/],
  ["hydration", /hydrat|hidrat|water|agua/],
  ["meditation", /meditat|medita|breath ?work|breathing/],
  ["melatonin", /melaton/],
  ["magnesium", /magnes/],
  ["sauna", /sauna/],
  ["cold_shower", /cold shower|ice bath|cold plunge|ducha fría/],
  ["stretching", /stretch|estir/],
  ["massage", /massage|masaje/],
  ["added_sugar", /sugar|az[uú]car|zucker|sucre/],
  ["processed_food", /processed|procesad/],
  ["protein", /protein/],
  ["travel", /travel|plane|viaj|flight|\bfly\b/],
  ["late_work", /work.*late|late.*work/],
  ["sunlight", /sunlight|daylight|luz solar/],
  ["nap", /\bnaps?\b|siesta/],
  ["sleep_mask", /eye mask|sleep mask|antifaz/],
  ["ear_plugs", /ear ?plug|tapones/],
]

const LONGEST_NAME = 64

/** Returns the canonical name of a question's topic, and whether it is private. Other topics keep the question's words. */
export function factorOf(question: string): { readonly factor: string; readonly isPrivate: boolean } {
  const words = question.toLowerCase()
  const hit = PRIVATE.find(([, pattern]) => pattern.test(words))
  if (hit) return { factor: hit[0], isPrivate: true }
  const [factor = slugOf(words)] = PUBLIC.find(([, pattern]) => pattern.test(words)) ?? []
  return { factor, isPrivate: false }
}

/** The words of a question as a name: letters and digits of any language, joined by `_`. */
const slugOf = (words: string): string =>
  words
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, LONGEST_NAME) || "question"
