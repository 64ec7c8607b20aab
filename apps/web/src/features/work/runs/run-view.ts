import type { Reference } from '@heterosis/contracts/common';
import type { RunKind } from '@heterosis/contracts/work/run-kinds';
import type { RepeatableRun } from '@heterosis/contracts/work/run-request';
import type { Provenance } from '@heterosis/contracts/work/runs';
import type { UseQueryResult } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ComponentType, ReactNode } from 'react';
import type * as z from 'zod';
import type { Fact } from '../../../components/page/facts-strip.tsx';
import type { DataColumn } from '../../../components/table/data-table.tsx';
import type { ModalName } from '../../../lib/browser/modal.ts';
import type { Stages } from './run-state.ts';
import type { Runs, SingleRunEndpoints, WithState } from './runs-of.ts';

/** A run in the list of its kind. */
export interface ListedRun {
  id: string;
  name: string;
  traits: string[];
  key_figure?: string | null;
  created_by_id: string | null;
  created_at: string;
}

/** A run on its page. */
export interface ShownRun extends RepeatableRun {
  id: string;
  name: string;
  description: string | null;
  created_by_id: string | null;
  created_at: string;
  provenance: Provenance;
}

/** What runs are made from. */
export type InputRole = 'model' | 'genotype' | 'phenotype' | 'crossing_table';

/**
 * The inputs that runs of a list name: `genotype_id` and `genotype_name`, or of a role with several of them
 * `phenotype_ids` and `phenotype_names`.
 */
type RoleIn<Item> = {
  [Role in InputRole]: Item extends
    | Record<`${Role}_${'id' | 'name'}`, string | null>
    | Record<`${Role}_${'ids' | 'names'}`, string[]>
    ? Role
    : never;
}[InputRole];

/** Facts that several kinds have. */
export interface FactMakers {
  t: TFunction;
  file: (label: string, file: Reference | null) => Fact;
  /** Of a role with several files, those that are left of `count`. */
  files: (label: string, files: readonly Reference[], count: number) => Fact;
  model: (model: Reference | null) => Fact;
  /** The map, or the rate by which distances follow from base pairs. */
  linkageMap: (map: Reference | null, bpPerCm: number | null) => Fact;
}

export interface RunPartProps<Detail> {
  projectId: string;
  run: WithState<Detail>;
}

/** What else a list can be looked at as. */
export interface OtherListProps<Item> {
  projectId: string;
  runs: UseQueryResult<WithState<Item>[]>;
  /** The switch between the list and this, for the tools of its table. */
  views: ReactNode;
  empty: ReactNode;
}

/**
 * What is particular to a kind of run: its list and its page are made from this. The name of a kind, its texts
 * (`<path>.create`, `.name`, `.delete` …) and its links follow from the table `RUN_KINDS`.
 */
export interface RunView<Item extends ListedRun, Detail extends ShownRun>
  extends Pick<Runs<Item, Detail, never>, 'list' | 'detail'> {
  kind: RunKind;
  endpoints: SingleRunEndpoints<Detail>;
  /** What starts a run. */
  body: z.ZodObject;
  /** Columns of the list, and what its rows can be grouped by. */
  inputs: readonly RoleIn<Item>[];
  /** The inputs that a run has, where that is not all of them. */
  inputsOf?: (run: Item) => readonly RoleIn<Item>[];
  /** Further columns, and the figures by which runs are compared, in place of their key figure. */
  useColumns?: (
    projectId: string,
    runs: readonly WithState<Item>[] | undefined,
  ) => { figures: DataColumn<WithState<Item>>[]; columns: DataColumn<WithState<Item>>[] };
  /** All traits of all runs at a glance, in place of the list. */
  Matrix?: ComponentType<OtherListProps<Item>>;
  /** The dialog that shows chosen runs side by side. */
  compareWith?: ModalName;
  stages: (run: Detail) => Stages;
  /** Inputs and parameters. When the run was made and how long it took follow. */
  useFacts: (run: Detail, make: FactMakers) => Fact[];
  /** The one thing to do next, beside the menu. */
  Action?: ComponentType<RunPartProps<Detail>>;
  /** Files that the menu offers, by their labels. */
  downloads?: (run: Detail, t: TFunction) => readonly (readonly [label: string, url: string | null | undefined])[];
  /** A script of the command line that does the same without a server. */
  commands?: (run: Detail) => string;
  /** What the dialog that starts another one is opened with, where that is not the run. */
  againWith?: (run: Detail) => string | undefined;
}
