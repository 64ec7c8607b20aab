// `npm run check`: format, lint, types, borders, circles of imports, unused exports, generated documents, assembled
// kernels. Each step runs even when an earlier one fails; exit 1 when any did. `npm run check -- types borders` runs
// just those.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBorderViolations, layerViolations } from './borders.mjs';
import { findSpecificationViolations } from './brapi-specification.mjs';
import { findStaleKernels } from './build-kernels.mjs';
import { findCircles } from './circles.mjs';
import { findConfigurationTableViolations } from './configuration-table.mjs';
import { findNumberFields, numberFieldsIn } from './number-fields.mjs';
import { findOptionsPageViolations } from './options-page.mjs';
import { findLongParameterLists } from './parameters.mjs';
import { findProblemCodeViolations } from './problem-codes.mjs';
import { findRoleViolations } from './roles.mjs';
import { findFullRooms } from './rooms.mjs';
import { findFaultsOfTexts, findHandMadeLists, findPlacesOfKinds } from './said-once.mjs';
import { findSecurityTableViolations } from './security-table.mjs';
import { findUnusedExports } from './unused-exports.mjs';
import { findWordViolations, subjectViolations, wordViolations } from './words.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Texts that the rule for words must refuse, by the name of the file that they would stand in. */
const WORD_CANARIES = [
  ['a.ts', '// Rules of FORMATS §2.'],
  ['a.ts', '/** What everybody may do (ROLES). */'],
  ['a.ts', "const data = new URL('../../shared/data/', import.meta.url);"],
  ['a.ts', '// Described in docs/absent.md.'],
  ['a.ts', `// ${'long '.repeat(30)}`],
  ['a.md', 'long '.repeat(30)],
];

/** Imports that must be refused. A border check that reads nothing would let them pass. */
const CANARIES = [
  ['packages/contracts/src/a.ts', 'node:fs'],
  ['packages/charts/src/a.ts', '@heterosis/statgen/kinship'],
  ['packages/linalg/src/a.ts', '@heterosis/statgen/kinship'],
  ['packages/file-formats/src/a.ts', '@heterosis/statgen/kinship'],
  ['packages/statgen/src/a.ts', '@heterosis/file-formats/problem'],
  ['packages/statgen/src/b.ts', 'koffi'],
  ['packages/analysis/src/a.ts', '@heterosis/linalg/matrix'],
  ['apps/cli/src/a.ts', '@heterosis/statgen/kinship'],
  ['apps/web/src/features/work/models/a.ts', '@heterosis/analysis/gwas'],
  ['apps/web/src/features/data/trials/a.ts', '@heterosis/statgen/mating/plan-crosses'],
  ['apps/web/src/features/work/crossing-plans/a.ts', '@heterosis/statgen/designs/make-design'],
  ['apps/web/src/components/a.ts', '../features/work/models/models.api.ts'],
  ['apps/server/src/platform/a.ts', '../features/work/models/index.ts'],
  ['apps/server/src/features/people/crops/a.ts', '../../../entrypoints/api.ts'],
];

/** Texts that the rule of layers must refuse, by the name of the file that they would stand in. */
const LAYER_CANARIES = [
  ['apps/server/src/features/data/files/a.routes.ts', "app.get('/files', {}, async () => listFiles());"],
  ['apps/server/src/features/data/files/b.routes.ts', 'await services.db.transaction().execute(work);'],
  ['apps/server/src/features/data/files/c.service.ts', "import type { FastifyRequest } from 'fastify';"],
  ['apps/server/src/features/data/files/d.service.ts', "await db.selectFrom('files').selectAll().execute();"],
];

/** Imports that `borders.mjs` must refuse, and imports that it must let pass. */
const BORDER_CANARIES = {
  refused: [
    ['apps/web/src/features/people/projects/a.ts', '../../shell/index.ts'],
    ['apps/web/src/features/work/runs/b.ts', '../../data/files/index.ts'],
    ['apps/web/src/features/nowhere/c.ts', '../runs/index.ts'],
    ['apps/web/src/features/work/models/d.ts', '../../data/files/files.api.ts'],
    ['apps/web/src/features/data/files/upload/e.ts', '../../../work/runs/run-page.tsx'],
    ['apps/server/src/features/people/crops/f.ts', '../../work/models/index.ts'],
    ['apps/server/src/entrypoints/c.ts', '../../tools/s3-stand-in/s3-server.ts'],
    ['apps/server/src/features/people/crops/b.ts', '../projects/projects.queries.ts'],
    ['apps/server/src/features/work/runs/kinds/a.ts', '../../../people/projects/projects.queries.ts'],
  ],
  allowed: [
    ['apps/web/src/features/work/models/g.ts', '../../data/files/index.ts'],
    ['apps/web/src/features/data/files/upload/h.ts', '../check/import-report.tsx'],
    ['apps/server/src/features/work/models/i.ts', '../../people/crops/index.ts'],
  ],
};

/** Lists of kinds and of types of file that must be refused, and what must not be. */
const LISTS = {
  array: "export const KINDS = ['model', 'prediction', 'gwas'];\n",
  union: "export type Type = 'GENOTYPE' | 'PHENOTYPE' | 'LINKAGE_MAP';\n",
  object: 'export const words = { model: 1, prediction: 2, gwas: 3 };\n',
  cases: "switch (kind) {\n  case 'model':\n  case 'gwas':\n  case 'prediction':\n}\n",
  sql: 'sql`select from models join gwas join predictions`;\n',
};
const NO_LISTS = {
  record: 'export const words: Record<RunKind, number> = { model: 1, prediction: 2, gwas: 3 };\n',
  choice: "export const types = ['GENOTYPE', 'PHENOTYPE'];\n",
};

/** Fields for numbers that must be refused beside `NumberField`, and what must not be. */
const NUMBER_FIELDS = ['<NumberInput label="MAF" />', '<input type="number" />', "<TextInput inputMode={'decimal'} />"];
const NO_NUMBER_FIELDS = ['<NumberField label="MAF" />', '<TextInput inputMode="email" />'];

/** The longest function that is no test may have so many lines, all counted. */
const LONGEST_FUNCTION = 150;
const functionOf = (lines) => `export function f() {\n${'  f();\n'.repeat(lines - 2)}}\n`;

/** A function that must be refused for its length, and what must not be. */
const LONG_FUNCTIONS = { 'packages/statgen/src/long.ts': functionOf(LONGEST_FUNCTION + 1) };
const NO_LONG_FUNCTIONS = {
  'packages/statgen/src/short.ts': functionOf(LONGEST_FUNCTION),
  'packages/statgen/src/long.test.ts': functionOf(LONGEST_FUNCTION + 1),
};

const steps = {
  format: () => passed(bin('biome'), ['ci', '--error-on-warnings', '.']),
  lint: () => passed(bin('oxlint'), ['--deny-warnings', 'packages', 'apps', 'e2e', 'scripts']),
  // One checker: each further one checks what files share once more, four take two thirds more CPU time.
  types: () => passed(bin('tsc'), ['-b', '--checkers', '1']),
  borders: () => report(findBorderViolations(root)),
  circles: () => report(findCircles(root)),
  exports: () => report(findUnusedExports(root)),
  rooms: () => report(findFullRooms(root)),
  parameters: () => report(findLongParameterLists(root)),
  numbers: () => report([...findNumberFields(root), ...passingNumberCanaries()]),
  lists: () => report([...findHandMadeLists(root), ...findFaultsOfTexts(root), ...findPlacesOfKinds(root)]),
  canaries: () =>
    report([
      ...passingCanaries(),
      ...passingLengthCanaries(),
      ...passingBorderCanaries(),
      ...passingCircleCanary(),
      ...passingExportCanary(),
      ...passingRoomCanary(),
      ...passingParametersCanary(),
      ...passingListCanaries(),
    ]),
  settings: () => report(findConfigurationTableViolations(root)),
  options: () => report(findOptionsPageViolations(root)),
  codes: () => report([...findProblemCodeViolations(root), ...findSpecificationViolations(root)]),
  roles: () => report(findRoleViolations(root)),
  security: () => report(findSecurityTableViolations(root)),
  words: () => report([...findWordViolations(root), ...passingWordCanaries()]),
  kernels: async () => report(await findStaleKernels()),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) {
  process.stderr.write(`No step is called ${unknown.join(', ')}. Steps: ${Object.keys(steps).join(', ')}.\n`);
  process.exit(2);
}

let failed = 0;
for (const name of chosen.length > 0 ? chosen : Object.keys(steps)) {
  const ok = await steps[name]();
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} check: ${name}\n`);
  if (!ok) failed++;
}
process.exit(failed === 0 ? 0 : 1);

function passed(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function report(violations) {
  for (const violation of violations) process.stdout.write(`${violation}\n`);
  return violations.length === 0;
}

function passingWordCanaries() {
  const passing = WORD_CANARIES.filter(([path, text]) => wordViolations(path, text, () => false).length === 0);
  const isLongSubjectRefused = subjectViolations(['s'.repeat(73), 's'.repeat(72)]).length === 1;
  return [
    ...passing.map(([path, text]) => `canary passed: ${path} may say ${text}`),
    ...(isLongSubjectRefused ? [] : ['canary passed: a commit subject of 73 characters, or one of 72 did not']),
  ];
}

function passingNumberCanaries() {
  return [
    ...NUMBER_FIELDS.filter((text) => numberFieldsIn('a.tsx', text).length !== 1).map(
      (text) => `canary passed: a page may have ${text}`,
    ),
    ...NO_NUMBER_FIELDS.flatMap((text) => numberFieldsIn('a.tsx', text)).map((line) => `canary refused: ${line}`),
  ];
}

/** Checks two exports, one of them unused, and returns a line unless exactly the unused one is found. */
function passingExportCanary() {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    for (const folder of ['apps', 'packages', 'e2e', 'scripts']) mkdirSync(join(sandbox, folder));
    const exports = ['named', 'unnamed', 'tested', 'own'].map((name) => `export const ${name} = 1;\n`);
    const types = 'export type Untold = string;\nexport interface Told {\n  next: Told;\n}\n';
    writeFileSync(join(sandbox, 'packages', 'a.ts'), `${exports.join('')}export const named2 = own;\n${types}`);
    writeFileSync(join(sandbox, 'apps', 'b.ts'), "import { named, named2 } from '../packages/a.ts';\n");
    writeFileSync(join(sandbox, 'apps', 'b.test.ts'), "import { own, tested } from '../packages/a.ts';\n");
    const found = findUnusedExports(sandbox).map((line) => line.split(' ')[1]);
    return found.join() === 'unnamed,tested,Untold'
      ? []
      : [`canary passed: unused exports are not found, but ${found}`];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Checks a folder of 31 files, one of them of 501 lines, and returns a line unless both are found. */
function passingRoomCanary() {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    for (const folder of ['apps', 'packages', 'clients', 'e2e', 'scripts', 'docs']) mkdirSync(join(sandbox, folder));
    for (let i = 0; i < 31; i++) writeFileSync(join(sandbox, 'apps', `${i}.ts`), '\n'.repeat(i === 0 ? 501 : 500));
    const found = findFullRooms(sandbox);
    return found.length === 2 ? [] : [`canary passed: a full folder and a long file are not found, but ${found}`];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Checks a function of five parameters, which the list does not have, and one of four, which it still has. */
function passingParametersCanary() {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    for (const folder of ['apps', 'packages']) mkdirSync(join(sandbox, folder));
    const texts = { 'five.ts': 'a, b, c, d, e', 'four.ts': 'a, b, c, d', 'listed.ts': 'a, b, c, d, e' };
    for (const [name, parameters] of Object.entries(texts))
      writeFileSync(join(sandbox, 'apps', name), `export function f(${parameters}) {}\n`);
    const allowed = { 'apps/four.ts': 1, 'apps/listed.ts': 1 };
    const found = findLongParameterLists(sandbox, allowed).map((line) => line.split(':')[0]);
    return found.join() === 'apps/five.ts,apps/four.ts'
      ? []
      : [`canary passed: long lists of parameters are not found, but ${found}`];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Checks the borders of a copy of the folder layout, and returns the canaries that were judged wrongly. */
function passingBorderCanaries() {
  const { refused, allowed } = BORDER_CANARIES;
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    mkdirSync(join(sandbox, 'packages'));
    writeFileSync(join(sandbox, 'package.json'), '{ "devDependencies": {} }');
    for (const workspace of ['apps/web', 'apps/server', 'clients/typescript', 'e2e']) {
      mkdirSync(join(sandbox, workspace), { recursive: true });
      writeFileSync(join(sandbox, workspace, 'package.json'), '{}');
    }
    for (const [path, target] of [...refused, ...allowed]) {
      mkdirSync(dirname(join(sandbox, path)), { recursive: true });
      writeFileSync(join(sandbox, path), `import { thing } from '${target}';\nexport const used = thing;\n`);
    }
    const violations = findBorderViolations(sandbox);
    const isRefused = ([path]) => violations.some((violation) => violation.startsWith(`${path}: `));
    return [
      ...refused
        .filter((canary) => !isRefused(canary))
        .map((canary) => `canary passed: ${canary.join(' may import ')}`),
      ...allowed.filter(isRefused).map((canary) => `canary refused: ${canary.join(' may not import ')}`),
      ...LAYER_CANARIES.filter(([path, text]) => layerViolations(path, text).length === 0).map(
        ([path]) => `canary passed: ${path} leaves its layer`,
      ),
    ];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Checks a circle of two files, by a type and by a package's name, and returns a line unless it alone is found. */
function passingCircleCanary() {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  const texts = {
    'packages/one/src/a.ts': "import type { B } from './b/b.ts';\nexport type A = B;\n",
    'packages/one/src/b/b.ts': "export type { A as B } from '@heterosis/one/a';\n",
    'apps/c.ts': "import { d } from './d.ts';\nexport const c = d;\n",
    'apps/d.ts': "import type { A } from '@heterosis/one/a';\nexport const d: A | null = null;\n",
  };
  try {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(sandbox, path)), { recursive: true });
      writeFileSync(join(sandbox, path), text);
    }
    const found = findCircles(sandbox);
    return found.length === 1 && /one\/src\/a\.ts → .*b\.ts; .*b\.ts → .*a\.ts$/.test(found[0])
      ? []
      : [`canary passed: a circle of two files was not found, but ${JSON.stringify(found)}`];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Returns a line for each list by hand that was not found, and for each other text that was taken for one. */
function passingListCanaries() {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    const folder = join(sandbox, 'apps', 'web', 'src');
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(sandbox, 'packages'));
    for (const [name, text] of Object.entries({ ...LISTS, ...NO_LISTS }))
      writeFileSync(join(folder, `${name}.ts`), text);
    writeFileSync(join(sandbox, 'packages', 'palette.ts'), `if (kind === 'parentage${'_'}check') show();\n`);
    for (const folder of ['clients', 'scripts']) mkdirSync(join(sandbox, folder));
    const places = findPlacesOfKinds(sandbox).length;
    const found = findHandMadeLists(sandbox).map((line) => line.replace(/^.*\/(\w+)\.ts:1: .*$/, '$1'));
    return [
      ...Object.keys(LISTS)
        .filter((name) => !found.some((one) => one.includes(name)))
        .map((name) => `canary passed: a list by hand (${name}) was not found`),
      ...Object.keys(NO_LISTS)
        .filter((name) => found.includes(name))
        .map((name) => `canary refused: ${name} is no list by hand`),
      ...(places === 1 ? [] : ['canary passed: a file that names a kind of run was not found']),
    ];
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

/** Returns the imports that must be refused and were not. */
function passingCanaries() {
  const refused = refusedFiles(
    Object.fromEntries(
      CANARIES.map(([path, target]) => [path, `import { thing } from '${target}';\nexport const used = thing;\n`]),
    ),
    'no-restricted-imports',
  );
  return CANARIES.filter(([path]) => !refused.has(path)).map(
    ([path, target]) => `canary passed: ${path} may import ${target}`,
  );
}

/** Returns a line for each function that is too long and was not refused, and for each other that was. */
function passingLengthCanaries() {
  const refused = refusedFiles({ ...LONG_FUNCTIONS, ...NO_LONG_FUNCTIONS }, 'max-lines-per-function');
  return [
    ...Object.keys(LONG_FUNCTIONS)
      .filter((path) => !refused.has(path))
      .map((path) => `canary passed: the function of ${path} may have ${LONGEST_FUNCTION + 1} lines`),
    ...Object.keys(NO_LONG_FUNCTIONS)
      .filter((path) => refused.has(path))
      .map((path) => `canary refused: the function of ${path} is not too long`),
  ];
}

/** Lints files, text by path, in a copy of the folder layout; returns the paths of those that break the rule. */
function refusedFiles(files, rule) {
  const sandbox = mkdtempSync(join(tmpdir(), 'heterosis-canary-'));
  try {
    copyFileSync(join(root, '.oxlintrc.json'), join(sandbox, '.oxlintrc.json'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(sandbox, path)), { recursive: true });
      writeFileSync(join(sandbox, path), text);
    }
    const { stdout } = spawnSync(bin('oxlint'), ['--format', 'json', '.'], { cwd: sandbox, encoding: 'utf8' });
    return new Set(
      JSON.parse(stdout)
        .diagnostics.filter((diagnostic) => diagnostic.code.includes(rule))
        .map((diagnostic) => diagnostic.filename.replaceAll('\\', '/').replace(/^\.\//, '')),
    );
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}
