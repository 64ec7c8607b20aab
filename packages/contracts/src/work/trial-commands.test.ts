import { expect, test } from 'vitest';
import { createTrialAnalysisBody } from './trial-analyses.ts';
import { trialCommands } from './trial-commands.ts';

const ID = '00000000-0000-4000-8000-000000000000';

const commandsOf = (changes: object, files = ['Bonn.csv']): string => {
  const { name, traits, ...parameters } = createTrialAnalysisBody.parse({
    ...{ name: 'Trials', phenotype_ids: files.map(() => ID), traits: ['Yield'] },
    ...changes,
  });
  return trialCommands({
    ...{ name, traits, phenotypes: files.map((file) => ({ id: ID, name: file })), genotype: null, pedigree: null },
    provenance: { parameters },
  });
};

test('says what differs from the defaults, and quotes what a shell would take apart', () => {
  const commands = commandsOf(
    {
      traits: ['Yield, dry'],
      model: 'ar1',
      structure: 'fa2',
      checks: ["O'Neil", 'A,B'],
      row_segments: 8,
      column_segments: 4,
    },
    ["it's.csv"],
  );
  expect(commands.split('\n').slice(5)).toEqual([
    '',
    'heterosis trial \\',
    "  --phenotype './it'\\''s.csv' \\",
    `  --trait '"Yield, dry"' \\`,
    '  --model ar1 \\',
    `  --checks 'O'\\''Neil,"A,B"' \\`,
    "  --segments '8,4' \\",
    '  --out ./Yield_dry_means.csv \\',
    '  --covariance ./Yield_dry_covariance.csv \\',
    '  --plots ./Yield_dry_plots.csv \\',
    '  --report ./Yield_dry_trial.json',
    'heterosis series \\',
    '  --means ./Yield_dry_means.csv \\',
    '  --covariance ./Yield_dry_covariance.csv \\',
    `  --trait '"Yield, dry"' \\`,
    '  --structure fa2 \\',
    '  --out ./Yield_dry_series.csv \\',
    '  --report ./Yield_dry_series.json',
    '',
  ]);
});

test('says other models of single trials, and plots set aside with their reasons', () => {
  const commands = commandsOf({
    structure: 'none',
    overrides: [{ environment: 'Kiel, north', trait: 'Yield', model: 'rowcol' }],
    set_aside: [
      { environment: 'Kiel, north', file_line: 7, reason: 'Deer' },
      { environment: 'Bonn', file_line: 9, trait: 'Height', reason: 'Lodged' },
    ],
  });
  expect(commands).toContain(`--override '"Kiel, north=rowcol"'`);
  expect(commands).toContain(`--set-aside '"Kiel, north:7"'`);
  expect(commands).toContain('# Set aside: the values of the plot in Kiel, north, line 7: Deer');
  expect(commands).not.toContain('had a model of its own');
});

test('joins the tables of several files, and leaves to a person what commands cannot say', () => {
  const commands = commandsOf(
    {
      structure: 'none',
      overrides: [{ environment: 'Kiel', trait: 'Yield', model: 'rowcol' }],
      set_aside: [{ environment: 'Kiel', file_line: 7, reason: 'Deer' }],
    },
    ['a.csv', 'b.csv'],
  );
  expect(commands).toContain(
    '{ cat ./Yield_means_1.csv; for f in ./Yield_means_2.csv; do tail -n +2 "$f"; done; } > ./Yield_means.csv',
  );
  expect(commands).toContain('# Yield in Kiel had a model of its own, rowcol.');
  expect(commands).toContain('# Empty the values of the plot in Kiel, line 7, first: Deer');
  expect(commands).not.toContain('heterosis series');
});
