/**
 * Measures how plain the English of the repository is: comments, test titles, strings of three or more words, JSX text
 * and Markdown, without code blocks. A match is a habit to check, not always a mistake.
 */

/** Phrases that native technical writing rarely uses, by what is wrong with them. */
const habits: Readonly<Record<string, RegExp>> = {
  'starts with a preposition and has no subject':
    /^(Of|By|In|From|With|For|After|Before|Under|Where|To|At|As|On|Without|Until|Beside)\b(?! example| instance| more| details| now| backward| compat)(?![^.]*, )/,
  'starts with "What" or "Who" and asks nothing': /^(What|Who)\b(?![^.]*\?)/,
  '"where" for "if" or "when"': /\b[Ww]here (there|it|they|no|nobody|the|a|an|some|none)\b/,
  '"nobody" or "none" as the subject': /\b([Nn]obody|[Nn]one)\b (?!of)/,
  '"whoever", "whatever" or "whichever"': /\b([Ww]hoever|[Ww]hatever|[Ww]hichever)\b/,
  '"what it is" as a noun': /\bwhat (is|was|are|were|it|they|he|others|nobody|somebody|comes|goes|became)\b(?![^.]*\?)/,
  'a thing that "says" or "tells"': /\b([Ss]ays?|[Ss]aid|[Tt]ells|[Tt]old)\b/,
  '"stands" or "lies" for "is"': /\b([Ss]tands?|lies)\b/,
  '"as it is", "as they come"': /\bas (it|they) (is|are|was|were|stands?|comes?|goes|came)\b/,
  '"so many" for a number': /\b[Ss]o (many|much|long|few|large|often)\b(?! (that|as))/,
  'a preposition before "which"': /\b(of|by|to|for|with|from|after|before|under|at|on) which\b/,
  '"somebody" or "anybody"': /\b([Ss]omebody|[Aa]nybody|one's own)\b/,
  '"beside", "anew", "taken back", "mend"': /\b([Bb]eside|anew|there already|taken? back|[Mm]end(s|ed|ing)?)\b/,
  'British spelling': /\b([Cc]atalogue|[Ll]icen[c]es?|[Cc]ancelled|[Cc]olour|[Ll]abelled|[Nn]eighbour|[Cc]entre)\b/,
};

export interface Passage {
  readonly path: string;
  readonly kind: 'comment' | 'title' | 'string' | 'jsx' | 'markdown';
  readonly text: string;
}

export interface RoomProse {
  readonly passages: number;
  /** Lists each passage with a habit on one line: path, habit and text. */
  readonly matches: readonly string[];
}

/** Counts the passages and matches of each room: a folder in `src` or in a group of `src/features`, or a top-level name. */
export function measureProse(files: ReadonlyMap<string, string>): ReadonlyMap<string, RoomProse> {
  const rooms = new Map<string, { passages: number; matches: string[] }>();
  for (const [path, text] of files) {
    const room = rooms.get(roomOf(path)) ?? { passages: 0, matches: [] };
    rooms.set(roomOf(path), room);
    for (const passage of passagesOf(path, text)) {
      room.passages++;
      const habit = findHabit(passage.text);
      if (habit !== undefined) room.matches.push(`${path} [${passage.kind}, ${habit}] ${passage.text.slice(0, 200)}`);
    }
  }
  return rooms;
}

/** Returns the name of the first habit in a passage. */
export function findHabit(text: string): string | undefined {
  return Object.entries(habits).find(([, pattern]) => pattern.test(text))?.[0];
}

export function passagesOf(path: string, text: string): Passage[] {
  const found = path.endsWith('.md') ? markdownPassages(text) : sourcePassages(path, text);
  return found.flatMap(([kind, words]) =>
    words.length > 8 && /\s/.test(words) ? [{ path, kind, text: words } as const] : [],
  );
}

type Found = readonly [kind: Passage['kind'], text: string];

function markdownPassages(text: string): Found[] {
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return prose.split(/\n\s*\n|\n\s*[-|#>]/).map((part) => ['markdown', oneLine(part)]);
}

function sourcePassages(path: string, text: string): Found[] {
  const isTest = /\.test\.tsx?$/.test(path);
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = [...comments(text), ...titles(code)];
  if (!isTest && !/(^|[/.])(sql|queries)\.ts$/.test(path)) found.push(...strings(code));
  if (path.endsWith('.tsx')) found.push(...markup(code));
  return found;
}

function* comments(text: string): Generator<Found> {
  for (const [, body = ''] of text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)) {
    yield ['comment', oneLine(body.replace(/^\s*\*\s?/gm, ''))];
  }
  for (const [run] of text.matchAll(/(?:^[ \t]*\/\/.*\n?)+/gm)) {
    yield ['comment', oneLine(run.replace(/^\s*\/\/\s?/gm, ''))];
  }
  for (const [, trailing = ''] of text.matchAll(/^[^'"`\n]*[;,{})] \/\/ (.+)$/gm)) yield ['comment', trailing];
}

function titles(code: string): Found[] {
  const calls = code.matchAll(/(?<![\w$])(?:test|it|describe)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g);
  return [...calls].map(([, , title = '']) => ['title', title]);
}

function strings(code: string): Found[] {
  const isSql = /\b(select|insert|update|delete|from|where)\b.*\b(from|where|into|set|and)\b/i;
  return [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\n])*)\1/g)].flatMap(([, , words = '']): Found[] =>
    /^[A-Za-z“$"{][^<>=]*\s\S+\s\S+/.test(words) && !isSql.test(words) ? [['string', words]] : [],
  );
}

function markup(code: string): Found[] {
  return [...code.matchAll(/>([^<>{}]*\s[^<>{}]*\s[^<>{}]*)</g)].flatMap(([, words = '']): Found[] =>
    /[A-Za-z]{2,}/.test(words) ? [['jsx', oneLine(words)]] : [],
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function roomOf(path: string): string {
  const parts = path.split('/');
  if (parts[0] !== 'src') return parts[0] ?? '';
  return parts.slice(0, parts[1] === 'features' ? 4 : 2).join('/');
}
