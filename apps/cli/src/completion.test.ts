import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';
import { formatProblems } from './report.ts';

const script = async (shell: string): Promise<string> => (await heterosis('completion', shell)).stdout;

/** What is typed before Tab, and what is offered for the last word. */
const TYPED: [typed: string, offered: string[]][] = [
  ['tra', ['train']],
  ['remote p', ['predict', 'projects']],
  ['gwas --pheno', ['--phenotype']],
  ['gwas --decimal-mark ', ['comma', 'point']],
  ['gwas --decimal-mark c', ['comma']],
  ['remote upload --project x --ty', ['--type']],
  ['gwas --genotype /etc/hostn', ['/etc/hostname']],
  ['completion f', ['fish']],
  ['man tra', ['train']],
];

/** A real zsh at a terminal of its own, in which Tab prints what completion offers, and ^X ends the answer. */
const ZSH = `
zmodload zsh/zpty
zpty shell 'PS1= exec zsh -f -i'
zpty -w shell "source $1"
zpty -r -m shell answer '*<ready>*'
for line in "\${@[2,-1]}"; do
  zpty -n -w shell "heterosis $line"$'\t\x18'
  zpty -r -m shell answer '*<end>*'
  print -r -- "\${answer//$'\r'/}"
  zpty -n -w shell $'\x15'
done
`;
const ZSH_START = `
PROMPT=
autoload -Uz compinit; compinit -u -D
compadd() {
  if (( \${@[(I)-(O|A|D)]} )); then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -O found "$@"
  for one in $found; do print -r -- "<offer>$one<end of offer>"; done
}
finish() { print -r -- '<end>' }
zle -C offer complete-word _main_complete
zle -N finish
bindkey '^I' offer '^X' finish
`;

/** A shell that waits for a key must not hold the tests. */
const ran = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { timeout: 30_000, stdio: ['ignore', 'pipe', 'inherit'] }).toString();

const SHELLS: Record<string, (file: string, lines: string[]) => string[][]> = {
  bash: (file, lines) =>
    lines.map((line) =>
      lineByLine(
        ran(
          'bash',
          '-c',
          `source "$1"; COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _heterosis; printf '%s\\n' "\${COMPREPLY[@]}"`,
          ...['bash', file, 'heterosis', ...line.split(' ')],
        ),
      ),
    ),
  fish: (file, lines) =>
    lines.map((line) =>
      lineByLine(ran('fish', '--no-config', '-c', `source ${file}; complete -C 'heterosis ${line}'`)).map(
        (offer) => offer.split('\t')[0] ?? offer,
      ),
    ),
  zsh: (file, lines) => {
    const start = `${file}.start`;
    writeFileSync(start, `${ZSH_START}\nsource ${file}\nprint '<ready>'\n`);
    const answers = ran('zsh', '-f', '-c', ZSH, 'zsh', start, ...lines).split('<end>');
    return lines.map((line, index) => {
      const found = [...(answers[index] ?? '').matchAll(/<offer>(.*?)<end of offer>/g)].map(([, offer]) => offer ?? '');
      // Files are offered without their folder, which zsh puts before them.
      const folder = /[^ ]*\/$/.exec(line.slice(0, line.lastIndexOf('/') + 1))?.[0] ?? '';
      return found.map((offer) => folder + offer);
    });
  },
};

const lineByLine = (output: string): string[] => output.trim().split('\n');

test.for(Object.keys(SHELLS))('%s completes commands, options, choices and files', async (shell, { skip }) => {
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
  } catch {
    skip(`${shell} is not on this machine`);
  }
  const file = join(mkdtempSync(join(tmpdir(), 'heterosis-completion-')), shell);
  try {
    writeFileSync(file, await script(shell));
    const lines = TYPED.map(([typed]) => typed);
    const offered = SHELLS[shell]?.(file, lines).map((offers) => [...new Set(offers)].sort());
    expect(offered?.map((offers, index) => [lines[index], offers])).toEqual(TYPED);
  } finally {
    rmSync(dirname(file), { recursive: true });
  }
});

test('an unknown shell is refused with the ones there are', async () => {
  const { code, stderr } = await heterosis('completion', 'tcsh');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Choose one of bash, zsh, fish.')]);
});

test('remote lists its commands, and every command has a page of the manual', async () => {
  const asked = await heterosis('remote', '--help');
  expect(asked.code).toBe(0);
  for (const name of ['projects', 'upload', 'train', 'wait', 'download'])
    expect(asked.stdout).toContain(`remote ${name} `);
  expect((await heterosis('help', 'remote')).stdout).toBe(asked.stdout);
  const alone = await heterosis('remote');
  expect([alone.code, alone.stderr]).toEqual([2, asked.stdout]);
  const page = (await heterosis('man', 'remote', 'train')).stdout;
  expect(page).toMatch(/^\.TH "HETEROSIS-REMOTE-TRAIN" 1/);
  expect(page).toContain('.SH OPTIONS\n.nf\n\\-\\-project');
});

test('warnings with one code are one line and a count, errors a line each', () => {
  const record = { line: null, column: null, value: null, suggestion: null };
  const of = (severity: 'error' | 'warning', code: string) => (message: string) => ({
    ...record,
    severity,
    code,
    message,
  });
  const problems = [
    ...['A and B', 'C and D', 'E and F'].map(of('warning', 'W-GT-DUPLICATE-GENOTYPE')),
    of('warning', 'W-GT-OTHER')('Other.'),
    ...['One.', 'Two.'].map(of('error', 'E-GT-NO-GT')),
  ];
  expect(formatProblems(problems, 'a.vcf', false).split('\n')).toEqual([
    'warning W-GT-DUPLICATE-GENOTYPE a.vcf: A and B (and 2 more of W-GT-DUPLICATE-GENOTYPE; --json lists all)',
    'warning W-GT-OTHER a.vcf: Other.',
    'error E-GT-NO-GT a.vcf: One.',
    'error E-GT-NO-GT a.vcf: Two.',
    '',
  ]);
  expect(formatProblems(problems, 'a.vcf', true).trim().split('\n')).toHaveLength(6);
});
