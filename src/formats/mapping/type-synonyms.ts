import type { TransactionType } from '../../engine/model.ts';

/** Synonyms for types, separated by bars. Proposed mappings recognize them. */
export const typeSynonyms: Readonly<Partial<Record<TransactionType, string>>> = {
  buy: 'b|long buy|bought|purchase|purchased|market buy|limit buy|buy order|bot|open buy|kauf|achat|compra|acquisto|aankoop|koop|gekocht|köp|kupno|zakup|gekauft|acheté|comprado|acquistato|köpt|kupiono|買|買い|買付|購入',
  sell: 's|long sell|sold|sale|market sell|limit sell|sell order|sld|disposal|verkauf|vente|venta|venda|vendita|verkoop|verkocht|sälj|sprzedaż|verkauft|vendu|vendido|venduto|såld|sålt|sprzedano|売|売り|売却|売付',
  trade: 'swap|exchange|convert|conversion|tausch|échange|intercambio|scambio|troca|wissel|byte|wymiana|交換',
  deposit:
    'receive|received|recv|deposited|in|transfer in|crypto deposit|incoming|einzahlung|dépôt|depósito|deposito|storting|insättning|wpłata|入金|受取',
  withdrawal:
    'send|sent|out|withdraw|withdrawl|withdrawn|transfer out|crypto withdrawal|outgoing|auszahlung|retrait|retirada|retiro|prelievo|saque|levantamento|opname|uttag|wypłata|出金|送付',
  buy_to_open: 'bto|buy open|bought to open',
  sell_to_close: 'stc|sell close|sold to close',
  sell_to_open: 'sto|sell open|sold to open',
  buy_to_close: 'buy close|bought to close',
  short_sell: 'short|short sell|sell short|sold short|short sale',
  cover: 'buy to cover|buy cover|short buy|cover buy|bought to cover|cover short|short cover',
  dividend:
    'dividends|div|cash dividend|qualified dividend|ordinary dividend|dividende|dividendo|dividendi|utdelning|dywidenda|配当|配当金',
  interest:
    'interest earned|bank interest|credit interest|interest income|zinsen|intérêts|intereses|interessi|juros|rente|ränta|odsetki|利息',
  staking: 'staking reward|staking rewards|stake reward|staking income',
  mining: 'mined|mining reward|mining income|mining rewards',
  airdrop: 'airdrops',
  reward:
    'rewards|bonus|cashback|referral|referral bonus|learning reward|belohnung|récompense|recompensa|ricompensa|beloning|belöning|nagroda|報酬',
  espp_purchase: 'espp|espp purchase|employee stock purchase',
  reinvest:
    'drip|reinvestment|reinvested|reinvested dividend|reinvested dividends|dividend reinvestment|reinvest dividend|reinvest shares',
  withholding:
    'withholding tax|tax withheld|foreign tax withheld|quellensteuer|retenue à la source|retención|ritenuta|dividendbelasting',
  split: 'stock split|share split|forward split|reverse split|splits|stock splits',
  expire: 'expired|expiration|option expiration|option expired|expiry',
  exercise: 'exercised|option exercise|option exercised',
  assign: 'assigned|assignment|option assignment|option assigned',
  return_of_capital: 'roc',
  bond_amortization: 'bond premium amortization|premium amortization|amortized premium|amortization of bond premium',
  original_issue_discount:
    'original issue discount|oid|oid accrual|accrued oid|oid income|original issue discount accrual',
  currency_gain: 'forex gain|fx gain|currency gain',
  gift_in: 'gift received',
  gift_out: 'gift|gift sent',
  donate: 'donation|charity',
  lost: 'stolen|theft',
  spend: 'spent|card payment',
  fee: 'fees|network fee|gas fee',
  defer_gain: 'opportunity fund investment|qof investment',
};
