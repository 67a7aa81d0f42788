// Words for yes and no, true and false, in the languages of vendors' apps.
import { foldedText } from "./folded-text.ts"

const YES = [
  "true yes y t 1 ✓ ✔",
  // German, Dutch, Danish, Norwegian, Swedish
  "ja j wahr richtig waar sand sant sann",
  // Spanish, Italian, Portuguese, French, Catalan, Romanian
  "sí sì si s verdadero cierto vero sim verdadeiro oui o vrai veritable da adevărat",
  // Finnish, Estonian, Icelandic, Hungarian, Turkish, Greek
  "kyllä k tosi totta jah já satt igen igaz evet doğru ναι αληθές αληθής σωστό",
  // Polish, Czech, Slovak, Slovene, Croatian, Lithuanian, Latvian
  "tak prawda ano áno pravda res istina točno taip jā tiesa",
  // Russian, Ukrainian, Bulgarian, Serbian
  "да истина правда так вірно вярно",
  // Japanese, Korean, Chinese
  "はい 真 예 네 참 是 是的 对 對 有",
  // Arabic, Hebrew, Persian, Hindi, Thai, Vietnamese, Indonesian and Malay
  "نعم أجل صحيح כן נכון אמת بله آری درست हाँ हां सही ใช่ จริง có đúng ya iya benar",
]

const NO = [
  "false no n f 0 ✗ ✘",
  "nein falsch nee onwaar nej falsk nei usant usann",
  "falso non nao não faux fals nu",
  "ei en epätosi väärin väär ósatt nem hamis hayır yanlış όχι ψευδές ψευδής λάθος",
  "nie fałsz ne nepravda laž netočno netiesa nē nepatiesa",
  "нет ложь ні неправда не лъжа нетачно",
  "いいえ 偽 아니요 아니오 거짓 否 不 不是 错 錯 假 没有 沒有",
  "لا خطأ לא שקר نه خیر نادرست غلط नहीं गलत ไม่ ไม่ใช่ เท็จ không sai tidak bukan salah",
]

const wordsOf = (lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(" ")).map(foldedText))
const YES_WORDS = wordsOf(YES)
const NO_WORDS = wordsOf(NO)

/** Returns what a word says. Undefined for one that is not known. */
export function yesOrNo(word: string): boolean | undefined {
  const folded = foldedText(word).replaceAll(/^[\s"'¡!.]+|[\s"'!.]+$/gu, "")
  if (YES_WORDS.has(folded)) return true
  return NO_WORDS.has(folded) ? false : undefined
}

/**
 * The words of one column. A word that is not known beside only one that is would leave answers that all say the same, which is worse than
 * none: then none of them is read.
 */
export class AnswerWords {
  readonly #known = new Set<boolean>()
  #hasUnknown = false

  add(cell: string): void {
    if (cell.trim() === "") return
    const answer = yesOrNo(cell)
    if (answer === undefined) this.#hasUnknown = true
    else this.#known.add(answer)
  }

  /** True if the words of the column say which answer is which. */
  get areKnown(): boolean {
    return !this.#hasUnknown || this.#known.size === 2
  }
}
