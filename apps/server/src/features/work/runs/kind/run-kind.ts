import type { Reference } from '@heterosis/contracts/common';
import type { FileType } from '@heterosis/contracts/data/files';
import type { OverviewResults } from '@heterosis/contracts/people/projects';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { DatabaseTransaction, Queryable } from '../../../../platform/database/database.ts';
import type { Services } from '../../../../platform/http/app.ts';
import type { JobDefinition } from '../../../../platform/job-queue/job.ts';
import type { IndividualValue, LocusGenotype, MarkerEffect } from '../../line-values/index.ts';
import type { ReportPart } from '../report/report.ts';
import type { ReportTraits } from '../report/report-traits.ts';
import type { BundleParts } from '../results/bundle.ts';
import type { Outcome } from '../work/run-mail.ts';
import type { Run, RunRequestedBy } from '../work/runs.queries.ts';

/** An input in the details of a run; null when it was deleted. */
const referenceTo = (id: string | null, name: string | null): Reference | null =>
  id === null ? null : { id, name: name ?? '' };

/** What a kind shows of the inputs in these roles. */
export const inputs = {
  /** Columns of the row, as lists show them. */
  columns: <Row extends object, Name extends keyof Row>(row: Row, ...names: Name[]): Pick<Row, Name> =>
    Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>,

  /** All of a role that may have several, for the details of a run. */
  several: <Role extends string>(
    row: Readonly<Record<`${Role}_ids` | `${Role}_names`, string[]>>,
    role: Role,
  ): Reference[] => row[`${role}_ids`].map((id, i) => ({ id, name: row[`${role}_names`][i] ?? '' })),

  /** For the details of a run. */
  references: <Role extends string>(
    row: Readonly<Record<`${Role}_${'id' | 'name'}`, string | null>>,
    ...roles: Role[]
  ): Record<Role, Reference | null> =>
    Object.fromEntries(roles.map((role) => [role, referenceTo(row[`${role}_id`], row[`${role}_name`])])) as Record<
      Role,
      Reference | null
    >,

  /** For the bundle of a run; null for what was deleted. */
  names: <Role extends string>(
    detail: Readonly<Record<Role, Reference | null>>,
    ...roles: Role[]
  ): Record<string, string | null> => Object.fromEntries(roles.map((role) => [role, detail[role]?.name ?? null])),
};

/** Columns of every run's row. */
export interface NamedRunRow {
  id: string;
  name: string;
  description: string | null;
  project_id: string;
  organization_id: string;
  traits: string[];
  created_by: string | null;
}

/** A file of this type, or a run of this kind. */
export type InputType = FileType | RunKind;

/**
 * Role → kind of input. The kind's table stores its id in the column `{role}_id`, those of a role that may have several
 * in the array `{role}_ids`.
 */
export type RunInputs = Readonly<Record<string, InputType | { optional: InputType } | { several: InputType }>>;

/** A select over a kind's table (alias `one`), its inputs (each by the name of its role), projects and users. */
export interface RunQuery<Row> {
  where(condition: Expression<SqlBool>): RunQuery<Row>;
  orderBy(expression: RawBuilder<unknown>, direction: 'desc'): RunQuery<Row>;
  limit(rows: number): RunQuery<Row>;
  execute(): Promise<Row[]>;
  executeTakeFirst(): Promise<Row | undefined>;
}

/** The rows of a kind; made by `selectionOf`. */
export interface RunSelection<Row, Kind extends RunKind = RunKind, Inputs extends RunInputs = RunInputs> {
  kind: Kind;
  inputs: Inputs;
  /** The runs of a project, excluding the bin. */
  select(db: Queryable, projectId: string): RunQuery<Row>;
}

/** The work started when a run is created or started again. */
export interface FirstStep {
  // oxlint-disable-next-line typescript/no-explicit-any -- jobs of different kinds carry different ids
  job: JobDefinition<any>;
  /** Name of the step in the row of the work. */
  step: string;
  seed?: number;
}

/**
 * A kind of run. Each feature supplies what is specific to it. Listing, reading, renaming, deleting, cancelling and
 * starting again are the same for all kinds (`run-kind.service.ts`), and so is the frame of the work
 * (`kind-work.ts`).
 */
export interface RunKindDefinition<
  Row extends NamedRunRow = NamedRunRow,
  Item = unknown,
  Detail = unknown,
  Kind extends RunKind = RunKind,
> extends RunSelection<Row, Kind> {
  /** Optional inputs that this run does not have. */
  unused?(row: Row): readonly string[];
  firstStep(row: Row): FirstStep;
  /** As shown in lists. `runs` are the newest of each step. */
  toItem(services: Services, row: Row, runs: readonly Run[]): Promise<Item>;
  toDetail(services: Services, row: Row, runs: readonly Run[]): Promise<Detail>;
  /** All results, with inputs and provenance. */
  toBundle(row: Row, detail: Detail): BundleParts;
  /** A paragraph for the methods section of a paper. */
  methods(row: Row, detail: Omit<Detail, 'methods'>): string;
  /** How the run ended; undefined while it is unfinished. */
  outcome(row: Row): Outcome | undefined;
  /** The key figure for the project overview: SQL over the kind's table with the alias `one`. */
  keyFigure: RawBuilder<string | null>;
  /** The main figures of the newest runs of a project, for its overview. */
  overviewResults?(db: Queryable, projectId: string): Promise<Partial<OverviewResults>>;
  /** What its results say of the individuals with these names; absent for kinds that judge no individuals. */
  valuesOf?(services: Pick<Services, 'tables'>, row: Row, names: readonly string[]): Promise<IndividualValue[]>;
  /** Figures and tables of its report; absent: its sentences say all. */
  reportParts?(services: Services, row: Row, traits: ReportTraits): Promise<ReportPart[]>;
  /** What the individuals with these names have at the loci that it found; absent for kinds that find none. */
  lociOf?(
    services: Pick<Services, 'db' | 'storage' | 'tables'>,
    row: Row,
    names: readonly string[],
  ): Promise<LocusGenotype[]>;
  /** What it found of these markers: significant effects of a GWAS, the large ones of a model; absent elsewhere. */
  effectsAt?(services: Pick<Services, 'tables'>, row: Row, markers: readonly string[]): Promise<MarkerEffect[]>;
  /** Begins the failed parts again; throws a `Problem` if there are none. */
  repeat(services: Services, trx: DatabaseTransaction, row: Row, requested: RunRequestedBy): Promise<void>;
}
