/** Matches comments, quoted texts and names, dollar-quoted bodies, words, and everything between them. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1|[A-Za-z_][\w$]*|\s+|[\s\S]/g;

/**
 * Splits a text into its statements. If statements are sent together, each one reaches the workers of a Citus cluster
 * with the text of all of them, and Citus refuses changes to a table.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let statement = '';
  let isEmpty = true;
  /** The nesting depth of `begin atomic` and of `case` within it, which both end with `end`. */
  let depth = 0;
  let before = '';
  const close = (): void => {
    if (!isEmpty) statements.push(statement.trim());
    statement = '';
    isEmpty = true;
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === ';' && depth === 0) {
      close();
      continue;
    }
    statement += token;
    if (/^(?:\s|--|\/\*)/.test(token)) continue;
    isEmpty = false;
    const word = token.toLowerCase();
    if (word === 'atomic' && before === 'begin') depth = 1;
    else if (depth > 0 && word === 'case') depth += 1;
    else if (depth > 0 && word === 'end') depth -= 1;
    before = word;
  }
  close();
  return statements;
}
