import { type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { inputError, type OptionTable } from './command.ts';

/** Endings that a name given as a prefix gets, of those that an input could have. */
const PREFIX_ENDINGS = ['', '.bed'];

/**
 * Looks at the files a command is given before it begins: hours of work must not end at a folder that is not there, and a result must not
 * replace an input. Throws an InputError that names the file.
 */
export function checkPaths(table: OptionTable, values: Record<string, unknown>): void {
  const given = Object.entries(table).flatMap(([name, { path }]) => {
    const value = values[name];
    return path === undefined || typeof value !== 'string' ? [] : [{ name, path, value }];
  });
  for (const { path, value } of given) {
    if (path === 'read' || path === 'genotype') requireReadable(value, path === 'genotype');
  }
  const taken = new Map<string, string>();
  for (const { name, path, value } of given) {
    if (path === 'read') taken.set(resolve(value), name);
    if (path === 'genotype') for (const ending of PREFIX_ENDINGS) taken.set(resolve(`${value}${ending}`), name);
  }
  for (const { name, path, value } of given) {
    if (path !== 'write' && path !== 'prefix') continue;
    if (path === 'write') requireWritable(value);
    for (const ending of PREFIX_ENDINGS) {
      const other = taken.get(resolve(`${value}${ending}`));
      if (other === undefined) continue;
      throw inputError(
        'E-CLI-SAME-FILE',
        `--${name} would replace the file of --${other}.`,
        'Give the result a name of its own.',
        value,
      );
    }
    taken.set(resolve(value), name);
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function requireReadable(path: string, mayBePrefix: boolean): void {
  const found = statOf(path);
  if (found?.isDirectory() === true && !(mayBePrefix && statOf(`${path}.bed`) !== undefined)) {
    throw inputError('E-FILE-EISDIR', 'This is a folder, not a file.', 'Give the path of a file.', path);
  }
  if (found === undefined && !(mayBePrefix && statOf(`${path}.bed`) !== undefined)) {
    throw inputError('E-FILE-ENOENT', 'There is no such file.', 'Check the path.', path);
  }
}

function requireWritable(path: string): void {
  const folder = dirname(path);
  if (statOf(folder)?.isDirectory() !== true) {
    throw inputError(
      'E-FILE-ENOENT',
      `There is no folder "${folder}" to write into.`,
      'Make it first, or check the path.',
      path,
    );
  }
  const found = statOf(path);
  if (found?.isDirectory() === true) {
    throw inputError('E-FILE-EISDIR', 'This is a folder, not a file.', 'Give the result a file name.', path);
  }
  // A result is written beside its place and then renamed, which would replace a device by a file.
  if (found !== undefined && !found.isFile()) {
    throw inputError('E-CLI-VALUE', 'Results are written to plain files only.', 'Give the path of a file.', path);
  }
}
