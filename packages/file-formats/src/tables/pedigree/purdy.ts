/** A cross of a Purdy string: a parent with its own parents, or a name that the string ends at. */
export interface PurdyPlant {
  /** A name as written, or the canonical Purdy string of a cross. */
  name: string;
  /** Both parents, or null for a name. */
  parents: readonly [female: PurdyPlant, male: PurdyPlant] | null;
}

/** What is wrong with a Purdy string, in a sentence without its full stop. */
export class PurdyError extends Error {}

const MAX_LENGTH = 4000;
const MAX_BRACKETS = 50;
/** More doses of a recurrent parent than any programme uses: a typing error. */
const MAX_DOSES = 20;

/**
 * Parses the pedigree notation of Purdy et al. (1968), as CIMMYT, IRRI and GRIN write it: `/` is the first cross, `//`
 * the second, `/3/` the third; the highest splits the string into female (left) and male. `A*3/B` and `A/3*B` give
 * the recurrent parent three doses, `A*3/B` = A/(A/(A/B)). Round, square and curly brackets may nest, and ` x ` stands
 * for `/`. A selection history (`-1Y-2M`) stays with the name before it; after a bracket it names a plant of that
 * cross.
 *
 * @returns the plant that the string describes
 * @throws PurdyError with the reason
 */
export function parsePurdy(text: string): PurdyPlant {
  if (text.length > MAX_LENGTH) throw new PurdyError(`it is longer than ${MAX_LENGTH} characters`);
  const tokens = tokensOf(text);
  const tree = parseGroup(tokens, { at: 0, depth: 0 });
  return plantOf(tree);
}

/**
 * Splits a text at its last cross, the one of the highest order outside brackets, and gives both sides as they are
 * written: `A/B//C` is `A/B` and `C`. Null for a text without a cross, and where it is not said which was made last.
 */
export function sidesOfCross(text: string): readonly [female: string, male: string] | null {
  const last = lastCross(text);
  if (last === null || last.isTied) return null;
  const [female, male] = [text.slice(0, last.start).trim(), text.slice(last.end).trim()];
  return female === '' || male === '' ? null : [female, male];
}

/** A cross as a text that {@link sidesOfCross} splits into the same two names, also where these are crosses. */
export function crossText(female: string, male: string): string {
  const order = 1 + Math.max(...[female, male].map((name) => lastCross(name)?.order ?? 0));
  return `${female}${slashes(order)}${male}`;
}

function lastCross(text: string): { order: number; start: number; end: number; isTied: boolean } | null {
  let last: ReturnType<typeof lastCross> = null;
  let depth = 0;
  for (const { 0: found, 1: number, 2: signs, 3: open, 4: close, index } of text.matchAll(TOKEN)) {
    if (open !== undefined) depth++;
    else if (close !== undefined) depth--;
    else if (depth === 0 && isCrossSign(found, number ?? signs)) {
      const order = number !== undefined ? Number(number) : (signs?.length ?? 1);
      if (last === null || order > last.order) {
        last = { order, start: index, end: index + found.length, isTied: false };
      } else if (order === last.order) last.isTied = true;
    }
  }
  return depth === 0 ? last : null;
}

const isCrossSign = (found: string, order: string | undefined): boolean =>
  order !== undefined || /^\s+[xX]\s+$|×/u.test(found);

type Token =
  | { kind: 'name'; text: string }
  | { kind: 'cross'; order: number }
  | { kind: 'open' | 'close'; text: string };

const TOKEN = /\s*(?:\/(\d{1,2})\/|(\/{1,9})|([([{]))\s*|\s*([)\]}])|\s+[xX]\s+|\s*×\s*|[^/()[\]{}×]/gu;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let name = '';
  const endName = (): void => {
    if (name.trim() !== '') tokens.push({ kind: 'name', text: name.trim().replace(/\s+/g, ' ') });
    name = '';
  };
  for (const [found, order, slashes, open, close] of text.matchAll(TOKEN)) {
    if (isCrossSign(found, order ?? slashes)) {
      endName();
      tokens.push({ kind: 'cross', order: order !== undefined ? Number(order) : (slashes?.length ?? 1) });
    } else if (open !== undefined || close !== undefined) {
      endName();
      tokens.push(open === undefined ? { kind: 'close', text: close ?? '' } : { kind: 'open', text: open });
    } else name += found;
  }
  endName();
  return tokens;
}

/** A plant and how many doses of it a cross takes. */
interface Operand {
  plant: PurdyPlant;
  doses: number;
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

function parseGroup(tokens: readonly Token[], state: { at: number; depth: number }, closing?: string): Operand {
  const operands: Operand[] = [];
  const orders: number[] = [];
  while (true) {
    operands.push(parseOperand(tokens, state));
    const next = tokens.at(state.at) ?? null;
    if (state.at >= tokens.length || next === null) {
      if (closing !== undefined) throw new PurdyError(`a bracket is not closed: "${closing}" is missing`);
      break;
    }
    if (next.kind === 'close') {
      if (next.text !== closing) throw new PurdyError(`the bracket "${next.text}" closes none that is open`);
      state.at++;
      break;
    }
    if (next.kind !== 'cross') throw new PurdyError(`a "/" is missing before "${textOf(next)}"`);
    orders.push(next.order);
    state.at++;
  }
  return combine(operands, orders);
}

function parseOperand(tokens: readonly Token[], state: { at: number; depth: number }): Operand {
  const token = state.at < tokens.length ? tokens[state.at] : undefined;
  if (token === undefined || token.kind === 'cross' || token.kind === 'close') {
    throw new PurdyError(token === undefined ? 'a parent is missing at its end' : 'a parent is missing beside a "/"');
  }
  state.at++;
  if (token.kind === 'name') {
    const before = /^(\d+)\s*\*$/.exec(token.text);
    const next = tokens.at(state.at);
    if (before !== null && next?.kind === 'open') return { ...parseOperand(tokens, state), doses: doses(before[1]) };
    return named(token.text);
  }
  if (++state.depth > MAX_BRACKETS) throw new PurdyError(`its brackets are nested deeper than ${MAX_BRACKETS}`);
  const inner = parseGroup(tokens, state, CLOSING[token.text]);
  state.depth--;
  const plant = plantOf(inner);
  const after = state.at < tokens.length ? tokens[state.at] : undefined;
  if (after?.kind !== 'name') return { plant, doses: 1 };
  const dosed = /^(.*?)\s*\*\s*(\d+)$/.exec(after.text);
  const history = dosed === null ? after.text : (dosed[1] ?? '');
  if (history !== '' && !/^[-:.]/.test(history)) throw new PurdyError(`a "/" is missing before "${after.text}"`);
  state.at++;
  return {
    plant: history === '' ? plant : { name: `(${plant.name})${history}`, parents: plant.parents },
    doses: dosed === null ? 1 : doses(dosed[2]),
  };
}

function named(text: string): Operand {
  const before = /^(\d+)\s*\*\s*(.+)$/.exec(text);
  if (before !== null) return { plant: plain(before[2] ?? ''), doses: doses(before[1]) };
  const after = /^(.+?)\s*\*\s*(\d+)$/.exec(text);
  if (after !== null) return { plant: plain(after[1] ?? ''), doses: doses(after[2]) };
  return { plant: plain(text), doses: 1 };
}

/** A plant without parents. With a * in its name, what is meant as a recurrent parent would become a founder. */
function plain(name: string): PurdyPlant {
  if (name.includes('*')) throw new PurdyError(`the "*" in "${name}" gives no number of doses`);
  return { name, parents: null };
}

function doses(digits: string | undefined): number {
  const value = Number(digits);
  if (!(value >= 1 && value <= MAX_DOSES)) {
    throw new PurdyError(`${value} doses of a recurrent parent are not between 1 and ${MAX_DOSES}`);
  }
  return value;
}

/** Splits at the highest order, again and again. */
function combine(operands: readonly Operand[], orders: readonly number[]): Operand {
  const [only] = operands;
  if (orders.length === 0 && only !== undefined) return only;
  const highest = Math.max(...orders);
  const split = orders.indexOf(highest);
  if (orders.lastIndexOf(highest) !== split) {
    throw new PurdyError(
      `two crosses of the same order, ${slashes(highest)}, stand side by side, and it is not said which was made first`,
    );
  }
  const left = combine(operands.slice(0, split + 1), orders.slice(0, split));
  const right = combine(operands.slice(split + 1), orders.slice(split + 1));
  return { plant: crossed(left, right), doses: 1 };
}

function crossed(left: Operand, right: Operand): PurdyPlant {
  if (left.doses > 1 && right.doses > 1) throw new PurdyError('both parents of a cross are recurrent');
  const joined = (female: string, male: string): string =>
    `${female}${slashes(1 + Math.max(orderOf(female), orderOf(male)))}${male}`;
  const [female, male] = [left.plant, right.plant];
  let plant: PurdyPlant = { name: joined(female.name, male.name), parents: [female, male] };
  for (let dose = 2; dose <= left.doses; dose++) {
    plant = { name: joined(`${inBrackets(female)}*${dose}`, male.name), parents: [female, plant] };
  }
  for (let dose = 2; dose <= right.doses; dose++) {
    plant = { name: joined(female.name, `${dose}*${inBrackets(male)}`), parents: [plant, male] };
  }
  return plant;
}

/** A dose before or after a cross belongs to all of it. */
const inBrackets = ({ name, parents }: PurdyPlant): string =>
  parents === null || orderOf(name) === 0 ? name : `(${name})`;

/** Order of the last cross of a canonical string; brackets count as names. */
function orderOf(name: string): number {
  let outside = name;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, '');
  }
  let highest = 0;
  for (const [, number, slash] of outside.matchAll(/\/(\d{1,2})\/|(\/{1,9})/g)) {
    highest = Math.max(highest, number === undefined ? (slash?.length ?? 0) : Number(number));
  }
  return highest;
}

const slashes = (order: number): string => (order < 3 ? '/'.repeat(order) : `/${order}/`);

function plantOf({ plant, doses: count }: Operand): PurdyPlant {
  if (count > 1) throw new PurdyError(`"${plant.name}" has ${count} doses, but no other parent`);
  return plant;
}

function textOf(token: Token): string {
  return token.kind === 'cross' ? slashes(token.order) : token.text;
}
