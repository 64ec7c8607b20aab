import { expect, test } from 'vitest';
import { createModelBody } from './models.ts';
import { createParentageCheckBody } from './parentage-checks.ts';
import { createPredictionBody } from './predictions.ts';
import { type RepeatableRun, requestOfRun } from './run-request.ts';
import { runScript, SCRIPT_LANGUAGES, type ScriptedRun } from './run-scripts.ts';

const NAME = 'O\'Neil "$HOME" `x` \\n\nlast é 🌽';

const scripted = (body: Record<string, unknown>): ScriptedRun => ({
  kind: 'gwas',
  name: NAME,
  projectId: '0198c0de-0000-7000-8000-000000000001',
  server: 'https://heterosis.example.org',
  body: { name: NAME, ...body },
});

test('names are written so that each language reads them as they are', () => {
  const run = scripted({ traits: [NAME] });
  const python = runScript('python', run);
  expect(python).toContain(String.raw`    "O'Neil \"$HOME\" ${'`x`'} \\n\nlast é 🌽",`);
  const r = runScript('r', run);
  expect(r).toContain(String.raw`  "O'Neil \"$HOME\" ${'`x`'} \\n\u000alast \u00e9 \U0001f33d",`);
  expect(r.split('\n').filter((line) => !line.startsWith('#'))).toEqual(
    r.split('\n').filter((line) => !line.startsWith('#') && /^[ -~]*$/.test(line)),
  );
  const shell = runScript('shell', run);
  const [, request = ''] = /<<'END'\n([\s\S]*?)\nEND\n/.exec(shell) ?? [];
  expect(JSON.parse(request)).toEqual({ name: NAME, traits: [NAME] });
  expect(shell).toContain('mv "$work/answer" \'./O_Neil_HOME_x_n_last_é_.zip\'');
});

test('a name stays within its comment, and the file of the results within its folder', () => {
  for (const language of SCRIPT_LANGUAGES) {
    const script = runScript(language, { ...scripted({}), body: { name: '../../etc/"\'x' } });
    expect(script).toContain('last é 🌽" and saves');
    expect(script.split('\n').filter((line) => line.startsWith('last'))).toEqual([]);
    expect(script).toContain('_._.._etc_x.zip');
    expect(script).not.toMatch(/\/etc.*zip/);
  }
});

test('numbers, nothing, lists, pairs and records have the words of the language', () => {
  const body = {
    cap: null,
    loco: true,
    min_p: 1e-7,
    pairs: [['a', 'b']],
    weights: { 'a b': 2, é: 1 },
    none: {},
    no: [],
  };
  const python = runScript('python', scripted(body));
  for (const line of ['cap=None,', 'loco=True,', 'min_p=1e-7,', 'pairs=[["a", "b"]],', 'weights={"a b": 2, "é": 1},'])
    expect(python).toContain(`\n    ${line}\n`);
  const r = runScript('r', scripted(body));
  for (const line of [
    'cap = NULL,',
    'loco = TRUE,',
    'pairs = list(list("a", "b")),',
    String.raw`weights = setNames(list(2, 1), c("a b", "\u00e9")),`,
    'none = setNames(list(), character(0)),',
    'no = list()',
  ])
    expect(r).toContain(`\n  ${line}\n`);
});

test('a long list has a line for each item', () => {
  const names = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
  expect(runScript('python', scripted({ exclusions: { samples: names } }))).toContain(
    '    exclusions={\n        "samples": [\n            "Line 0",\n',
  );
  expect(
    Math.max(
      ...runScript('r', scripted({ traits: names }))
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThan(120);
});

const id = '0198c0de-0000-7000-8000-000000000002';
const model = (more: object = {}): RepeatableRun =>
  ({
    ...{ id, name: 'Yield', genotype_id: id, phenotype_id: id, pedigree_id: null, traits: ['Yield'] },
    ...{ include_dominance_effects: true, model_type: 'RRBLUP', status: { Yield: 'EVALUATED' } },
    provenance: {
      seed: 7,
      input_sha256: { genotype: 'ab', phenotype: 'cd' },
      parameters: { n_fold: 5, optimize_time: null, thresh_maf: 0, single_step: undefined },
    },
    ...more,
  }) as RepeatableRun;

test('a request has what started the run, and nothing else', () => {
  expect(requestOfRun(createModelBody, model(), 'Again')).toEqual({
    body: {
      ...{ name: 'Again', genotype_id: id, phenotype_id: id, traits: ['Yield'], dominance_effect: true },
      ...{ model_type: 'RRBLUP', n_fold: 5, optimize_time: null, seed: 7, thresh_maf: 0 },
    },
    gone: [],
  });
});

test('inputs that were deleted are named, those that a run never had are not', () => {
  expect(requestOfRun(createModelBody, model({ phenotype_id: null }), 'Again').gone).toEqual(['phenotype']);
  const check = { genotype_id: id, pedigree: null, pedigree_id: null, traits: [] };
  const provenance = {
    seed: null,
    input_sha256: { genotype: 'ab' },
    parameters: { pedigree: 'germplasm', seek: 'all' },
  };
  expect(requestOfRun(createParentageCheckBody, { ...check, provenance }, 'Again')).toEqual({
    body: { name: 'Again', genotype_id: id, pedigree: 'germplasm', seek: 'all' },
    gone: [],
  });
  const hashes = { genotype: 'ab', pedigree: 'ef' };
  const withFile = { ...provenance, input_sha256: hashes };
  expect(requestOfRun(createParentageCheckBody, { ...check, provenance: withFile }, 'Again').gone).toEqual([
    'pedigree',
  ]);
  const prediction = { model_id: null, genotype_id: id, traits: [], provenance };
  expect(requestOfRun(createPredictionBody, prediction, 'Again').gone).toEqual(['model']);
});
