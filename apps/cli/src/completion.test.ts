import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';
import { formatProblems } from './report.ts';

const script = async (shell: string): Promise<string> => (await heterosis('completion', shell)).stdout;

/** What bash offers at the end of these words. */
const offered = (source: string, ...words: string[]): string[] =>
  execFileSync('bash', [
    '-c',
    `${source}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heterosis; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    'heterosis',
    ...words,
  ])
    .toString()
    .trim()
    .split('\n');

test('bash completes commands, options, choices and files', async () => {
  const source = await script('bash');
  expect(offered(source, 'tra')).toEqual(['train']);
  expect(offered(source, 'remote', 'p')).toEqual(['projects', 'predict']);
  expect(offered(source, 'gwas', '--pheno')).toEqual(['--phenotype']);
  expect(offered(source, 'gwas', '--decimal-mark', 'c')).toEqual(['comma']);
  expect(offered(source, 'remote', 'upload', '--project', 'x', '--ty')).toEqual(['--type']);
  expect(offered(source, 'gwas', '--genotype', '/etc/hostn')).toEqual(['/etc/hostname']);
  expect(offered(source, 'completion', 'f')).toEqual(['fish']);
});

test.each(['zsh', 'fish'])('%s gets every command and option', async (shell) => {
  const source = await script(shell);
  for (const word of ['train', 'remote', 'projects', 'phenotype', 'comma', 'threads']) expect(source).toContain(word);
  try {
    execFileSync(shell, ['--version'], { stdio: 'ignore' });
  } catch {
    return;
  }
  execFileSync(shell, ['-n'], { input: source });
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
