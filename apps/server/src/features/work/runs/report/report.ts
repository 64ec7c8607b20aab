import type { ReportQuery } from '@heterosis/contracts/work/runs';
import type { PdfFigure } from '../../../../platform/pdf/pdf-figure.ts';

/** What a kind shows of its results in a report, in this order. */
export type ReportPart =
  | ({ what: 'figure' } & PdfFigure)
  | {
      what: 'table';
      title: string;
      columns: readonly { title: string; align?: 'left' | 'right'; stretches?: boolean }[];
      rows: readonly (readonly string[])[];
    };

/**
 * Members read who started a run, in which project, and why something failed; whoever holds a share link reads neither
 * names of persons, nor ids, nor what leads to anything else (decision 55).
 */
export type Audience = 'members' | 'link';

/** All that is printed of a run: plain data, which a thread is given. */
export interface Report {
  page: ReportQuery['page'];
  organization: string;
  /** Null for who holds a link. */
  project: string | null;
  /** `GWAS`. */
  kind: string;
  name: string;
  description: string | null;
  /** Results and failures, a sentence each. */
  sentences: readonly string[];
  inputs: readonly (readonly [role: string, name: string])[];
  parts: readonly ReportPart[];
  methods: string;
  /** Label and value. */
  provenance: readonly (readonly [string, string])[];
  /** Of the page of the run; null for who holds a link. */
  link: string | null;
  /** When the run ended, or was made. */
  date: string;
}
