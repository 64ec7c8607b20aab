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

/** All that is printed of a run: plain data, which a thread is given. */
export interface Report {
  page: ReportQuery['page'];
  organization: string;
  project: string;
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
  /** Of the page of the run. */
  link: string;
  /** When the run ended, or was made. */
  date: string;
}
