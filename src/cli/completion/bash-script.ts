import type { CompletedCommand, CompletedValue } from './completed-commands.js';

const quoted = (words: readonly string[]) => `'${words.join(' ')}'`;

/** The words that stand before the cursor lead down the tree; all that is asked of it is a `case`. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# Completion of quittance for bash; made by: quittance completion bash
${caseOf('_quittance_commands', commands, ({ path, commands: below }) =>
  below.length > 0 ? [[path, `echo ${quoted(below.map(({ name }) => name))}`]] : [],
)}
${caseOf('_quittance_options', commands, ({ path, options }) => [
  [path, `echo ${quoted(options.flatMap(({ flags }) => flags))}`],
])}
# For an option with a value, and for an argument: one or list, file or words, and the words.
${caseOf('_quittance_value', commands, ({ path, options, values }) => [
  ...options.flatMap(({ flags, value }) =>
    value ? flags.map((flag): Branch => [`${path} ${flag}`, echoOf(value)]) : [],
  ),
  ...values.map((value, at): Branch => [
    `${path} ${value.isList ? '' : at}`,
    echoOf(value),
    value.isList,
  ]),
])}
${WALK}`;
}

type Branch = [word: string, line: string, isBegun?: boolean];

function caseOf(
  name: string,
  commands: readonly CompletedCommand[],
  branches: (command: CompletedCommand) => Branch[],
): string {
  const lines = commands
    .flatMap(branches)
    .map(([word, line, isBegun]) => `    '${word}'${isBegun ? '[0-9]*' : ''}) ${line} ;;`);
  return `${name}() {\n  case $1 in\n${lines.join('\n')}\n    *) return 1 ;;\n  esac\n}`;
}

function echoOf({ choices, isFile, isList }: CompletedValue): string {
  return `echo ${quoted([isList ? 'list' : 'one', isFile ? 'file' : 'words', ...choices])}`;
}

const WALK = `_quittance() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' pending='' isList='' count=0 word value i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == = ]]; then continue; fi
    if [[ $word == -* ]]; then
      pending='' isList=''
      if value=$(_quittance_value "$path $word"); then
        pending="$path $word"
        if [[ $value == list* ]]; then isList=1; fi
      fi
    elif [[ -n $pending ]]; then
      if [[ -z $isList ]]; then pending=''; fi
    elif ((count == 0)) && [[ " $(_quittance_commands "$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
    else
      count=$((count + 1))
    fi
  done
  if [[ $cur == = ]]; then cur=''; fi
  if [[ ( -z $pending || -n $isList ) && $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$(_quittance_options "$path")" -- "$cur"))
    return
  fi
  value=$(_quittance_value "\${pending:-$path $count}") || value='one words'
  value=\${value#* }
  if [[ $value == file* ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$cur"))
    return
  fi
  value=\${value#words}
  if [[ -z $pending ]] && ((count == 0)); then value="$value $(_quittance_commands "$path")"; fi
  COMPREPLY=($(compgen -W "$value" -- "$cur"))
}
complete -F _quittance quittance
`;
