/** Severity: an error makes the file unusable, a warning and an info do not. */
export type Severity = 'error' | 'warning' | 'info';

/** One finding about a file. Codes are stable: tests and users quote them; `problem-codes.ts` lists them. */
export interface FileProblem {
  severity: Severity;
  /** E-…, W-… or I-…, for example `E-GT-BAD-CALL`. */
  code: string;
  /**
   * 1-based line of the file as a text editor counts it; the header has its real line. Null when the whole file is
   * meant.
   */
  line: number | null;
  /** Column name and spreadsheet letter, for example `EarHT (B)`. */
  column: string | null;
  /** The offending text, cut to 100 characters. */
  value: string | null;
  /** What is wrong, in a sentence a breeder understands. */
  message: string;
  /** What to do about it. */
  suggestion: string | null;
}

/** At most this many problems are kept in full; the totals always count all of them. */
export const MAX_LISTED_PROBLEMS = 1000;

/** Problems of one file: the first {@link MAX_LISTED_PROBLEMS} in order of appearance and the totals per code. */
export interface ProblemReport {
  problems: FileProblem[];
  totals: { errors: number; warnings: number; infos: number; byCode: Record<string, number> };
}

/** A finding without its severity and code. Places left out are null in the record; a suggestion is required. */
export interface ProblemDetails {
  message: string;
  line?: number | null;
  column?: string | null;
  value?: string | null;
  suggestion: string;
}

const MAX_VALUE_LENGTH = 100;
/** Longer than any name with its letter. */
const MAX_COLUMN_LENGTH = 300;
/** Sentences list up to ten names; a name may be a damaged file's megabyte. */
const MAX_SENTENCE_LENGTH = 2000;

/** Builds a {@link FileProblem}; the value is cut to 100 characters, also where the sentences quote it. */
export function fileProblem(severity: Severity, code: string, details: ProblemDetails): FileProblem {
  const { line = null, column = null, value = null, message, suggestion } = details;
  const short = value === null ? null : cutTo(MAX_VALUE_LENGTH, value);
  const sentence = (text: string) =>
    cutTo(
      MAX_SENTENCE_LENGTH,
      value === null || short === null || short === value ? text : text.replaceAll(value, short),
    );
  return {
    severity,
    code,
    line,
    column: column === null ? null : cutTo(MAX_COLUMN_LENGTH, column),
    value: short,
    message: sentence(message),
    suggestion: sentence(suggestion),
  };
}

function cutTo(length: number, text: string): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Thrown when reading cannot continue (an empty file, a damaged archive); carries the problem for the report. */
export class FileFormatError extends Error {
  readonly problem: FileProblem;

  constructor(code: string, details: ProblemDetails, options?: { cause?: unknown }) {
    super(details.message, options);
    this.name = 'FileFormatError';
    this.problem = fileProblem('error', code, details);
  }

  get code(): string {
    return this.problem.code;
  }
}

/**
 * Gathers the findings of one pass over a file. Keeps the first `limit` records and counts all.
 * Warnings never displace errors: a full list drops its last warning or info to make room for an error.
 */
export class ProblemCollector {
  readonly #limit: number;
  readonly #listed: FileProblem[] = [];
  readonly #byCode = new Map<string, number>();
  /** Listed warnings and infos, which errors may displace. */
  #replaceable = 0;
  #errors = 0;
  #warnings = 0;
  #infos = 0;

  constructor(limit: number = MAX_LISTED_PROBLEMS) {
    this.#limit = limit;
  }

  get errorCount(): number {
    return this.#errors;
  }

  add(problem: FileProblem): void {
    if (problem.severity === 'error') this.#errors++;
    else if (problem.severity === 'warning') this.#warnings++;
    else this.#infos++;
    this.#byCode.set(problem.code, (this.#byCode.get(problem.code) ?? 0) + 1);
    if (this.#listed.length < this.#limit) {
      this.#listed.push(problem);
      if (problem.severity !== 'error') this.#replaceable++;
    } else if (problem.severity === 'error' && this.#replaceable > 0) {
      const last = this.#listed.findLastIndex((listed) => listed.severity !== 'error');
      this.#listed.splice(last, 1, problem);
      this.#replaceable--;
    }
  }

  /** Counts `count` further findings of a kind of which enough are listed. */
  addUnlisted(severity: Severity, code: string, count: number): void {
    if (severity === 'error') this.#errors += count;
    else if (severity === 'warning') this.#warnings += count;
    else this.#infos += count;
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + count);
  }

  error(code: string, details: ProblemDetails): void {
    this.add(fileProblem('error', code, details));
  }

  warning(code: string, details: ProblemDetails): void {
    this.add(fileProblem('warning', code, details));
  }

  info(code: string, details: ProblemDetails): void {
    this.add(fileProblem('info', code, details));
  }

  /** The findings so far: those about the whole file first, then by line; equal lines stay in order of discovery. */
  report(): ProblemReport {
    return {
      problems: [...this.#listed].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
      totals: {
        errors: this.#errors,
        warnings: this.#warnings,
        infos: this.#infos,
        byCode: Object.fromEntries(this.#byCode),
      },
    };
  }
}

/** Column name with its spreadsheet letter, `EarHT (B)`; `index` is 0-based. An empty name gives the letter alone. */
export function columnLabel(name: string, index: number): string {
  const letters = columnLetters(index);
  return name === '' ? letters : `${name} (${letters})`;
}

/** The letters of a column in a spreadsheet, `AA` for 26. */
export function columnLetters(index: number): string {
  let letters = '';
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}
