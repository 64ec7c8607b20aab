// Schemes to begin with, filled with what a project knows of its founders, trait, variances and prices.
import type { ProgrammeScheme, ProgrammeStage } from './programme-schemes.ts';

/** What a template is filled with. */
export interface TemplateInput {
  /** Of the founders, in their order. */
  founders: readonly string[];
  trait: string;
  error: { environment: number; plot: number };
  costs: NonNullable<ProgrammeScheme['costs']>;
  /** Of a backcross; the first founders and {@link UNKNOWN_LOCUS} unless given. */
  recurrent?: string | undefined;
  donor?: string | undefined;
  locus?: string | undefined;
}

type Template = (input: TemplateInput) => Pick<ProgrammeScheme, 'cycles' | 'start' | 'cycle' | 'end'>;

/** Prices to begin with, in the money of the reader. */
export const USUAL_COSTS: NonNullable<ProgrammeScheme['costs']> = {
  cross: 20,
  self: 1,
  dh: 30,
  genotype: 15,
  plot: 25,
  seed: 20,
};

/** Stands for a marker that is still to be named. */
export const UNKNOWN_LOCUS = '?';

/** Never more than there are founders. */
const atMost = ({ founders }: TemplateInput, wanted: number): number => Math.max(2, Math.min(wanted, founders.length));

const founderTrial = (input: TemplateInput, count: number): ProgrammeStage[] => [
  { do: 'measure', stage: 'founders', population: 'founders' },
  { do: 'phenotype', population: 'founders', trait: input.trait, environments: 3, replicates: 2, as: 'y' },
  { do: 'select', from: 'founders', by: 'y', count: atMost(input, count), into: 'parents' },
];

const phenotypicDh: Template = (input) => ({
  cycles: 5,
  start: founderTrial(input, 10),
  cycle: [
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines: 20, into: 'lines', years: 1 },
    {
      ...{ do: 'phenotype', population: 'lines', trait: input.trait, environments: 1, replicates: 1 },
      ...{ as: 'first', years: 1 },
    },
    { do: 'measure', stage: 'candidates', population: 'lines', criterion: 'first' },
    { do: 'select', from: 'lines', by: 'first', count: 40, into: 'advanced' },
    {
      ...{ do: 'phenotype', population: 'advanced', trait: input.trait, environments: 3, replicates: 2 },
      ...{ as: 'second', years: 1 },
    },
    { do: 'combine', population: 'advanced', columns: ['first', 'second'], as: 'mean' },
    { do: 'select', from: 'advanced', by: 'mean', count: 10, into: 'parents' },
    { do: 'measure', stage: 'selected', population: 'parents' },
  ],
});

const genomicTwoStages: Template = (input) => ({
  cycles: 5,
  start: [...founderTrial(input, 10), { do: 'train', model: 'gs', population: 'founders', column: 'y', window: 3 }],
  cycle: [
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines: 30, into: 'lines', years: 1 },
    { do: 'genotype', population: 'lines' },
    { do: 'predict', model: 'gs', population: 'lines', as: 'gebv' },
    { do: 'measure', stage: 'candidates', population: 'lines', criterion: 'gebv' },
    { do: 'select', from: 'lines', by: 'gebv', count: 100, into: 'trial' },
    {
      ...{ do: 'phenotype', population: 'trial', trait: input.trait, environments: 2, replicates: 1 },
      ...{ as: 'y', years: 1 },
    },
    { do: 'train', model: 'gs', population: 'trial', column: 'y', window: 3 },
    { do: 'predict', model: 'gs', population: 'trial', as: 'gebv', name: 'predict again' },
    { do: 'measure', stage: 'tested', population: 'trial', criterion: 'gebv' },
    { do: 'select', from: 'trial', by: 'gebv', count: 10, per_family: 2, into: 'parents' },
    { do: 'measure', stage: 'selected', population: 'parents' },
  ],
});

const rapidCycles: Template = (input) => ({
  cycles: 10,
  start: [
    ...founderTrial(input, 10),
    { do: 'cross', from: 'parents', plan: 'circular', into: 'F1', years: 1 },
    { do: 'dh', from: 'F1', lines: 10, into: 'lines', years: 1 },
    { do: 'genotype', population: 'lines' },
    {
      ...{ do: 'phenotype', population: 'lines', trait: input.trait, environments: 1, replicates: 1 },
      ...{ as: 'y', years: 1 },
    },
    { do: 'train', model: 'gs', population: 'lines', column: 'y', window: 3 },
    { do: 'cross', from: 'F1', plan: 'circular', progeny: 10, into: 'plants' },
  ],
  cycle: [
    { do: 'genotype', population: 'plants', name: 'genotype first' },
    { do: 'predict', model: 'gs', population: 'plants', as: 'gebv', name: 'predict first' },
    {
      ...{ do: 'select', from: 'plants', by: 'gebv', count: 10, per_family: 2, into: 'best' },
      name: 'select first',
    },
    { do: 'cross', from: 'best', plan: 'circular', progeny: 10, into: 'plants', name: 'cross first' },
    { do: 'genotype', population: 'plants', name: 'genotype second' },
    { do: 'predict', model: 'gs', population: 'plants', as: 'gebv', name: 'predict second' },
    { do: 'measure', stage: 'candidates', population: 'plants', criterion: 'gebv' },
    {
      ...{ do: 'select', from: 'plants', by: 'gebv', count: 10, per_family: 2, into: 'best' },
      name: 'select second',
    },
    { do: 'measure', stage: 'selected', population: 'best' },
    { do: 'cross', from: 'best', plan: 'circular', progeny: 10, into: 'plants', name: 'cross second' },
    { do: 'dh', from: 'best', lines: 10, into: 'lines' },
    { do: 'genotype', population: 'lines' },
    {
      ...{ do: 'phenotype', population: 'lines', trait: input.trait, environments: 1, replicates: 1 },
      ...{ as: 'y', years: 1 },
    },
    { do: 'train', model: 'gs', population: 'lines', column: 'y', window: 3 },
  ],
});

const hybrids: Template = ({ founders, trait }) => {
  const half = Math.max(2, Math.floor(founders.length / 2));
  const parents = Math.min(6, half);
  const testers = Math.min(3, parents);
  const pools = ['A', 'B'] as const;
  const other = { A: 'B', B: 'A' } as const;
  const both = (stage: (pool: 'A' | 'B') => ProgrammeStage, years = 0): ProgrammeStage[] =>
    pools.map((pool) => (pool === 'B' && years > 0 ? { ...stage(pool), years } : stage(pool)));
  const test = (pool: 'A' | 'B', population: string, as: string, plots: [number, number]): ProgrammeStage => {
    const [environments, replicates] = plots;
    const [tested, testers] = [`${population}${pool}`, `testers${other[pool]}`];
    return { do: 'testcross', population: tested, testers, trait, environments, replicates, as };
  };
  return {
    cycles: 4,
    start: [
      { do: 'take', from: 'founders', range: [1, half], into: 'poolA' },
      { do: 'take', from: 'founders', range: [half + 1, founders.length], into: 'poolB' },
      ...both((pool) => ({ do: 'take', from: `pool${pool}`, range: [1, testers], into: `testers${pool}` })),
      ...both((pool) => test(pool, 'pool', 'y', [2, 1])),
      ...both((pool) => ({ do: 'select', from: `pool${pool}`, by: 'y', count: parents, into: `parents${pool}` })),
      ...both((pool) => ({
        ...{ do: 'select', from: `parents${pool}`, by: 'order', count: testers, into: `testers${pool}` },
      })),
      { do: 'measure', stage: 'hybrids', population: 'parentsA', hybrids_with: 'parentsB' },
    ],
    cycle: [
      ...both((pool) => ({ do: 'cross', from: `parents${pool}`, plan: 'circular', into: `F1${pool}` }), 1),
      ...both((pool) => ({ do: 'dh', from: `F1${pool}`, lines: 15, into: `lines${pool}` }), 1),
      ...both((pool) => test(pool, 'lines', 'first', [1, 1]), 1),
      { do: 'measure', stage: 'candidates', population: 'linesA', criterion: 'first' },
      ...both((pool) => ({ do: 'select', from: `lines${pool}`, by: 'first', count: 18, into: `advanced${pool}` })),
      ...both((pool) => test(pool, 'advanced', 'second', [3, 2]), 1),
      ...both((pool) => ({
        ...{ do: 'combine', population: `advanced${pool}`, columns: ['first', 'second'], as: 'mean' },
      })),
      ...both((pool) => ({
        ...{ do: 'select', from: `advanced${pool}`, by: 'mean', count: parents, into: `parents${pool}` },
      })),
      ...both((pool) => ({
        ...{ do: 'select', from: `parents${pool}`, by: 'order', count: testers, into: `testers${pool}` },
      })),
      { do: 'measure', stage: 'selected', population: 'parentsA' },
      { do: 'measure', stage: 'hybrids', population: 'parentsA', hybrids_with: 'parentsB' },
    ],
  };
};

const backcross: Template = ({ founders, recurrent, donor, locus }) => {
  const line = recurrent ?? founders[0] ?? '';
  const target = [locus ?? UNKNOWN_LOCUS];
  return {
    cycles: 3,
    start: [
      { do: 'take', from: 'founders', individuals: [line], into: 'recurrent' },
      {
        ...{ do: 'take', from: 'founders', into: 'donor' },
        individuals: [donor ?? founders.find((name) => name !== line) ?? line],
      },
      { do: 'measure', stage: 'founders', population: 'recurrent' },
      { do: 'cross', from: 'recurrent', with: 'donor', plan: 'paired', into: 'carriers', years: 1 },
    ],
    cycle: [
      { do: 'backcross', from: 'carriers', to: 'recurrent', progeny: 60, into: 'plants', years: 0.5 },
      { do: 'genotype', population: 'plants' },
      { do: 'score', kind: 'copies', population: 'plants', like: 'donor', loci: target, as: 'target' },
      {
        ...{ do: 'score', kind: 'share', population: 'plants', like: 'recurrent', unlike: 'donor' },
        as: 'recurrent_share',
      },
      {
        ...{ do: 'measure', stage: 'candidates', population: 'plants' },
        report: { recurrent_share: { mean: 'recurrent_share' }, target: { mean: 'target' } },
      },
      {
        ...{ do: 'select', from: 'plants', by: 'recurrent_share', require: { target: 1 }, count: 3 },
        into: 'carriers',
      },
      {
        ...{ do: 'measure', stage: 'selected', population: 'carriers' },
        report: { recurrent_share: { mean: 'recurrent_share' }, target: { mean: 'target' } },
      },
    ],
    end: [
      { do: 'dh', from: 'carriers', lines: 20, into: 'lines', years: 1 },
      { do: 'genotype', population: 'lines' },
      { do: 'score', kind: 'copies', population: 'lines', like: 'donor', loci: target, as: 'target' },
      {
        ...{ do: 'score', kind: 'share', population: 'lines', like: 'recurrent', unlike: 'donor' },
        as: 'recurrent_share',
      },
      {
        ...{ do: 'select', from: 'lines', by: 'recurrent_share', require: { target: 2 }, count: 1 },
        into: 'line',
      },
      {
        ...{ do: 'measure', stage: 'selected', population: 'line' },
        report: { recurrent_share: { mean: 'recurrent_share' }, target: { mean: 'target' } },
      },
    ],
  };
};

const clonal: Template = (input) => ({
  cycles: 4,
  start: founderTrial(input, 20),
  cycle: [
    { do: 'cross', from: 'parents', plan: 'random', crosses: 20, progeny: 25, into: 'seedlings', years: 1 },
    {
      ...{ do: 'phenotype', population: 'seedlings', trait: input.trait, environments: 1, replicates: 1 },
      ...{ as: 'first', years: 1 },
    },
    { do: 'measure', stage: 'candidates', population: 'seedlings', criterion: 'first' },
    { do: 'select', from: 'seedlings', by: 'first', count: 60, into: 'clones' },
    {
      ...{ do: 'phenotype', population: 'clones', trait: input.trait, environments: 3, replicates: 2 },
      ...{ as: 'second', years: 1 },
    },
    { do: 'combine', population: 'clones', columns: ['first', 'second'], as: 'mean' },
    { do: 'select', from: 'clones', by: 'mean', count: 20, into: 'parents' },
    { do: 'measure', stage: 'selected', population: 'parents' },
  ],
});

const TEMPLATES = {
  phenotypic_dh: phenotypicDh,
  genomic_two_stages: genomicTwoStages,
  rapid_cycles: rapidCycles,
  hybrids,
  backcross,
  clonal,
} satisfies Record<string, Template>;

export type TemplateName = keyof typeof TEMPLATES;
/** In the order in which pages offer them. */
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** A scheme of a template, with a name of its own. */
export function schemeOfTemplate(template: TemplateName, name: string, input: TemplateInput): ProgrammeScheme {
  return { name, error: input.error, costs: input.costs, ...TEMPLATES[template](input) };
}
