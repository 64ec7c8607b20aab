import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { inputError } from '../command.ts';

/** One figure that others published, and ours. */
export interface Comparison {
  quantity: string;
  theirs: number;
  ours: number;
  /** Within which both are the same; null where data or folds differ, and the larger is the better. */
  tolerance: number | null;
}

export interface BenchmarkCase {
  name: string;
  /** Who published it, where. */
  source: string;
  /** Files of the data, below the folder of references or by path. */
  data: readonly string[];
  compare(run: CommandRunner): Promise<Comparison[]>;
}

export interface ScoreRow extends Comparison {
  case: string;
  source: string;
  verdict: 'same' | 'differs' | 'higher' | 'lower';
  data: string;
  /** Of the data files, one after the other. */
  sha256: string;
  commands: string;
  seconds: number;
}

/**
 * Runs a command of this program as people do; `OUT` and `EXTRA` among its arguments stand for files, whose text comes
 * back with the path of the first.
 */
type CommandRunner = (
  ...args: string[]
) => Promise<{ summary: Record<string, unknown>; file: string; out: string; extra: string }>;

const BIN = fileURLToPath(new URL('../../bin/heterosis.mjs', import.meta.url));
export const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const REFERENCES = 'packages/statgen/reference';

/** Path of a reference file from the root of the repository. */
export const reference = (path: string): string => `${REFERENCES}/${path}`;

/** The text of a file of the repository or by path, unpacked when its name ends in `.gz`. */
export function textOf(path: string): string {
  const bytes = readFileSync(existsSync(path) ? path : `${REPOSITORY}${path}`);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Rows of a table without quotes. */
export function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, k) => [name, cells[k] ?? '']));
  });
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Runs one comparison. */
export async function score(one: BenchmarkCase, folder: string): Promise<ScoreRow[]> {
  const missing = one.data.find((path) => !existsSync(path) && !existsSync(`${REPOSITORY}${path}`));
  if (missing !== undefined) {
    throw inputError(
      'E-FILE-ENOENT',
      `The data of "${one.name}" are not there: ${missing}.`,
      'Run it in the repository of Heterosis, which has them.',
    );
  }
  const hash = createHash('sha256');
  for (const path of one.data) hash.update(readFileSync(existsSync(path) ? path : `${REPOSITORY}${path}`));
  const started = performance.now();
  const commands: string[] = [];
  const found = await one.compare(async (...args) => {
    const stem = join(folder, `${one.name}-${commands.length}`);
    const [file, extra] = [`${stem}.csv`, `${stem}-extra.csv`];
    const named = args.map((arg) => (arg === 'OUT' ? file : arg === 'EXTRA' ? extra : arg));
    commands.push(`heterosis ${named.map((arg) => (arg.startsWith(folder) ? basename(arg) : arg)).join(' ')}`);
    const stdout = await outputOf([...named, '--json']);
    return { summary: JSON.parse(stdout), file, out: readIfThere(file), extra: readIfThere(extra) };
  });
  const seconds = (performance.now() - started) / 1000;
  const shared = {
    case: one.name,
    source: one.source,
    data: one.data.map((path) => (path.startsWith('/') ? relative(process.cwd(), path) : path)).join(' '),
    sha256: hash.digest('hex'),
    commands: commands.join('; '),
    seconds: Number(seconds.toFixed(1)),
  };
  return found.map((comparison) => ({ ...shared, ...comparison, verdict: verdictOf(comparison) }));
}

function verdictOf({ theirs, ours, tolerance }: Comparison): ScoreRow['verdict'] {
  if (tolerance === null) return ours >= theirs ? 'higher' : 'lower';
  return Math.abs(ours - theirs) <= tolerance ? 'same' : 'differs';
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** Standard output of a command, from the root of the repository, so that what is printed runs as it stands. */
function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(inputError('E-CLI-BENCHMARK', `heterosis ${args.join(' ')} failed: ${stderr.trim()}`));
    });
  });
}
