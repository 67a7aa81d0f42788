// The halves of a day in the words of all regions, in which clocks of twelve hours are written.

/**
 * Plain forms of what `Intl.DateTimeFormat` writes with `hourCycle: "h12"` in every language that Node 26 knows, and of what earlier data
 * had for common ones. `ip` is Finnish: Inari Sami has it for the other half. @see https://cldr.unicode.org/translation/date-time/date-time-symbols
 */
const FIRST_HALF = `
  1ka a adduha ag am an ap atm bn comme de dinda dop dopołedniŏ fh fm gh goöň hh ib ibikɛ̂glà
  icheheavo idiɓa isuk kang’ama ki kiroko kiɛmɛ́ɛm krn kíkíríg lumalwak lwamilawu m ma makeo maná
  mbaʼámbaʼ mbaꞌmbaꞌ moies muhi munkyo nd ntufat ntɔ́ngɔ́ n’ụtụtụ od pamilau pd pg priekšp priešpiet
  prijepodne rn rw rũ sa sf sub subaka subbaahi sárúwá taparachu tesiran tifawt to too uluchelo utuko
  vm vorm wd wichishu zdatazal zmu àárọ̀ öö ĩyakwakya ŋdi ǁgoagas ɛnkakɛnyá πμ ам дп ку преподне
  претпл проб то тң эи үө לפנה״צ פֿאַרמיטאָג بن تد ص صبح غم قظ چب ܩܛ ߛ पूर्वाह्न फुं भोर भ्यागा मपू
  सवेर নুমাং পূর্বাহ্ণ পূর্বাহ্ন পূৰ্বাহ্ন முற்பகல் ಪೂರ್ವಾಹ್ನ පෙව ก่อนเที่ยง ກ່ອນທ່ຽງ སྔ་ཆ་ སྔ་དྲོ་ တၸ
  နံနက် ቅቀ ጥዋት ᐊᒼ ⵜⵉⴼⴰⵡⵜ 上午 上昼 上晝 午前 ꎸꄑ ꮜꮎꮄ 오전 𞤢𞤰`
const SECOND_HALF = `
  2ja ak akasuba aluula anw ch chilo cɛɛ́nko dilolo du ea eb ebongi ebyámu eh eigulo em ep f fi gd gm
  gosoň hwaĩ-inĩ ichamthi in ip iɓugajɔp kikiiɗe kingoto kisɛ́ndɛ koosk kugú kyiukonyi lilli lk lumalwap
  mchochil’l md mo mpókwa muu nachm nam ncwònzém ngo ngəgógəle nm nomëttes ntmeddit nyiaghuo n’abalị
  odp ot p pamunyi pashamihe pm pn pop popiet popodne popołedniu ptg ptm pēcp tadggwat teipa tk tŋ ut
  wb wengi wótp ym zaarikayb zmw ös ĩyawĩoo ŋkambɔ́tnji ũg ǃuias ɛndámâ ɣetrɔ μμ кх пм попл поподне пп
  слоб тк эк үх אחה״צ נאָכמיטאָג بظ تك دن شام غو م چك ܒܛ ߥ अपराह्न दपेहरा/संजा बेलासे मउ सांझ स’ञ
  অপরাহ্ণ অপরাহ্ন অপৰাহ্ন பிற்பகல் ಅಪರಾಹ್ನ පව หลังเที่ยง ຫຼັງທ່ຽງ ཕྱི་ཆ་ ཕྱི་དྲོ་ ညနေ တလ ከሰዓት ድቀ ᐲᒼ
  ḍeffiraza ọ̀sán ⵜⴰⴷⴳⴳⵡⴰⵜ 下午 下昼 下晝 午後 ꁯꋒ ꮢꭿᏹꭲ 오후 𞤩𞤰`

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
const [FIRST, SECOND] = [wordsOf(FIRST_HALF), wordsOf(SECOND_HALF)]

/** Returns whether a word stands for the half after noon. Undefined for a word that is not known. */
export function isAfterNoon(word: string): boolean | undefined {
  const plain = word
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s.\p{Cf}]/gu, "")
  if (FIRST.has(plain)) return false
  return SECOND.has(plain) ? true : undefined
}
