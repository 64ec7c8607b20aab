import {
  type DecisionDetail,
  type DecisionLines,
  type DecisionMark,
  type DecisionMarkValue,
  type LineOutcome,
  outcomesOf,
} from '@heterosis/contracts/work/decisions';

/** A candidate as a row of the table. */
export interface BoardRow {
  number: number;
  /** Of a blind decision its number. */
  name: string;
  isHidden: boolean;
  germplasmId: string | null;
  family: string | null;
  isCheck: boolean;
  stage: string | null;
  values: (number | null)[];
  ses: (number | null)[];
  reliabilities: (number | null)[];
  index: number | null;
  beatsCheck: number | null;
  beatsEvery: number | null;
  amongBest: number | null;
  outcome: LineOutcome;
  mine: DecisionMarkValue | undefined;
}

const UNMARKED: LineOutcome = {
  ...{ mark: 'UNDECIDED', isSettled: false, isDisagreed: false, marks: [], settlement: undefined },
};

export function boardRows(
  lines: DecisionLines,
  marks: readonly DecisionMark[],
  myId: string | undefined,
  hiddenName: (number: number) => string,
): BoardRow[] {
  const outcomes = outcomesOf(marks);
  return lines.number.map((number, i) => {
    const outcome = outcomes.get(number) ?? UNMARKED;
    const name = lines.name[i] ?? null;
    return {
      ...{ number, name: name ?? hiddenName(number), isHidden: name === null, outcome },
      ...{ germplasmId: lines.germplasm_id[i] ?? null, family: lines.family[i] ?? null },
      ...{ isCheck: lines.is_check[i] ?? false, stage: lines.stage[i] ?? null },
      values: lines.values.map((column) => column[i] ?? null),
      ses: lines.ses.map((column) => column[i] ?? null),
      reliabilities: lines.reliabilities.map((column) => column[i] ?? null),
      ...{ index: lines.index[i] ?? null, beatsCheck: lines.beats_check[i] ?? null },
      ...{ beatsEvery: lines.beats_every[i] ?? null, amongBest: lines.among_best[i] ?? null },
      mine: outcome.marks.find(({ person_id: person }) => person === myId)?.mark,
    };
  });
}

export type Shown = 'all' | 'disagreed' | 'open' | 'ADVANCE' | 'HOLD' | 'DROP';
export const SHOWN: readonly Shown[] = ['all', 'open', 'disagreed', 'ADVANCE', 'HOLD', 'DROP'];

export function isShown({ outcome, mine, isCheck }: BoardRow, shown: Shown): boolean {
  if (shown === 'all') return true;
  if (shown === 'disagreed') return outcome.isDisagreed;
  if (shown === 'open') return !isCheck && mine === undefined && !outcome.isSettled;
  return outcome.mark === shown;
}

/** Candidates with the largest index, without the check. */
export function bestByIndex(rows: readonly BoardRow[], count: number): BoardRow[] {
  return rows
    .filter(({ isCheck, index }) => !isCheck && index !== null)
    .toSorted((a, b) => (b.index ?? 0) - (a.index ?? 0))
    .slice(0, count);
}

/** Place of the column of the index for each trait, in the order of the columns. */
export const inIndex = ({ columns }: DecisionDetail): number[] =>
  columns.flatMap((column, c) => (column.in_index ? [c] : []));
