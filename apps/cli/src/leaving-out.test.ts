// What lists and rules leave out must leave the files that an analysis writes exactly as they are for a genotype file
// without it, in every format. The commands run in this process, from parsed options to written files.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomStream } from '@heterosis/statgen/random/random-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Command, CommandResult, OptionTable, OptionValues } from './command.ts';
import { evaluateCommand } from './commands/evaluate.ts';
import { exportCommand } from './commands/export.ts';
import { gwasCommand } from './commands/gwas.ts';
import { kinshipCommand } from './commands/kinship.ts';
import { trainCommand } from './commands/train.ts';
import { parseOptions } from './options/parse-options.ts';

const SAMPLES = Array.from({ length: 36 }, (_, i) => `line${i + 1}`);
const MARKERS = Array.from({ length: 120 }, (_, j) => `m${j}`);
/** Has few calls. */
const POOR = 'line9';
/** Repeats line1, with two calls less. */
const COPY = 'line36';
const LISTED = ['line4', 'line20'];
const LISTED_MARKERS = ['m7', 'm90'];

let folder: string;
let files = 0;
const paths: Record<'vcf' | 'phenotype' | 'samples' | 'markers', string> = {
  vcf: '',
  phenotype: '',
  samples: '',
  markers: '',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heterosis-leaving-out-'));
  const random = createRandomStream(23, 'leaving-out');
  const y = SAMPLES.map(() => random.normal());
  const rows = MARKERS.map((id, j) => {
    const p = 0.2 + 0.6 * random.uniform();
    const dosages = SAMPLES.map((name) =>
      random.uniform() < (name === POOR ? 0.5 : 0.02) ? null : 2 * Number(random.uniform() < p),
    );
    dosages[SAMPLES.indexOf(COPY)] = j < 2 ? null : (dosages[0] ?? null);
    for (const [i, dosage] of dosages.entries()) y[i] = (y[i] ?? 0) + (j % 10 === 0 ? 0.5 : 0.05) * (dosage ?? 0);
    const calls = dosages.map((dosage) => (dosage === null ? './.' : dosage === 2 ? '1/1' : '0/0'));
    return [String(1 + Math.floor(j / 40)), String(1000 * (j + 1)), id, 'A', 'C', '.', '.', '.', 'GT', ...calls];
  });
  const head = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT', ...SAMPLES];
  paths.vcf = write(`##fileformat=VCFv4.3\n${[head, ...rows].map((row) => `${row.join('\t')}\n`).join('')}`, '.vcf');
  paths.phenotype = write(`id,yield\n${SAMPLES.map((name, i) => `${name},${y[i]}\n`).join('')}`, '.csv');
  paths.samples = write(`# of another cross\n${LISTED.join('\n')}\n`, '.txt');
  paths.markers = write(LISTED_MARKERS.join('\n'), '.txt');
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(text: string, ending: string): string {
  const path = join(folder, `${++files}${ending}`);
  writeFileSync(path, text);
  return path;
}

async function run(command: Command, ...args: string[]): Promise<CommandResult> {
  const options = parseOptions(command.name, command.options, args) as OptionValues<OptionTable>;
  return command.run(options, { context: { threads: 1 }, report: () => undefined });
}

/** The panel without these, in a file of this format. */
async function fileWithout(format: string, samples: readonly string[], markers: readonly string[]): Promise<string> {
  const keep = write(SAMPLES.filter((name) => !samples.includes(name)).join('\n'), '.txt');
  const keepMarkers = write(MARKERS.filter((name) => !markers.includes(name)).join('\n'), '.txt');
  return converted(format, '--samples', keep, '--markers', keepMarkers);
}

async function converted(format: string, ...args: string[]): Promise<string> {
  const out = join(folder, `${++files}${{ vcf: '.vcf.gz', plink: '' }[format] ?? '.csv'}`);
  await run(exportCommand, '--genotype', paths.vcf, '--format', format, '--out', out, ...args);
  return out;
}

/** What each analysis writes about a genotype. */
async function writtenBy(genotype: string, ...args: string[]): Promise<string[]> {
  const phenotype = ['--phenotype', paths.phenotype, '--trait', 'yield'];
  const texts: string[] = [];
  for (const [command, ...options] of [
    [kinshipCommand],
    [gwasCommand, ...phenotype],
    [evaluateCommand, ...phenotype, '--n-repetition', '1'],
    [trainCommand, ...phenotype],
  ] as [Command, ...string[]][]) {
    const out = join(folder, `${++files}.out`);
    await run(command, '--genotype', genotype, ...options, ...args, '--out', out);
    const text = readFileSync(out, 'utf8');
    if (command !== trainCommand) texts.push(text);
    else {
      const { leftOut: _, ...model } = JSON.parse(text);
      texts.push(JSON.stringify(model));
    }
  }
  return texts;
}

test.each(['vcf', 'plink', 'numeric-by-marker'])(
  'is as if the %s file did not have it, to the last digit',
  async (format) => {
    const whole = await converted(format);
    const part = await fileWithout(format, [...LISTED, POOR, COPY], LISTED_MARKERS);
    const args = ['--leave-out-samples', paths.samples, '--leave-out-markers', paths.markers];
    const rules = ['--min-sample-call-rate', '0.8', '--leave-out-duplicates'];
    expect(await writtenBy(whole, ...args, ...rules)).toEqual(await writtenBy(part));
    expect(await writtenBy(whole, '--min-maf', '0')).toEqual(await writtenBy(whole));
  },
);

test('is said in the summary, the model and a file of its own', async () => {
  const left = join(folder, 'left-out.csv');
  const model = join(folder, 'model.json');
  const { summary, lines } = await run(
    trainCommand,
    ...['--genotype', paths.vcf, '--phenotype', paths.phenotype, '--trait', 'yield', '--out', model],
    ...['--leave-out-samples', paths.samples, '--min-sample-call-rate', '0.8', '--leave-out-duplicates'],
    ...['--left-out', left],
  );
  expect(summary['left_out']).toEqual({
    samples_read: 36,
    samples_kept: 32,
    markers_read: 120,
    markers_kept: 120,
    rules: [
      { rule: 'samples', limit: null, count: 2 },
      { rule: 'sample_call_rate', limit: 0.8, count: 1 },
      { rule: 'duplicates', limit: null, count: 1 },
    ],
  });
  expect(lines[0]).toBe(
    'Before the analysis, in this order, were left out: 2 individuals by list; 1 individual with a call rate below 0.8; 1 individual with more than 99 % of their calls equal to those of another. 32 individuals and 120 markers remained.',
  );
  expect(readFileSync(left, 'utf8')).toBe(
    'rule,limit,name\nsamples,,line4\nsamples,,line20\nsample_call_rate,0.8,line9\nduplicates,,line36\n',
  );
  expect(JSON.parse(readFileSync(model, 'utf8')).leftOut.rules[2].names).toEqual([COPY]);
});

test('refuses a name that the genotype lacks, with the line of the list', async () => {
  const list = write('line1\nline99\n', '.txt');
  await expect(
    run(kinshipCommand, '--genotype', paths.vcf, '--out', join(folder, 'k.csv'), '--leave-out-samples', list),
  ).rejects.toMatchObject({
    file: list,
    problems: [{ code: 'E-LO-UNKNOWN', line: 2, value: 'line99', suggestion: expect.stringContaining('line9') }],
  });
});
