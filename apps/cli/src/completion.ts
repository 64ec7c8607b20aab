import { type Command, inputError, type OptionSpec } from './command.ts';

/** A command whose name may have two words. */
type Completed = Pick<Command, 'name' | 'summary' | 'options'>;

const SHELLS: Record<string, (commands: readonly Completed[]) => string> = { bash, zsh, fish };

/** A script that makes a shell complete commands, options, choices and files, from the tables that parse them. */
export function completionScript(shell: string | undefined, commands: readonly Completed[]): string {
  const write = Object.hasOwn(SHELLS, shell ?? '') ? SHELLS[shell ?? ''] : undefined;
  if (write === undefined)
    throw inputError(
      'E-CLI-VALUE',
      shell === undefined ? 'completion needs the name of a shell.' : `There is no completion for "${shell}".`,
      `Choose one of ${Object.keys(SHELLS).join(', ')}.`,
    );
  return write(commands);
}

const firstWords = (commands: readonly Completed[]): string[] => [
  ...new Set([...commands.map(({ name }) => name.split(' ')[0] ?? name), 'help', 'completion', 'man']),
];

const secondWords = (commands: readonly Completed[]): string[] =>
  commands.flatMap(({ name }) => name.split(' ').slice(1));

const optionWords = ({ options }: Completed): string[] => Object.keys(options).map((name) => `--${name}`);

const takesPath = ({ path }: OptionSpec): boolean => path !== undefined;

/** Branches of a `case` over "command option": what is offered for the values of options. */
function valueBranches(commands: readonly Completed[], words: (list: readonly string[]) => string, files: string) {
  return commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, spec]) => {
      const pattern = `    "${name} --${option}")`;
      if (spec.choices !== undefined) return [`${pattern} ${words(spec.choices)}; return;;`];
      if (takesPath(spec)) return [`${pattern} ${files}; return;;`];
      return spec.kind === 'flag' ? [] : [`${pattern} return;;`];
    }),
  );
}

/** The `case` over commands: what is offered beside values. */
const optionCase = (commands: readonly Completed[], offer: (list: readonly string[]) => string): string =>
  `  case "$command" in
${commands.map((command) => `    "${command.name}") ${offer(optionWords(command))};;`).join('\n')}
    completion) ${offer(Object.keys(SHELLS))};;
    help|man) ${offer(firstWords(commands))};;
  esac`;

function bash(commands: readonly Completed[]): string {
  const offer = (list: readonly string[]): string => `COMPREPLY=($(compgen -W "${list.join(' ')}" -- "$current"))`;
  return `# Completion for bash. Put this into ~/.bashrc: eval "$(heterosis completion bash)"
_heterosis() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then ${offer(firstWords(commands))}; return; fi
  if [ "$command" = remote ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then ${offer(secondWords(commands))}; return; fi
    command="remote \${COMP_WORDS[2]}"
  fi
  case "$command $previous" in
${valueBranches(commands, offer, 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current"))').join('\n')}
  esac
${optionCase(commands, offer)}
}
complete -F _heterosis heterosis
`;
}

function zsh(commands: readonly Completed[]): string {
  const offer = (list: readonly string[]): string => `compadd -- ${list.join(' ')}`;
  return `#compdef heterosis
# Completion for zsh. Put this into ~/.zshrc, after compinit: eval "$(heterosis completion zsh)"
_heterosis() {
  local command="$words[2]"
  if (( CURRENT == 2 )); then ${offer(firstWords(commands))}; return; fi
  if [[ "$command" == remote ]]; then
    if (( CURRENT == 3 )); then ${offer(secondWords(commands))}; return; fi
    command="remote $words[3]"
  fi
  case "$command $words[CURRENT-1]" in
${valueBranches(commands, offer, '_files').join('\n')}
  esac
${optionCase(commands, offer)}
}
compdef _heterosis heterosis
`;
}

function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
  const within = (name: string): string => {
    const [first = '', second] = name.split(' ');
    const seen = (word: string): string => `__fish_seen_subcommand_from ${word}`;
    return second === undefined
      ? `not ${seen('remote')}; and ${seen(first)}`
      : `${seen('remote')}; and ${seen(second)}`;
  };
  const lines = firstWords(commands).map((word) => {
    const summary = commands.find(({ name }) => name === word)?.summary;
    return `complete -c heterosis -n __fish_use_subcommand -a ${word}${summary === undefined ? '' : ` -d ${quoted(summary)}`}`;
  });
  for (const { name, summary, options } of commands) {
    const second = name.split(' ')[1];
    if (second !== undefined)
      lines.push(
        `complete -c heterosis -n ${quoted('__fish_seen_subcommand_from remote')} -a ${second} -d ${quoted(summary)}`,
      );
    for (const [option, spec] of Object.entries(options)) {
      const value = spec.kind === 'flag' ? '' : takesPath(spec) ? ' -r -F' : ' -x';
      const choices = spec.choices === undefined ? '' : ` -a ${quoted(spec.choices.join(' '))}`;
      const said = quoted(spec.help.split('. ')[0] ?? '');
      lines.push(`complete -c heterosis -n ${quoted(within(name))} -l ${option}${value}${choices} -d ${said}`);
    }
  }
  return `# Completion for fish. Run: heterosis completion fish > ~/.config/fish/completions/heterosis.fish
complete -c heterosis -f
${lines.join('\n')}
complete -c heterosis -n ${quoted('__fish_seen_subcommand_from completion')} -a ${quoted(Object.keys(SHELLS).join(' '))}
complete -c heterosis -n ${quoted('__fish_seen_subcommand_from help man')} -a ${quoted(firstWords(commands).join(' '))}
`;
}
