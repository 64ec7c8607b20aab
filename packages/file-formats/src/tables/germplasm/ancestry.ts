import { counted } from '../../genotype/panel/tally.ts';
import type { NameResolver } from '../../names/name-resolver.ts';
import { PurdyError, parsePurdy, sidesOfCross } from '../pedigree/purdy.ts';
import { parentName } from './read-germplasm.ts';
import { canonical, type Draft, type Settling } from './settling.ts';

/** The passport descriptor of ancestry (MCPD 2.1), in any case. */
const ANCEST = /^ancest$/i;
/** Signs of a cross. */
const CROSS = /[/×]|\s[xX]\s/u;

interface Parents {
  maternal: string | null;
  paternal: string | null;
}

/** Rows of one outcome: how many, the first of them and what its cell holds. */
interface Counted {
  rows: number;
  line: number;
  example: string;
}

/**
 * Reads the parents of rows without any from their passport descriptor ANCEST, which the export of passport data writes
 * as `mother/father`. ANCEST is free text elsewhere ("selection from Irene"), so parents are taken only from a cross of
 * two lines that are known, or that may be created; all else stays an attribute, and a cross of others is told of once.
 */
export class Ancestry {
  readonly #settling: Settling;
  readonly #resolve: NameResolver['resolve'];
  readonly #counts: { read?: Counted; kept?: Counted } = {};

  constructor(settling: Settling, resolve: NameResolver['resolve']) {
    this.#settling = settling;
    this.#resolve = resolve;
  }

  /** The parents as the cell writes them, which is then no attribute any more; those of the row where it tells none. */
  parentsOf(draft: Draft): Parents {
    const { row, settled } = draft;
    if (row.maternal !== null || row.paternal !== null) return row;
    const key = Object.keys(row.attributes).find((name) => ANCEST.test(name));
    const text = key === undefined ? undefined : row.attributes[key];
    if (key === undefined || text === undefined) return row;
    const parents = this.#parentsIn(text, draft);
    if (parents !== null) this.#count('read', row.line, text);
    // A text without a cross tells of no parents, and was never meant to.
    else if (CROSS.test(text)) this.#count('kept', row.line, text);
    if (parents === null) return row;
    const { [key]: _, ...others } = row.attributes;
    settled.content.attributes = others;
    return parents;
  }

  /** I-GP-ANCEST and W-GP-ANCEST, once all rows are read. */
  finish(): void {
    const { problems } = this.#settling;
    const { read, kept } = this.#counts;
    if (read !== undefined)
      problems.add('info', 'I-GP-ANCEST', {
        ...{ line: read.line, column: 'ANCEST', value: read.example },
        message: `The parents of ${counted(read.rows, 'line')} were read from ANCEST, such as "${read.example}".`,
        suggestion: 'Nothing to do. Give parents in columns of their own where these are not they.',
      });
    if (kept !== undefined)
      problems.add('warning', 'W-GP-ANCEST', {
        ...{ line: kept.line, column: 'ANCEST', value: kept.example },
        message: `ANCEST of ${counted(kept.rows, 'line')}, such as "${kept.example}", is no cross of two lines that are known. It is kept as an attribute.`,
        suggestion: 'Add the parents to the list or the file, or give them in columns "female" and "male".',
      });
  }

  #parentsIn(text: string, draft: Draft): Parents | null {
    const sides = sidesOfCross(text);
    if (sides === null) return null;
    const [maternal, paternal] = sides.map(parentName);
    const known = [maternal, paternal].filter((name) => name != null);
    if (known.length === 0 || !known.every((name) => this.#isParent(name, draft))) return null;
    return { maternal: maternal ?? null, paternal: paternal ?? null };
  }

  #isParent(name: string, draft: Draft): boolean {
    const resolution = this.#resolve(name);
    if (resolution.status === 'found') return resolution.name !== canonical(draft);
    return resolution.status === 'unknown' && this.#settling.options.generateUnknownParents === true && isPlain(name);
  }

  #count(outcome: 'read' | 'kept', line: number, example: string): void {
    const counts = (this.#counts[outcome] ??= { rows: 0, line, example });
    counts.rows++;
  }
}

/** Whether a text is the name of a plant, and no cross or number of doses. */
function isPlain(name: string): boolean {
  try {
    const plant = parsePurdy(name);
    return plant.parents === null && plant.name === name;
  } catch (error) {
    if (error instanceof PurdyError) return false;
    throw error;
  }
}
