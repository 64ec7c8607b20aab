import { readFile } from 'node:fs/promises';
import { InputError } from '../command.ts';

interface Problem {
  stage?: string;
  /** Empty: the whole file, or the whole stage. */
  field: string;
  message: string;
}

interface Schema<Value> {
  safeParse(
    json: unknown,
  ):
    | { success: true; data: Value }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}

/**
 * Reads a JSON file of settings of a programme.
 *
 * @param problemsOf what the schema cannot tell
 * @throws InputError with the code, a record for each problem
 */
export async function readSettings<Value>(
  path: string,
  schema: Schema<Value>,
  code: string,
  problemsOf: (value: Value) => readonly Problem[] = () => [],
): Promise<Value> {
  const text = await readFile(path, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw settingsError(path, code, [{ field: '', message: `It is not JSON: ${(error as SyntaxError).message}` }]);
  }
  const parsed = schema.safeParse(json);
  const problems = parsed.success
    ? problemsOf(parsed.data)
    : parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message }));
  if (!parsed.success || problems.length > 0) throw settingsError(path, code, problems);
  return parsed.data;
}

/** Tells the problems of a JSON file, a record for each. */
export const settingsError = (path: string, code: string, problems: readonly Problem[]): InputError =>
  new InputError(
    problems.map(({ stage = '', field, message }) => {
      const place = [stage, field].filter((part) => part !== '').join(', ');
      return {
        ...{ severity: 'error', code, line: null, column: null, value: field === '' ? null : field },
        message: `${place === '' ? '' : `${place}: `}${message}.`,
        suggestion: 'Correct it; the help page "Breeding programmes" explains each field.',
      };
    }),
    path,
  );
