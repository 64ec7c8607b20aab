import { expect, test } from 'vitest';
import * as z from 'zod';
import { RUN_CONTRACTS } from '../work/run-contracts.ts';
import {
  complaintsOf,
  defineOptions,
  inputsOf,
  type OptionRow,
  type Options,
  sentencesOf,
  storedOf,
} from './define-options.ts';
import { GWAS_OPTIONS } from './gwas.ts';
import { flagName, flagsOf, optionsOfFlags } from './option-flags.ts';
import { bodyShape, storedShape, withoutComplaints } from './option-schemas.ts';
import { optionsPage } from './options-page.ts';
import { OPTION_TABLES } from './tables.ts';

/** An option that a GWAS might get: what follows says what it needs besides its row. */
const OPTIONS = defineOptions({
  ...GWAS_OPTIONS,
  smallest_class: {
    kind: 'integer',
    min: 1,
    max: 500,
    about: 'Markers with fewer individuals in a class of genotypes are not tested.',
    label: 'Individuals in a class, at least',
    not: { dominance: { message: 'Dominance has classes of its own', action: 'Leave out one of them.' } },
    says: (count: number) => `Markers with fewer than ${count} individuals in a class were not tested.`,
  },
});
const own = {
  covariate_kinds: z.unknown().optional(),
  exclusions: z.unknown().optional(),
  clumps: z.unknown().optional(),
};
const body = z.object(bodyShape(OPTIONS, own)).superRefine(withoutComplaints(OPTIONS));

test('a row makes the field of the request, within its limits and beside the options that it goes with', () => {
  expect(body.parse({ smallest_class: 5 })).toMatchObject({ test: 'LRT', fixed: 0, loco: false, smallest_class: 5 });
  expect(body.parse({})).not.toHaveProperty('smallest_class');
  expect(body.safeParse({ smallest_class: 501 }).error?.issues[0]?.path).toEqual(['smallest_class']);
  const refused = body.safeParse({ smallest_class: 5, dominance: true });
  expect(refused.error?.issues).toMatchObject([
    { path: ['smallest_class'], message: 'Dominance has classes of its own' },
  ]);
});

test('what is stored is what was asked for, and what the analysis takes follows from it', () => {
  const asked = body.parse({ smallest_class: 5, thresh_maf: 0.1, loco: false });
  const stored = storedOf(OPTIONS, asked);
  expect(stored).toEqual({ test: 'LRT', fixed: 0, thresh_maf: 0.1, thresh_callrate: 0.9, smallest_class: 5 });
  expect(z.object(storedShape(OPTIONS, own)).parse(stored)).toEqual(stored);
  expect(inputsOf(OPTIONS, stored)).toMatchObject({
    ...{ test: 'LRT', fixed: 0, maf: 0.1, callRate: 0.9, leaveOneChromosomeOut: false, seed: 1, smallestClass: 5 },
    ...{ conditionOn: [], dominance: false },
  });
  // Limits may change: what an earlier version stored is read all the same.
  expect(z.object(storedShape(OPTIONS, own)).safeParse({ ...stored, smallest_class: 1000 }).success).toBe(true);
});

test('a row makes the flag with its help, and the flag says the option', () => {
  expect(flagsOf(OPTIONS)['smallest-class']).toEqual({
    ...{ kind: 'integer', min: 1, max: 500 },
    help: 'Markers with fewer individuals in a class of genotypes are not tested.',
  });
  const asked = optionsOfFlags(OPTIONS, { 'smallest-class': 7, maf: 0.2, loco: true });
  expect(inputsOf(OPTIONS, asked)).toMatchObject({ smallestClass: 7, maf: 0.2, leaveOneChromosomeOut: true });
  expect(flagsOf(OPTIONS).permutations).toMatchObject({ max: 100_000 });
});

test('a row makes its sentence and its line on the page of options', () => {
  expect(sentencesOf(OPTIONS, { smallest_class: 5 }).smallest_class).toBe(
    'Markers with fewer than 5 individuals in a class were not tested.',
  );
  const page = optionsPage({ Example: { about: 'An example.', options: OPTIONS } });
  expect(page).toContain('| `smallest_class` | `--smallest-class` | whole number 1–500 | – | Markers with fewer');
  expect(page).toContain('- `smallest_class` does not go with `dominance`.');
});

test.each(Object.entries(RUN_CONTRACTS))('a row of %s is all that an option needs', (_, contract) => {
  const options: Options = { ...contract.options, smallest_class: OPTIONS.smallest_class };
  const asked = { smallest_class: 5 };
  const { smallest_class } = bodyShape({ smallest_class: OPTIONS.smallest_class }, {});
  expect(smallest_class.safeParse(501).success).toBe(false);
  expect(storedOf(options, asked)).toEqual(asked);
  expect(inputsOf(options, asked)).toMatchObject({ smallestClass: 5 });
  expect(flagsOf(options)).toHaveProperty('smallest-class');
  expect(sentencesOf(options, asked)).toHaveProperty('smallest_class');
  expect(optionsPage({ Example: { about: 'An example.', options } })).toContain('| `smallest_class` |');
});

test('requests are refused whose options need others', () => {
  const taken = Object.values(RUN_CONTRACTS).flatMap((one) => {
    const options: Options = one.options;
    const body: z.ZodType = one.endpoints.createRun.body;
    return Object.entries(options).flatMap(([name, { needs, only }]) => {
      const isRefused = Object.values(needs ?? {}).some(({ place }) => place !== 'cli');
      if (!isRefused || only !== undefined) return [];
      // What is missing besides is said first, and rules are looked at only then.
      const missing = body.safeParse({ [name]: true }).error?.issues.map(({ path }) => path.join('.')) ?? [];
      const inputs = Object.fromEntries(missing.map((path) => [path, INPUTS[path] ?? ID]));
      const paths = body.safeParse({ ...inputs, [name]: true }).error?.issues.map(({ path }) => path[0]) ?? [];
      return paths.includes(name) ? [] : [`${one.asked.title}: ${name}`];
    });
  });
  expect(taken).toEqual([]);
});

const ID = '01900000-0000-7000-8000-000000000001';
const INPUTS: Record<string, unknown> = { name: 'Again', traits: ['yield'] };

test('an option that needs another complains without it', () => {
  expect(complaintsOf(GWAS_OPTIONS, { stepwise_out: 'models.csv' })).toMatchObject([
    { option: 'stepwise_out', other: 'stepwise', message: '--stepwise-out is the file of --stepwise.' },
  ]);
  expect(complaintsOf(GWAS_OPTIONS, { stepwise_out: 'models.csv', stepwise: 3, loco: false })).toEqual([]);
});

const rows = Object.entries(OPTION_TABLES).flatMap(([title, { options }]) =>
  Object.entries(options).map(([name, row]): [string, OptionRow, readonly string[]] => [
    `${title}: ${name}`,
    row,
    Object.keys(options),
  ]),
);

test('tables say why the command line differs, name options that exist, and have defaults within their limits', () => {
  const wrong = rows.flatMap(([place, row, names]) => {
    const { cli = {}, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, default: usual, kind } = row;
    const differs = [cli.kind, cli.min, cli.max].some((value) => value !== undefined) || kind === 'own';
    const others = [...Object.keys(row.not ?? {}), ...Object.keys(row.needs ?? {})];
    return [
      ...(differs && cli.why === undefined && row.only === undefined ? [`${place} differs without a reason`] : []),
      ...others.filter((other) => !names.includes(other)).map((other) => `${place} names ${other}`),
      ...(typeof usual === 'number' && (usual < min || usual > max) ? [`${place} has a default out of range`] : []),
      ...(kind === 'choice' && typeof usual === 'string' && !row.choices?.includes(usual)
        ? [`${place}: ${usual}`]
        : []),
      ...(min > max ? [`${place} has no value`] : []),
    ];
  });
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(20);
});

test('no two options of a table have the same flag', () => {
  for (const { options } of Object.values(OPTION_TABLES)) {
    const flags = Object.entries(options).flatMap(([name, row]) => flagName(name, row) ?? []);
    expect(new Set(flags).size).toBe(flags.length);
  }
});
