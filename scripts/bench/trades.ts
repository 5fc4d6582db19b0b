/**
 * Trades as a busy person makes them: always the same ones for the same number. `rising`: most sales gain, some lose and
 * are washed; `wild`: about every sale is a wash sale, split over many lots, which is the most that trades can ask.
 */
export function tradesCsv(rows: number, symbols = 20, prices: 'rising' | 'wild' = 'rising'): string {
  const lines = ['date,type,account,asset,quantity,amount,fee'];
  const held = new Array<number>(symbols).fill(0);
  const random = generator(20_240_101);
  for (let row = 0; row < rows; row++) {
    const symbol = row % symbols;
    const sells = (held[symbol] ?? 0) > 2_000 || ((held[symbol] ?? 0) > 500 && random() < 0.5);
    const quantity = 1 + Math.floor(random() * 20);
    held[symbol] = (held[symbol] ?? 0) + (sells ? -quantity : quantity);
    const at = new Date(Date.UTC(2021, 0, 1) + Math.floor((row / rows) * 4 * 365) * 86_400_000 + (row % 80_000) * 1000);
    const price = prices === 'wild' ? 50 + random() * 100 : 50 + (row / rows) * 100 - (random() < 0.05 ? 2 : 0);
    const amount = (quantity * price).toFixed(2);
    lines.push(`${at.toISOString()},${sells ? 'sell' : 'buy'},Broker,S${symbol},${quantity},${amount},0.35`);
  }
  return `${lines.join('\n')}\n`;
}

/** Mulberry32: small, and the same on every machine. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
