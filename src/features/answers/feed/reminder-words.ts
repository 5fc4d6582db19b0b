/** The maximum number of items in a notification body. The page lists all. */
const namedMax = 10;

interface ReminderText {
  readonly title: string;
  readonly body: string;
}

interface MaturingLot {
  readonly asset: string;
  readonly account: string;
  readonly quantity: string;
  /** The first day on which a sale is long-term. */
  readonly on: string;
}

export function longTermWords(lots: readonly MaturingLot[]): ReminderText {
  const [first] = lots;
  const named = listItems(lots, ({ quantity, asset, account, on }) => `${quantity} ${asset} in ${account} on ${on}`);
  const title =
    lots.length === 1 && first !== undefined
      ? `${first.quantity} ${first.asset}: long-term on ${first.on}`
      : `${lots.length} lots become long-term within 30 days`;
  return { title, body: `Gains on sales from that day on are taxed at long-term rates: ${named}.` };
}

interface LossOfWindow {
  readonly asset: string;
  readonly account: string;
  readonly sold: string;
  readonly loss: string;
  /** The last day of the window. */
  readonly until: string;
}

export function washWords(losses: readonly LossOfWindow[]): ReminderText {
  const [first] = losses;
  const named = listItems(
    losses,
    ({ asset, account, sold, loss, until }) =>
      `${asset} in ${account}, sold on ${sold} at a loss of $${loss}: until ${until}`,
  );
  const title =
    losses.length === 1 && first !== undefined
      ? `Buying ${first.asset} by ${first.until} would cause a wash sale`
      : `Buying back ${losses.length} positions within 30 days would cause wash sales`;
  const rule =
    'A purchase within 30 days of the sale disallows the loss, including purchases in an IRA or by your spouse (IRC 1091).';
  return { title, body: `${rule} ${named}.` };
}

function listItems<Item>(items: readonly Item[], words: (item: Item) => string): string {
  const others = items.length - namedMax;
  const named = items.slice(0, namedMax).map(words).join('; ');
  return others > 0 ? `${named}; and ${others} more` : named;
}
