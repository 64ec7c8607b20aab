import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { inputError, type OptionTable } from './command.ts';
import { toInputError } from './input-problems.ts';

/** Meaning of a prefix of PLINK files, and the prefix itself. */
const PREFIX_ENDINGS = ['', '.bed', '.bim', '.fam'];

/**
 * Checks a command's file arguments before it starts: a missing output folder must not be found after hours of work,
 * and a result must not replace an input. Throws an InputError that names the file.
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
    if (path === 'read') taken.set(placeOf(value), name);
    if (path === 'genotype') {
      const prefix = value.replace(/\.bed$/, '');
      for (const ending of PREFIX_ENDINGS) taken.set(placeOf(`${prefix}${ending}`), name);
    }
  }
  for (const { name, path, value } of given) {
    if (path !== 'write' && path !== 'prefix') continue;
    requireWritable(value, path === 'prefix');
    // For export, the format decides whether --out is a prefix.
    for (const ending of PREFIX_ENDINGS) {
      const other = taken.get(placeOf(`${value}${ending}`));
      if (other === undefined) continue;
      throw inputError(
        'E-CLI-SAME-FILE',
        `--${name} would replace the file of --${other}.`,
        'Give the result a name of its own.',
        value,
      );
    }
    taken.set(placeOf(value), name);
  }
}

/** The target of a path after following links, identical for all its spellings; the file itself need not exist. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Missing or inaccessible; the checks report any error.
  }
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return resolve(path);
  }
}

/** Undefined when there is no such file; InputError for a path that cannot be resolved. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toInputError(error) ?? error;
  }
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

function requireWritable(path: string, isPrefix: boolean): void {
  const folder = dirname(path);
  if (statOf(folder)?.isDirectory() !== true) {
    throw inputError(
      'E-FILE-ENOENT',
      `There is no folder "${folder}" to write into.`,
      'Make it first, or check the path.',
      path,
    );
  }
  // Results are written to a temporary name beside the target and renamed, so the folder must be writable.
  requireOpenFolder(folder, path);
  const found = isPrefix ? undefined : statOf(path);
  if (found?.isDirectory() === true) {
    throw inputError('E-FILE-EISDIR', 'This is a folder, not a file.', 'Give the result a file name.', path);
  }
  // For the same reason, a device would be replaced by a regular file.
  if (found !== undefined && !found.isFile()) {
    throw inputError('E-CLI-VALUE', 'Results are written to plain files only.', 'Give the path of a file.', path);
  }
  if (found !== undefined) requireOpenFolder(dirname(placeOf(path)), path);
}

function requireOpenFolder(folder: string, path: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const error = inputError(
      'E-FILE-EACCES',
      `Nothing may be written into the folder "${folder}".`,
      'Check its permissions, or give the result another place.',
      path,
    );
    error.cause = cause;
    throw error;
  }
}
