import { formatColumn } from '@heterosis/charts/format';
import type { ReportFigure } from '@heterosis/charts/report-charts';
import type { ReportQuery } from '@heterosis/contracts/work/runs';

/** Parts in a row whose widths fit stand side by side. */
export type PartWidth = 'whole' | 'twoThirds' | 'half' | 'third';

/** A part of a report, in the order in which it is printed. */
export type ReportPart =
  | {
      what: 'figure';
      title: string;
      /** How it is read, in a line or two below the title. */
      caption?: string;
      width: PartWidth;
      /** Points; by default of a shape that suits its width. */
      height?: number;
      figure: ReportFigure;
    }
  | {
      what: 'table';
      title: string;
      /** By default the whole; a narrower one must have few rows. */
      width?: PartWidth;
      columns: readonly { title: string; align?: 'left' | 'right'; stretches?: boolean }[];
      /**
       * Numbers are of one kind down a column, and are written with the decimals that they share; null where one is
       * missing. Numbers of different kinds, as of several traits, are texts.
       */
      rows: readonly (readonly (string | number | null | undefined)[])[];
      /** Addresses below that of the installation, to which the first cells lead. */
      links?: readonly (string | undefined)[];
      /** Rows on grey. */
      shaded?: readonly number[];
      /** Below the table. */
      note?: string;
    }
  | {
      what: 'facts';
      title: string;
      facts: readonly (readonly [label: string, value: string])[];
      /** As of tables: where the labels lead. */
      links?: readonly (string | undefined)[];
    };

export type ReportTable = Extract<ReportPart, { what: 'table' }>;

/** The cells of a table as texts. */
export function writtenRows({ columns, rows }: Pick<ReportTable, 'columns' | 'rows'>): string[][] {
  const numbers = columns.map((_, c) => formatColumn(rows.map((row) => (typeof row[c] === 'string' ? null : row[c]))));
  return rows.map((row, r) => row.map((cell, c) => (typeof cell === 'string' ? cell : (numbers[c]?.[r] ?? ''))));
}

/**
 * Members read who started a run, in which project, and why something failed; whoever holds a share link reads neither
 * names of persons, nor ids, nor what leads to anything else (decision 55).
 */
export type Audience = 'members' | 'link';

/** All that is printed: plain data, which a thread is given. */
export interface Report {
  page: ReportQuery['page'];
  organization: string;
  /** PNG or JPEG. */
  logo: Uint8Array | null;
  /** Null for who holds a link, and of a project itself. */
  project: string | null;
  /** `GWAS`. */
  kind: string;
  name: string;
  description: string | null;
  /** Results and failures, a sentence each. */
  sentences: readonly string[];
  inputs: readonly (readonly [role: string, name: string])[];
  parts: readonly ReportPart[];
  /** Empty for what has none. */
  methods: string;
  provenance: readonly (readonly [label: string, value: string])[];
  /** Of its page; null for who holds a link. */
  link: string | null;
  /** When it ended, or was last changed. */
  date: string;
}
