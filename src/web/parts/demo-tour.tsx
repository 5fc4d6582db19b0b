import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, unwrapResponse } from '../api/api.ts';
import { to } from '../api/page-url.ts';
import { sayProblem } from '../api/toasts.ts';
import { Button } from './button.tsx';

interface Stop {
  readonly title: string;
  readonly text: string;
  readonly findPage: () => string | Promise<string>;
}

const year = 2025;

const stops: readonly Stop[] = [
  {
    title: 'Overview',
    text: 'Your gains by account and asset, and what is missing.',
    findPage: () => to('/overview', { year }),
  },
  {
    title: 'Review',
    text: 'Questions that only you can answer, with their dollars. Here 12 SOL came from nowhere, so their cost is unknown.',
    findPage: () => to('/review', { year }),
  },
  {
    title: 'Explanation',
    text: 'Every entry leads back to the rows of your files. This loss on VXUS is partly disallowed, because an IRA bought VXUS two weeks later.',
    findPage: findExplanation,
  },
  {
    title: 'Forms',
    text: 'Form 8949 and Schedule D as a PDF, files for tax software, and the 1099 check: what Fidelity and Coinbase reported beside these entries.',
    findPage: () => to('/forms', { year }),
  },
  {
    title: 'Planning',
    text: 'What a sale would change before you make it, losses you could take, and what to do before December 31.',
    findPage: () => to('/planning'),
  },
];

async function findExplanation(): Promise<string> {
  const query = { year, asset: 'VXUS', limit: 1 };
  const { data } = await unwrapResponse(api.tax.disposals.get({ query }));
  return to('/forms/8949', { year, asset: 'VXUS', line: data[0]?.id });
}

/** Where the visitor is, in this tab. A closed tour is at -1. */
const placeKey = 'demo-tour';

/** A tour of the demo in five stops. It covers nothing, and the demo can be used meanwhile. */
export default function DemoTour() {
  const { route } = useLocation();
  const [at, setAt] = useState(() => Number(sessionStorage.getItem(placeKey) ?? 0));
  const stop = stops[at];
  const show = (next: number) => {
    sessionStorage.setItem(placeKey, String(next));
    setAt(next);
  };
  const visit = async (next: number): Promise<void> => {
    show(next);
    const page = await stops[next]?.findPage();
    if (page !== undefined) route(page);
  };
  const start = (next: number) => () => void visit(next).catch(sayProblem);
  if (stop === undefined) return <Button label="Tour" class="plain" onClick={start(0)} />;
  return (
    <section class="tour" aria-label="Tour">
      <p>
        <strong>
          {at + 1} of {stops.length}: {stop.title}.
        </strong>{' '}
        {stop.text}
      </p>
      <Button label="Close tour" class="plain" onClick={() => show(-1)} />
      {at + 1 < stops.length && (
        <Button label={`Next: ${stops[at + 1]?.title}`} class="plain" onClick={start(at + 1)} />
      )}
    </section>
  );
}
