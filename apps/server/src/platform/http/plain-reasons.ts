import type * as z from 'zod';

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const UNITS: Record<string, string> = { string: ' characters', array: ' entries' };

/** Says in plain words what is wrong with a field; undefined leaves the wording to zod. Set once with `z.config`. */
export function plainReason(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing' : `This must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `This must be ${String(issue.values[0])}`
        : `Choose one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'This is not an id' : undefined;
    case 'too_small':
      return `${issue.inclusive === false ? 'More than' : 'At least'} ${issue.minimum}${UNITS[issue.origin] ?? ''}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'Less than' : 'At most'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`;
    default:
      return undefined;
  }
}
