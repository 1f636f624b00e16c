import type { CompletedCommand, CompletedValue } from './completed-commands.js';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** Signs that mean something in a description of `_arguments` and `_describe`. */
const plain = (text: string) => text.replaceAll(/[[\]:\\]/g, '\\$&');
const functionOf = (path: string) =>
  path === '' ? '_quittance' : `_quittance__${path.replaceAll(' ', '__').replaceAll('-', '_')}`;

/** One function for each command, by the means of zsh. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef quittance
# Completion of quittance for zsh; made by: quittance completion zsh
${commands.map(functionText).join('\n')}
if [ "$funcstack[1]" = "_quittance" ]; then
  _quittance "$@"
else
  compdef _quittance quittance
fi
`;
}

function functionText({ path, commands, options, values }: CompletedCommand): string {
  const specs = [
    ...options.flatMap(({ flags, description, value }) => {
      const others = flags.length > 1 ? `(${flags.join(' ')})` : '';
      const taken = value ? `:${plain(value.name)}:${actionOf(value)}` : '';
      return flags.map((flag) => {
        const many = value?.isList ? '*' : '';
        const or = value && flag.startsWith('--') ? '=' : '';
        return quoted(`${many || others}${flag}${or}[${plain(description)}]${taken}`);
      });
    }),
    ...(commands.length > 0
      ? [quoted('1: :->command'), quoted('*:: :->rest')]
      : values.map((value, at) => {
          const place = value.isList ? '*' : at + 1;
          return quoted(`${place}:${plain(value.name)}:${actionOf(value)}`);
        })),
  ];
  const begin = `${functionOf(path)}() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C ${specs.join(' ')}`;
  if (commands.length === 0) return `${begin}\n}`;
  const listed = commands.map(({ name, description }) => quoted(`${name}:${plain(description)}`));
  const branches = commands.map(({ name }) => {
    return `        ${name}) ${functionOf(path === '' ? name : `${path} ${name}`)} ;;`;
  });
  return `${begin}
  case $state in
    command)
      local -a commands=(${listed.join(' ')})
      _describe command commands ;;
    rest)
      case $line[1] in
${branches.join('\n')}
      esac ;;
  esac
}`;
}

function actionOf({ choices, isFile }: CompletedValue): string {
  if (isFile) return '_files';
  return choices.length > 0 ? `(${choices.join(' ')})` : ' ';
}
