import { counted } from '../../genotype/panel/tally.ts';
import type { ProblemCollector } from '../../problem.ts';
import type { TableColumn } from '../text/read-table.ts';
import { crossOf, generationsOf } from './cross-words.ts';
import type { GermplasmContent } from './germplasm-table.ts';

type Descent = Pick<GermplasmContent, 'crossType' | 'selfingGenerations' | 'attributes'>;

/** A number, with the letter of a filial or selfed generation or without, however impossible. F0 is a founder. */
const NUMBER_OF_GENERATION = /^(?!F0$)[FS]?[+\-\u2212]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i;

/** Words of one column that are neither a type of cross nor a generation. */
interface UnknownWords {
  rows: number;
  line: number;
  /** The first different ones. */
  examples: Set<string>;
}

const MOST_EXAMPLES = 5;

/**
 * Reads the cells of cross type and generation of a germplasm table. Either may stand in the other's column. Text that
 * is neither is kept as an attribute, and told of once for the column.
 */
export class DescentCells {
  readonly #columns: { crossType: TableColumn | undefined; generation: TableColumn | undefined };
  readonly #problems: ProblemCollector;
  readonly #unknown = new Map<TableColumn, UnknownWords>();
  #knownCrosses = 0;

  constructor(
    columns: { crossType: TableColumn | undefined; generation: TableColumn | undefined },
    problems: ProblemCollector,
  ) {
    this.#columns = columns;
    this.#problems = problems;
  }

  /** Reports E-GP-GENERATION for a number of generations that cannot be. */
  read(line: number, crossText: string | null, generationText: string | null): Descent {
    const crossType = crossOf(crossText ?? '') ?? crossOf(generationText ?? '');
    const selfingGenerations = generationsOf(generationText ?? '') ?? generationsOf(crossText ?? '');
    const attributes: Record<string, string> = {};
    const { crossType: crosses, generation: generations } = this.#columns;
    if (crosses !== undefined && crossText !== null) {
      const isGeneration = selfingGenerations !== null && selfingGenerations === generationsOf(crossText);
      if (crossOf(crossText) !== null || isGeneration) this.#knownCrosses++;
      else this.#note(crosses, crossText, line);
      if (crossOf(crossText) === null) attributes[crosses.name] = crossText;
    }
    if (generations !== undefined && generationText !== null && generationsOf(generationText) === null) {
      const isCross = crossType !== null && crossType === crossOf(generationText);
      if (NUMBER_OF_GENERATION.test(generationText)) this.#refuse(generations, generationText, line);
      else if (!isCross) this.#note(generations, generationText, line);
      if (!isCross) attributes[generations.name] = generationText;
    }
    return { crossType, selfingGenerations, attributes };
  }

  /** W-GP-CROSS-TYPE and W-GP-GENERATION, once all rows are read. */
  finish(): void {
    const { crossType, generation } = this.#columns;
    for (const [column, { rows, line, examples }] of this.#unknown) {
      // A column called "type" without any type of cross tells something else.
      if (column === crossType && column.key === 'type' && this.#knownCrosses === 0) continue;
      const isGeneration = column === generation;
      const what = isGeneration ? 'generation' : 'type of cross';
      const words = [...examples].map((text) => `"${text}"`).join(', ');
      const counts = isGeneration ? 'no selfing' : 'an ordinary cross';
      this.#problems.warning(isGeneration ? 'W-GP-GENERATION' : 'W-GP-CROSS-TYPE', {
        line,
        column: column.label,
        value: [...examples][0] ?? null,
        message: `Of ${counted(rows, 'row')} the ${what} is not known (${words}): it is kept as an attribute, and relationships count ${counts}.`,
        suggestion: isGeneration
          ? 'Write F5, S3, RIL, or the number of generations of selfing.'
          : 'Write cross, backcross, self, DH, clone or open, if relationships are to be computed.',
      });
    }
  }

  #note(column: TableColumn, text: string, line: number): void {
    const words = this.#unknown.get(column) ?? { rows: 0, line, examples: new Set<string>() };
    words.rows++;
    if (words.examples.size < MOST_EXAMPLES) words.examples.add(text);
    this.#unknown.set(column, words);
  }

  #refuse(column: TableColumn, text: string, line: number): void {
    this.#problems.error('E-GP-GENERATION', {
      line,
      column: column.label,
      value: text,
      message: `"${text}" is no number of generations: it is whole, and from 0 to 100.`,
      suggestion: 'Write F5, S3 or the number of generations of selfing, or leave the cell empty.',
    });
  }
}
