import { createReadStream, createWriteStream, fstatSync, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { inputError, type OptionTable } from './command.ts';

const STANDARD_INPUT = '/dev/stdin';

/** Piped inputs, as files. */
export interface SpooledPipes {
  /** The options with file names in place of pipe names. */
  values: Record<string, unknown>;
  /** The name by which the user gave a file. */
  nameOf(path: string): string;
  /** Deletes the files. */
  remove(): void;
}

/** `-` means standard input wherever a file is read. Throws an InputError when two options use it. */
export function nameStandardInput(table: OptionTable, values: Record<string, unknown>): Record<string, unknown> {
  const named = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isInput(table, name) && value === '-' ? STANDARD_INPUT : value,
    ]),
  );
  const readers = Object.keys(named).filter((name) => named[name] === STANDARD_INPUT);
  if (readers.length > 1) {
    throw inputError(
      'E-CLI-OPTION',
      `${readers.map((name) => `--${name}`).join(' and ')} cannot both read the standard input.`,
      'Give one of them as a file.',
    );
  }
  return named;
}

/**
 * Copies piped inputs (`bcftools view … | heterosis qc --genotype -`, or `<(…)` of the shell) into temporary files:
 * readers seek in a file, but a pipe can be read only once, from start to end.
 */
export async function spoolPipes(
  table: OptionTable,
  values: Record<string, unknown>,
  signal: AbortSignal,
): Promise<SpooledPipes> {
  const pipes = Object.entries(values).filter(([name, value]) => isInput(table, name) && isPipe(value));
  const names = new Map<string, string>();
  if (pipes.length === 0) return { values, nameOf: (path) => path, remove: () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'heterosis-input-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const [name, value] of pipes) {
      const copy = join(folder, name);
      names.set(copy, String(value));
      // A socket, which other programs may pass as standard input, cannot be opened by name.
      const source = value === STANDARD_INPUT ? process.stdin : createReadStream(String(value));
      await pipeline(source, createWriteStream(copy), { signal });
    }
  } catch (error) {
    remove();
    throw error;
  }
  const copies = Object.fromEntries([...names.keys()].map((copy, i) => [pipes[i]?.[0] ?? '', copy]));
  return { values: { ...values, ...copies }, nameOf: (path) => names.get(path) ?? path, remove };
}

/** Open files of this process named by its arguments, such as `<(…)` of the shell: `/dev/fd/63`. */
export function namedDescriptors(args: readonly string[]): number[] {
  return args.flatMap((argument) => {
    const [, digits] = /(?:\/dev\/fd|\/proc\/self\/fd)\/(\d{1,4})$/.exec(argument) ?? [];
    return digits !== undefined && Number(digits) > 2 && isOpen(Number(digits)) ? [Number(digits)] : [];
  });
}

function isInput(table: OptionTable, name: string): boolean {
  const path = table[name]?.path;
  return path === 'read' || path === 'genotype';
}

function isPipe(path: unknown): boolean {
  const found = typeof path === 'string' ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return found !== undefined && (found.isFIFO() || found.isSocket());
}

function isOpen(descriptor: number): boolean {
  try {
    fstatSync(descriptor);
    return true;
  } catch {
    return false;
  }
}
