import type { CompletedCommand, CompletedValue } from './completed-commands.js';

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** One line for each word that may be completed, with the command at which it may. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, value }) => (value ? flags.map((flag) => `${path} ${flag}`) : [])),
  );
  return `# Completion of quittance for fish; made by: quittance completion fish
set -g __quittance_paths ${paths.map(quoted).join(' ')}
set -g __quittance_valued ${valued.map(quoted).join(' ')}
${WALK}
complete -c quittance -e
complete -c quittance -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, commands, options, values }: CompletedCommand): string[] {
  const at = (count: string) =>
    `complete -c quittance -n ${quoted(`__quittance_at ${quoted(path)}${count}`)}`;
  return [
    ...commands.map(({ name, description }) => `${at(' 0')} -a ${name} -d ${quoted(description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const taken = value ? ` ${takenAs(value)}` : '';
      return `${at('')} ${names.join(' ')}${taken} -d ${quoted(description)}`;
    }),
    ...values.flatMap((value, count) => {
      if (!value.isFile && value.choices.length === 0) return [];
      const place = value.isList ? '' : ` ${count}`;
      return [`${at(place)} ${value.isFile ? '-F' : `-a ${quoted(value.choices.join(' '))}`}`];
    }),
  ];
}

function takenAs({ choices, isFile }: CompletedValue): string {
  if (isFile) return '-r -F';
  return choices.length > 0 ? `-x -a ${quoted(choices.join(' '))}` : '-x';
}

const WALK = `# Whether the words before the cursor lead to the command, with so many arguments after it.
function __quittance_at
  set -l words (commandline -opc)
  set -e words[1]
  set -l path ''
  set -l count 0
  set -l is_value 0
  for word in $words
    if test $is_value = 1
      set is_value 0
    else if string match -q -- '-*' $word
      contains -- "$path $word" $__quittance_valued; and set is_value 1
    else if test $count = 0; and contains -- (string trim -- "$path $word") $__quittance_paths
      set path (string trim -- "$path $word")
    else
      set count (math $count + 1)
    end
  end
  test "$path" = "$argv[1]"; and test -z "$argv[2]" -o "$argv[2]" = $count
end`;
