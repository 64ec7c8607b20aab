import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The body of a request to Stripe: text, lists and maps of text. */
export type Form = { [name: string]: string | Form };

/** What Stripe answers to a request that it does not accept. */
export interface ParamError {
  code: 'parameter_unknown' | 'parameter_missing' | 'parameter_invalid';
  message: string;
  param: string;
}

interface Member {
  type: string;
  isRequired: boolean;
}
interface Declarations {
  interfaces: Map<string, { members: Map<string, Member>; parent: string | undefined }>;
  aliases: Map<string, string>;
}

/** The entry lies beside the folder of the declarations. */
const RESOURCES = join(dirname(createRequire(import.meta.url).resolve('stripe')), 'resources');
const known = new Map<string, Declarations>();

/**
 * What is wrong with the parameters of a request, compared with the types of the `stripe` package; undefined when they
 * fit. `type` names an interface of `file`, for example `SubscriptionUpdateParams` of `Subscriptions`.
 */
export function checkParams(file: string, type: string, form: Form): ParamError | undefined {
  const declarations = known.get(file) ?? readDeclarations(readFileSync(join(RESOURCES, `${file}.d.ts`), 'utf8'));
  known.set(file, declarations);
  if (!declarations.interfaces.has(type)) throw new Error(`The stripe package has no ${type} in ${file}`);
  return checkInterface(declarations, type, form, '');
}

/** Reads the declarations line by line: those of the package are printed by one program and all look the same. */
function readDeclarations(text: string): Declarations {
  const interfaces: Declarations['interfaces'] = new Map();
  const aliases: Declarations['aliases'] = new Map();
  const open: { kind: 'namespace' | 'interface' | 'other'; name: string }[] = [];
  const full = (name: string) =>
    [...open.filter(({ kind }) => kind === 'namespace').map((one) => one.name), name].join('.');
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('*') || line.startsWith('/*') || line === '') continue;
    const namespace = /^(?:export )?(?:declare )?namespace (\w+) \{$/.exec(line);
    const declared = /^(?:export )?interface (\w+)(?: extends ([\w.]+))? \{(\})?$/.exec(line);
    const alias = /^(?:export )?type (\w+) = (.*);$/.exec(line);
    const current = open.at(-1);
    if (namespace?.[1] !== undefined) open.push({ kind: 'namespace', name: namespace[1] });
    else if (declared?.[1] !== undefined) {
      const name = full(declared[1]);
      interfaces.set(name, { members: interfaces.get(name)?.members ?? new Map(), parent: declared[2] });
      if (declared[3] === undefined) open.push({ kind: 'interface', name });
    } else if (alias?.[1] !== undefined) aliases.set(full(alias[1]), alias[2] ?? '');
    else if (line.endsWith('{')) open.push({ kind: 'other', name: '' });
    else if (line.startsWith('}')) open.pop();
    else if (current?.kind === 'interface') {
      const member = /^'?(\w+)'?(\?)?: (.*);$/.exec(line);
      if (member?.[1] !== undefined)
        interfaces
          .get(current.name)
          ?.members.set(member[1], { type: member[3] ?? '', isRequired: member[2] === undefined });
    }
  }
  return { interfaces, aliases };
}

/** Parameters of every list. */
const PAGINATION: [string, Member][] = ['limit', 'starting_after', 'ending_before'].map((name) => [
  name,
  { type: name === 'limit' ? 'number' : 'string', isRequired: false },
]);

function checkInterface(all: Declarations, name: string, form: Form, at: string): ParamError | undefined {
  const { members, parent } = all.interfaces.get(name) ?? { members: new Map<string, Member>(), parent: undefined };
  const allowed = new Map([...(parent === 'PaginationParams' ? PAGINATION : []), ...members]);
  for (const [key, value] of Object.entries(form)) {
    const param = at === '' ? key : `${at}[${key}]`;
    const member = allowed.get(key);
    if (member === undefined)
      return { code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param };
    const error = checkValue(all, name, member.type, value, param);
    if (error !== undefined) return error;
  }
  for (const [key, { isRequired }] of allowed)
    if (isRequired && form[key] === undefined) {
      const param = at === '' ? key : `${at}[${key}]`;
      return { code: 'parameter_missing', message: `Missing required param: ${param}.`, param };
    }
  return undefined;
}

/** Fits when one of the members of a union does; otherwise the complaint of the most telling one. */
function checkValue(
  all: Declarations,
  scope: string,
  type: string,
  value: string | Form,
  param: string,
): ParamError | undefined {
  const options = unionOf(all, scope, type).filter((one) => one !== 'OtherString' && one !== 'null');
  const literals = options.flatMap((one) => /^'(.*)'$/.exec(one)?.[1] ?? []);
  const errors: ParamError[] = [];
  for (const option of options) {
    const error = checkOption(all, scope, option, value, param);
    if (error === undefined) return undefined;
    errors.push(error);
  }
  if (typeof value === 'string' && literals.some((one) => one !== ''))
    return invalid(param, `Invalid ${param}: must be one of ${literals.join(', ')}`);
  return errors.find(({ code }) => code !== 'parameter_invalid') ?? errors[0];
}

function checkOption(
  all: Declarations,
  scope: string,
  type: string,
  value: string | Form,
  param: string,
): ParamError | undefined {
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  if (list !== undefined) {
    if (typeof value === 'string') return invalid(param, `Invalid array: ${param}`);
    for (const [index, item] of Object.entries(value)) {
      if (!/^\d+$/.test(index)) return invalid(param, `Invalid array: ${param}`);
      const error = checkValue(all, scope, list, item, `${param}[${index}]`);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  const found = resolve(all.interfaces, scope, type);
  if (found !== undefined)
    return typeof value === 'string'
      ? invalid(param, `Invalid object: ${param}`)
      : checkInterface(all, found, value, param);
  if (type === 'MetadataParam')
    return typeof value === 'string' ? invalid(param, `Invalid object: ${param}`) : undefined;
  if (typeof value !== 'string') return invalid(param, `Invalid string: ${param}`);
  if (type === 'number') return /^-?\d+$/.test(value) ? undefined : invalid(param, `Invalid integer: ${value}`);
  if (type === 'boolean') return /^(true|false)$/.test(value) ? undefined : invalid(param, `Invalid boolean: ${value}`);
  if (type.startsWith("'")) return type === `'${value}'` ? undefined : invalid(param, `Invalid ${param}`);
  return undefined;
}

const invalid = (param: string, message: string): ParamError => ({ code: 'parameter_invalid', message, param });

/** The members of a type that may be a union or the name of one. */
function unionOf(all: Declarations, scope: string, type: string): string[] {
  const inner = /^Emptyable<(.*)>$/.exec(type)?.[1];
  if (inner !== undefined) return ["''", ...unionOf(all, scope, inner)];
  const parts = splitUnion(type);
  if (parts.length > 1) return parts.flatMap((part) => unionOf(all, scope, part));
  const alias = resolve(all.aliases, scope, type);
  return alias === undefined ? [type] : unionOf(all, scope, all.aliases.get(alias) ?? '');
}

function splitUnion(type: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < type.length; i++) {
    if (type[i] === '<') depth++;
    else if (type[i] === '>') depth--;
    else if (depth === 0 && type.startsWith(' | ', i)) {
      parts.push(type.slice(start, i));
      start = i + 3;
    }
  }
  return [...parts, type.slice(start)];
}

/** A name as TypeScript finds it: in the namespace of the scope, then in those around it. */
function resolve(names: Map<string, unknown>, scope: string, name: string): string | undefined {
  const around = scope.split('.');
  for (let length = around.length; length >= 0; length--) {
    const candidate = [...around.slice(0, length), name].join('.');
    if (names.has(candidate)) return candidate;
  }
  return undefined;
}

/** `items[0][quantity]=3` as `{items: {0: {quantity: '3'}}}`. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[');
    const last = path.pop() ?? '';
    let into = form;
    for (const part of path) {
      const next = into[part];
      if (typeof next === 'object') into = next;
      else {
        const made: Form = {};
        into[part] = made;
        into = made;
      }
    }
    into[last] = value;
  }
  return form;
}
