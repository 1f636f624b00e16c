import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The words that a shell offers for each line, of which the last word is the one under the cursor:
 *
 *   offeredByBash(script, [['gateway-events', 'sh']])   // [['show']]
 */

export function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

const quoted = (word: string) => `'${word}'`;

/** A real bash calls our function as its own completion does. */
export function offeredByBash(script: string, lines: readonly string[][]): string[][] {
  const asked = lines.map((line) => `offer quittance ${line.map(quoted).join(' ')}`);
  const text = `${script}
offer() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _quittance
  echo "\${COMPREPLY[*]}"
}
${asked.join('\n')}`;
  const output = run('bash', ['--norc', '--noprofile'], text);
  return output.split('\n').slice(0, -1).map(words);
}

/** Whether bash would ask our function at all. */
export function isAskedByBash(script: string): boolean {
  return run('bash', ['--norc', '--noprofile'], `${script}\ncomplete -p quittance`).includes(
    '_quittance',
  );
}

export function offeredByFish(script: string, lines: readonly string[][]): string[][] {
  const mark = '--next--';
  const asked = lines.map(
    (line) => `complete -C "quittance ${line.join(' ')}"; echo ${quoted(mark)}`,
  );
  const output = run('fish', ['--no-config'], `${script}\n${asked.join('\n')}`);
  return output
    .split(`${mark}\n`)
    .slice(0, -1)
    .map((told) =>
      told
        .split('\n')
        .filter(Boolean)
        .map((one) => one.split('\t')[0] ?? ''),
    );
}

/** zsh offers only to a terminal, so one is made, in which `compadd` says what it gets. */
export function offeredByZsh(script: string, lines: readonly string[][]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'quittance-zsh-'));
  try {
    writeFileSync(join(folder, 'completion.zsh'), script);
    writeFileSync(join(folder, 'inner.zsh'), ZSH_INNER);
    return lines.map((line) => {
      const asked = `quittance ${line.join(' ')}`;
      return words(run('zsh', ['-f', '-c', ZSH_OUTER, 'zsh', folder, asked], ''));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ZSH_INNER = `
PROMPT=
autoload -Uz compinit
compinit -u -D
source $1/completion.zsh
bindkey '^I' complete-word
mark() { print -r -- "--mark--" }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then
    builtin compadd "$@"
    return $?
  fi
  local -a hits
  builtin compadd -A hits "$@"
  print -rl -- $hits
}
print ready
`;

const ZSH_OUTER = `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "set -- $1; source $1/inner.zsh"
while zpty -r z line; do [[ $line == ready* ]] && break; done
zpty -w -n z "$2"$'\\t'
integer marks=0
while zpty -r z line; do
  line=\${line%%[[:cntrl:]]#}
  if [[ $line == *--mark--* ]]; then
    (( ++marks == 2 )) && break
  elif (( marks == 1 )); then
    print -r -- $line
  fi
done
`;

const words = (text: string) => text.split(/\s+/).filter(Boolean);

function run(shell: string, args: string[], input: string): string {
  return execFileSync(shell, args, { input, encoding: 'utf8', cwd: '/' });
}
