import { CommandError } from './command.ts';
import { type CommandName, commandTable, helpOf, listOptionNames } from './command-table.ts';
import { readOptions, usageError } from './options.ts';
import { printText } from './output.ts';

/**
 * `completion SHELL` prints a script to source, such as `lotbook completion bash >
 * ~/.local/share/bash-completion/completions/lotbook`.
 */
export async function completion(args: readonly string[]): Promise<number> {
  const { words } = readOptions('completion', args, 1);
  const [shell] = words;
  if (shell === undefined) throw usageError('completion');
  if (!isShell(shell)) throw new CommandError(`Completion is available for ${Object.keys(shells).join(', ')}.`);
  await printText(shells[shell]());
  return 0;
}

const shells = { bash, zsh, fish };

function isShell(name: string): name is keyof typeof shells {
  return Object.hasOwn(shells, name);
}

const names = Object.keys(commandTable) as CommandName[];

/** Returns the possible arguments of a command: its verbs, its options, and files if it reads any. */
function wordsAfter(name: CommandName): string[] {
  const { values, flags } = listOptionNames(name);
  const { verbs = [], ownOptions = [] } = helpOf(name);
  return [...verbs, ...[...values, ...flags, ...ownOptions, 'help'].map((option) => `--${option}`)];
}

function bash(): string {
  const cases = names.map((name) => `    ${name}) words="${wordsAfter(name).join(' ')}" ;;`);
  return `_lotbook() {
  local words here="\${COMP_WORDS[COMP_CWORD]}"
  case "$COMP_CWORD-\${COMP_WORDS[1]}" in
    1-*) words="${names.join(' ')} --help --version" ;;
    *) case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$here") $([ "$COMP_CWORD" -gt 1 ] && compgen -f -- "$here"))
}
complete -o filenames -F _lotbook lotbook
`;
}

function zsh(): string {
  const listed = names.map((name) => `    ${quoteForShell(`${name}:${helpOf(name).does}`)}`);
  const cases = names.map((name) => `    ${name}) compadd -- ${wordsAfter(name).join(' ')} ;;`);
  return `#compdef lotbook
_lotbook() {
  local -a commands=(
${listed.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2]" in
${cases.join('\n')}
  esac
  _files
}
compdef _lotbook lotbook
`;
}

function fish(): string {
  const commands = names.map(
    (name) => `complete -c lotbook -n __fish_use_subcommand -a ${name} -d ${quoteForShell(helpOf(name).does)}`,
  );
  const more = names.flatMap((name) =>
    wordsAfter(name).map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c lotbook -n '__fish_seen_subcommand_from ${name}' ${what}`;
    }),
  );
  return `${[...commands, ...more].join('\n')}\n`;
}

/** Puts a text in single quotes, which all three shells interpret literally. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
