import type { NameCatalogue } from '@heterosis/file-formats/names/match-names';
import { parseTraitHeader } from '@heterosis/file-formats/tables/phenotype/phenotype-header';
import type { PhenotypeTable, TraitColumn } from '@heterosis/file-formats/tables/phenotype/phenotype-table';
import { AnalysisError } from '../context.ts';
import { matchIndividuals, type Rename } from './match-names.ts';

/** How to match the names of a phenotype with those of a genotype. */
export interface NameMatching {
  renames?: readonly Rename[];
  catalogue?: NameCatalogue;
}

export interface AlignedTrait {
  column: TraitColumn;
  /** One value per genotyped individual, in panel order; NaN = not phenotyped. */
  values: Float64Array;
}

/**
 * Values of a phenotype table for the individuals of a genotype.
 *
 * @throws AnalysisError `models/trait-not-in-phenotype`, `analysis/categorical-trait`, `match/nothing-in-common`
 */
export function alignPhenotype(
  samples: readonly string[],
  phenotype: PhenotypeTable,
  traits: readonly string[],
  matching: NameMatching = {},
): AlignedTrait[] {
  const columns = traits.map((name) => findTrait(phenotype, name));
  const rows = phenotypeRows(samples, phenotype, matching);
  return columns.map((index) => ({
    column: phenotype.traits[index],
    values: Float64Array.from(rows, (row) => (row < 0 ? Number.NaN : phenotype.values[index][row])),
  }));
}

/**
 * Looks up traits by name in a phenotype table, each once, to check them before a large genotype is read; ignores
 * case.
 *
 * @throws AnalysisError `models/trait-not-in-phenotype`, `analysis/categorical-trait`
 */
export function requireTraits(phenotype: PhenotypeTable, traits: readonly string[]): string[] {
  const columns = new Set(traits.map((name) => findTrait(phenotype, name)));
  return [...columns].map((index) => phenotype.traits[index].name);
}

/**
 * Row of each genotyped individual in a phenotype table, −1 for those without one.
 *
 * @throws AnalysisError `match/nothing-in-common`
 */
export function phenotypeRows(
  samples: readonly string[],
  phenotype: PhenotypeTable,
  matching: NameMatching = {},
): Int32Array {
  const { both } = matchIndividuals(samples, phenotype.individuals, {
    ...(matching.renames === undefined ? {} : { renames: matching.renames }),
    ...(matching.catalogue === undefined ? {} : { catalogue: matching.catalogue }),
    suggestionsPerName: 0,
  });
  if (both.length === 0) throw nothingInCommon(samples, phenotype.individuals);
  const rowOf = new Map(phenotype.individuals.map((name, row) => [name, row]));
  const partnerOf = new Map(both.map(({ left, right }) => [left, right]));
  return Int32Array.from(samples, (name) => rowOf.get(partnerOf.get(name) ?? '') ?? -1);
}

function findTrait(phenotype: PhenotypeTable, name: string): number {
  const index = placeOfTrait(phenotype.traits, name);
  if (index < 0) {
    throw new AnalysisError(
      'models/trait-not-in-phenotype',
      `The phenotype file has no trait "${name}".`,
      `Its traits are ${phenotype.traits.map((trait) => trait.name).join(', ')}.`,
      { trait: name },
    );
  }
  if (phenotype.traits[index].kind === 'categorical') {
    throw new AnalysisError(
      'analysis/categorical-trait',
      `The trait "${phenotype.traits[index].name}" holds text, not numbers.`,
      'Code its classes as ordered numbers (1, 2, 3, …), or choose another trait.',
      { trait: name },
    );
  }
  return index;
}

/**
 * Matches the name or the whole header (`Yield (t/ha)`, `Yield|CO_322:1`); exactly, otherwise ignoring case. −1 if
 * none matches.
 */
function placeOfTrait(traits: readonly TraitColumn[], asked: string): number {
  const { name, unit } = parseTraitHeader(asked);
  const tests: ((trait: TraitColumn, same: (a: string, b: string) => boolean) => boolean)[] = [
    (trait, same) => same(trait.name, asked),
    (trait, same) => same(trait.name, name) && (unit === null || same(trait.unit ?? '', unit)),
    (trait, same) => unit !== null && same(trait.name, `${name} (${unit})`),
  ];
  for (const matches of tests) {
    const exact = traits.findIndex((trait) => matches(trait, (a, b) => a === b));
    if (exact >= 0) return exact;
    const other = traits.findIndex((trait) => matches(trait, (a, b) => a.toLowerCase() === b.toLowerCase()));
    if (other >= 0) return other;
  }
  return -1;
}

const SHOWN_NAMES = 3;

function nothingInCommon(samples: readonly string[], individuals: readonly string[]): AnalysisError {
  const shown = (names: readonly string[]) =>
    names.slice(0, SHOWN_NAMES).join(', ') + (names.length > SHOWN_NAMES ? ', …' : '');
  return new AnalysisError(
    'match/nothing-in-common',
    `The genotype (${shown(samples)}) and the phenotype (${shown(individuals)}) have no individual in common.`,
    'Choose the files of the same material, or write the names in both files in the same way.',
    { genotyped: samples.length, phenotyped: individuals.length },
  );
}
