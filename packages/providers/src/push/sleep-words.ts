// The stages of a sleep in the words of Apple's languages: Health Auto Export writes them in the language of the phone.
import { SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { foldedText } from "../normalize/folded-text.ts"

/**
 * The app's own words are in the titles of its tables: `睡眠分析 [快速动眼期] (hr)`, `睡眠分析 [起きている] (hr)`, `Schlafanalyse [Kern]`,
 * `Análise do Sono [Núcleo] (hr)`, `Slaap Analyse [Diep] (hr)`. Beside them are Apple's, each alone and with the word for sleep.
 * @see https://help.healthyapps.dev/en/health-auto-export/export-format @see https://support.apple.com/guide/watch/apd830528336/watchos
 */
const WORDS: Readonly<Record<SleepStage, readonly string[]>> = {
  awake: [
    "awake|wach|wachzeit|éveil|éveillé|éveillée|réveillé|despierto|despierta|vigilia|veglia|sveglio|sveglia|da sveglio",
    "acordado|acordada|desperto|wakker|vågen|våken|hereillä|wybudzenie|przebudzenie|czuwanie|nie śpi",
    "obudzony|przytomny|бодрствование|не сплю|проснулся|без сна|неспання|uyanık|uyanıklık",
    "覚醒|覚醒時間|起きている|깨어 있음|각성|비수면|清醒|清醒时间|清醒時間|醒着|醒著",
  ],
  light: [
    "core|core sleep|asleep core|light|light sleep|kern|kernschlaf|leicht|leichtschlaf",
    "base|de base|sommeil de base|principal|sommeil principal|essentiel|sommeil essentiel|léger|sommeil léger",
    "núcleo|central|esencial|básico|ligero|sueño principal|sueño esencial|sueño básico|sueño central|sueño ligero",
    "principale|essenziale|leggero|sonno principale|sonno essenziale|sonno leggero|sonno di base",
    "essencial|leve|sono principal|sono essencial|sono básico|sono leve|kernslaap|licht|lichte slaap",
    "kerne|kernesøvn|kjerne|kjernesøvn|kärna|kärnsömn|let søvn|lett søvn|lätt sömn|perusuni|ydinuni|kevyt uni",
    "noyau|cœur|sommeil central|centrale|ydin|rdzeń|główny|sen główny",
    "базовый|базовый сон|основной|основной сон|легкий|легкий сон|базовий|базовий сон|temel|temel uyku|çekirdek|hafif",
    "podstawowy|sen podstawowy|płytki|lekki|sen płytki|sen lekki",
    "コア|コア睡眠|浅い|浅い睡眠|코어|코어 수면|핵심|핵심 수면|얕은 수면|核心|核心睡眠|浅睡|浅睡眠|淺睡|淺層睡眠",
  ],
  deep: [
    "deep|deep sleep|asleep deep|tief|tiefschlaf|profond|sommeil profond|profundo|sueño profundo|sono profundo",
    "profondo|sonno profondo|diep|diepe slaap|dyb|dyb søvn|dyp|dyp søvn|djup|djupsömn|syvä|syvä uni",
    "глубокий|глубокий сон|глибокий|глибокий сон|derin|derin uyku",
    "głęboki|sen głęboki|深い|深い睡眠|深睡眠|깊은|깊은 수면|깊음|深度|深度睡眠|深睡|深層|深層睡眠",
  ],
  rem: [
    "rem|rem sleep|asleep rem|rem schlaf|paradoxal|sommeil paradoxal|sommeil rem|sueño rem|sonno rem|sono rem",
    "rem slaap|rem søvn|rem sömn|rem uni|sen rem|レム|レム睡眠|rem睡眠|렘|렘수면|rem 수면",
    "быстрый сон|сон rem|рем|фаза rem|сон с быстрыми движениями глаз|сон зі швидкими рухами очей|rem uykusu",
    "快速动眼|快速动眼期|快速动眼睡眠|快速眼动|快速眼动期|快速眼动睡眠|快速動眼|快速動眼期|快速動眼睡眠",
  ],
  asleep: [
    "asleep|asleep unspecified|unspecified|sleep|schlafend|schlaf|geschlafen|nicht angegeben|endormi|endormie|sommeil",
    "non spécifié|non précisé|dormido|dormida|durmiendo|sueño|sin especificar|no especificado|addormentato|sonno",
    "non specificato|adormecido|dormindo|a dormir|sono|não especificado|slapend|in slaap|slaap|niet gespecificeerd",
    "sover|i søvn|søvn|uspecificeret|uspesifisert|sovande|sömn|ospecificerad|nukkumassa|unessa|uni",
    "nicht spezifiziert|unspezifiziert|sovende|nukkuu|śpiący|uśpiony|сплю|сон|во сне|не указано|uykuda|uyku|belirtilmemiş",
    "śpi|podczas snu|sen|nieokreślony|睡眠中|睡眠|指定なし|수면|수면 중|잠듦|지정되지 않음|미지정|睡眠时长|睡眠時間|睡着|睡著|入睡|未指定",
  ],
  in_bed: [
    "in bed|im bett|au lit|en la cama|en cama|a letto|nel letto|na cama|i seng|i sengen|i sängen|i säng|sängyssä",
    "dans le lit|в кровати|в постели|у ліжку|yatakta",
    "w łóżku|ベッドに入る|ベッド|ベッド上|就床|就寝|침대에 있음|침대에서|침대|취침|在床上|在床|卧床|臥床|躺在床上",
  ],
}

/** `In Bed`, `in_bed` and `InBed` are one word. */
const keyOf = (word: string): string => foldedText(word).replaceAll(/[^\p{L}\p{N}]/gu, "")

const entriesOf = (stage: SleepStage): [word: string, stage: SleepStage][] =>
  WORDS[stage].flatMap((words) => words.split("|").map((word): [string, SleepStage] => [keyOf(word), stage]))

const STAGES: ReadonlyMap<string, SleepStage> = new Map(SLEEP_STAGES.flatMap(entriesOf))

/** Returns the stage that a word stands for. Undefined for one that is not known. */
export const stageOfWord = (word: string): SleepStage | undefined => STAGES.get(keyOf(word))
