import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { isWhole } from '@heterosis/test-support/whole';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heterosis } from './main.test-data.ts';

const BIN = fileURLToPath(new URL('../bin/heterosis.mjs', import.meta.url));
const MAIZE = fileURLToPath(new URL('../../../packages/statgen/reference/maize-mdp/', import.meta.url));
const SIM4X = fileURLToPath(new URL('../../../packages/statgen/reference/sim4x/', import.meta.url));
const VCF = join(MAIZE, 'genotypes.vcf.gz');
const PHENOTYPES = join(MAIZE, 'phenotypes.csv');
const TRAIT = ['--phenotype', PHENOTYPES, '--trait', 'EarHT'];

const folder = mkdtempSync(join(tmpdir(), 'heterosis-scripts-'));
const temporary = join(folder, 'tmp');
beforeAll(() => {
  mkdirSync(temporary);
  symlinkSync('loop', at('loop'));
  copyFileSync(VCF, at('maize.vcf.gz'));
  symlinkSync('maize.vcf.gz', at('link.vcf.gz'));
  for (const ending of ['bed', 'bim', 'fam']) writeFileSync(at(`set.${ending}`), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(args: string[], stdio: ('pipe' | 'ignore' | number)[] = ['ignore', 'pipe', 'pipe']): ChildProcess {
  return spawn(process.execPath, [BIN, ...args], { stdio, cwd: folder, env: { ...process.env, TMPDIR: temporary } });
}

async function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const asProcess = (...args: string[]): Promise<Ended> => ended(start(args));

/** In this process, where a process of its own would show nothing more. */
async function within(place: string, ...args: string[]): Promise<Ended> {
  const before = process.cwd();
  process.chdir(place);
  try {
    return await heterosis(...args);
  } finally {
    process.chdir(before);
  }
}

function shell(script: string): Promise<Ended> {
  return new Promise((resolve) => {
    const heterosisOf = `heterosis() { ${JSON.stringify(process.execPath)} ${JSON.stringify(BIN)} "$@"; }\n`;
    execFile('bash', ['-c', heterosisOf + script], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test('without a command it explains itself and says by its exit code that nothing was done', async () => {
  const { code, stdout, stderr } = await asProcess();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Usage: heterosis COMMAND');
});

test.each([
  ['an abbreviated option', ['gwas', '--geno', 'x'], 'Did you mean --genotype?'],
  ['a number with a decimal comma', ['qc', '--genotype', VCF, '--threads', '1,5'], 'Write decimals with a point.'],
  ['a hexadecimal number', ['qc', '--genotype', VCF, '--threads', '0x2'], 'not "0x2"'],
  [
    'a seed that cannot be held exactly',
    ['evaluate', '--genotype', VCF, ...TRAIT, '--out', 'e.csv', '--seed', '99999999999999999999'],
    '--seed must be a whole number',
  ],
  ['an empty command', [''], 'There is no command "". Run: heterosis --help'],
  ['an option given twice', ['qc', '--genotype', VCF, '--genotype', VCF], '--genotype is given twice. Give it once.'],
  [
    'an open quote',
    ['train', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', '"a,b', '--out', 'x'],
    'a quote',
  ],
  [
    'two inputs from one pipe',
    ['gwas', '--genotype', '-', '--phenotype', '-', '--trait', 'T', '--out', 'x'],
    'both read',
  ],
  ['a name that is too long', ['qc', '--genotype', 'x'.repeat(5000)], 'E-FILE-ENAMETOOLONG'],
  ['a link to itself', ['qc', '--genotype', 'loop'], 'E-FILE-ELOOP loop: This link leads back to itself.'],
  [
    'a result in place of the file behind a link',
    ['qc', '--genotype', 'link.vcf.gz', '--out', 'maize.vcf.gz'],
    'SAME-FILE',
  ],
  [
    'a result in place of a PLINK file',
    ['kinship', '--genotype', 'set', '--out', 'set.fam'],
    'E-CLI-SAME-FILE set.fam',
  ],
])('%s is refused with what to do', async (_case, args, text) => {
  const { code, stdout, stderr } = await within(folder, ...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(text);
  expect(stderr).not.toContain('    at ');
});

test('a folder that may not be written into is found before the work begins', async () => {
  mkdirSync(at('closed'));
  chmodSync(at('closed'), 0o555);
  // Root can write everywhere unless it drops that capability.
  const asOthers = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search' : '';
  const { code, stderr } = await shell(
    `${asOthers} '${process.execPath}' '${BIN}' train --genotype '${VCF}' --phenotype '${PHENOTYPES}' --trait EarHT --out closed/m.json`,
  );
  expect([code, stderr.split('\n').length]).toEqual([2, 2]);
  expect(stderr).toContain('error E-FILE-EACCES closed/m.json: Nothing may be written into the folder');
});

test('genotypes and phenotypes come through pipes as well as from files, and leave nothing behind', async () => {
  await asProcess('gwas', '--genotype', VCF, ...TRAIT, '--out', 'file.csv');
  const child = start(['gwas', '--genotype', '-', ...TRAIT, '--out', 'pipe.csv'], ['pipe', 'pipe', 'pipe']);
  if (child.stdin !== null) createReadStream(VCF).pipe(createGunzip()).pipe(child.stdin);
  const { code, stderr } = await ended(child);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('warning W-GT-MONO /dev/stdin: 186 markers');
  const substituted = await shell(
    `heterosis gwas --genotype <(gzip -cd '${VCF}') --phenotype <(cat '${PHENOTYPES}') --trait EarHT --out substituted.csv`,
  );
  expect(substituted.code, substituted.stderr).toBe(0);
  for (const name of ['pipe.csv', 'substituted.csv']) {
    expect(readFileSync(at(name)).equals(readFileSync(at('file.csv'))), name).toBe(true);
  }
  expect(readdirSync(temporary)).toEqual([]);
});

test('a reader of the output that goes away is no failure, a full disk behind it is one', async ({ skip }) => {
  const cut = await shell(
    `set -o pipefail; heterosis gwas --genotype '${VCF}' --phenotype '${PHENOTYPES}' --trait EarHT --out cut.csv 2>&1 | true`,
  );
  expect(cut).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(at('cut.csv'))).toBe(true);
  if (!existsSync('/dev/full')) skip('there is no /dev/full');
  const full = openSync('/dev/full', 'w');
  const out = await ended(start(['qc', '--genotype', VCF], ['ignore', full, 'pipe']));
  expect(out.code).toBe(2);
  expect(out.stderr).toContain('error E-FILE-ENOSPC standard output: The disk is full.');
  expect((await ended(start(['qc', '--genotype', VCF], ['ignore', 'pipe', full]))).code).toBe(0);
});

// One handler hears them all.
const signals = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;
test.each(isWhole ? signals : signals.slice(0, 1))(
  '%s ends a run at once with exit code %i and leaves neither results nor temporary files',
  async (signal, expected) => {
    const child = start([
      ...['evaluate', '--genotype', VCF, ...TRAIT, '--out', `${signal}.csv`],
      ...['--n-repetition', '2000', '--threads', '1'],
    ]);
    // Warnings about the genotype follow its reading: from here on the models are fitted.
    child.stderr?.once('data', () => setTimeout(() => child.kill(signal), 200));
    const { code, stderr } = await ended(child);
    expect(code, stderr).toBe(expected);
    expect(stderr.endsWith('stopped\n')).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([]);
  },
);

test('a pipe that nobody closes does not keep a stopped run waiting', async () => {
  const child = start(['qc', '--genotype', '-'], ['pipe', 'pipe', 'pipe']);
  child.stdin?.write('##fileformat=VCFv4.2\n');
  const wait = setInterval(() => {
    if (readdirSync(temporary).length === 0) return;
    clearInterval(wait);
    child.kill('SIGTERM');
  }, 50);
  const { code } = await ended(child);
  expect(code).toBe(143);
  expect(readdirSync(temporary)).toEqual([]);
});

test('the same input gives the same bytes whatever the order of the phenotypes, and with more threads the same numbers', async () => {
  const [header = '', ...lines] = readFileSync(PHENOTYPES, 'utf8').trimEnd().split('\n');
  writeFileSync(at('turned.csv'), `${[header, ...lines.toReversed()].join('\n')}\n`);
  const train = async (phenotypes: string, threads: string) => {
    const { code, stderr } = await asProcess(
      ...['train', '--genotype', VCF, '--phenotype', phenotypes, '--trait', 'EarHT,dpoll'],
      ...['--threads', threads, '--out', 'm.json'],
    );
    expect(code, stderr).toBe(0);
    return readFileSync(at('m.json'), 'utf8');
  };
  const first = await train(PHENOTYPES, '1');
  expect((await train(PHENOTYPES, '1')) === first).toBe(true);
  expect((await train(at('turned.csv'), '1')) === first).toBe(true);
  const effects = (text: string): number[][] =>
    JSON.parse(text).traits.map(({ fit }: { fit: { gebv: number[] } }) => fit.gebv);
  const threaded = effects(await train(PHENOTYPES, '2'));
  for (const [t, gebv] of effects(first).entries()) {
    for (const [i, value] of gebv.entries()) expect(Math.abs(threaded[t]![i]! / value - 1)).toBeLessThan(1e-9);
  }
});

test('a trait that is not there is refused before the genotype is read, and one that is named twice counts once', async () => {
  const missing = await within(
    folder,
    ...['gwas', '--genotype', VCF, '--phenotype', PHENOTYPES, '--trait', 'Nope', '--out', 'x'],
  );
  expect(missing.stderr.split('\n')).toHaveLength(2);
  writeFileSync(at('quoted.csv'), readFileSync(PHENOTYPES, 'utf8').replace('EarHT', '"Ear, height"'));
  const twice = await within(
    folder,
    ...['train', '--genotype', VCF, '--phenotype', 'quoted.csv', '--trait', '"Ear, height",dpoll,DPOLL'],
    ...['--out', 'm2.json', '--json'],
  );
  expect(twice.code, twice.stderr).toBe(0);
  expect(JSON.parse(twice.stdout).traits.map(({ trait }: { trait: string }) => trait)).toEqual([
    'Ear, height',
    'dpoll',
  ]);
});

test('a result goes to where its link leads', async () => {
  writeFileSync(at('elsewhere.csv'), '');
  symlinkSync('elsewhere.csv', at('linked.csv'));
  expect((await within(folder, 'kinship', '--genotype', VCF, '--out', 'linked.csv')).code).toBe(0);
  expect(readFileSync(at('elsewhere.csv'), 'utf8')).toContain('id,');
});

test('an older Node hands over to the one of the project', async ({ skip }) => {
  const old = (process.env['PATH'] ?? '')
    .split(':')
    .map((path) => join(path, 'node'))
    .filter((path) => existsSync(path));
  for (const node of old) {
    const found = await new Promise<string>((resolve) => execFile(node, ['--version'], (_error, out) => resolve(out)));
    if (!/^v(18|20)\./.test(found)) continue;
    const version = await new Promise<string>((resolve) =>
      execFile(node, [BIN, '--version'], (_e, out) => resolve(out)),
    );
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
    return;
  }
  skip('there is no Node 18 or 20 on the PATH');
});

test('every example of the help pages runs as it is printed', { tags: 'whole', timeout: 180_000 }, async () => {
  const place = at('examples');
  mkdirSync(place);
  const write = (name: string, text: string | Buffer) => writeFileSync(join(place, name), text);
  // Every sixth marker, and those that the examples name.
  const named = /\t(?:PZA01271|PZA03591|PZB00859)\.1\t/;
  const all = gunzipSync(readFileSync(VCF)).toString().trimEnd().split('\n');
  const vcf = `${all.filter((row, k) => row.startsWith('#') || k % 6 === 0 || named.test(row)).join('\n')}\n`;
  const inbred = vcf.replaceAll(/\t(?:0\/1|1\/0)/g, '\t0/0');
  for (const name of ['maize.vcf.gz', 'candidates.vcf.gz', 'lines.vcf.gz']) write(name, gzipSync(vcf));
  const [head, ...rows] = readFileSync(PHENOTYPES, 'utf8').trimEnd().split('\n');
  write('traits.csv', [`${head},family`, ...rows.map((row, k) => `${row},${'ABC'[k % 3]}`), ''].join('\n'));
  // Two trials of every line, the second 4 cm taller and with other errors.
  const plots = rows.flatMap((row, k) => {
    const [line, value] = row.split(',');
    return value ? [`${line},A,${value}`, `${line},B,${Number(value) + 4 + ((7 * k) % 5)}`] : [];
  });
  write('plots.csv', `line,environment,EarHT\n${plots.join('\n')}\n`);
  const measured = rows
    .map((row) => row.split(','))
    .filter(([, value]) => value)
    .slice(0, 60);
  const means = measured.map(([line, value]) => `A,Yield,${line},${value},2,2`);
  write('means.csv', `environment,trait,line,mean,se,replicates\n${means.join('\n')}\n`);
  const pairs = measured.flatMap(([line], i) =>
    measured.slice(0, i + 1).map(([other], j) => `A,Yield,${line},${other},${i === j ? 4 : 0.5}`),
  );
  write('covariance.csv', `environment,trait,line1,line2,covariance\n${pairs.join('\n')}\n`);
  const flowered = rows.map((row) => row.split(',')).filter(([, , days]) => days);
  write('early.csv', `line,dpoll\n${flowered.map(([line, , days]) => `${line},${days}`).join('\n')}\n`);
  const yields = rows.flatMap((row, k) => {
    const [line, value] = row.split(',');
    return value ? [[line, value, Number(value) + (k % 7), Number(value) - (k % 5)].join(',')] : [];
  });
  write('yields.csv', `line,E1,E2,E3\n${yields.join('\n')}\n`);
  write('potato.vcf.gz', readFileSync(join(SIM4X, 'sim4x.vcf.gz')));
  write('tubers.csv', readFileSync(join(SIM4X, 'phenotypes.csv'), 'utf8').replace(',y,', ',shape,'));
  write('elite.txt', 'B73\nMO17\n');
  write('parents.vcf', inbred);
  write('parents.vcf.gz', gzipSync(inbred));
  write('crosses.csv', 'female,male\nB73,MO17\n');
  write('folds.csv', readFileSync(join(MAIZE, 'gp/cv_folds_EarHT.csv')));
  const run = async (line: string) => {
    const { code, stderr } = await within(place, ...line.trim().split(/\s+/).slice(1));
    return code === 0 ? 'ok' : `${line}\n${stderr}`;
  };
  expect(await run('heterosis import --genotype maize.vcf.gz --out maize')).toBe('ok');
  copyFileSync(join(place, 'maize.linkmaptemp.csv'), join(place, 'map.csv'));
  const small = inbred.split('\n').map((row) => (row.startsWith('##') ? row : row.split('\t').slice(0, 15).join('\t')));
  write('lines.vcf', small.join('\n'));
  write('effects.csv', 'marker,effect_allele,T_additive\nPZB00859.1,A,1\nPZA01271.1,G,1\n');
  const examples: string[] = [];
  // In the order in which each page uses the previous page's result.
  for (const command of [
    'train',
    'predict',
    'evaluate',
    'gwas',
    'kinship',
    'prune',
    'qc',
    'import',
    'export',
    'phase',
    'cross',
  ]) {
    const { stdout } = await heterosis(command, '--help');
    examples.push(
      ...(/^EXAMPLES\n([\s\S]+)$/m
        .exec(stdout)?.[1]
        ?.replaceAll(/ \\\n */g, ' ')
        .trim()
        .split('\n') ?? []),
    );
  }
  expect(examples.length).toBeGreaterThan(15);
  for (const example of examples) expect(await run(example)).toBe('ok');
});
