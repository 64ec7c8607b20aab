/** What a request asks for, under the names of GET parameters; a search body has the plural of most of them. */
export class Asked {
  readonly #values = new Map<string, string[]>();
  readonly #settled = new Set<string>();
  /** Names that this call does not have. */
  readonly unknown: string[] = [];

  add(name: string, values: readonly string[]): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), ...values]);
  }

  /** In place of what was asked for. */
  set(name: string, values: readonly string[]): void {
    this.#values.set(name, [...values]);
    this.#settled.delete(name);
  }

  /** All values of a parameter; undefined when it was not given. The caller has then seen to it. */
  take(name: string): string[] | undefined {
    this.#settled.add(name);
    return this.#values.get(name);
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.#values.has(name));
  }

  text(name: string): string | undefined {
    return this.take(name)?.[0];
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    return text === undefined ? undefined : text === 'true' || text === '1';
  }

  /** Undefined when it was not given or is no number. */
  number(name: string): number | undefined {
    const text = this.text(name);
    const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : value;
  }

  /** Whether a time lies between `{name}Start` and `{name}End`; null when neither was given. */
  timeRange(name: string): ((time: number) => boolean) | null {
    const [start, end] = [this.text(`${name}Start`), this.text(`${name}End`)];
    if (start === undefined && end === undefined) return null;
    const from = start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start);
    const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end);
    return (time) => time >= from && time <= to;
  }

  /** Parameters that nobody has taken. */
  rest(): [name: string, values: string[]][] {
    return [...this.#values].filter(([name]) => !this.#settled.has(name));
  }
}

/** Empty text is no filter: clients send `studyDbId=` for "any". */
const isGiven = (text: string): boolean => text !== '';

/** Read by {@link pageOf}. */
const PAGING = new Set(['page', 'pageSize', 'pageToken']);

/**
 * The parameters of a query. Repeated keys and lists with commas both name several values; a value with a comma also
 * means itself, for names that contain one.
 */
export function askedInQuery(query: Readonly<Record<string, unknown>>, known: readonly string[]): Asked {
  const asked = new Asked();
  for (const [name, value] of Object.entries(query)) {
    if (PAGING.has(name)) continue;
    if (!known.includes(name)) asked.unknown.push(name);
    else {
      const texts = [value].flat().map(String).filter(isGiven);
      const values = texts.flatMap((text) => (text.includes(',') ? [text, ...text.split(',').map(trimmed)] : [text]));
      if (values.length > 0) asked.add(name, values.filter(isGiven));
    }
  }
  return asked;
}

/** The fields of the body of a search. An empty list is no filter. */
export function askedInBody(body: unknown, known: readonly string[]): Asked {
  const asked = new Asked();
  if (typeof body !== 'object' || body === null) return asked;
  for (const [name, value] of Object.entries(body)) {
    if (PAGING.has(name) || value === null) continue;
    if (!known.includes(name)) asked.unknown.push(name);
    // An area on the map, as GeoJSON.
    else if (name === 'coordinates' && typeof value === 'object') asked.add(name, [JSON.stringify(value)]);
    else if (LEVELS[name] !== undefined) addLevels(asked, LEVELS[name], [value].flat());
    else {
      const values = [value].flat().filter((one) => one !== null && typeof one !== 'object');
      if (values.length > 0) asked.add(singular(name), values.map(String));
    }
  }
  return asked;
}

const trimmed = (text: string): string => text.trim();

/** Fields that hold levels as objects, and how their parameters begin. */
const LEVELS: Record<string, string> = {
  observationLevels: 'observationUnitLevel',
  observationLevelRelationships: 'observationUnitLevelRelationship',
};
const LEVEL_FIELDS: Record<string, string> = {
  levelName: 'Name',
  levelOrder: 'Order',
  levelCode: 'Code',
  observationUnitDbId: 'DbId',
};

function addLevels(asked: Asked, prefix: string, levels: readonly unknown[]): void {
  for (const level of levels)
    for (const [field, value] of Object.entries(typeof level === 'object' && level !== null ? level : {}))
      if (LEVEL_FIELDS[field] !== undefined && value !== null) asked.add(prefix + LEVEL_FIELDS[field], [String(value)]);
}

const NOT_PLURAL = new Set(['genus', 'species', 'coordinates']);

/** `studyDbIds` → `studyDbId`, `traitClasses` → `traitClass`, `traitEntities` → `traitEntity`. */
function singular(name: string): string {
  if (NOT_PLURAL.has(name)) return name;
  if (name.endsWith('sses')) return name.slice(0, -2);
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

/** Rows asked for. */
export interface PageRequest {
  page: number;
  size: number;
}

/** Entries of a page where the request does not say how many, unless a list has a size of its own. */
const USUAL_PAGE = 1_000;

/** The page of a query or body. A page size above `most` is clamped, with a warning. */
export function pageOf(
  given: Readonly<Record<string, unknown>>,
  most: number,
  warnings: string[],
  usual = USUAL_PAGE,
): PageRequest {
  const size = wholeNumber(given['pageSize']) ?? usual;
  if (size > most) warnings.push(`pageSize is at most ${most} here; ${size} was asked for.`);
  return {
    page: wholeNumber(given['page']) ?? wholeNumber(given['pageToken']) ?? 0,
    size: Math.max(1, Math.min(size, most)),
  };
}

export function wholeNumber(value: unknown): number | undefined {
  const text = String([value].flat()[0] ?? '').trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
