/** Figures from the demo books shown on the start page. A test compares them with the books. */
export const picturedFigures = {
  year: 2025,
  shortTerm: '5944.11',
  longTerm: '14276.97',
  net: '20221.08',
  washSales: '1269.20',
  questions: 2,
  months: [
    { key: '2025-01', short: '0.00', long: '1336.50' },
    { key: '2025-02', short: '0.00', long: '272.00' },
    { key: '2025-03', short: '-1668.10', long: '0.00' },
    { key: '2025-04', short: '-444.00', long: '486.00' },
    { key: '2025-05', short: '276.70', long: '16.17' },
    { key: '2025-06', short: '0.00', long: '3519.00' },
    { key: '2025-07', short: '0.00', long: '4654.35' },
    { key: '2025-08', short: '2311.70', long: '1315.46' },
    { key: '2025-09', short: '0.00', long: '0.00' },
    { key: '2025-10', short: '5879.81', long: '1417.50' },
    { key: '2025-11', short: '-412.00', long: '-1017.81' },
    { key: '2025-12', short: '0.00', long: '2277.80' },
  ],
} as const;
