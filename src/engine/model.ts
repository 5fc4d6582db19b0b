/**
 * The glossary of the engine. It contains one line for each noun that is used in several files. File paths are relative
 * to `src/engine`. A folder without a file is elsewhere in `src`. `test/engine/glossary.test.ts` checks the glossary
 * against the exported types.
 *
 * *Bytes become rows, rows become drafts, drafts become transactions, transactions become events, events change
 * books and write facts, facts become lines.*
 *
 * From a file to a transaction
 *  - **row** (formats): the cells of one CSV record, with its line number.
 *  - **draft** (formats): the result of reading one or several rows: a statement without id and owner.
 *  - `Statement` (statement-members.ts): the content of a row of the Lotbook CSV: type, day, asset, amount, fee and so on.
 *  - `Transaction` (transaction.ts): a stored, immutable statement by the taxpayer. A correction replaces it.
 *  - `TransactionType` (transaction-types.ts): the kind of a transaction: buy, sell, dividend, split and so on.
 *  - `TransactionTypeRow` (transaction-type-row.ts): the properties of a transaction type: columns, effect, words.
 *  - `LotEffect` (transaction-type-row.ts): the effect of a transaction type on lots.
 *  - `LotChange` (transaction-types.ts): a transaction type that changes lots in place: split, merger and so on.
 *  - `AssetClass` (statement-values.ts): stock, fund, option, bond, crypto and so on. It determines which tax rules apply.
 *  - `UnclassifiedAsset` (events/classes.ts): the fields of a row used to resolve its asset class.
 *  - `AssetMember` (events/same-assets.ts): a field of a statement that names an asset.
 *  - `StatedNames` (events/same-assets.ts): the asset names of a row that differ from the names in its books.
 *  - `SecurityId` (events/security-ids.ts): a name that is a CUSIP or an ISIN, recognized by its check digit.
 *  - `NamedSecurities` (rules/questions/same-security.ts): the names of securities with their books and numbers.
 *  - `TwoNames` (rules/questions/same-security.ts): two names that share a CUSIP or ISIN.
 *  - `NamedYear` (rules/questions/same-security.ts): the totals of one asset name in one account and year.
 *  - `LotChoice` (statement-values.ts): a number of units from one lot, for a row that identifies its lots.
 *  - `Ratio` (statement-values.ts): new units per old unit in a split, or a share of basis, as a fraction.
 *  - `Box` (statement-values.ts): a check box of Form 8949, A to L.
 *  - `Term` (statement-values.ts): short-term or long-term (IRC 1222).
 *  - `MemberTable` (statement-members.ts): the table of statement fields.
 *  - `StatementMember` (statement-members.ts): the name of a statement field.
 *  - `MemberKind` (statement-members.ts): the kind of value of a field: money, quantity, day, name and so on.
 *  - `MemberValues` (statement-members.ts): the TypeScript type of each kind of field.
 *  - `MemberOfKind` (statement-members.ts): the names of the fields of some kinds.
 *  - `ExtraMember` (statement-members.ts): a field that a plain purchase or sale never states.
 *  - `ByKind` (statement-members.ts): a table with one value for each kind of field.
 *
 * Elections
 *  - `Rules` (elections.ts): the elections that change the result: methods, scope of wash sales, accounts and so on.
 *  - `AccountRules` (elections.ts): the taxpayer's settings for one account: its type, class, form and wallet.
 *  - `InformationReturn` (elections.ts): Form 1099-B or Form 1099-DA.
 *  - `AccountEvidence` (elections.ts): evidence from an account's rows about the form that reports its sales.
 *  - `AssetRules` (elections.ts): the taxpayer's settings for one asset: its class, whether it is a collectible.
 *  - `FormAssetName` (elections.ts): the name in the transactions of an asset that a form names differently, and its source.
 *  - `FormAssetNames` (elections.ts): the names for all accounts, by the asset key of the name on the form.
 *  - `TickerReading` (elections.ts): what an account's other rows show about an ambiguous ticker.
 *  - `ClassRules` (elections.ts): the elections used to resolve asset classes.
 *  - `ClassReason` (events/classes.ts): the source of a resolved asset class.
 *  - `AccountType` (elections.ts): taxable, IRA, HSA, the spouse's and so on. It determines taxation and wash sale treatment.
 *  - `SeparateReturns` (elections.ts): the years in which the spouse files a separate return.
 *  - `WashScope` (elections.ts): the asset classes that wash sale rules apply to.
 *  - `StandingOrder` (elections.ts): an instruction that identifies lots before the sales (26 CFR 1.1012-1(c)(8), (j)(3)(ii)).
 *  - `OrderInForce` (book/method-in-force.ts): the standing order that applies to a sale, and the method it names.
 *  - `SaleToIdentify` (rules/lots/standing-orders.ts): the sale that a standing order is looked up for.
 *  - `LotMethod` (lot-methods.ts): the order in which lots leave: FIFO, LIFO, HIFO and so on.
 *  - `LotMethodRow` (lot-methods.ts): everything that depends on one lot method.
 *  - `OrderMethod` (lot-methods.ts): a lot method that a standing order can name.
 *  - `OrderedLot` (lot-methods.ts): the fields that the order of lots can depend on.
 *  - `LotOrder` (lot-methods.ts): the comparison function of a lot method.
 *  - `StoredOrder` (lot-methods.ts): the SQL order of stored lots that matches a lot method.
 *
 * Events
 *  - `Event` (events/event.ts): one change to a book. A trade of two coins is two events.
 *  - `EventHead` (events/event.ts): the fields of all events: transaction, day, instant, asset, account.
 *  - `AcquireEvent` (events/event.ts): an event that opens a lot.
 *  - `DisposeEvent` (events/event.ts): an event that removes lots: a sale, a gift, a loss.
 *  - `IncomeEvent` (events/event.ts): an event that writes an income fact.
 *  - `FormMeeting` (events/event.ts): how a row of Form 1099 matches sales of other days, or why it is not a separate sale.
 *  - `Supplement` (events/supplements.ts): the wages in the basis of employee stock, which Form 1099 leaves out.
 *  - `MatchedSupplements` (events/supplements.ts): the supplements of form rows, and the rows that state them.
 *  - `FormPlan` (events/form-rows.ts): the days and units of the sales that a row of Form 1099 reports.
 *  - `Agreement` (events/form-rows.ts): how the proceeds of a sale match a form: with the fees in the rows, or less an unstated fee.
 *  - `FormUnits` (rules/form-1099/form-units.ts): the number of a line's units that a row of Form 1099 reports.
 *  - `TransactionEvent` (events/event.ts): an event whose rule reads its transaction: split, cover, exercise.
 *  - `AcquisitionTerms` (events/event.ts): cost, dates and coverage of an acquisition.
 *  - `Reversal` (events/corrections.ts): a trade and the later row with a negative amount that cancels it.
 *  - `Ledger` (events/ledger.ts): the transactions of a replay, plain trades as columns.
 *  - `PlainTrade` (events/ledger.ts): a purchase or sale for dollars and nothing else, as numbers.
 *  - `AccountAsset` (events/ledger.ts): an asset in an account, with its asset key.
 *  - `OptionEnd` (events/strike-price.ts): an exercise or assignment that trades stock at its strike price.
 *  - `StockTrade` (events/strike-price.ts): a purchase or sale of stock that may be the stock of an exercise or assignment.
 *  - `DoubleDelivery` (rules/options/double-deliveries.ts): an exercise or assignment, and trades that may state its stock a second time.
 *  - `EventCursor` (events/event-cursor.ts): walks the events of a ledger in canonical order.
 *  - `Limbs` (events/limbs.ts): a quantity as two doubles of 40 bits and above.
 *  - `OptionName` (events/keys.ts): underlying, expiry, right and strike of an option symbol.
 *  - **asset key** (events/keys.ts): text that names an asset and its family: a coin and a stock called ATOM differ.
 *
 * Book: the state of the fold
 *  - `Book` (book/book.ts): all open lots, shorts and open losses of assets whose basis can flow into one another.
 *  - `PoolState` (book/book.ts): the open lots of one asset in one account, as stored.
 *  - `OpenLot` (book/book.ts): an open tax lot: units, basis, dates and the amounts already taken from it.
 *  - `NotOnForm1099` (book/book.ts): the part of a basis and holding period that brokers do not know.
 *  - `Averages` (book/book.ts): average basis of a pool, covered and noncovered shares separately.
 *  - `AverageBasis` (book/book.ts): units and basis that are averaged together (26 CFR 1.1012-1(e)).
 *  - `OpenLoss` (book/book.ts): **open loss**: the part of a loss that a replacement may still disallow.
 *  - `RecentSale` (book/book.ts): units sold whose basis may still increase by a disallowed loss on a short sale (IRC 1091(e)).
 *  - `SoldPurchase` (book/book.ts): units sold whose purchase may still replace a loss, if elected (P3).
 *  - `OpenShort` (book/book.ts): a short sale that is not closed.
 *  - `CoveredCall` (book/book.ts): a call written on stock held at the time, and how long it was open.
 *  - `SuspendedPeriod` (rules/short-sales/covered-calls.ts): a holding period without the days of covered calls.
 *  - `PaymentInLieu` (book/book.ts): a payment in lieu of a dividend on the open units of a short.
 *  - `LastClosing` (book/book.ts): the last closing of a short in an account.
 *  - `OpenPut` (book/book.ts): a put held, which counts as a short sale of its stock (IRC 1233(b)).
 *  - `WrittenOption` (book/book.ts): an option written that is still open.
 *  - `Transit` (book/book.ts): **transit**: a withdrawal whose deposit has not arrived yet.
 *  - `ClassQuestion` (book/class-question.ts): the lines of an asset and year that depend on an unknown class or rate.
 *  - `StraddleLoss` (book/straddle-loss.ts): a loss while an offsetting position was open (IRC 1092). It is decided at the end of the year.
 *  - `FundInterest` (book/fund-interests.ts): an open interest in an opportunity fund, with the gain still deferred in it.
 *  - `Deferral` (book/deferral.ts): a gain deferred in an opportunity fund, until it is included (IRC 1400Z-2).
 *  - `LotPlan` (book/book.ts): the terms of an employee stock purchase plan: offering date, price paid and discounts.
 *  - `LotDebt` (book/book.ts): the terms of a bond or bill other than its price: maturity, accrued interest paid.
 *  - `Distribution` (book/book.ts): a capital gain distribution of a fund in one account (IRC 852(b)(4)).
 *  - **cents remainder** (book/book.ts): the fraction of a cent that rounding carries to the next amount with the same name.
 *  - **checkpoint** (features/ledger/books): a book after the last event of a day, stored to resume from.
 *  - **proposed row** (features/ledger/transactions): a row of a file that differs from a stored row, not yet accepted.
 *  - **lot version** (features/ledger/books): a stored lot with the first and last day on which it had these values.
 *
 * The fold: a book during a replay
 *  - `Fold` (book/fold.ts): the working memory of a replay: the book as it changes, and the facts so far.
 *  - `Pool` (book/fold.ts): **pool**: the open lots of one asset in one account during a replay.
 *  - `LotStore` (book/lot-store.ts): **lot store**: the lots of a pool in the order in which they arrived.
 *  - `ColumnarLots` (book/lot-store.ts): lots of a pool as columns of numbers.
 *  - `LotQueue` (book/lot-queue.ts): **lot queue**: the lots of a pool in the order of a lot method.
 *  - `Heap` (book/heap.ts): a priority queue of lot numbers.
 *  - `Queue` (book/keyed.ts): a list with the index of its first live item.
 *  - `Taking` (book/lots.ts): the slices that an event took so far.
 *  - `Slice` (book/lots.ts): **slice**: units taken from one lot, with their share of its basis.
 *  - **fragment** (book/lots.ts): a lot split from another lot by a wash sale or a transfer.
 *  - **replacement** (rules/wash-sales): a lot whose purchase disallows a loss (IRC 1091(a)).
 *  - `SliceLoss` (book/fold.ts): the loss on one slice, before replacements are matched.
 *  - `LastFragment` (book/fold.ts): the last fragment that a sale split from a purchase.
 *  - `UnpairedDeposit` (book/fold.ts): a deposit of today that no withdrawal explains yet.
 *  - `OptionLapse` (book/fold.ts): an option that was opened, and the day it counts as expired.
 *  - `ReportedLine` (book/fold.ts): a disposal that a row of Form 1099 also reports, and the number of units reported.
 *  - `PoolTotals` (book/fold.ts): units and basis of a pool.
 *  - `YearTemplates` (book/fold.ts): the line templates of one asset in one account and year.
 *  - `OpeningEvent` (book/opening.ts): the fields that a lot copies from its acquisition.
 *  - `OpeningTerms` (book/opening.ts): the fields of a new lot that depend on the book.
 *  - `LineTemplate` (book/plain-disposal.ts): **line template**: the fields that lines of one asset, account, year, term and box share.
 *  - `PlainDisposal` (book/plain-disposal.ts): a disposal of a plain sale, with a template for its other fields.
 *  - `ReplayOptions` (replay.ts): callbacks and limits of a replay.
 *  - `ReplayResult` (replay.ts): the book and the facts after a replay.
 *
 * Rules
 *  - `TakenLots` (rules/lots/take.ts): the slices that an event took, and the units that were not held.
 *  - `SoldDebt` (rules/debt/discount.ts): a bond or bill that is sold, redeemed or due.
 *  - `DiscountInterest` (rules/debt/discount.ts): the part of its gain that is interest, or may be.
 *  - `SoldSlice` (rules/lots/holding-periods.ts): a sold slice, and the reasons that change its term.
 *  - `LotSelection` (rules/lots/identification.ts): the method or standing order that selects the lots of a sale.
 *  - `StatedSale` (rules/questions/stated-gains.ts): a sale whose file states its gain.
 *  - `OpeningRow` (rules/questions/stated-gains.ts): the units and the fee of a row that opened lots.
 *  - `SaleFacts` (rules/questions/stated-gains.ts): the lines of sales, and the wash sales of their books.
 *  - `DifferingSale` (rules/questions/stated-gains.ts): a stated gain and the different calculated gain.
 *  - `ReplayUnder` (rules/questions/stated-gains.ts): recalculates a sale under another lot method.
 *  - `DisposalTerms` (rules/lines/disposal.ts): proceeds, day and expiry for a sale.
 *  - `BoxQuestion` (rules/lines/box.ts): the facts that determine the check box of Form 8949.
 *  - `BoxChoice` (rules/lines/box.ts): the check box, and the reason.
 *  - `LineOnForm1099` (rules/lines/columns.ts): a line, and its differences from Form 1099.
 *  - `ClosedPart` (rules/options/options.ts): contracts of a written option that close, with their premium.
 *  - `LineColumns` (rules/lines/columns.ts): columns (d) to (g) of Form 8949.
 *  - `ReconciledPart` (rules/form-1099/reconcile.ts): a reported line, and its index among the facts.
 *  - `ClosedShort` (rules/short-sales/shorts.ts): the part of a short that closes now.
 *  - `PriceOfStock` (rules/options/stock-not-held.ts): the cost of the stock of an exercised or assigned option.
 *  - `ShortDelivery` (rules/short-sales/closing.ts): units of a lot that close a short sale.
 *  - `ShortClosing` (rules/short-sales/closing.ts): the lines and losses of one covering so far.
 *  - `DayQuestions` (rules/questions/day-questions.ts): questions that the days of a replay may raise.
 *  - `NamedOption` (rules/questions/positions.ts): stock, right, strike and expiry of an option, parsed from its symbol.
 *  - `StockPosition` (rules/questions/positions.ts): an open position in a stock or in an option on it.
 *  - `AccountYear` (rules/questions/account-types.ts): the taxable amounts in a year of an account that may be tax-advantaged.
 *  - `NearNewYear` (rules/questions/new-year.ts): the taxable amounts of a row near New Year, while no time zone is set.
 *  - `TaxedFact` (rules/questions/taxed-facts.ts): a line, income or a section 1256 contract of a year.
 *
 * Plain trades: the fast path
 *  - `PlainTrades` (plain/plain-trades.ts): applies plain purchases and sales to plain pools.
 *  - `PlainPool` (plain/plain-pool.ts): **plain pool**: a pool that has only plain trades during one year.
 *  - `PlainLots` (plain/plain-lots.ts): the lots of a plain pool, as columns of numbers.
 *  - `PlainMethod` (plain/plain-lots.ts): a lot method that the fast path supports.
 *  - `LineSum` (plain/line-sums.ts): the totals of the lines of one year, account, asset, term and box.
 *  - `LineSums` (plain/line-sums.ts): sums lines that are not needed individually.
 *
 * Resuming
 *  - `WorkingSet` (resume/working-set.ts): **working set**: the lots of a book that some transactions can affect.
 *  - `PoolWorkingSet` (resume/working-set.ts): the part of a working set in one pool, in the order of its lot method.
 *  - `FirstLots` (resume/working-set.ts): the lots of a pool that were read, in stored order.
 *
 * Facts and the results of a year
 *  - `Fact` (facts.ts): the consequence of exactly one event.
 *  - `Disposal` (facts.ts): one lot slice disposed of: one line of Form 8949.
 *  - `WashSale` (facts.ts): the part of a loss that IRC 1091 disallows, and its replacement.
 *  - `Income` (facts.ts): income from one transaction.
 *  - `Contract1256` (facts.ts): gain or loss on a section 1256 contract: Form 6781.
 *  - `Gift` (facts.ts): one lot slice given away or donated: no line, but data for Form 8283.
 *  - `Issue` (facts.ts): an unknown or doubtful fact, with the transactions that led to it.
 *  - `IssueKind` (issue-kinds.ts): the kind of an issue.
 *  - `Lot` (facts.ts): an open lot as shown to users.
 *  - `Line` (facts.ts): a disposal with its adjustments: a line of Form 8949.
 *  - `LineSortKey` (rules/year/year.ts): the fields that lines are sorted by.
 *  - `YearFacts` (rules/year/year.ts): the facts of one year.
 *  - `YearTotals` (rules/year/year-totals.ts): the totals of one year, added from its facts.
 *  - `LineTotals` (rules/year/year-totals.ts): the totals of a year's lines in one account, term, box and asset.
 *  - `Totals` (facts.ts): proceeds, basis, adjustment, gain and number of lines.
 *  - `AccountBox` (facts.ts): the number of lines of an account in one box.
 *  - `TaxYearSummary` (facts.ts): **summary**: the totals of one year.
 *  - `CarryoverQuestion` (rules/year/year.ts): the input of the Capital Loss Carryover Worksheet.
 *  - `CapitalLossCarryover` (rules/year/year.ts): the result of that worksheet: the deduction, and the losses carried over.
 */

export * from './elections.ts';
export * from './facts.ts';
export { type IssueKind, issueKinds, issueKindTable } from './issue-kinds.ts';
export { type LotMethod, lotMethods, type OrderMethod, orderMethods } from './lot-methods.ts';
export type { Statement } from './statement-members.ts';
export * from './statement-values.ts';
export type { Transaction } from './transaction.ts';
export { type TransactionType, transactionTypes } from './transaction-types.ts';
