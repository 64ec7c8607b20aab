import { describe, expect, test } from 'vitest';
import { checkCrossesAgainstSamples } from '../tables/crossing-table/check-crosses.ts';
import { catalogueOf, settledFile } from '../tables/germplasm/germplasm-file.test-data.ts';
import { readPhenotype } from '../tables/phenotype/read-phenotype.ts';
import { codes, linesSource } from '../tables/text/table-text.test-data.ts';
import { matchNames } from './match-names.ts';
import { CATALOGUE_NAMES, CATALOGUE_SYNONYMS, NAME_CASES } from './name-cases.test-data.ts';
import { createNameResolver } from './name-resolver.ts';

const catalogue = { names: CATALOGUE_NAMES, synonyms: CATALOGUE_SYNONYMS };
const entries = catalogueOf(
  CATALOGUE_NAMES,
  Object.fromEntries(CATALOGUE_SYNONYMS.map(([synonym, name]) => [name, { synonyms: [synonym] }])),
);

describe('a name means the same germplasm everywhere', () => {
  test.each(NAME_CASES)('$written: $outcome $name', async ({ written, name, outcome }) => {
    const resolution = createNameResolver(CATALOGUE_NAMES, CATALOGUE_SYNONYMS).resolve(written);
    const inResolver = resolution.status === 'found' ? [resolution.name, resolution.how] : [null, resolution.status];
    expect(inResolver, 'resolver').toEqual([name, outcome]);

    const { both, ambiguous } = matchNames(CATALOGUE_NAMES, [written], { catalogue });
    const isAmbiguous = ambiguous.some(({ side }) => side === 'right');
    const matched = both.map(({ left, how }) => [left, how])[0] ?? [null, isAmbiguous ? 'ambiguous' : 'unknown'];
    expect(matched, 'two lists, as genotype against phenotype').toEqual([name, outcome]);

    // The code of a finding, and none for an exact name or a synonym.
    const code = { exact: [], synonym: [], folded: ['W-NAME-FOLDED'], ambiguous: ['E-NAME-AMBIG'] };
    const ofUnknown = (unknown: string) => (outcome === 'unknown' ? [unknown] : code[outcome]);
    const upload = await settledFile(linesSource('name,mother', `Child,"${written}"`), { catalogue: entries });
    expect(
      codes(upload.report).map(([found]) => found),
      'germplasm upload',
    ).toEqual(ofUnknown('E-GP-PARENT-UNKNOWN'));
    if (name !== null) expect(upload.entries?.[0]?.maternal).toBe(name);

    const cross = { name: 'X', female: written, male: 'B73', progenyCount: null, type: 'biparental' as const, line: 2 };
    const crosses = checkCrossesAgainstSamples([cross], CATALOGUE_NAMES, { catalogue });
    expect(
      codes(crosses.report).map(([found]) => found),
      'crossing table',
    ).toEqual(ofUnknown('E-CT-PARENT-UNKNOWN'));
    if (name !== null) expect(crosses.crosses[0]?.female).toBe(name);

    const phenotype = await readPhenotype(linesSource('line,Yield', `"${written}",1`), {
      knownNames: CATALOGUE_NAMES,
      catalogue,
    });
    const ofNames = codes(phenotype.report).map(([found]) => found);
    expect(
      ofNames.filter((found) => found.includes('NAME')),
      'phenotype',
    ).toEqual(ofUnknown('W-PH-UNMATCHED').filter((found) => found.includes('NAME')));
    expect(ofNames.includes('W-PH-UNMATCHED'), 'phenotype').toBe(name === null);
  });

  test('an unknown name gets the closest names', () => {
    const { resolve, suggest } = createNameResolver(CATALOGUE_NAMES, CATALOGUE_SYNONYMS);
    expect(resolve('Naspot 88')).toEqual({ status: 'unknown' });
    expect(suggest('Naspot 88').map(({ name }) => name)).toContain('Naspot 8');
  });
});
