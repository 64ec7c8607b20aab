import type {
  DecisionColumn,
  DecisionDetail,
  DecisionMarkValue,
  DecisionSet,
  DecisionSettings,
} from '@heterosis/contracts/work/decisions';

/** What a closed decision keeps for ever: it is read from nowhere else afterwards. */
export interface Minutes {
  name: string;
  project: string;
  description: string | null;
  version: number;
  closed_at: string;
  closed_by: string;
  chair: string | null;
  /** Who marked, by name. */
  people: string[];
  source: DecisionDetail['source'];
  settings: DecisionSettings;
  columns: DecisionColumn[];
  notes: string[];
  set: DecisionSet;
  list: string;
  /** Of the lines below: SHA-256 of their JSON. */
  sha256: string;
  lines: MinutesLine[];
}

export interface MinutesLine {
  number: number;
  name: string;
  family: string | null;
  is_check: boolean;
  mark: DecisionMarkValue;
  settled_by: string | null;
  settled_reason: string | null;
  /** Of each person the last one, the latest first. */
  marks: { person: string; mark: DecisionMarkValue; reason: string; marked_at: string }[];
  values: (number | null)[];
  ses: (number | null)[];
  reliabilities: (number | null)[];
  index: number | null;
  beats_check: number | null;
  beats_every: number | null;
  among_best: number | null;
}

/** Of one form everywhere: the mark that decides in front, then the index. */
const ORDER: Record<DecisionMarkValue, number> = { ADVANCE: 0, HOLD: 1, UNDECIDED: 2, DROP: 3 };

export const inOrder = (lines: readonly MinutesLine[]): MinutesLine[] =>
  [...lines].sort(
    (a, b) => ORDER[a.mark] - ORDER[b.mark] || (b.index ?? -Infinity) - (a.index ?? -Infinity) || a.number - b.number,
  );
