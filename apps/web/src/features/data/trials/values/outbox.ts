// Values that were typed and not yet taken by the server, kept in this browser: in a field without a connection they
// survive a reload, a closed tab and an empty battery.

/** A typed value on its way. Its id is made here, so that sending it twice stores it once. */
export interface TypedValue {
  id: string;
  /** Number of the plot. */
  plot: number;
  trait: string;
  /** Empty: the value is taken away. */
  value: string;
  observedAt: string;
  /** Ids of the values that whoever typed saw in the cell, and replaces. */
  corrects: readonly string[];
  /** A request with it has begun: the server may have it. */
  isTried?: true;
  /** Why the server did not take it; it is not sent again. */
  refused?: string;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'heterosis.typed.';

export const outboxKey = (user: string, trialId: string): string => `${PREFIX}${user}.${trialId}`;

/** What waits, the oldest first. */
export function readOutbox(store: Store, key: string): TypedValue[] {
  const text = store.getItem(key);
  if (text === null) return [];
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? (values as TypedValue[]) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Most values that one replaces. */
const MOST_CORRECTED = 20;

/**
 * Adds values. One that is typed anew takes the place of the former, under an id of its own, and replaces what that
 * replaced; and the former itself where it may have arrived.
 *
 * @throws DOMException when the browser keeps nothing more: the caller says so, and keeps the value in the field
 */
export function addToOutbox(store: Store, key: string, typed: readonly TypedValue[]): TypedValue[] {
  const waiting = readOutbox(store, key);
  const formerOf = new Map(waiting.map((value) => [cellOf(value), value]));
  const added = typed.map((value): TypedValue => {
    const former = formerOf.get(cellOf(value));
    const corrects = [...value.corrects, ...(former?.corrects ?? []), ...(former?.isTried ? [former.id] : [])];
    return { ...value, corrects: [...new Set(corrects)].slice(-MOST_CORRECTED) };
  });
  const replaced = new Set(typed.map(cellOf));
  return write(store, key, [...waiting.filter((value) => !replaced.has(cellOf(value))), ...added]);
}

/** Says that a request with these begins; the values as they are sent. */
export function markTried(store: Store, key: string, ids: ReadonlySet<string>): TypedValue[] {
  const values = readOutbox(store, key).map(
    (value): TypedValue => (ids.has(value.id) ? { ...value, isTried: true } : value),
  );
  return write(store, key, values).filter(({ id }) => ids.has(id));
}

/** Takes out what the server has stored, and marks what it has refused. */
export function settle(store: Store, key: string, stored: Iterable<string>, refused: ReadonlyMap<string, string>) {
  const gone = new Set(stored);
  return write(
    store,
    key,
    readOutbox(store, key)
      .filter(({ id }) => !gone.has(id))
      .map((value) => {
        const reason = refused.get(value.id);
        return reason === undefined ? value : { ...value, refused: reason };
      }),
  );
}

/** Names a plot and a trait. */
export const cellOf = ({ plot, trait }: Pick<TypedValue, 'plot' | 'trait'>): string => `${plot} ${trait}`;

function write(store: Store, key: string, values: TypedValue[]): TypedValue[] {
  if (values.length === 0) store.removeItem(key);
  else store.setItem(key, JSON.stringify(values));
  return values;
}
