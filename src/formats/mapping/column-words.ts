import type { MappedField } from './mapping.ts';
import { plainWords, splitWords } from './type-words.ts';

/**
 * Known headers for files with an unknown layout. English comes first, then German, French, Spanish, Italian,
 * Portuguese, Dutch, Swedish, Polish and Japanese.
 */

/** Headers for the two sides that are a single word or in another language. */
const others = {
  given: {
    asset:
      'from|gesendete währung|devise envoyée|devise vendue|moneda enviada|valuta inviata|moeda enviada|verzonden valuta|skickad valuta|wysłana waluta|送付通貨',
    quantity:
      'sell|sent|out|value out|exchange amount|gesendete menge|gesendeter betrag|montant envoyé|montant vendu|cantidad enviada|quantità inviata|quantidade enviada|verzonden bedrag|skickat belopp|wysłana kwota|送付数量',
  },
  received: {
    asset:
      'to|erhaltene währung|devise reçue|devise achetée|moneda recibida|valuta ricevuta|moeda recebida|ontvangen valuta|mottagen valuta|otrzymana waluta|受取通貨',
    quantity:
      'buy|received|in|value in|erhaltene menge|erhaltener betrag|montant reçu|montant acheté|cantidad recibida|quantità ricevuta|quantidade recebida|ontvangen bedrag|mottaget belopp|otrzymana kwota|受取数量',
  },
} as const;

/** The known headers for each field, most likely first. */
const namesOfField: Partial<Record<MappedField, readonly string[]>> = {
  date: [
    'trade date|execution date|filled at|fill date|fill time|filled time|closed utc|closed|close|ended time|executed at|execution time|date executed|time executed|trade created at|date|date utc|time utc|utc time|time in utc|date time utc|datum|fecha|data|約定日|取引日時|取引日|日付|日時',
    'transaction date|date time|datetime|timestamp|timestamp utc|time|when|date and time|date sold|sale date|run date|activity date|completed at|confirmed at|operation date|formatted date|created at|created date|creation date|order date|order time|time entered|started time|initiated time|created|block datetime|utc datetime|burn date|local time|value date|datum uhrzeit|zeitpunkt|zeit|buchungstag|ausführung|date opération|date de l opération|fecha de operación|fecha operación|data operazione|data da operação|data operação|transactiedatum|transaktionsdatum|affärsdag|data operacji|data transakcji|約定日時|受渡日',
  ].flatMap(splitWords),
  time: splitWords(
    'time|trade time|transaction time|execution time|time of day|uhrzeit|zeit|heure|hora|ora|tijd|tid|godzina|時刻|exec time|fill time|executed time',
  ),
  type: splitWords(
    'side|buy sell|action|direction|transaction type|type|b s|bs|b or s|trade type|order side|transaction direction|operation|operation type|activity|activity type|kind|event|transaction|transaction kind|tx type|order type|description of trade|what happened|order|typ|transaktionstyp|typ av transaktion|art|transaktion|transaktionsart|vorgang|opération|type d opération|sens|tipo|tipo de operación|tipo operación|operación|operazione|tipo operazione|operação|tipo de operação|soort|transactie|richting|rodzaj|rodzaj operacji|operacja|typ operacji|kierunek|取引|取引区分|取引種別|aktion|acción|azione|ação|actie|åtgärd|akcja|売買|売買区分|種別|xactn type|k s|k v|a v|c v|trans code|transaction code|tran code|action code|activity code|trade action|buysell|txn type|trans type',
  ),
  label: splitWords(
    'label|tag|subtype|sub type|classification|reward type|transaction subcode|subcode|sub code|transaction subtype|transaction sub type|sub action|type detail|etikett|étiquette|etiqueta|etichetta',
  ),
  status: splitWords('status|state|order status|final status|result|success|statut|estado|stato|ステータス|状態'),
  asset: splitWords(
    'symbol|ticker|symbole|símbolo|simbolo|ticker symbol|stock symbol|sym|instrument symbol|currency ticker|token symbol|asset symbol|coin|asset|token|security|stock|crypto|cryptocurrency|coin type|crypto currency|currency crypto|asset type|code|stock code|base currency|base asset|target currency|market currency|amount currency|amount unit|staked coin|fund|market symbol|investment|company|instrument|asset name|currency|currency code|cur|amount balance unit|size unit|wertpapier|wert|aktie|valeur|titre|actif|valor|título|activo|moneda|titolo|strumento|criptovaluta|valuta|ativo|papel|moeda|fonds|effect|munt|värdepapper|papier|instrument finansowy|papier wartościowy|waluta|銘柄|銘柄コード|通貨|währung|devise|product|produkt|isin|isin code|security name|bezeichnung|wertpapierbezeichnung|wertpapiername|titel|libellé valeur|nombre del valor|denominazione|descrizione titolo|código|código de negociação|código do ativo|naam|wkn|cusip|cusip number|cusip no|cusip id|security id|fond|fondnamn|fondsnaam|underlying|underlying symbol|contract name|contractname|contract symbol|instrument symbol|root symbol|contract|item',
  ),
  pair: splitWords(
    'pair|trading pair|pairs|market|currency pair|trade pair|asset pair|product|symbol|instrument|product id|market name|underlying asset|exchange|handelspaar|währungspaar|paire|par|par de trading|coppia|paar|handelspaar|valutapar|para|rynek|通貨ペア|ペア',
  ),
  quote: splitWords(
    'quote|quote currency|currency|quote asset|counter asset|counter currency|source currency|price currency|price fee total unit|value currency|currency fiat|fiat currency|fiat|settlement currency|other currency|trade currency|trade price currency|base currency',
  ),
  quantity: splitWords(
    'quantity|qty|units|shares|quantity transacted|filled quantity|executed quantity|filled qty|filled shares|asset amount|coin amount|crypto amount|crypto quantity|amount coin|asset quantity|size|volume|vol|amount|filled|executed amount|executed|no of shares|number of shares|quantity base|market amount|open qty|effect|operation amount|stück|anzahl|menge|nominale|stückzahl|quantité|nombre|cantidad|títulos|acciones|quantità|quantidade|qtd|aantal|hoeveelheid|antal|ilość|liczba|数量|株数|約定数量|transaction value|net amount|value|reward|buy|change|fill qty|fill quantity|executed qty|traded quantity|traded qty|unit count|units count|share count|token amount|token quantity|stück nom|stücke|nominal|約定株数|qté|qte|andelar|wolumen|volumen|contracts|number of contracts|no of contracts|contract quantity|filledquantity|closing quantity|closed quantity|position size|lots',
  ),
  price: splitWords(
    'fill price|filled price|per share cost|cost per share|cost per unit|cost per coin|execution price|executed price|avg fill|average fill price|average filled price|avg filled price|avg price per share|deal price|avg price|average price|price|unit price|price per unit|price per share|price per coin|spot price|share price|amount share|amount per share|amount per unit|rate|trade price|px|price at transaction|spot price at transaction|usd spot price at transaction|asset price|asset rate usd|exchange rate per coin usd|preis|kurs|stückpreis|prix|cours|prix unitaire|precio|precio unitario|prezzo|prezzo unitario|preço|preço unitário|prijs|koers|pris|cena|価格|単価|約定単価|約定価格|レート|exec price|traded price|traded rate|nav|nav price|ausführungskurs|abrechnungskurs|cours d exécution|prezzo medio|precio medio|preço médio|約定値段|nav kurs',
  ),
  amount: splitWords(
    'amount|value|gross amount|gross|subtotal|principal|principal amount|notional|deal|deal value|turnover|funds|cost|proceeds|consideration|gross value|total value|market value|usd value|value usd|amount usd|usd amount|value then|counter amount|other amount|base amount|fiat amount|fiat value|fiat currency amount|amount fiat|amount fiat usd|usd equivalent|market value usd|buy value|trade value|filled total|filled value|cost proceeds|paid|native amount|native amount in usd|usd subtotal|total|betrag|wert|gegenwert|montant|montant brut|valeur|importe|valor|efectivo|importo|controvalore|montante|bedrag|waarde|belopp|wartość|kwota|金額|約定金額|代金|fill amount|fill value|executed value|traded value|gross consideration|umsatz|kurswert|ausmachender betrag|montant de l opération|quote quantity|quote amount|quote volume|counter quantity|counter value',
  ),
  total: splitWords(
    'total|net amount|net|net total|total amount|net value|net proceeds|total cost|total usd|amount net|amount|total inclusive of fees|usd total inclusive of fees|total inclusive of fees and or spread|total quote|gesamt|gesamtbetrag|endbetrag|nettobetrag|montant net|total net|montant total|importe neto|importe total|importo netto|totale|valor total|valor líquido|totaal|totaalbedrag|netto bedrag|summa|nettobelopp|suma|kwota netto|razem|受渡金額|受渡代金|合計|net consideration|total value|total paid|total received|neto',
  ),
  debit: splitWords('debit|money out|paid out|soll|débit|cargo|addebito|débito|debet|obciążenie|出金額|支払'),
  credit: splitWords('credit|money in|paid in|haben|crédit|abono|accredito|crédito|uznanie|入金額|受取額'),
  fee: splitWords(
    'fee|fees|fee amount|feeamount|fee quantity|fee value|fees amount|fees value|transaction fee quantity|commission|commissions|comm|charges|charge|trading fee|transaction fee|brokerage|fees and commissions|commission fees|total fee|fee total|fee paid|fee charged|network fee|operation fees|tx fee|transactionfee|commission paid|fee usd|usd fees|ib commission|fees and or spread|fees quote|base fee|reg fee|sec fee|stamp duty|xactn fee|other fees|exchange fee|gas fee|gebühr|gebühren|provision|netzwerkgebühr|entgelt|ordergebühr|frais|commission de courtage|comisión|comisiones|gastos|commissione|commissioni|spese|comissão|taxa|taxas|corretagem|kosten|transactiekosten|courtage|avgift|prowizja|opłata|手数料|sec|taf|sec fees|taf fee|finra fee|orf|cat fee|reg fees|ecn fee|clearing fee|gst|vat|gst amount|makelaarsloon|beurstaks|mäklararvode|total avgift|spesen|fremdkosten|börsengebühr|maklergebühr|ttf|droits de garde|corretaje|emolumentos|provisie|transactieprovisie|entgelte|nebenkosten|dealing charge|dealing costs|brokerage fee|handling fee|levies|levy',
  ),
  feeAsset: splitWords(
    'fee currency|feecurrency|commission currency|ib commission currency|transaction fee currency|fee asset|fee coin|fee ccy|fee unit|fee token|fee currency symbol|fee symbol|fee cur|fees currency|gebührenwährung|devise des frais|devise frais|moneda comisión|valuta commissione|moeda da taxa|手数料通貨',
  ),
  currency: splitWords(
    'currency|ccy|cur|settlement currency|trade currency|native currency|price currency|value currency|quote currency|währung|devise|divisa|valuta|moneda|moeda|waluta|通貨|munt|trade ccy|transaction currency|transaktionsvaluta|handelswährung|account currency|fiat currency|fiat',
  ),
  sentAsset: sides('asset', 'given'),
  sentQuantity: sides('quantity', 'given'),
  receivedAsset: sides('asset', 'received'),
  receivedQuantity: sides('quantity', 'received'),
  externalId: splitWords(
    'transaction id|trade id|txid|tx id|tx hash|id|order id|reference|ref|transaction hash|hash|trade number|order number|confirmation|execution id|fill id|uuid',
  ),
  note: splitWords('note|notes|memo|comment|comments|remark|remarks'),
  account: splitWords(
    'account|account name|wallet|wallet name|portfolio|exchange|platform|broker|account number|sending wallet|receiving wallet|received wallet|sent wallet|exchange optional|konto|cuenta|compte|conto|conta|rekening|口座|depå|depot|depotnummer|kontonummer',
  ),
  acquired: splitWords('date acquired|acquired|acquisition date|purchase date|open date|opened'),
  basis: splitWords('basis|cost basis|adjusted basis'),
  wages: splitWords('ordinary income|ordinary income recognized|ordinary income reported|compensation income'),
  offered: splitWords('offering date|offer date|subscription date'),
  toAccount: splitWords('destination wallet|to wallet'),
  assetClass: splitWords('asset class|security type|instrument type'),
  ratio: splitWords('ratio|split ratio|split factor'),
  effect: splitWords('open close|openclose|open close indicator|pos effect|position effect|effect|o c'),
  expiration: splitWords(
    'expiration|expiration date|expiry|expiry date|exp date|exp|expires|option expiration|maturity',
  ),
  maturity: splitWords('maturity|maturity date|date of maturity|bond maturity|mat date'),
  strike: splitWords('strike|strike price|option strike|strikeprice'),
  right: splitWords('call put|put call|right|option type|c p|p c|callput|putcall|option right|put or call|call or put'),
  multiplier: splitWords('multiplier|contract multiplier|point value|contract size'),
  tax: splitWords(
    'tax|taxes|tax withheld|withheld tax|withholding tax|tax amount|capital gains tax|steuer|steuern|kapitalertragsteuer|quellensteuer|impôt|impuesto|retención|imposta|ritenuta|imposto|irrf|belasting|skatt|podatek|税金',
  ),
};

/** Header words for numbers that are not part of the transaction, such as balances, rates and ordered amounts. */
export const strangeWords: ReadonlySet<string> = new Set(
  splitWords(
    'balance|remaining|available|tick|rate|perc|percent|limit|trigger|leaves|requested|indicated|running|position|fx|pnl|pl|profit|gain|cumulative|inverse|confirmations|conf|block|blockno|height|index|approx|order price|entered|now|today|spread|rebate|id|number|hash|address|settle|settlement|updated',
  ),
);

/** Returns the known headers for one side of a row: `Sold Quantity`, `From Currency`, `montant reçu`. */
function sides(what: 'asset' | 'quantity', side: 'given' | 'received'): string[] {
  const given = 'debit|debited|sent|sell|sold|outgoing|from|given|out|origin|sending|input|asset out|disposed|spent';
  const received =
    'credit|credited|received|receive|buy|bought|incoming|to|got|in|destination|receiving|output|asset in|acquired';
  const assets = 'currency|asset|coin|symbol|cur|ticker|token|ccy';
  const quantities = 'amount|quantity|qty|volume|units|size|value';
  const own = side === 'given' ? given : received;
  const nouns = splitWords(what === 'asset' ? assets : quantities);
  const english = splitWords(own).flatMap((word) =>
    nouns.flatMap((noun) => [`${word} ${noun}`, `${noun} ${word}`, `${word}${noun}`]),
  );
  return [...english, ...splitWords(others[side][what])];
}

/** The fields for each name, with the name's position in each field's list. */
const fieldsOfName = new Map<string, Map<MappedField, number>>();
for (const [field, names] of Object.entries(namesOfField) as [MappedField, readonly string[]][]) {
  for (const [rank, name] of names.entries()) {
    const fields = fieldsOfName.get(name) ?? new Map<MappedField, number>();
    if (!fields.has(field)) fields.set(field, rank);
    fieldsOfName.set(name, fields);
  }
}

/**
 * Returns the fields that these words name, each with the name's position in its list. A smaller position is more
 * likely.
 */
export function fieldsNamedBy(words: string): ReadonlyMap<MappedField, number> {
  return fieldsOfName.get(words) ?? noFields;
}

/** Returns the fields whose names occur within these words. */
export function fieldsNamedWithin(words: string): ReadonlyMap<MappedField, number> {
  const parts = words.split(' ');
  const ranks = new Map<MappedField, number>();
  for (let from = 0; from < parts.length; from++) {
    for (let to = from + 1; to <= Math.min(parts.length, from + nameWordsMax); to++) {
      const name = parts.slice(from, to).join(' ');
      // Three letters are too short to match within other words, but three Japanese characters form a word.
      if (name.length <= 3 && /^[\x20-\x7e]*$/.test(name)) continue;
      for (const [field, rank] of fieldsNamedBy(name)) ranks.set(field, Math.min(rank, ranks.get(field) ?? rank));
    }
  }
  return ranks;
}

const noFields: ReadonlyMap<MappedField, number> = new Map();
const nameWordsMax = 8;

/** Returns a header's words with and without the text in brackets, because `Fee (USD)` is a fee. */
export function wordsOfHeader(name: string): { readonly whole: string; readonly outside: string } {
  const whole = plainWords(name);
  const outside = plainWords(name.slice(0, 200).replace(/[(（][^()（）]*[)）]/g, ' '));
  return { whole, outside: outside === '' ? whole : outside };
}
