// What people and programs call the common sports, in the languages that phones translate workouts into.
import type { NormalizedSportType } from "@restwell/client"

/**
 * Names of HealthKit's activities and of vendors' sports. Programs translate the verb as well as the noun, and some of them literally:
 * "Ausführen" is a run. @see https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype
 */
export const SPORT_WORDS: Readonly<Record<NormalizedSportType, string>> = {
  running: `running run trailrun trailrunning treadmill treadmillrunning virtualrun jogging trackfield trackrunning ultrarun strollerjogging
    inclinerun laufen lauf ausführen joggen laufband course courir courseàpied exécuter tapisdecourse correr carrera ejecutar cinta corsa
    correre eseguire tapisroulant corrida executar esteira hardlopen rennen uitvoeren loopband löpning löpa löpband löb løb løping løpe
    juoksu juokseminen bieganie bieg bieganienabieżni běh futás бег біг koşu koşmak τρέξιμο alergare ランニング ランニングマシン 跑步 跑 달리기
    러닝 جري ריצה วิ่ง chạybộ chạy lari दौड़ना दौड़`,
  cycling: `cycling cycle ride virtualride biking bike stationarybike mountainbiking mountainbike mountainbikeride gravelride spin spinning
    assaultbike ebikeride electricbike roadcycling roadbiking gravelcycling bicycling radfahren rad fahrrad fahrradfahren vélo cyclisme
    ciclismo bicicleta bici ciclisme fietsen wielrennen cykling cykla sykling sykle pyöräily kolarstwo jazdanarowerze cyklistika
    jízdanakole kerékpározás велоспорт езданавелосипеде велосипед велоспорт велоїзда bisiklet bisikletsürme ποδηλασία ciclism サイクリング
    自転車 单车 骑行 騎行 骑车 骑自行车 自行车 單車 自行車 사이클링 자전거 자전거타기 رکوبالدراجات ركوبالدراجات רכיבהעלאופניים ปั่นจักรยาน đạpxe bersepeda
    साइकिलचलाना`,
  swimming: `swimming swim lapswimming lapswim schwimmen schwimmbad nage natation nager natación nadar nuoto nuotare natação zwemmen simning simma
    svømning svømming svømme uinti uiminen pływanie plavání úszás плавание плавання yüzme κολύμβηση κολύμπι înot 水泳 スイミング 游泳 수영
    سباحة שחייה ว่ายน้ำ bơi bơilội berenang renang तैरना तैराकी`,
  strength: `strength strengthtraining weightlifting weightliftingmsk powerlifting weights weighttraining liftweights strengthtrainer
    traditionalstrengthtraining functionalstrengthtraining freeweights weightmachines calisthenics krafttraining traditionelleskrafttraining
    funktionelleskrafttraining musculation renforcementmusculaire musculationtraditionnelle entrenamientodefuerza fuerza
    entrenamientofuncionaldefuerza entrenamientodefuerzatradicional
    funktionaleskrafttraining allenamentofunzionaledellaforza allenamentofunzionaleallaforza renforcementmusculairetraditionnel
    treinodeforçatradicional allenamentoforza forza allenamentodellaforza treinodeforça musculação krachttraining styrketräning
    styrketrening styrketræning voimaharjoittelu treningsiłowy силоваятренировка силовітренування kuvvetantrenmanı 筋力トレーニング
    力量训练 肌力訓練 传统力量训练 功能性力量训练 근력운동 근력강화운동`,
  yoga: `yoga hotyoga yogahatha yogavinyasa yogapower yogabikram stretching flexibility jooga joga jóga йога γιόγκα ヨガ 瑜伽 瑜珈 요가 يوغا
    יוגה โยคะ योग`,
  hiit: `hiit highintensityintervaltraining functionalfitness tabataworkout intervalworkout circuittraining crossfit bootcamp f45training barrys
    obstaclecourseracing jumpingrope jumprope intervalltraining hochintensivesintervalltraining entraînementfractionnéhauteintensité
    entrenamientodeintervalosdealtaintensidad allenamentoaintervalliadaltaintensità treinointervaladodealtaintensidade
    高強度インターバルトレーニング 高强度间歇训练 高強度間歇訓練 고강도인터벌트레이닝`,
  walking: `walking walk hiking hike hikingrucking rucking nordicwalking powerwalking dogwalking strollerwalking casualwalking speedwalking
    treadmillwalk caddying toddlerwearing babywearing gehen spazieren spaziergang spazierengehen wandern wanderung marche marcher randonnée
    caminar caminata andar senderismo camminata camminare passeggiata escursionismo caminhada caminhar wandelen lopen promenad promenera gå
    gång vandring vandra gåtur fottur kävely vaellus chód chodzenie spacer wędrówka chůze turistika gyaloglás séta túrázás ходьба пешийпоход
    поход yürüyüş yürüme doğayürüyüşü περπάτημα πεζοπορία mers ウォーキング 散歩 ハイキング 步行 走路 徒步 健行 걷기 하이킹 등산 مشي הליכה เดิน đibộ
    berjalan चलना`,
  other: "other activity workout generic unknown uncategorized hotshower",
}

/** Where a sport is done: no part of its name. Longer words are first. */
export const PLACES: readonly string[] = `
  openwater freiwasser freigewässer offenesgewässer eaulibre aguasabiertas acqueaperte águasabertas openwaters öppetvatten åbentvand åpentvann
  outdoor outdoors indoor indoors pool treadmill imfreien drinnen draußen außen halle schwimmbad schwimmbecken laufband enextérieur enintérieur
  extérieur intérieur enpiscine piscine alairelibre airelibre exterior interior encinta enpiscina piscina allaperto alchiuso alcoperto aperto
  aoarlivre arlivre emambientefechado aberto fechado buiten binnen zwembad utomhus inomhus udendørs indendørs utendørs innendørs innendørs
  ulkona sisällä ulko sisä allas bassäng bassin basseng nazewnątrz wpomieszczeniu nadworze wbasenie basen venku uvnitř наулице вбассейне
  впомещении налице бассейн açıkhava kapalıalan havuz açık kapalı havuzda 屋外 屋内 室外 室内 室內 户外 戶外 泳池 泳池游泳 公开水域 開放水域
  公開水域 开放水域 プール オープンウォーター 실외 실내 수영장 야외 inpiscina inacquelibere inacqueaperte enaguasabiertas eneaulibre
  emáguasabertas napiscina eninterior enexterior ensalle salle dintérieur dextérieur track becken innenraum innenräume`
  .trim()
  .split(/\s+/)
  .toSorted((one, other) => other.length - one.length)
