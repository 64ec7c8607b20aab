// The numbers of a scheme by their paths, with their ranges: what its page lets people edit and an optimiser vary.
import type { ProgrammeScheme, ProgrammeStage } from './programme-schemes.ts';
import type { StageList } from './programme-sizes.ts';

/** A number of a scheme. */
export interface SchemeNumber {
  /** As `cycle.2.lines`, `costs.plot` or `cycles`; stages are counted from 0. */
  path: string;
  /** Field of a stage, a price, a variance or a field of the scheme. */
  field: string;
  /** The stage that it belongs to; null for numbers of the scheme as a whole. */
  place: { list: StageList; index: number } | null;
  value: number;
  min: number;
  max: number;
  isWhole: boolean;
}

interface Range {
  min: number;
  max: number;
  isWhole: boolean;
  /** What holds where the scheme does not say it; absent: the field is shown only where it does. */
  usual?: number;
}

const COUNT: Range = { min: 1, max: 100_000, isWhole: true };
const YEARS: Range = { min: 0, max: 20, isWhole: false, usual: 0 };

/** Fields of stages that are numbers, in the order in which they are shown. */
const FIELDS: Readonly<Partial<Record<ProgrammeStage['do'], Readonly<Record<string, Range>>>>> = {
  cross: {
    crosses: COUNT,
    progeny: { ...COUNT, max: 10_000, usual: 1 },
    most_uses: { ...COUNT, max: 1000 },
    selected: { min: 0.001, max: 1, isWhole: false },
    rate: { min: 0, max: 1, isWhole: false },
  },
  backcross: { progeny: { ...COUNT, max: 10_000, usual: 1 } },
  self: { progeny: { ...COUNT, max: 10_000, usual: 1 }, generations: { min: 1, max: 20, isWhole: true, usual: 1 } },
  dh: { lines: { ...COUNT, max: 10_000 } },
  phenotype: {
    environments: { min: 1, max: 100, isWhole: true },
    replicates: { min: 1, max: 20, isWhole: true },
  },
  testcross: {
    environments: { min: 1, max: 100, isWhole: true },
    replicates: { min: 1, max: 20, isWhole: true },
  },
  train: { window: { min: 1, max: 100, isWhole: true } },
  select: { count: COUNT, per_family: { ...COUNT, max: 1000 } },
  release: { count: COUNT },
};

const LISTS = ['start', 'cycle', 'end'] as const;

/** All numbers of a scheme: those of the whole, then those of the stages in their order. */
export function numbersOf(scheme: ProgrammeScheme): SchemeNumber[] {
  const whole = (path: string, value: number, range: Omit<Range, 'usual'>): SchemeNumber => ({
    ...{ path, field: path, place: null, value },
    ...range,
  });
  const found = [
    whole('cycles', scheme.cycles, { min: 0, max: 200, isWhole: true }),
    whole('error.environment', scheme.error.environment, { min: 0, max: 1e12, isWhole: false }),
    whole('error.plot', scheme.error.plot, { min: 0, max: 1e12, isWhole: false }),
    ...Object.entries(scheme.costs ?? {}).map(([what, price = 0]) =>
      whole(`costs.${what}`, price, { min: 0, max: 1e9, isWhole: false }),
    ),
  ];
  for (const list of LISTS) {
    for (const [index, stage] of (scheme[list] ?? []).entries()) {
      for (const [field, { usual, ...range }] of Object.entries({ ...FIELDS[stage.do], years: YEARS })) {
        const value = (stage as Record<string, unknown>)[field] ?? usual;
        if (typeof value !== 'number') continue;
        found.push({ path: `${list}.${index}.${field}`, field, place: { list, index }, value, ...range });
      }
    }
  }
  return found;
}

/** The scheme with another number at a path. @throws RangeError for a path that is none */
export function withNumber(scheme: ProgrammeScheme, path: string, value: number): ProgrammeScheme {
  const [list, place, field] = path.split('.');
  if (list === 'cycles') return { ...scheme, cycles: value };
  if (list === 'error' && (place === 'environment' || place === 'plot'))
    return { ...scheme, error: { ...scheme.error, [place]: value } };
  if (list === 'costs' && place !== undefined) return { ...scheme, costs: { ...scheme.costs, [place]: value } };
  const stages = LISTS.some((one) => one === list) ? scheme[list as StageList] : undefined;
  const index = Number(place);
  const stage = stages?.[index];
  if (stages === undefined || stage === undefined || field === undefined)
    throw new RangeError(`the scheme has no number at ${path}`);
  return { ...scheme, [list as StageList]: stages.with(index, { ...stage, [field]: value } as ProgrammeStage) };
}
